// The frame of the console: who gets in, what a stranger and a foreign page get, and what every page is sent with.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { OPERATIONS, operationsOf } from '../../src/api/operations.ts'
import { ASSETS } from '../../src/console/assets.ts'
import { ROUTES } from '../../src/console/routes.ts'
import { deleteMembership } from '../../src/store/team/members.ts'
import { insertMembership } from '../../src/store/team/users.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, personWith, signIn } from './person.ts'

describe('the console', () => {
  let world: World
  let owner: Person

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  it('asks whoever has not signed in to do so, and remembers where they wanted to go', async () => {
    const wanted = `${owner.home}/payins?status=DECLINED`
    const answer = await world.anonymous('GET', wanted)
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.location, `/console/sign-in?to=${encodeURIComponent(wanted)}`)
    const stale = personWith(world, owner.userId, 'A'.repeat(43), world.organization)
    assert.equal((await stale.get('')).status, 303)
    assert.equal((await stale.get('')).location, `/console/sign-in?to=${encodeURIComponent(owner.home)}`)
  })

  it('takes the cookie of a session that is over away, and lets nobody keep the answer', async () => {
    const { headers, status } = await owner.get('/payins', { cookie: 'recaudo_session=over' })
    assert.equal(status, 303)
    assert.equal(headers.get('set-cookie'), 'recaudo_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('leads from /console to the first organization', async () => {
    const { status, location } = await owner.get('/console')
    assert.deepEqual([status, location], [303, owner.home])
  })

  it('says nothing of another organization, nor whether there is one', async () => {
    const other = await world.newMerchant()
    const foreign = await owner.get(`/console/${other.organization.organizationId}`)
    const missing = await owner.get('/console/01900000-0000-7000-8000-00000000ffff')
    assert.deepEqual([foreign.status, missing.status], [404, 404])
    assert.equal(foreign.text, missing.text)
    assert.ok(!foreign.text.includes(other.organization.name))
  })

  it('shows whoever belongs to two organizations each of them in their role there, and leads from one to the other', async () => {
    const { organization } = await world.newMerchant()
    const [first, second] = [world.organization.organizationId, organization.organizationId]
    const person = await signIn(world, 'developer')
    assert.ok(!(await person.get('')).text.includes('id="organizations"'), 'there is nothing to choose')
    const { userId } = person
    await insertMembership(world.db, { organizationId: second, userId, role: 'accountant', at: 0 })
    const renamed = "update organizations set name = 'Panadería Aurora' where organization_id = $1"
    await world.db.query({ text: renamed, values: [second] })
    // What each of them may see: [webhooks, the audit log].
    const seen = async (organizationId: string) => {
      const at = (path: string) => person.get(`/console/${organizationId}${path}`)
      return [(await at('/webhooks')).status, (await at('/settings/audit')).status]
    }
    assert.deepEqual(await seen(first), [200, 403])
    assert.deepEqual(await seen(second), [403, 200])
    assert.equal((await person.get(`/console/${second.toUpperCase()}`)).status, 200)
    // The menu, wherever one is: where it leads, the role there, and which of them this one is.
    const name = world.organization.name
    for (const here of [first, second]) {
      const { text } = await person.get(`/console/${here}`)
      const [, menu = ''] = /<div id="organizations"[^>]*>(.*?)<\/div>/s.exec(text) ?? []
      const ways = [...menu.matchAll(/href="([^"]*)"( aria-current="true")?>([^<]*)<small>([^<]*)</g)]
      assert.deepEqual(
        ways.map(([, href, current, label, role]) => [href, current !== undefined, label, role]),
        [
          [`/console/${first}`, here === first, name, 'Desarrollador'],
          [`/console/${second}`, here === second, 'Panadería Aurora', 'Contador'],
        ],
      )
      assert.match(text, new RegExp(`person-name">[^<]*<small>${here === first ? 'Desarr' : 'Contador'}`))
    }
    assert.equal((await person.get('/console')).location, `/console/${first}`)
    const account = (await person.get('/console/account')).text
    for (const one of [first, second]) assert.ok(account.includes(`href="/console/${one}" title=`), one)
    // A role that is taken away in one of them is gone at the next click, and the other stays.
    await deleteMembership(world.db, first, userId)
    assert.deepEqual(
      [await seen(first), await seen(second)],
      [
        [404, 404],
        [403, 200],
      ],
    )
    assert.equal((await person.get('/console')).location, `/console/${second}`)
    await deleteMembership(world.db, second, userId)
    assert.equal((await person.get('/console')).location, '/console/account')
    assert.equal((await person.get('/console/account')).status, 200)
  })

  it('sends every page under a policy that lets in nothing but its own files, and lets nobody keep it', async () => {
    for (const answer of [await owner.get(''), await owner.get('/nothing-here')]) {
      const policy = answer.headers.get('content-security-policy')?.split('; ')
      assert.deepEqual(policy, [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
      for (const [name, value] of Object.entries({
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
        vary: 'accept-encoding, cookie',
      }))
        assert.equal(answer.headers.get(name), value, name)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.ok(!/<style|style="|<script>|\son\w+="/.test(answer.text), 'no inline style or script')
    }
  })

  it('serves its files under names that change with them, to be kept for good', async () => {
    for (const name of Object.values(ASSETS)) {
      const answer = await world.anonymous('GET', `/console/assets/${name}`)
      assert.equal(answer.status, 200, name)
      assert.match(answer.headers['cache-control'] ?? '', /immutable/)
    }
    const ofAnotherRelease = await world.anonymous('GET', '/console/assets/style.0123456789ab.css')
    assert.equal(ofAnotherRelease.status, 200)
    assert.equal(ofAnotherRelease.headers['cache-control'], 'no-store')
    assert.equal((await world.anonymous('GET', '/console/assets/other.0123456789ab.css')).status, 404)
  })

  it('takes forms from its own pages only', async () => {
    const send = (headers: Record<string, string>) =>
      world.anonymous('POST', '/console/theme', 'theme=dark', {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      })
    assert.equal((await send({ 'sec-fetch-site': 'same-origin' })).status, 303)
    assert.equal((await send({ 'sec-fetch-site': 'same-site' })).status, 403)
    assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await send({ 'sec-fetch-site': 'none' })).status, 403)
    assert.equal((await send({ origin: world.baseUrl })).status, 303)
    assert.equal((await send({ origin: 'https://elsewhere.example' })).status, 403)
    assert.equal((await send({ origin: 'null' })).status, 403)
    // Another site of the same host is another site. Whoever opened the console under another name of ours sends that one.
    const { publicUrl } = world.ctx.settings
    assert.equal((await send({ origin: new URL(publicUrl).origin })).status, 303)
    assert.equal((await send({ origin: `http://${new URL(publicUrl).hostname}:1` })).status, 403)
    assert.equal((await send({ origin: `http://console.example:${world.config.port}` })).status, 403)
    const named = {
      host: `console.example:${world.config.port}`,
      origin: `http://console.example:${world.config.port}`,
    }
    assert.equal(await statusOf(world, named), 303)
    assert.equal((await send({})).status, 403)
  })

  it('leads back to its own pages only', async () => {
    for (const [to, location] of [
      [`${owner.home}/payins?status=DECLINED`, `${owner.home}/payins?status=DECLINED`],
      ['https://elsewhere.example/', '/console'],
      ['//elsewhere.example/console/', '/console'],
      ['/console//elsewhere.example', '/console'],
      ['/console/\\elsewhere.example', '/console'],
      ['', '/console'],
    ] as const)
      assert.equal((await owner.post('/console/theme', { theme: 'light', to })).location, location)
  })

  it('is in the language of the person, and in the colours of the browser or the ones they chose', async () => {
    const english = await signIn(world, 'support', { language: 'en' })
    assert.match((await owner.get('')).text, /<html lang="es-CO" data-theme="auto"/)
    assert.match((await english.get('')).text, /<html lang="en" data-theme="auto"/)
    const dark = await owner.get('', { cookie: `${owner.cookie}; recaudo_theme=dark` })
    assert.match(dark.text, /data-theme="dark"/)
  })

  it('does nothing that the API does not: every form names one of its operations', () => {
    const operations = new Set(operationsOf('staging'))
    assert.ok(OPERATIONS.length > 40)
    for (const route of ROUTES) {
      if (route.method === 'GET') continue
      if ('operation' in route) assert.ok(operations.has(route.operation), route.path)
      else assert.ok(['saved view', 'shown person'].includes(route.own), route.path)
    }
  })
})

// As `fetch` cannot send it: it names the host by itself.
function statusOf({ config }: World, headers: Record<string, string>): Promise<number | undefined> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const options = {
    port: config.port,
    method: 'POST',
    path: '/console/theme',
    headers: { ...headers, ...type },
  }
  return new Promise((resolve, reject) => {
    request(options, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end('theme=dark')
  })
}

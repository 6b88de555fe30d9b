// What a sign-in sends: cookies, statuses, and what strangers may ask for. The pages themselves are tested in a browser.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusedPage } from '../../src/console/sign-in/let-in.ts'
import { html } from '../../src/core/html.ts'
import { PASSWORD, type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

describe('signing in to a console over https', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld({
      env: {
        PUBLIC_URL: 'https://pay.example',
        UNAUTHENTICATED_PER_SECOND: '5',
        TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const send = (path: string, typed: Record<string, string>, headers: Record<string, string> = {}) =>
    world.anonymous('POST', `/console${path}`, new URLSearchParams(typed).toString(), { ...FORM, ...headers })

  it('sets a cookie that no other site, subdomain or plain connection can set or read', async () => {
    const { email } = await people.withPassword()
    const answer = await fetch(`${world.baseUrl}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD }),
      headers: FORM,
      redirect: 'manual',
    })
    assert.equal(answer.status, 303)
    const [session = ''] = answer.headers.getSetCookie()
    assert.match(session, /^__Host-recaudo=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  it('ends the session that the browser had', async () => {
    const { email } = await people.withPassword()
    const cookieOf = async (headers: Record<string, string> = {}) =>
      (await send('/sign-in', { email, password: PASSWORD }, headers)).headers['set-cookie']?.split(';')[0] ??
      ''
    const isIn = async (cookie: string) =>
      (await world.anonymous('GET', '/console/account', undefined, { cookie })).status === 200
    const before = await cookieOf()
    assert.equal(await isIn(before), true)
    const now = await cookieOf({ cookie: before })
    assert.deepEqual([await isIn(before), await isIn(now)], [false, true])
  })

  it('says for how long somebody is locked out, in a header too', () => {
    const headers: Record<string, unknown> = {}
    const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) }
    const problems = { LOCKED: (minutes: number) => `locked ${minutes}`, BUSY: 'busy', EXPIRED: 'expired' }
    const guest = { reply, said: { problems } } as unknown as Parameters<typeof refusedPage>[0]
    const refused = (problem: Parameters<typeof refusedPage>[1]) =>
      refusedPage(guest, problem, 'wrong', (title) => ({ title, content: html`` }))
    const { title, status } = refused({ problem: 'LOCKED', retryAfterMs: 61_001 })
    assert.deepEqual([title, status, headers['retry-after']], ['locked 2', 429, 62])
    const busy = refused({ problem: 'BUSY' })
    assert.deepEqual([busy.title, busy.status, headers['retry-after']], ['busy', 503, 5])
    assert.deepEqual(
      [refused({ problem: 'WRONG' }), refused({ problem: 'EXPIRED' })].map((page) => [
        page.title,
        page.status,
      ]),
      [
        ['wrong', 422],
        ['expired', 422],
      ],
    )
  })

  it('remembers between password and code that the password was right, and nothing else', async () => {
    const user = await people.withPassword()
    const { codeAt } = await people.withApp(user)
    const first = await send('/sign-in', { email: user.email, password: PASSWORD })
    assert.equal(first.headers.location, '/console/sign-in/code')
    const [cookie = ''] = (first.headers['set-cookie'] ?? '').split(';')
    assert.match(
      first.headers['set-cookie'] ?? '',
      /^__Host-recaudo-step=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/,
    )
    assert.equal((await world.anonymous('GET', '/console/account', undefined, { cookie })).status, 303)
    const code = codeAt(Date.now() + 30_000)
    assert.equal((await send('/sign-in/code', { code })).status, 422, 'without the cookie')
    assert.equal((await send('/sign-in/code', { code }, { cookie })).status, 303)
    assert.equal((await send('/sign-in/code', { code }, { cookie })).status, 422, 'a second time')
  })

  it('asks passkeys only for its own origin', async () => {
    const ask = (origin: string) => send('/sign-in/passkey/begin', {}, { origin })
    assert.equal((await ask('https://pay.example')).json.rpId, 'pay.example')
    assert.equal((await ask('https://elsewhere.example')).json.challenge, undefined)
    const wrong = await send('/sign-in/passkey', { passkey: '{"rawId":' }, { origin: 'https://pay.example' })
    assert.equal(wrong.status, 422)
  })

  it('lets nobody without a session into the account', async () => {
    for (const path of [
      '/account',
      '/account/access',
      '/account/sessions',
      '/account/welcome',
      '/account/app',
    ])
      assert.equal(
        (await world.anonymous('GET', `/console${path}`)).headers.location,
        `/console/sign-in?to=${encodeURIComponent(`/console${path}`)}`,
      )
    for (const path of ['/account/password', '/account/app/begin', '/account/passkeys/begin'])
      assert.equal((await send(path, {})).headers.location, '/console/sign-in')
  })

  it('makes a stranger who is too fast wait', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        send('/sign-in/passkey/begin', {}, { ...from, origin: 'https://pay.example' }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0)
    assert.ok(Number(refused[0]?.headers['retry-after']) > 0)
  })
})

describe('a console that is opened by the number of this machine', () => {
  it('says where passkeys work', async () => {
    await using world = await createWorld()
    const { port } = new URL(world.baseUrl)
    const { text } = await world.anonymous('GET', '/console/sign-in')
    assert.ok(text.includes(`href="http://localhost:${port}/console/sign-in"`))
    assert.ok(!text.includes('data-passkey='))
  })
})

// Roles that see people masked get at nobody on other ways: through what receivers answered, addresses that can be worked out, keys
// and endpoints that they make, or by asking for what the role does not have.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { shownAnswer, shownData } from '../../src/console/objects/shown-json.ts'
import { receiptIdOf } from '../../src/core/receipts/statement.ts'
import { openToken, sealToken } from '../../src/core/seal.ts'
import { PEOPLE_VIEW, ROLES, type Role } from '../../src/core/team/role.ts'
import { entriesOf } from '../api/audit/entries.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { PRODUCTION } from '../cli/production.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

// As pages write letters that are not of ASCII.
const inEntities = (text: string) => text.replaceAll(/[^ -~]/g, (letter) => `&#${letter.codePointAt(0)};`)

describe('whoever sees people masked', () => {
  let world: World
  let people: Record<'owner' | 'support' | 'developer', Person>
  let receiver: Receiver
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: 'http://127.0.0.1:4000/pagos' } })
    people = {
      owner: await signIn(world, 'owner'),
      support: await signIn(world, 'support'),
      developer: await signIn(world, 'developer'),
    }
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const TOLD = [CUSTOMER.name, CUSTOMER.idNumber, CUSTOMER.email, '3001234567']

  it('does not read them in what a receiver repeats, in whatever form and wherever it is cut', async () => {
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const echoes = [
      JSON.stringify({ got: CUSTOMER }),
      JSON.stringify({ got: JSON.stringify(CUSTOMER) }),
      // As programs write JSON that know ASCII alone, cut in the middle.
      JSON.stringify({ got: CUSTOMER })
        .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .slice(0, -3),
      new URLSearchParams(CUSTOMER).toString(),
      `Fatal: no order of ${CUSTOMER.name.toUpperCase()} <${CUSTOMER.email.toUpperCase()}>`,
      `no order of ${CUSTOMER.name.normalize('NFD')}, nor ${inEntities(CUSTOMER.name)}, nor ${CUSTOMER.idNumber} and of ${CUSTOMER.name.slice(0, 11)}`,
    ]
    // However it is written.
    const names = [CUSTOMER.name, CUSTOMER.name.replaceAll(' ', '+'), CUSTOMER.name.normalize('NFD')]
    const told = [...TOLD, ...names, CUSTOMER.name.slice(0, 11), '#237;']
    for (const echo of echoes) {
      receiver.answerWith(500, `order 77 failed: ${echo}`)
      const { json: payin } = await world.client('POST', '/payins', brebPayin())
      await world.passTime(1_000)
      const { json: events } = await world.client('GET', `/events?objectId=${payin.id}`)
      const paths = [`/webhooks/${endpoint.id}`, `/events/${events.data[0].id}`, `/payins/${payin.id}`]
      for (const path of paths) {
        const seen = (await people.owner.get(path)).text
        assert.ok(seen.includes('order 77 failed'), `${path}: what was answered is there`)
        for (const role of ['support', 'developer'] as const) {
          const { text } = await people[role].get(path)
          assert.ok(text.includes('order 77 failed'), `${role} ${path}: the rest is shown`)
          for (const one of told)
            assert.ok(!text.toLowerCase().includes(one.toLowerCase()), `${role} ${path}: ${one} of ${echo}`)
          assert.ok(!text.includes('Mar\\u00eda'), `${role} ${path}`)
        }
      }
    }
    await world.client('DELETE', `/webhook-endpoints/${endpoint.id}`)
  })

  it('does not read the rest of a name of which a note has a part, nor a person who is a text', async () => {
    const vault = await world.ctx.vault(world.organization.organizationId)
    const eyes = { vault, isMasked: true, inPlaceOf: String }
    const data = JSON.stringify({ metadata: { buyer: 'Ana' }, inlineCustomer: CUSTOMER })
    assert.equal(shownAnswer(`no order of ${CUSTOMER.name}`, data, eyes), 'no order of ****** Mar*** Góm***')
    assert.equal(
      shownData(JSON.stringify({ inlineCustomer: CUSTOMER.name }), eyes),
      JSON.stringify({ inlineCustomer: '***' }),
    )
  })

  it('cannot work out where the evidence of a payout is, nor have it verified there', async () => {
    const { json: payout } = await world.client('POST', '/payouts', {
      ...{ amountInCents: 5_000_000, currency: 'COP', rail: 'BRE_B', reference: 'factura 1' },
      ...{ inlineCustomer: CUSTOMER, breb: { keyString: '3001234567' } },
    })
    await world.passTime(1_000)
    for (const role of ['support', 'developer'] as const) {
      const { text } = await people[role].get(`/payouts/${payout.id}`)
      for (const told of TOLD) assert.ok(!text.includes(told), `${role}: ${told}`)
    }
    const { url, id } = (await world.client('GET', `/payouts/${payout.id}/evidence`)).json
    const worked = `/evidence/${receiptIdOf(world.organization.organizationId, payout.id)}`
    assert.equal(worked, `/evidence/${id}`)
    const place = new URL(url).pathname.replace(/^\/pagos/, '')
    assert.match(place, new RegExp(`^${worked}\\.[\\w-]{22}$`))
    const other = `${place.slice(0, -1)}${place.endsWith('A') ? 'B' : 'A'}`
    for (const path of [worked, `${worked}.`, other.slice(0, -1), other.replace(/.{4}$/, 'AAAA')])
      assert.equal((await world.anonymous('GET', path)).status, 404, path)
    assert.match((await world.anonymous('GET', place)).text, /3001234567/)
    const verdict = async (address: string) =>
      (
        await world.anonymous('POST', '/verify', new URLSearchParams({ statement: address }).toString(), {
          ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        })
      ).json.verdict
    assert.equal(await verdict(url), 'genuine')
    assert.equal(await verdict(url.replace(/\.[^.]*$/, '')), 'unknown')
  })

  it('reads neither a note nor a key on a payout or a link, on its page and in its data', async () => {
    const noted = { description: 'para la tía Rosa', metadata: { vendedor: 'Rosa Elvira' } }
    const keys = ['@ROSAELVIRA9', 'rosa.elvira@correo.example']
    const paths = await Promise.all([
      ...keys.map(async (keyString) => {
        const sent = {
          amountInCents: 5_000_000,
          currency: 'COP',
          rail: 'BRE_B',
          reference: 'nómina',
          ...noted,
        }
        const body = { ...sent, inlineCustomer: CUSTOMER, breb: { keyString } }
        return `/payouts/${(await world.client('POST', '/payouts', body)).json.id}`
      }),
      (async () => {
        const sent = { amountType: 'FIXED', amountInCents: 5_000_000, reference: 'nota', ...noted }
        const body = { ...sent, inlineCustomer: CUSTOMER, callbackUrl: 'https://shop.example/return' }
        return `/links/${(await world.client('POST', '/payment-links', body)).json.paymentLinkId}`
      })(),
    ])
    const told = [
      noted.description,
      noted.metadata.vendedor,
      ...keys,
      ...keys.map((key) => key.toUpperCase()),
    ]
    for (const path of paths) {
      const seen = (await people.owner.get(path)).text
      assert.ok(seen.includes(noted.description) && seen.includes('Rosa Elvira'), path)
      for (const role of ['support', 'developer'] as const) {
        const { text, status } = await people[role].get(path)
        assert.equal(status, 200)
        for (const one of [...told, ...TOLD]) assert.ok(!text.includes(one), `${role} ${path}: ${one}`)
      }
    }
  })

  it('who asked sees the one they asked for, in that session, for five minutes, while the role is theirs', async () => {
    const support = await signIn(world, 'support')
    const bodies = [brebPayin({ description: 'para Ana' }), brebPayin()]
    const [asked, other] = await Promise.all(
      bodies.map(async (body) => `/payins/${(await world.client('POST', '/payins', body)).json.id}`),
    )
    const { location } = await support.post(`${asked}/show-person`)
    const shown = new URL(location ?? '', 'http://console').search
    const sees = async (path = '', person = support) => {
      const { text, status } = await person.get(path + shown)
      assert.equal(status, 200)
      return [CUSTOMER.name, CUSTOMER.email, 'para Ana'].map((told) => text.includes(told))
    }
    const [everything, nothing] = [
      [true, true, true],
      [false, false, false],
    ]
    assert.deepEqual(await sees(asked), everything)
    assert.deepEqual(await sees(other), nothing)
    assert.deepEqual(await sees(asked, people.support), nothing)
    assert.deepEqual(await sees(asked, people.developer), nothing)

    const { keys } = world.ctx.settings
    const { rows } = await world.db.query<{ session_id: string }>({
      text: 'select session_id from sessions where user_id = $1',
      values: [support.userId],
    })
    const { organizationId } = world.organization
    const context = `shown person ${rows[0]?.session_id} ${organizationId} ${asked?.split('/')[2]}`
    const sealed = openToken(keys.cursor, new URLSearchParams(shown).get('shown') ?? '', context)
    const lasts = Number(sealed?.readBigUInt64BE()) - Date.now()
    assert.ok(lasts > 200_000 && lasts <= 300_000, String(lasts))
    const over = Buffer.alloc(8)
    over.writeBigUInt64BE(BigInt(Date.now()))
    const late = await support.get(`${asked}?shown=${sealToken(keys.cursor, over, context)}`)
    assert.ok(!late.text.includes(CUSTOMER.name))

    const become = (role: Role) =>
      world.db.query({
        text: 'update memberships set role = $2 where user_id = $1',
        values: [support.userId, role],
      })
    await become('developer')
    assert.deepEqual(await sees(asked), nothing)
    await become('support')
    assert.deepEqual(await sees(asked), everything)
  })

  it('is written down when they ask for what their role does not have, and comes back where they were', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    const path = `/payins/${payin.id}`
    const acts = async (person: Person) =>
      (await entriesOf(world, world.organization))
        .filter(({ actor, act }) => actor.id === person.userId && act === 'customer.show')
        .map(({ objectId, outcome, refusal }) => [objectId, outcome, refusal])
    const home = `/pagos${people.owner.home}`
    assert.equal((await people.developer.post(`${path}/show-person`)).location, `${home}${path}`)
    assert.deepEqual(await acts(people.developer), [[payin.id, 'refused', 'INSUFFICIENT_SCOPE']])
    const { location } = await people.support.post(`${path}/show-person`)
    assert.ok(location?.startsWith(`${home}${path}?shown=`), location ?? '')
    const shown = await people.support.get((location ?? '').replace(/^\/pagos/, ''))
    assert.ok(shown.text.includes(CUSTOMER.name))
    assert.deepEqual(await acts(people.support), [[payin.id, 'done', null]])
    assert.equal((await people.owner.post(`${path}/show-person`)).location, `${home}${path}`)
    assert.deepEqual(await acts(people.owner), [], 'who sees them anyway asks for nothing')
  })

  it('comes back to the page, whatever stands before the console, from colours and from the proof', async () => {
    const page = (await people.owner.get('/payins?status=DECLINED')).text
    const to = `/pagos${people.owner.home}/payins?status=DECLINED`
    assert.ok(page.includes(`name="to" value="${to}"`))
    assert.equal((await people.owner.post('/console/theme', { theme: 'light', to })).location, to)
  })
})

describe('in production, whoever sees people masked', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: PRODUCTION })
  })
  after(() => world[Symbol.asyncDispose]())

  const personIn = async (role: Role): Promise<Person> => {
    const person = await signIn(world, role)
    const cookie = person.cookie.replace('recaudo_session', '__Host-recaudo')
    const post: Person['post'] = (path, typed, headers) => person.post(path, typed, { cookie, ...headers })
    return { ...person, get: (path, headers) => person.get(path, { cookie, ...headers }), post }
  }
  const key = (name: string, ...scopes: string[]) => {
    const typed = new URLSearchParams({ '/name': name, '/expiresInDays': '30' })
    for (const scope of scopes) typed.append('/scopes', scope)
    return typed as unknown as Record<string, string>
  }

  it('makes no key, client or endpoint that would show them, and no new secret of one', async () => {
    const developer = await personIn('developer')
    for (const kind of ['/settings/keys', '/settings/clients'])
      for (const scope of ['payins:read', 'payins:write', 'links:write', 'payouts:read', 'events:read']) {
        const { status, text } = await developer.post(`${kind}/new`, key('mine', scope))
        assert.ok(status === 403 || status === 422 || status === 400, `${kind} ${scope}: ${status}`)
        assert.doesNotMatch(text, /rc_live_|rk_|sk_/)
      }
    const { rows } = await world.db.query({ text: `select name from api_keys where name = 'mine'` })
    assert.deepEqual(rows, [])
    const allowed = await developer.post(
      '/settings/keys/new',
      key('hooks', 'webhooks:read', 'webhooks:write'),
    )
    assert.equal(allowed.status, 200, allowed.text)
    const { apiKeyId } = await world.key(['payins:read'])
    assert.equal(
      (await developer.post(`/settings/keys/${apiKeyId}/roll`, { '/overlapHours': '0' })).status,
      403,
    )
    const url = 'https://shop.example/hooks'
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', { url })
    for (const role of ['developer', 'support'] as const) {
      const person = await personIn(role)
      assert.equal(
        (await person.post('/webhooks', { '/url': 'https://mine.example/hooks' })).status,
        403,
        role,
      )
      const elsewhere = { '/url': 'https://mine.example/hooks' }
      assert.equal((await person.post(`/webhooks/${endpoint.id}/edit`, elsewhere)).status, 403, role)
    }
    const { data } = (await world.client('GET', '/webhook-endpoints')).json
    assert.deepEqual(
      data.map((one: { url: string }) => one.url),
      [url],
    )
  })

  it('is everybody but those whose role shows people', async () => {
    const makers = new Set<Role>()
    for (const role of ROLES) {
      const person = await personIn(role)
      const { status } = await person.post('/settings/keys/new', key(`of ${role}`, 'payins:read'))
      if (status === 200) makers.add(role)
    }
    assert.deepEqual([...makers], ['owner', 'administrator'])
    for (const role of makers) assert.equal(PEOPLE_VIEW[role], 'shown')
  })
})

it('in staging, where people are made up, a developer makes keys and endpoints', async () => {
  await using world = await createWorld()
  const developer = await signIn(world, 'developer')
  const typed = { '/name': 'mine', '/expiresInDays': '30', '/scopes': 'payins:read' }
  assert.equal((await developer.post('/settings/keys/new', typed)).status, 200)
  const made = await developer.post('/webhooks', { '/url': 'https://shop.example/hooks' })
  assert.ok(made.status === 200 || made.status === 303, `${made.status}`)
  await eventually(
    async () => (await world.client('GET', '/webhook-endpoints')).json.data,
    (all) => all.length === 1,
  )
})

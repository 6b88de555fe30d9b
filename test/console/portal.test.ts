// The webhook portal: what somebody with its address sees and can do, and that there is no way beyond it.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operationsOf } from '../../src/api/operations.ts'
import { createWebhookPortalLinkOperation } from '../../src/api/webhooks/portal-links.ts'
import { PORTAL_ACTS } from '../../src/console/webhooks/portal-routes.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { openPortalLink, type PortalLink, sealPortalLink } from '../../src/core/webhooks/portal-link.ts'
import { revokeOAuthClient } from '../../src/store/organizations/credentials.ts'
import { deleteMembership, updateRole } from '../../src/store/team/members.ts'
import { asPerson, entriesOf, joinAsOwner, PERSON } from '../api/audit/entries.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'

type Shown = { status: number; text: string; headers: Headers; location: string | null }

describe('the webhook portal', () => {
  let world: World
  let receiver: Receiver
  let endpointId: string
  let eventId: string
  before(async () => {
    world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '0' } })
    receiver = await startReceiver()
    // Many receivers answer with what they were told, some with every letter spelled out.
    const { name, ...others } = CUSTOMER
    const spelled = [...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    receiver.answerWith(
      500,
      `{"error":"no such order","of":${JSON.stringify(others)},"name":"${spelled.join('')}"}`,
    )
    const made = await world.client('POST', '/webhook-endpoints', {
      url: receiver.url,
      description: '<b>Pedidos</b>',
    })
    endpointId = made.json.id
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ reference: 'pedido-7' }))
    await endPayin(world, world.client, payin.id, 'confirmed')
    await world.work()
    eventId = (await world.client('GET', '/events')).json.data[0].id
    receiver.answerWith(200, 'thanks')
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    receiver.got.length = 0
  })

  type Changes = Record<string, unknown>
  const create = async (changes: Changes = {}, client = world.client): Promise<string> => {
    const body = { endpointIds: [endpointId], ...changes }
    const { status, json, text } = await client('POST', '/webhook-portal-links', body)
    assert.equal(status, 201, text)
    return new URL(json.url).pathname
  }
  const open = (path: string, headers: Record<string, string> = {}): Promise<Shown> => ask(path, { headers })
  const send = (path: string, typed: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: new URLSearchParams(typed),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  const ask = async (path: string, init: RequestInit): Promise<Shown> => {
    const response = await fetch(world.baseUrl + path, { redirect: 'manual', ...init })
    const { status, headers } = response
    return { status, headers, text: await response.text(), location: headers.get('location') }
  }
  // The same link with something else in it, as only we could make it.
  const resealed = (path: string, changes: Partial<PortalLink>): string => {
    const { portal } = world.ctx.settings.keys
    const link = openPortalLink(portal, path.split('/').at(-1) ?? '') as PortalLink
    return `/console/portal/${sealPortalLink(portal, { ...link, ...changes }, randomBytes(12))}`
  }
  const since = () => new Date(world.ctx.clock.now() - 86_400_000).toISOString()

  it('shows how the endpoint does, every attempt with what was sent and answered, and the next try', async () => {
    const { status, text } = await open(await create())
    assert.equal(status, 200)
    for (const said of [
      'Fallando',
      'Éxito, 24 h',
      'no such order',
      'pedido-7',
      'payin.confirmed',
      '500',
      'otro intento',
      '&lt;b&gt;Pedidos&lt;/b&gt;',
    ])
      assert.ok(text.includes(said), said)
    assert.ok(!text.includes('<b>Pedidos'))
    assert.match(text, /<dd>0\s%<\/dd>/)
    assert.ok((await open(`${await create()}?show=delivered`)).text.includes('Todavía no hay intentos'))
    await world.passTime(60_000)
    const later = (await open(`${await create()}?show=failed`)).text
    assert.ok(later.includes('no such order') && later.includes('se entregó después'))
  })

  it('shows no payer: whoever looks is nobody we know', async () => {
    const { text } = await open(await create())
    assert.ok(text.includes('inlineCustomer'))
    for (const said of [CUSTOMER.name, CUSTOMER.email, CUSTOMER.phone, CUSTOMER.idNumber, 'sealed'])
      assert.ok(!text.includes(said), said)
  })

  it('leads nowhere else, and sets no cookie', async () => {
    const path = await create({ readOnly: false })
    const { text, headers } = await open(path)
    assert.equal(headers.get('set-cookie'), null)
    const leads = [...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, to]) => to as string)
    assert.ok(leads.length > 5)
    for (const to of leads)
      assert.ok(
        to.startsWith(path) || to.startsWith('/console/assets/') || to.startsWith('?') || to.startsWith('#'),
        to,
      )
  })

  it('is kept by nobody, found by nobody, named to nobody, and framed where it says', async () => {
    const origins = ['https://app.shop.example', 'http://localhost:3000']
    const plain = await open(await create())
    const framed = await open(await create({ frameAncestors: origins }))
    for (const { headers } of [plain, framed]) {
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/)
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'self'/)
    }
    const ancestors = ({ headers }: Shown) =>
      /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    assert.deepEqual([ancestors(plain), plain.headers.get('x-frame-options')], ["'none'", 'DENY'])
    assert.deepEqual([ancestors(framed), framed.headers.get('x-frame-options')], [origins.join(' '), null])
    // What is wrong is said in the frame too.
    const ended = await open(resealed(await create({ frameAncestors: origins }), { expiresAt: 0 }))
    assert.deepEqual([ended.status, ancestors(ended)], [410, origins.join(' ')])
    const foreign = await open('/console/portal/AAAA')
    assert.deepEqual([foreign.status, ancestors(foreign)], [404, "'none'"])
  })

  it('is in the language of the link, or of the browser', async () => {
    const english = { 'accept-language': 'en-US,en;q=0.9' }
    assert.match((await open(await create())).text, /<html lang="es-CO"/)
    assert.match((await open(await create(), english)).text, /<html lang="en"/)
    assert.match((await open(await create({ language: 'es' }), english)).text, /<html lang="es-CO"/)
    const cookie = { cookie: 'recaudo_theme=dark' }
    assert.match((await open(await create(), cookie)).text, /data-theme="auto"/)
  })

  it('shows its endpoints and no others', async () => {
    const second = (await world.client('POST', '/webhook-endpoints', { url: 'https://two.example/e' })).json
      .id
    const third = (await world.client('POST', '/webhook-endpoints', { url: 'https://three.example/e' })).json
      .id
    const stranger = await world.newMerchant()
    const theirs = (await stranger.client('POST', '/webhook-endpoints', { url: 'https://x.example/e' })).json
      .id
    const path = await create({ endpointIds: [endpointId, second], readOnly: false })
    const list = await open(path)
    assert.ok(list.text.includes('two.example') && !list.text.includes('three.example'))
    assert.ok((await open(`${path}/${second.toUpperCase()}`)).text.includes('two.example'))
    for (const other of [third, theirs, randomUUID(), 'x', '..%2f..']) {
      assert.equal((await open(`${path}/${other}`)).status, 404, other)
      assert.equal((await send(`${path}/${other}/test`)).status, 404, other)
    }
    // Even if a link names an endpoint of somebody else, which we never make.
    const crossed = resealed(path, { endpointIds: [theirs] })
    assert.equal((await open(crossed)).status, 410)
    assert.equal((await send(`${crossed}/${theirs}/test`)).status, 410)
    await world.client('DELETE', `/webhook-endpoints/${second}`)
    assert.ok(!(await open(path)).text.includes('two.example'))
    for (const rest of ['/a/b', '/a/b/c', `/${endpointId}/test`])
      assert.equal((await open(path + rest)).status, 404, rest)
    assert.equal((await send(`${path}/${endpointId}/rotate`)).status, 404)
    assert.equal((await send(`${path}/${endpointId}/delete`)).status, 404)
  })

  it('opens for nobody who altered its address, and says no more than that', async () => {
    const path = await create()
    const altered = [`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, path.slice(0, -4), `${path}A`]
    const answers = [
      await open('/console/portal/AAAA'),
      ...(await Promise.all(altered.map((one) => open(one)))),
    ]
    const ended = await open(resealed(path, { expiresAt: Date.now() - 1 }))
    for (const { status, text } of answers) assert.deepEqual([status, text], [404, ended.text])
    assert.equal(ended.status, 410)
    assert.ok(ended.text.includes('Esta dirección no sirve'))
    assert.ok(!ended.text.includes(world.organization.name))
    assert.ok(!ended.text.includes(receiver.url.slice('http://'.length)))
    for (const one of altered) assert.equal((await send(`${one}/${endpointId}/test`)).status, 404)
  })

  it('ends to the millisecond, by the real clock', async () => {
    const path = await create()
    const real = world.ctx.clock.wallClock
    const now = real()
    Object.assign(world.ctx.clock, { wallClock: () => now })
    try {
      assert.equal((await open(resealed(path, { expiresAt: now + 1 }))).status, 200)
      assert.equal((await open(resealed(path, { expiresAt: now }))).status, 410)
      assert.equal((await send(`${resealed(path, { expiresAt: now })}/${endpointId}/test`)).status, 410)
    } finally {
      Object.assign(world.ctx.clock, { wallClock: real })
    }
  })

  it('ends with its endpoint, and with the key that made it', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://gone.example/e' })
    const ofEndpoint = await create({ endpointIds: [json.id] })
    assert.equal((await open(ofEndpoint)).status, 200)
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
    assert.equal((await open(ofEndpoint)).status, 410)

    const key = await world.key(null)
    const ofKey = await create({ readOnly: false }, key.client)
    assert.equal((await open(ofKey)).status, 200)
    await world.client('DELETE', `/api-keys/${key.apiKeyId}`)
    assert.equal((await open(ofKey)).status, 410)
    assert.equal((await send(`${ofKey}/${endpointId}/test`)).status, 410)
    assert.equal(receiver.got.length, 0)

    const dated = await world.key(null)
    const ofDated = await create({}, dated.client)
    const expires = (at: number) =>
      world.db.query({
        text: 'update api_keys set expires_at = $2 where api_key_id = $1',
        values: [dated.apiKeyId, new Date(at).toISOString()],
      })
    await expires(world.ctx.clock.now() + 60_000)
    assert.equal((await open(ofDated)).status, 200)
    await expires(world.ctx.clock.now() - 1)
    assert.equal((await open(ofDated)).status, 410)
  })

  it('ends with the client, and with the role of the person, that made it', async () => {
    const { clientId } = await world.oauthClient()
    const ofClient = resealed(await create(), { maker: { kind: 'client', id: clientId } })
    assert.equal((await open(ofClient)).status, 200)
    await revokeOAuthClient(world.db, clientId, world.ctx.clock.now())
    assert.equal((await open(ofClient)).status, 410)

    const { organization } = world
    await joinAsOwner(world, organization)
    const body = { endpointIds: [endpointId] }
    const made = await asPerson(world, organization, createWebhookPortalLinkOperation, { body })
    if (isRefusal(made)) assert.fail(made.detail)
    const ofPerson = new URL(JSON.parse(made.body).url).pathname
    const { organizationId } = organization
    const userId = PERSON.id as string
    const at = Date.now()
    assert.equal((await open(ofPerson)).status, 200)
    await updateRole(world.db, organizationId, userId, 'accountant', at)
    assert.equal((await open(ofPerson)).status, 410)
    await updateRole(world.db, organizationId, userId, 'support', at)
    assert.equal((await open(ofPerson)).status, 200)
    await deleteMembership(world.db, organizationId, userId)
    assert.equal((await open(ofPerson)).status, 410)
  })

  it('shows no events that its maker may not read, also not those that an endpoint was given since', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', {
      url: receiver.url,
      events: ['payout.confirmed'],
    })
    const reads = ['webhooks:write', 'webhooks:read', 'events:read', 'payouts:read'] as const
    const path = await create(
      { endpointIds: [json.id], readOnly: false },
      (await world.key([...reads])).client,
    )
    // Somebody sends it an event that it does not take.
    await world.client('POST', `/events/${eventId}/redeliver`, { endpointId: json.id })
    await world.work()
    receiver.got.length = 0
    const { text } = await open(path)
    assert.ok(text.includes('no se muestra aquí'))
    for (const said of ['pedido-7', 'thanks', `/resend/`]) assert.ok(!text.includes(said), said)
    const refused = await send(`${path}/${json.id}/resend/${eventId}`)
    assert.equal(refused.status, 403)
    await world.client('PATCH', `/webhook-endpoints/${json.id}`, { events: ['payin.confirmed'] })
    assert.equal((await open(path)).status, 410)
    await world.work()
    assert.equal(receiver.got.length, 0)
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
  })

  it('does nothing that the API does not', () => {
    const operations = new Set(operationsOf('staging'))
    for (const { operation } of Object.values(PORTAL_ACTS)) assert.ok(operations.has(operation))
  })

  it('to look at only does nothing, and offers nothing', async () => {
    const path = await create()
    const { text } = await open(path)
    assert.ok(!/<form|method="post"/.test(text))
    assert.ok(text.includes('Solo para mirar'))
    for (const act of ['test', 'recover', `resend/${eventId}`]) {
      const { status } = await send(`${path}/${endpointId}/${act}`, { '/since': since() })
      assert.equal(status, 403, act)
    }
    await world.work()
    assert.equal(receiver.got.length, 0)
  })

  it('sends a test, and what failed, again: each once, and to this endpoint alone', async () => {
    const other = await startReceiver()
    const { json } = await world.client('POST', '/webhook-endpoints', { url: other.url })
    const path = await create({ readOnly: false })
    const place = `${path}/${endpointId}`
    const [, key = ''] = /name="_key" value="([^"]+)"/.exec((await open(path)).text) ?? []
    assert.match(key, /^portal-/)
    for (let click = 0; click < 2; click += 1) {
      const tested = await send(`${place}/test`, { _key: key })
      assert.deepEqual([tested.status, tested.location], [303, `${place}?done=test`])
    }
    await world.work()
    assert.deepEqual(
      receiver.got.map(({ body }) => JSON.parse(body).event),
      ['webhook.test'],
    )
    assert.ok((await open(`${place}?done=test`)).text.includes('La prueba va en camino'))
    // Whoever looks takes no key away that the merchant may use.
    const shop = { 'idempotency-key': 'of-the-shop' }
    await send(`${place}/test`, { _key: shop['idempotency-key'] })
    await world.client('POST', `/webhook-endpoints/${endpointId}/test`, undefined, shop)
    await world.work()
    assert.equal(receiver.got.length, 3)
    const resent = await send(`${place}/resend/${eventId}`)
    assert.deepEqual([resent.status, resent.location], [303, `${place}?done=resend`])
    await world.work()
    assert.equal(receiver.got.at(-1)?.headers['webhook-id'], eventId)
    const recovered = await send(`${place}/recover`, { '/since': since() })
    assert.deepEqual([recovered.status, recovered.location], [303, `${place}?done=recover`])
    assert.equal(other.got.length, 0)
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
    await other[Symbol.asyncDispose]()
  })

  it('writes down what is done under the name of the link’s maker, and under the link', async () => {
    const path = await create({ readOnly: false })
    const linkId = openPortalLink(world.ctx.settings.keys.portal, path.split('/').at(-1) ?? '')?.linkId
    await send(`${path}/${endpointId}/test`)
    await world.work()
    const entry = (await entriesOf(world, world.organization)).findLast(({ act }) => act === 'webhook.test')
    assert.deepEqual(
      [entry?.actor.kind, entry?.actor.name, entry?.actor.sessionId, entry?.objectId],
      ['key', 'test (webhook portal)', linkId, endpointId],
    )
  })

  it('has an event sent only to an endpoint that was sent it before', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const path = await create({ endpointIds: [json.id], readOnly: false })
    for (const id of [eventId, randomUUID(), 'x'])
      assert.equal((await send(`${path}/${json.id}/resend/${id}`)).status, 404)
    await world.work()
    assert.equal(receiver.got.length, 0)
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
  })

  it('says what the API says where it refuses', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const path = await create({ endpointIds: [json.id], readOnly: false, language: 'en' })
    const wrong = await send(`${path}/${json.id}/recover`, { '/since': 'yesterday' })
    assert.deepEqual([wrong.status, wrong.text.includes('Nothing was done')], [400, true])
    await world.client('PATCH', `/webhook-endpoints/${json.id}`, { status: 'DISABLED' })
    const off = await send(`${path}/${json.id}/test`)
    assert.deepEqual([off.status, off.text.includes('switched off')], [409, true])
    assert.ok(!(await open(path)).text.includes('<form'))
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
  })

  it('takes forms from its own pages only, and nothing but forms', async () => {
    const path = `${await create({ readOnly: false })}/${endpointId}/test`
    const post = (headers: Record<string, string>, body = '') => ask(path, { method: 'POST', body, headers })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.equal((await post({ ...form, 'sec-fetch-site': site })).status, 403, site)
    assert.equal((await post({ ...form, origin: 'https://elsewhere.example' })).status, 403)
    assert.equal((await post(form)).status, 403)
    const ours = { 'sec-fetch-site': 'same-origin' }
    assert.equal((await post({ ...ours, 'content-type': 'application/json' }, '{}')).status, 415)
    assert.equal((await post({ ...ours, ...form }, 'a'.repeat(10_000))).status, 413)
    await world.work()
    assert.equal(receiver.got.length, 0)
  })

  it('takes so many requests of an address and no more, like those of any stranger', async () => {
    await using strict = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
    const { json } = await strict.client('POST', '/webhook-endpoints', { url: 'https://a.example/e' })
    const made = await strict.client('POST', '/webhook-portal-links', { endpointIds: [json.id] })
    const address = strict.baseUrl + new URL(made.json.url).pathname
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const statuses = new Set<number>()
    for (let tries = 0; tries < 8; tries += 1) statuses.add((await fetch(address, { headers })).status)
    assert.deepEqual([...statuses], [200, 429])
  })

  it('leaves its address in no log', async () => {
    const path = await create({ readOnly: false })
    await open(path)
    await send(`${path}/${endpointId}/test`)
    const token = path.split('/').at(-1) ?? 'x'
    await world.api.requestLog.flush()
    assert.ok(!JSON.stringify(world.logLines()).includes(token))
    const { rows } = await world.db.query<{ text: string }>({
      text: 'select r::text as text from request_log r union all select e::text from audit_entries e',
    })
    assert.ok(rows.length > 0 && !rows.some(({ text }) => text.includes(token)))
  })
})

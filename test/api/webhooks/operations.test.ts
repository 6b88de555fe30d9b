// Webhook endpoints: what is accepted and what is refused, secrets that are shown once, and how events reach them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../sdk/src/webhook.ts'
import { CONTRACT_EVENTS, EVENT_TYPES } from '../../../src/core/events/event.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { disableEndpoint } from '../../../src/store/webhooks/endpoints.ts'
import { sequenceAllEvents } from '../../sequence-events.ts'
import { brebPayin, type Client, createWorld, type World } from '../../world.ts'
import { insertEvents } from '../events/insert-events.ts'
import { assertProblem } from '../http/problem.ts'
import { type Receiver, startReceiver } from './receiver.ts'

describe('webhook endpoints', () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const url = 'https://shop.example/events'
  const create = async (client: Client, body: Record<string, unknown> = {}) => {
    const answer = await client('POST', '/webhook-endpoints', { url, ...body })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  // A canceled payin is the quickest event.
  const cause = async (client: Client): Promise<string> => {
    const { json } = await client('POST', '/payins', brebPayin())
    assert.equal((await client('POST', `/payins/${json.id}/cancel`)).status, 200)
    return json.id
  }
  const sentTo = (path: string) => receiver.got.filter((one) => one.path === path)

  it('is created, read, listed, changed and deleted', async () => {
    const { client } = await world.newMerchant()
    assert.deepEqual((await client('GET', '/webhook-endpoints')).json, { data: [] })
    const { secret, ...created } = await create(client, {
      events: ['payin.confirmed', 'payin.settled'],
      description: 'Orders',
    })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(created, {
      id: created.id,
      url,
      events: ['payin.confirmed', 'payin.settled'],
      description: 'Orders',
      status: 'ENABLED',
      disabledReason: null,
      verifiedAt: null,
      maxPerSecond: null,
      ed25519: false,
      publicKey: null,
      failingSince: null,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    })
    const at = `/webhook-endpoints/${created.id}`
    assert.deepEqual((await client('GET', at)).json, created)
    assert.deepEqual(
      (await client('GET', at.toUpperCase().replace('/WEBHOOK-ENDPOINTS', '/webhook-endpoints'))).json,
      created,
    )
    assert.deepEqual((await client('GET', '/webhook-endpoints')).json, { data: [created] })

    world.advance(1_000)
    const changed = await client('PATCH', at, {
      url: `${url}/2`,
      events: null,
      description: null,
      unknown: 1,
    })
    assert.equal(changed.status, 200)
    const { updatedAt } = changed.json
    assert.ok(updatedAt > created.updatedAt)
    assert.deepEqual(changed.json, {
      ...created,
      url: `${url}/2`,
      events: null,
      description: null,
      updatedAt,
    })
    assert.deepEqual((await client('PATCH', at, {})).json, {
      ...changed.json,
      updatedAt: (await client('GET', at)).json.updatedAt,
    })

    assert.deepEqual((await client('DELETE', at)).json, { id: created.id, deleted: true })
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      assertProblem(await client(method, at, method === 'PATCH' ? {} : undefined), 'NOT_FOUND')
    }
    assert.deepEqual((await client('GET', '/webhook-endpoints')).json, { data: [] })
  })

  it('accepts nothing but a well-formed request, and says what is wrong with each field', async () => {
    const { client } = await world.newMerchant()
    const { id } = await create(client)
    const cases: [Record<string, unknown>, string, string][] = [
      [{ url: undefined }, '/url', 'REQUIRED'],
      [{ url: null }, '/url', 'WRONG_TYPE'],
      [{ url: 7 }, '/url', 'WRONG_TYPE'],
      [{ url: '' }, '/url', 'WRONG_LENGTH'],
      [{ url: 'shop.example' }, '/url', 'WRONG_FORMAT'],
      [{ url: '/events' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'ftp://shop.example/' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'javascript:alert(1)' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'file:///etc/passwd' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://user@shop.example/' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://user:secret@shop.example/' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://shop.example/#part' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://shop.example/#' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://shop.example/a b' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://shop.example/\u0000' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://shop.example/\u202e' }, '/url', 'WRONG_FORMAT'],
      [{ url: 'https://' }, '/url', 'WRONG_FORMAT'],
      [{ url: `https://shop.example/${'x'.repeat(2_048)}` }, '/url', 'WRONG_LENGTH'],
      [{ events: [] }, '/events', 'WRONG_LENGTH'],
      [{ events: 'payin.confirmed' }, '/events', 'WRONG_TYPE'],
      [{ events: ['payin.confirmed', 'payin.confirmed'] }, '/events', 'NOT_ALLOWED'],
      [{ events: ['payin.confirmed', 'payin.lost'] }, '/events/1', 'NOT_ALLOWED'],
      [{ events: ['webhook.test'] }, '/events/0', 'NOT_ALLOWED'],
      [{ events: [7] }, '/events/0', 'WRONG_TYPE'],
      [{ description: 'x'.repeat(201) }, '/description', 'WRONG_LENGTH'],
      [{ description: '' }, '/description', 'WRONG_LENGTH'],
      [{ description: 'a\u0007b' }, '/description', 'WRONG_FORMAT'],
      [{ description: {} }, '/description', 'WRONG_TYPE'],
    ]
    for (const [wrong, path, code] of cases) {
      const message = JSON.stringify(wrong).slice(0, 80)
      const answers = [await client('POST', '/webhook-endpoints', { url, ...wrong })]
      if (code !== 'REQUIRED') answers.push(await client('PATCH', `/webhook-endpoints/${id}`, wrong))
      for (const answer of answers) {
        assertProblem(answer, 'INVALID_INPUT', message)
        assert.deepEqual(
          answer.json.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
          [[path, code]],
          message,
        )
      }
    }
    for (const status of ['enabled', 'GONE', null, 1]) {
      const answer = await client('PATCH', `/webhook-endpoints/${id}`, { status })
      assertProblem(answer, 'INVALID_INPUT')
      assert.equal(answer.json.errors[0].path, '/status')
    }
    const several = await client('POST', '/webhook-endpoints', { url: 'x:y', events: ['z'], description: 1 })
    assert.deepEqual(
      several.json.errors.map((error: { path: string }) => error.path).toSorted(),
      ['/description', '/events/0', '/url'],
      'every fault is told at once',
    )
    const unknown = await client('POST', '/webhook-endpoints', { url, events: ['payin.lost'] })
    for (const name of EVENT_TYPES) assert.ok(unknown.json.errors[0].message.includes(name), name)
    assert.equal((await client('GET', '/webhook-endpoints')).json.data.length, 1, 'none was made or changed')

    await create(client, {
      url: `https://shop.example/${'x'.repeat(2_048 - 21)}`,
      description: 'ñ'.repeat(200),
    })
    await create(client, { url: 'http://127.0.0.1:9/events?a=1' })
  })

  it('refuses private addresses where they are not allowed', async () => {
    await using strict = await createWorld({ env: { WEBHOOK_ALLOW_PRIVATE: 'false' } })
    const refused = [
      'http://127.0.0.1/',
      'http://localhost:4000/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://10.1.2.3/',
      'http://192.168.0.1/',
      'http://172.16.9.9/',
      'http://169.254.169.254/latest/meta-data',
      'http://0x7f000001/',
      'http://2130706433/',
      'http://0177.0.0.1/',
      'http://metadata.google.internal/',
      'http://db/',
    ]
    for (const one of refused) {
      const answer = await strict.client('POST', '/webhook-endpoints', { url: one })
      assertProblem(answer, 'INVALID_INPUT', one)
      assert.equal(answer.json.errors[0].path, '/url', one)
    }
    const { id } = await create(strict.client)
    assertProblem(
      await strict.client('PATCH', `/webhook-endpoints/${id}`, { url: refused[0] }),
      'INVALID_INPUT',
    )
  })

  it('an organization has twenty at most, however many are created at once', async () => {
    const { client } = await world.newMerchant()
    const answers = await Promise.all(
      Array.from({ length: 26 }, () => client('POST', '/webhook-endpoints', { url })),
    )
    const made = answers.filter((answer) => answer.status === 201)
    assert.equal(made.length, 20)
    for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 'TOO_MANY_ENDPOINTS')
    assert.equal((await client('GET', '/webhook-endpoints')).json.data.length, 20)
    await client('DELETE', `/webhook-endpoints/${made[0]?.json.id}`)
    await create(client)
    assertProblem(await client('POST', '/webhook-endpoints', { url }), 'TOO_MANY_ENDPOINTS')
  })

  it('a foreign, unknown or malformed id is not found', async () => {
    const owner = await world.newMerchant()
    const { client } = await world.newMerchant()
    const foreign = await create(owner.client)
    for (const id of [foreign.id, randomUUID(), 'x', '%00', `${foreign.id}0`, '..%2f']) {
      const at = `/webhook-endpoints/${id}`
      const calls: [string, string, unknown?][] = [
        ['GET', at],
        ['PATCH', at, { description: 'mine' }],
        ['DELETE', at],
        ['POST', `${at}/rotate-secret`],
        ['POST', `${at}/verify`],
        ['POST', `${at}/test`],
        ['POST', `${at}/recover`, { since: '2026-01-01T00:00:00Z' }],
      ]
      for (const [method, path, body] of calls) {
        assertProblem(await client(method, path, body), 'NOT_FOUND', `${method} ${path}`)
      }
    }
    const { secret: _, ...seen } = foreign
    assert.deepEqual((await owner.client('GET', `/webhook-endpoints/${foreign.id}`)).json, seen)
    assert.deepEqual((await client('GET', '/webhook-endpoints')).json, { data: [] })
  })

  it('its secret is shown once: not in any later answer, not in the log, not readable in the database', async () => {
    const { client, organization } = await world.newMerchant()
    const key = { 'idempotency-key': randomUUID() }
    const { json: created } = await client('POST', '/webhook-endpoints', { url }, key)
    const at = `/webhook-endpoints/${created.id}`
    world.advance(1_000)
    const { json: rotated } = await client('POST', `${at}/rotate-secret`, undefined, {
      'idempotency-key': randomUUID(),
    })
    assert.notEqual(created.secret, rotated.secret)
    const { updatedAt } = (await client('GET', at)).json
    assert.ok(updatedAt > created.updatedAt, 'it was changed')
    const later = [
      await client('GET', at),
      await client('GET', '/webhook-endpoints'),
      await client('PATCH', at, { description: 'x' }),
      await client('POST', `${at}/test`),
      await client('DELETE', at),
    ]
    for (const answer of later) assert.doesNotMatch(answer.text, /whsec_|secret/i)
    assert.doesNotMatch(JSON.stringify(world.logLines()), /whsec_/)
    const tables = ['webhook_endpoints', 'idempotency_records', 'events', 'deliveries']
    for (const table of tables) {
      const { rows } = await world.db.query<{ line: string }>({
        text: `select t::text as line from ${table} t where organization_id = $1`,
        values: [organization.organizationId],
      })
      assert.ok(rows.length > 0, table)
      for (const { secret } of [created, rotated]) {
        const bytes = Buffer.from(secret.slice(6), 'base64')
        const forms = [secret.slice(6), Buffer.from(secret).toString('hex'), bytes.toString('hex')]
        for (const { line } of rows) for (const form of forms) assert.ok(!line.includes(form), table)
      }
    }
  })

  it('an Idempotency-Key returns the first response again, secret and all, and creates no second endpoint', async () => {
    const { client } = await world.newMerchant()
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client('POST', '/webhook-endpoints', { url }, key)),
    )
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1, 'byte for byte')
    assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true').length, 4)
    assert.equal((await client('GET', '/webhook-endpoints')).json.data.length, 1)
    assertProblem(
      await client('POST', '/webhook-endpoints', { url: `${url}/other` }, key),
      'IDEMPOTENCY_KEY_REUSED',
    )
    const at = `/webhook-endpoints/${answers[0]?.json.id}/rotate-secret`
    const other = { 'idempotency-key': randomUUID() }
    const first = await client('POST', at, undefined, other)
    const again = await client('POST', at, undefined, other)
    assert.equal(first.status, 200)
    assert.equal(again.text, first.text, 'a retry does not replace the secret once more')
  })

  it('a rotation signs with both secrets for 24 hours, and then with the new one alone', async () => {
    const { client } = await world.newMerchant()
    const path = `/rotation-${randomUUID()}`
    const { id, secret: first } = await create(client, { url: receiver.url + path })
    const sent = async () => {
      await client('POST', `/webhook-endpoints/${id}/test`)
      await world.work()
      const last = sentTo(path).at(-1)
      assert.ok(last)
      return last
    }
    // Each signature must match one of these secrets. The library also checks the time, which the world moved.
    const signers = ({ headers, body }: Awaited<ReturnType<typeof sent>>, secrets: string[]) => {
      const [messageId, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
      const present = String(headers['webhook-signature']).split(' ')
      return present.map((signature) =>
        secrets.findIndex(
          (secret) => new Webhook(secret).sign(messageId, new Date(timestamp * 1_000), body) === signature,
        ),
      )
    }
    assert.deepEqual(signers(await sent(), [first]), [0])

    const { json: second } = await client('POST', `/webhook-endpoints/${id}/rotate-secret`)
    assert.deepEqual(Object.keys(second).toSorted(), ['id', 'previousSecretUntil', 'publicKey', 'secret'])
    const overlapMs = Date.parse(second.previousSecretUntil) - world.ctx.clock.now()
    assert.ok(overlapMs > DAY_MS - 10_000 && overlapMs <= DAY_MS)
    assert.deepEqual(signers(await sent(), [first, second.secret]), [1, 0])
    world.advance(DAY_MS - 60_000)
    assert.deepEqual(signers(await sent(), [first, second.secret]), [1, 0])
    world.advance(60_000)
    assert.deepEqual(signers(await sent(), [first, second.secret]), [1])

    const { json: third } = await client('POST', `/webhook-endpoints/${id}/rotate-secret`)
    const { json: fourth } = await client('POST', `/webhook-endpoints/${id}/rotate-secret`)
    const all = [first, second.secret, third.secret, fourth.secret]
    assert.deepEqual(signers(await sent(), all), [3, 2], 'two at most: the one before the last is out')
  })

  it('with Ed25519 it is signed for by two keys during a rotation, and by none once that is off', async () => {
    const { client } = await world.newMerchant()
    const path = `/ed25519-${randomUUID()}`
    const { id, publicKey: first } = await create(client, { url: receiver.url + path, ed25519: true })
    const at = `/webhook-endpoints/${id}`
    // Which of the public keys verify an event, and how many Ed25519 signatures it has.
    const verifiers = async (keys: string[]) => {
      await client('POST', `${at}/test`)
      await world.work()
      const { headers, body } = sentTo(path).at(-1) as Receiver['got'][number]
      const count = String(headers['webhook-signature']).match(/v1a,/g)?.length ?? 0
      const verified = await Promise.all(
        keys.map((key) =>
          verifyWebhook(body, headers, key).then(
            () => true,
            () => false,
          ),
        ),
      )
      return { count, verified }
    }
    assert.match(first, /^whpk_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(await verifiers([first]), { count: 1, verified: [true] })
    const { json: rotated } = await client('POST', `${at}/rotate-secret`)
    assert.notEqual(rotated.publicKey, first)
    assert.equal((await client('GET', at)).json.publicKey, rotated.publicKey)
    assert.deepEqual(await verifiers([first, rotated.publicKey]), { count: 2, verified: [true, true] })
    world.advance(DAY_MS)
    assert.deepEqual(await verifiers([first, rotated.publicKey]), { count: 1, verified: [false, true] })

    const { json: same } = await client('PATCH', at, { ed25519: true })
    assert.equal(same.publicKey, rotated.publicKey, 'what is on stays as it is')
    const { json: off } = await client('PATCH', at, { ed25519: false })
    assert.deepEqual([off.ed25519, off.publicKey], [false, null])
    assert.deepEqual(await verifiers([rotated.publicKey]), { count: 0, verified: [false] })
    const { json: on } = await client('PATCH', at, { ed25519: true })
    assert.notEqual(on.publicKey, rotated.publicKey)
    assert.deepEqual(await verifiers([on.publicKey]), { count: 1, verified: [true] })

    // Off during a rotation: the earlier key, which would sign for a while, is gone too, and stays so.
    const { json: last } = await client('POST', `${at}/rotate-secret`)
    await client('PATCH', at, { ed25519: false })
    const keys = [on.publicKey, last.publicKey]
    assert.deepEqual(await verifiers(keys), { count: 0, verified: [false, false] })
    await client('PATCH', at, { ed25519: true })
    assert.deepEqual(await verifiers(keys), { count: 1, verified: [false, false] })
  })

  it('a test event goes to its endpoint only, like every other event, and has a sequence in the log', async () => {
    const { client } = await world.newMerchant()
    const [path, other] = [`/tested-${randomUUID()}`, `/other-${randomUUID()}`]
    const tested = await create(client, { url: receiver.url + path })
    await create(client, { url: receiver.url + other })
    await cause(client)
    await world.work()
    const { status, json: event } = await client('POST', `/webhook-endpoints/${tested.id}/test`)
    assert.equal(status, 202)
    assert.deepEqual(
      [event.event, event.resource, event.sequence, event.data.endpointId],
      ['webhook.test', 'webhook', 2, tested.id],
    )
    await cause(client)
    await world.work()
    const names = (at: string) => sentTo(at).map((one) => JSON.parse(one.body).event)
    assert.deepEqual(names(path), ['payin.canceled', 'webhook.test', 'payin.canceled'])
    assert.deepEqual(names(other), ['payin.canceled', 'payin.canceled'])
    const sent = sentTo(path)[1]
    assert.deepEqual(JSON.parse(sent?.body ?? ''), event)
    assert.equal(sent?.headers['webhook-id'], event.id)
    const { json } = await client('GET', '/events')
    assert.deepEqual(
      json.data.map((one: { sequence: number }) => one.sequence),
      [1, 2, 3],
    )

    await client('PATCH', `/webhook-endpoints/${tested.id}`, { status: 'DISABLED' })
    assertProblem(await client('POST', `/webhook-endpoints/${tested.id}/test`), 'ENDPOINT_DISABLED')
  })

  it('without a list it subscribes to the contract’s eight, with one only to those named', async () => {
    const { client, organization } = await world.newMerchant()
    const [plain, named] = [`/plain-${randomUUID()}`, `/named-${randomUUID()}`]
    await create(client, { url: receiver.url + plain })
    await create(client, { url: receiver.url + named, events: ['payin.settled', 'payout.confirmed'] })
    await insertEvents(world, organization.organizationId, [...EVENT_TYPES])
    await world.work()
    const names = (at: string) =>
      sentTo(at)
        .map((one) => JSON.parse(one.body).event)
        .toSorted()
    assert.deepEqual(names(plain), [...CONTRACT_EVENTS].toSorted())
    assert.deepEqual(names(named), ['payin.settled', 'payout.confirmed'])
  })

  it('disabled it gets nothing, enabled again its failures are forgotten', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const path = `/switched-${randomUUID()}`
    const { id } = await create(client, { url: receiver.url + path })
    const at = `/webhook-endpoints/${id}`
    const off = await client('PATCH', at, { status: 'DISABLED' })
    assert.deepEqual([off.json.status, off.json.disabledReason], ['DISABLED', 'BY_MERCHANT'])
    await cause(client)
    await world.work()
    assert.deepEqual(sentTo(path), [])
    const on = await client('PATCH', at, { status: 'ENABLED' })
    assert.deepEqual([on.json.status, on.json.disabledReason], ['ENABLED', null])

    receiver.answerWith(500)
    await cause(client)
    await world.work()
    receiver.answerWith(200)
    assert.notEqual((await client('GET', at)).json.failingSince, null)
    await disableEndpoint(world.db, organizationId, id, 'FAILING', world.ctx.clock.now())
    const again = await client('PATCH', at, { status: 'DISABLED' })
    assert.equal(again.json.disabledReason, 'FAILING', 'why it went off is not written over')
    const back = await client('PATCH', at, { status: 'ENABLED' })
    assert.deepEqual(
      [back.json.status, back.json.disabledReason, back.json.failingSince],
      ['ENABLED', null, null],
    )
    await world.passTime(6_000)
    assert.equal(sentTo(path).length, 2, 'what waited for its next try is sent')
  })

  it('recover sends what was missed since a time, and skips what was delivered or is being attempted', async () => {
    const { client, organization } = await world.newMerchant()
    const path = `/recovered-${randomUUID()}`
    const { id } = await create(client, { url: receiver.url + path })
    const at = `/webhook-endpoints/${id}`
    const recover = (since: string) => client('POST', `${at}/recover`, { since })
    const early = new Date(world.ctx.clock.now() - 1).toISOString()
    await cause(client)
    await world.work()
    assert.equal(sentTo(path).length, 1)

    await client('PATCH', at, { status: 'DISABLED' })
    assertProblem(await recover(early), 'ENDPOINT_DISABLED')
    const before = await cause(client)
    await world.work()
    world.advance(1_000)
    const middle = new Date(world.ctx.clock.now()).toISOString()
    const later = await cause(client)
    await insertEvents(world, organization.organizationId, ['payin.settled'])
    await world.work()
    await client('PATCH', at, { status: 'ENABLED' })

    assert.deepEqual((await recover(middle)).json, { scheduled: 1 })
    await world.work()
    const objects = () => sentTo(path).map((one) => JSON.parse(one.body).data.id)
    assert.deepEqual(objects().slice(1), [later], 'only since then, and only what it takes')
    const key = { 'idempotency-key': randomUUID() }
    const first = await client('POST', `${at}/recover`, { since: early }, key)
    assert.deepEqual([first.status, first.json], [202, { scheduled: 1 }])
    assert.deepEqual((await recover(early)).json, { scheduled: 0 }, 'it is being tried already')
    await world.work()
    assert.deepEqual(objects().slice(1), [later, before])
    assert.equal((await client('POST', `${at}/recover`, { since: early }, key)).text, first.text)

    for (const since of ['2999-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00']) {
      assert.deepEqual((await recover(since)).json, { scheduled: 0 }, since)
    }
    for (const body of [{}, { since: null }, { since: 'yesterday' }, { since: '2026-01-01' }, { since: 5 }]) {
      const answer = await client('POST', `${at}/recover`, body)
      assertProblem(answer, 'INVALID_INPUT', JSON.stringify(body))
      assert.equal(answer.json.errors[0].path, '/since')
    }
  })

  it('recover handles thousands of events, each once', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const since = new Date(world.ctx.clock.now()).toISOString()
    const wanted = 2_300
    await insertEvents(world, organizationId, Array<string>(wanted).fill('payin.declined'))
    await sequenceAllEvents(world.ctx, organizationId)
    const { id } = await create(client, { url: `${receiver.url}/many` })
    const answer = await client('POST', `/webhook-endpoints/${id}/recover`, { since })
    assert.deepEqual(answer.json, { scheduled: wanted })
    assert.deepEqual((await client('DELETE', `/webhook-endpoints/${id}`)).json, { id, deleted: true })
    const { rows } = await world.db.query<{ state: string; count: bigint }>({
      text: `select state, count(*) as count from deliveries where organization_id = $1 and due_at is null group by state`,
      values: [organizationId],
    })
    assert.deepEqual(
      rows,
      [{ state: 'FAILED', count: BigInt(wanted) }],
      'a deleted endpoint has nothing waiting',
    )
  })

  it('deleted it gets nothing more, and what it got stays readable', async () => {
    const { client } = await world.newMerchant()
    const path = `/deleted-${randomUUID()}`
    const { id } = await create(client, { url: receiver.url + path })
    await cause(client)
    await world.work()
    const { json } = await client('GET', '/events')
    receiver.answerWith(503)
    await cause(client)
    await world.work()
    receiver.answerWith(200)
    await client('DELETE', `/webhook-endpoints/${id}`)
    await cause(client)
    await world.passTime(60_000)
    assert.equal(sentTo(path).length, 2)
    const deliveries = await client('GET', `/events/${json.data[0].id}/deliveries`)
    assert.deepEqual(
      deliveries.json.data.map((one: { endpointId: string; state: string }) => [one.endpointId, one.state]),
      [[id, 'DELIVERED']],
    )
  })
})

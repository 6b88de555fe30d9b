// What an endpoint's answers do to it, and what our own failures must not do: the breaker, the five days, the retry
// schedule, the lease and the seal on its secret. The sender answers as each test says.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/instant.ts'
import { RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import type { Context } from '../../src/flows/context.ts'
import { getEndpoint, type WebhookEndpoint } from '../../src/store/webhooks/endpoints.ts'
import type { Attempt, SendRequest } from '../../src/webhooks/send.ts'
import { type DeliveryWorkerOptions, deliveryPump } from '../../src/workers/deliveries.ts'
import { createPump } from '../../src/workers/pump.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'

const ACCEPTED: Attempt = {
  status: 200,
  latencyMs: 1,
  response: '',
  failure: null,
  retryAfterSeconds: null,
  delivered: true,
  gone: false,
}
const REFUSED: Attempt = { ...ACCEPTED, status: 500, failure: 'STATUS', delivered: false }
// Our own failure: the request never left.
const NOT_SENT: Attempt = { ...REFUSED, status: null, failure: 'NOT_SENT' }

describe('an endpoint', () => {
  let world: World
  const log = pino({ level: 'silent' })
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const delivering = (send: (request: SendRequest) => Attempt, perEndpoint = 16): DeliveryWorkerOptions => ({
    sender: { send: async (request) => send(request), close: async () => {} },
    settings: { schedule: RETRY_AFTER_MS, perEndpoint },
  })
  // A merchant with one endpoint. `sent` lists the event ids of what was sent to it.
  const newEndpoint = async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const { json } = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    const endpointId = json.id as string
    const sent: string[] = []
    const read = async () => (await getEndpoint(world.db, organizationId, endpointId)) as WebhookEndpoint
    return {
      client,
      organizationId,
      endpointId,
      sent,
      read,
      state: async () => (await read()).state,
      cause: async (count: number) => {
        await insertEvents(world, organizationId, Array<string>(count).fill('payin.confirmed'))
        await sequenceAllEvents(world.ctx, organizationId)
      },
      answer: (attempt: Attempt, then: () => void = () => {}) => {
        return ({ endpointId: to, id }: SendRequest): Attempt => {
          if (to === endpointId) sent.push(id)
          then()
          return attempt
        }
      },
    }
  }
  const work = (send: (request: SendRequest) => Attempt, ctx: Context = world.ctx) =>
    runAllDue(ctx, log, delivering(send))
  const disable = (client: World['client'], endpointId: string) =>
    client('DELETE', `/webhook-endpoints/${endpointId}`)

  it('is not rested because of failures on our side', async () => {
    const { client, endpointId, cause, sent, answer } = await newEndpoint()
    await cause(12)
    await work(answer(NOT_SENT))
    assert.equal(new Set(sent).size, 12, 'each was tried')
    await disable(client, endpointId)
  })

  it('is rested after five failures of its own', async () => {
    const { client, endpointId, cause, sent, answer } = await newEndpoint()
    await cause(12)
    await work(answer(REFUSED))
    assert.equal(sent.length, 5)
    await disable(client, endpointId)
  })

  it('that worked is rested in every process: what was not sent waits for the end of its rest', async () => {
    const { client, endpointId, cause, sent, answer } = await newEndpoint()
    let now = 0
    const ctx: Context = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } }
    let attempt = ACCEPTED
    const pump = createPump(
      deliveryPump(
        ctx,
        delivering((request) => answer(attempt)(request), 1),
        log,
      ),
    )
    for (const [next, count] of [
      [ACCEPTED, 1],
      [REFUSED, 12],
    ] as const) {
      await cause(count)
      now = world.ctx.clock.now()
      attempt = next
      await pump.turn()
      await pump.drained()
    }
    assert.equal(sent.length, 6)
    // Another process.
    await work(answer(REFUSED), ctx)
    assert.equal(sent.length, 6)
    await disable(client, endpointId)
  })

  it('is counted with what became of each attempt', async () => {
    const { client, endpointId, cause, answer } = await newEndpoint()
    await cause(1)
    const counted: string[] = []
    for (const attempt of [NOT_SENT, REFUSED, { ...REFUSED, failure: 'TIMEOUT' }, ACCEPTED] as const) {
      const countAttempt = (to: string, result: string) => void (to === endpointId && counted.push(result))
      await runAllDue(world.ctx, log, { ...delivering(answer(attempt)), countAttempt })
      world.advance(HOUR_MS)
    }
    assert.deepEqual(counted, ['NOT_SENT', 'STATUS', 'TIMEOUT', 'delivered'])
    await disable(client, endpointId)
  })

  it('is disabled after five days of nothing but failures, and not after four and a half; their start is written once', async () => {
    const { client, endpointId, cause, answer, state } = await newEndpoint()
    let starts = 0
    const query: Context['db']['query'] = (config) => {
      if (config.name === 'note-failing-endpoint') starts += 1
      return world.db.query(config)
    }
    const ctx = { ...world.ctx, db: { ...world.db, query } }
    await cause(1)
    await work(answer(REFUSED), ctx)
    for (const [waitMs, expected] of [
      [4 * DAY_MS, 'ENABLED'],
      [DAY_MS - MINUTE_MS, 'ENABLED'],
      [MINUTE_MS, 'DISABLED'],
    ] as const) {
      world.advance(waitMs)
      await cause(1)
      await work(answer(REFUSED), ctx)
      assert.equal(await state(), expected)
    }
    assert.equal(starts, 1)
    await disable(client, endpointId)
  })

  it('is disabled by a failure five days after the first, and not a millisecond before', async () => {
    const { client, endpointId, cause, answer, state } = await newEndpoint()
    const since = world.ctx.clock.now() + MINUTE_MS
    for (const [now, expected] of [
      [since, 'ENABLED'],
      [since + 5 * DAY_MS - 1, 'ENABLED'],
      [since + 5 * DAY_MS, 'DISABLED'],
    ] as const) {
      await cause(1)
      await work(answer(REFUSED), { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } })
      assert.equal(await state(), expected)
    }
    await disable(client, endpointId)
  })

  it('that acknowledges some events is not disabled because it refuses others, for however long', async () => {
    const { client, endpointId, organizationId, read } = await newEndpoint()
    const send = ({ body }: SendRequest): Attempt =>
      JSON.parse(body).event === 'payin.declined' ? REFUSED : ACCEPTED
    for (let half = 0; half < 12; half += 1) {
      await insertEvents(world, organizationId, ['payin.confirmed', 'payin.declined'])
      await sequenceAllEvents(world.ctx, organizationId)
      await runAllDue(world.ctx, log, delivering(send, 1))
      assert.equal((await read()).state, 'ENABLED')
      world.advance(12 * HOUR_MS)
    }
    await disable(client, endpointId)
  })

  it('that worked in between has five more days', async () => {
    const { client, endpointId, cause, answer, read } = await newEndpoint()
    await cause(1)
    await work(answer(REFUSED))
    const failingSince = (await read()).failingSince
    assert.notEqual(failingSince, null)
    world.advance(3 * DAY_MS)
    await cause(1)
    await work(answer(ACCEPTED))
    assert.equal((await read()).failingSince, null)
    world.advance(3 * DAY_MS)
    await cause(1)
    await work(answer(REFUSED))
    assert.equal((await read()).state, 'ENABLED')
    await disable(client, endpointId)
  })

  it('gets an event that is sent again by hand on the whole schedule, from its beginning', async () => {
    const { client, endpointId, cause, answer, sent } = await newEndpoint()
    await cause(1)
    const ownDeliveries = async () => {
      const [{ id }] = (await client('GET', '/events')).json.data
      return { id, delivery: (await client('GET', `/events/${id}/deliveries`)).json.data[0] }
    }
    await work(answer(REFUSED))
    for (const waitMs of RETRY_AFTER_MS.slice(0, 6)) {
      world.advance(Math.ceil(waitMs * 1.11))
      await work(answer(REFUSED))
    }
    assert.equal(sent.length, 7)
    const { id } = await ownDeliveries()
    assert.equal((await client('POST', `/events/${id}/redeliver`, {})).status, 202)
    const before = world.ctx.clock.now()
    await work(answer(REFUSED))
    assert.equal(sent.length, 8)
    const { delivery } = await ownDeliveries()
    const waitsMs = Date.parse(delivery.nextAttemptAt) - before
    assert.ok(waitsMs > 4_000 && waitsMs < 30_000, `the first wait is 5 s, not ${waitsMs} ms`)
    await disable(client, endpointId)
  })

  it('gets an event that it had acknowledged, sent again by hand, on the schedule from its beginning', async () => {
    const { client, endpointId, cause, answer } = await newEndpoint()
    await cause(1)
    await work(answer(ACCEPTED))
    const [{ id }] = (await client('GET', '/events')).json.data
    await client('POST', `/events/${id}/redeliver`, {})
    await work(answer(REFUSED))
    const [delivery] = (await client('GET', `/events/${id}/deliveries`)).json.data
    const waitsMs = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.attempts[1].at)
    assert.ok(waitsMs >= 4_500 && waitsMs <= 5_500, `the first wait is 5 s, not ${waitsMs} ms`)
    await disable(client, endpointId)
  })

  it('gets an event that had failed for good and is recovered on the schedule from its beginning', async () => {
    const { client, endpointId, cause, answer } = await newEndpoint()
    await cause(1)
    const [{ id, createdAt: since }] = (await client('GET', '/events')).json.data
    const fail = async () => {
      const settings = { schedule: [5_000], perEndpoint: 1 }
      await runAllDue(world.ctx, log, { ...delivering(answer(REFUSED)), settings })
      world.advance(6_000)
      return (await client('GET', `/events/${id}/deliveries`)).json.data[0].state
    }
    assert.deepEqual([await fail(), await fail()], ['PENDING', 'FAILED'])
    const recovered = await client('POST', `/webhook-endpoints/${endpointId}/recover`, { since })
    assert.deepEqual(recovered.json, { scheduled: 1 })
    assert.deepEqual([await fail(), await fail()], ['PENDING', 'FAILED'])
    await disable(client, endpointId)
  })

  it('gets only what is begun within a minute of its claim; the rest is released, unsent', async () => {
    const { client, endpointId, cause, answer, sent } = await newEndpoint()
    await cause(5)
    let wallClockMs = Date.now()
    const ctx: Context = { ...world.ctx, clock: { ...world.ctx.clock, wallClock: () => wallClockMs } }
    // Each request takes longer than that.
    const slow = answer(ACCEPTED, () => {
      wallClockMs += MINUTE_MS + 1
    })
    const pump = createPump(deliveryPump(ctx, delivering(slow, 1), log))
    for (const turn of [1, 2, 3]) {
      await pump.turn()
      await pump.drained()
      assert.equal(sent.length, turn)
    }
    assert.equal(new Set(sent).size, 3)
    await disable(client, endpointId)
  })

  it('gets an event again under its id if the attempt could not be recorded, once the lease has ended', async () => {
    const { client, endpointId, cause, answer, sent } = await newEndpoint()
    await cause(1)
    const away = async (): Promise<never> => {
      throw new Error('the database is away')
    }
    const failing = Object.assign(away, { waiting: 0 })
    const batched = { ...world.ctx.batched, recordAcknowledged: failing, recordAttempt: failing }
    await work(answer(ACCEPTED), { ...world.ctx, batched })
    assert.equal(sent.length, 1)
    await work(answer(ACCEPTED))
    assert.equal(sent.length, 1, 'the worker that sent it may still be recording')
    world.advance(HOUR_MS)
    await work(answer(ACCEPTED))
    await work(answer(ACCEPTED))
    assert.deepEqual(sent, [sent[0], sent[0]])
    await disable(client, endpointId)
  })

  it('never gets a signature by another endpoint’s secret, even if the sealed secret is copied', async () => {
    const [victim, thief] = [await newEndpoint(), await newEndpoint()]
    await world.db.query({
      text: `update webhook_endpoints
                set sealed_secret = (select sealed_secret from webhook_endpoints where endpoint_id = $2)
              where endpoint_id = $1`,
      values: [thief.endpointId, victim.endpointId],
    })
    for (const { cause } of [victim, thief]) await cause(1)
    await work(thief.answer(ACCEPTED))
    assert.deepEqual(thief.sent, [])
    for (const { client, endpointId } of [victim, thief]) await disable(client, endpointId)
  })
})

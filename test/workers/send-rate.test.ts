// An endpoint's own limit of deliveries a second, kept by all workers together.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import { getEndpoint, moveSendsUntil, type WebhookEndpoint } from '../../src/store/webhooks/endpoints.ts'
import type { Attempt } from '../../src/webhooks/send.ts'
import { type DeliveryWorkerOptions, deliveryPump } from '../../src/workers/deliveries.ts'
import { createPump } from '../../src/workers/pump.ts'
import { capacityWithinRate } from '../../src/workers/send-rate.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

const ACCEPTED: Attempt = {
  status: 200,
  latencyMs: 1,
  response: '',
  failure: null,
  retryAfterSeconds: null,
  delivered: true,
  gone: false,
}

describe('an endpoint that takes so many events a second', () => {
  let world: World
  const log = pino({ level: 'silent' })
  let now = 0
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // Workers that share the database, on a clock that stands still.
  const frozen = () => ({ ...world.ctx, clock: { ...world.ctx.clock, now: () => now } })
  const newEndpoint = async (body: Record<string, unknown>, events: number, processes = 2) => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const created = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/', ...body })
    assert.equal(created.status, 201, created.text)
    const endpointId = created.json.id as string
    await insertEvents(world, organizationId, Array<string>(events).fill('payin.confirmed'))
    await sequenceAllEvents(world.ctx, organizationId)
    const sent: string[] = []
    const delivering: DeliveryWorkerOptions = {
      sender: {
        send: async (request) => {
          if (request.endpointId === endpointId) sent.push(request.id)
          return ACCEPTED
        },
        close: async () => {},
      },
      settings: { schedule: RETRY_AFTER_MS, perEndpoint: 16 },
    }
    const workers = Array.from({ length: processes }, () =>
      createPump(deliveryPump(frozen(), delivering, log)),
    )
    // All at once, and then one after the other: who came second may have found nothing, and comes back a moment later.
    const work = async (): Promise<void> => {
      let claimed = sum(await Promise.all(workers.map((worker) => worker.turn())))
      await Promise.all(workers.map((worker) => worker.drained()))
      for (const worker of workers) {
        claimed += await worker.turn()
        await worker.drained()
      }
      if (claimed > 0) await work()
    }
    const read = async () => (await getEndpoint(world.db, organizationId, endpointId)) as WebhookEndpoint
    now = Math.max(now, world.ctx.clock.now())
    return { client, at: `/webhook-endpoints/${endpointId}`, sent, work, read }
  }

  it('is sent half a second’s worth, and the rest as time passes, by two workers together', async () => {
    const { sent, work } = await newEndpoint({ maxPerSecond: 20 }, 60)
    await work()
    assert.equal(sent.length, 10)
    now += 250
    await work()
    assert.equal(sent.length, 15)
    now += 500
    await work()
    assert.equal(sent.length, 25)
    for (let turns = 0; turns < 4; turns += 1) {
      now += 500
      await work()
    }
    assert.equal(sent.length, 60)
    assert.equal(new Set(sent).size, 60)
  })

  it('is sent everything at once when the limit is taken away', async () => {
    const { client, at, sent, work } = await newEndpoint({ maxPerSecond: 1 }, 30)
    await work()
    assert.equal(sent.length, 1)
    assert.equal((await client('PATCH', at, { maxPerSecond: null })).json.maxPerSecond, null)
    await work()
    assert.equal(sent.length, 30)
  })

  it('is counted only what was found for it', async () => {
    const { sent, work, read } = await newEndpoint({ maxPerSecond: 100 }, 3, 1)
    await work()
    assert.equal(sent.length, 3)
    assert.equal((await read()).sendsUntil, now + 30)
  })

  it('is not counted by a worker that read before another counted', async () => {
    const { read } = await newEndpoint({ maxPerSecond: 100 }, 0)
    const stale = await read()
    assert.equal(await moveSendsUntil(world.db, stale, stale.sendsUntil, now + 500), true)
    assert.equal((await capacityWithinRate(frozen(), stale, 10)).capacity, 0)
    assert.equal((await read()).sendsUntil, now + 500)
  })

  it('is given back what was not found, although another has counted since', async () => {
    const { read } = await newEndpoint({ maxPerSecond: 20 }, 0)
    const first = await capacityWithinRate(frozen(), await read(), 5)
    const second = await capacityWithinRate(frozen(), await read(), 5)
    assert.deepEqual([first.capacity, second.capacity], [5, 5])
    await first.giveBack(2)
    assert.equal((await read()).sendsUntil, now + 350)
    now += 250
    await second.giveBack(0)
    assert.equal((await read()).sendsUntil, now - 150)
    now += 500
    const late = await capacityWithinRate(frozen(), await read(), 5)
    now += 250
    await late.giveBack(0)
    assert.equal((await read()).sendsUntil, now, 'by then it counts for nobody')
  })

  it('takes from 1 to 1,000', async () => {
    const { client } = await world.newMerchant()
    for (const maxPerSecond of [0, 1_001, 1.5, '5']) {
      const { status } = await client('POST', '/webhook-endpoints', {
        url: 'https://shop.example/',
        maxPerSecond,
      })
      assert.equal(status, 400, String(maxPerSecond))
    }
  })
})

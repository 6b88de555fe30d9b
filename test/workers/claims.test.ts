// What is claimed for an endpoint at once: as much as it may have now, of what failed before and of what is new together, and no more of
// it is sent when the endpoint fails meanwhile.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import type { Attempt } from '../../src/webhooks/send.ts'
import { type DeliveryBatch, deliveryPump } from '../../src/workers/deliveries.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'

const log = pino({ level: 'silent' })
const REFUSED: Attempt = {
  status: 503,
  latencyMs: 1,
  response: '',
  failure: 'STATUS',
  retryAfterSeconds: null,
  delivered: false,
  gone: false,
}

describe('of what waits for an endpoint', () => {
  let world: World
  let sends = 0
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    sends = 0
  })

  const merchant = async () => {
    const { organization, client } = await world.newMerchant()
    const made = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    assert.equal(made.status, 201, made.text)
    const { organizationId } = organization
    const told = async (count: number) => {
      await insertEvents(world, organizationId, Array<string>(count).fill('payin.confirmed'))
      await sequenceAllEvents(world.ctx, organizationId)
    }
    return { told, newWorker: () => workerOf(organizationId) }
  }
  // A process of its own, to which every event of this merchant is refused.
  const workerOf = (organizationId: string) => {
    const send = async () => {
      sends += 1
      return REFUSED
    }
    const settings = { schedule: RETRY_AFTER_MS, perEndpoint: 1 }
    const pump = deliveryPump(world.ctx, { sender: { send, close: async () => {} }, settings }, log)
    const claim = async (): Promise<DeliveryBatch[]> => {
      const due = (await pump.dueOrganizations()).filter((key) => key.startsWith(organizationId))
      return (await Promise.all(due.map((key) => pump.claim(key, 1)))).flat()
    }
    return {
      claim,
      work: async () => {
        for (const batch of await claim()) await pump.act(batch, organizationId)
      },
    }
  }

  it('as much is claimed as it may have, a little more than half of it what failed before', async () => {
    const { told, newWorker } = await merchant()
    await told(4)
    await newWorker().work()
    assert.equal(sends, 4)
    world.advance((RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    await told(10)
    const [batch] = await newWorker().claim()
    assert.deepEqual(
      batch?.claimed.map(({ isFirst }) => isFirst),
      [false, true, false, true, false],
    )
    assert.equal(batch?.isFull, true)
  })

  it('a claim that was used up says that there may be more, also where all of it failed before', async () => {
    const { told, newWorker } = await merchant()
    for (let worker = 0; worker < 2; worker += 1) {
      await told(4)
      await newWorker().work()
    }
    world.advance((RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    const claimed = [...(await newWorker().claim()), ...(await newWorker().claim())]
    assert.deepEqual(
      claimed.map((batch) => [batch.claimed.length, batch.isFull]),
      [
        [5, true],
        [3, false],
      ],
    )
  })

  it('the rest of a claim is not sent when the one before was its fifth failure', async () => {
    const { told, newWorker } = await merchant()
    const worker = newWorker()
    await told(4)
    await worker.work()
    await told(2)
    await worker.work()
    assert.equal(sends, 5)
  })
})

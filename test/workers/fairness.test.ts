// Endpoints that hang and endpoints that do not, served by one process. No test here measures time: a hanging endpoint
// hangs until the test releases it, and the others must be served meanwhile.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { BREAKER_FAILURES, BREAKER_REST_MS } from '../../src/core/webhooks/delivery.ts'
import type { Attempt, Sender } from '../../src/webhooks/send.ts'
import { deliveryPump } from '../../src/workers/deliveries.ts'
import { BATCH_SIZE, createEndpointQueues, FIRST_BATCH_SIZE } from '../../src/workers/endpoint-queues.ts'
import { type Pump, startPump } from '../../src/workers/pump.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { type Client, createWorld, eventually, type World } from '../world.ts'

const PER_ENDPOINT = 16
const ENDPOINTS = 10
const HANGING = 3
const EVENTS = 60

const RESULT: Attempt = {
  status: 200,
  latencyMs: 1,
  response: '',
  failure: null,
  retryAfterSeconds: null,
  delivered: true,
  gone: false,
}
const TIMEOUT: Attempt = { ...RESULT, status: null, failure: 'TIMEOUT', delivered: false }

// Requests to a hanging address stay open until they are aborted.
function hangingSender() {
  const open = new Map<string, ((attempt: Attempt) => void)[]>()
  const mostOpen = new Map<string, number>()
  let hangs = (_url: string): boolean => false
  const sender: Sender = {
    send: ({ url }) => {
      if (!hangs(url)) return Promise.resolve(RESULT)
      const { promise, resolve } = Promise.withResolvers<Attempt>()
      const all = [...(open.get(url) ?? []), resolve]
      open.set(url, all)
      mostOpen.set(url, Math.max(mostOpen.get(url) ?? 0, all.length))
      return promise
    },
    close: async () => {},
  }
  return {
    sender,
    mostOpen,
    openAt: (url: string) => open.get(url)?.length ?? 0,
    hangWhere: (which: (url: string) => boolean) => {
      hangs = which
    },
    giveUp: () => {
      const all = [...open.values()].flat()
      open.clear()
      for (const resolve of all) resolve(TIMEOUT)
    },
  }
}

describe('with three of ten endpoints hanging', () => {
  let world: World
  let merchant: { organizationId: string; client: Client }
  let urls: string[]
  let wire: ReturnType<typeof hangingSender>
  let pump: Pick<Pump, 'wake' | 'turn' | 'idle' | 'stop'>

  before(async () => {
    world = await createWorld()
    const { organization, client } = await world.newMerchant()
    merchant = { organizationId: organization.organizationId, client }
    urls = Array.from({ length: ENDPOINTS }, (_, index) => `https://shop.example/${index}`)
    for (const url of urls) assert.equal((await client('POST', '/webhook-endpoints', { url })).status, 201)
    wire = hangingSender()
    const settings = { schedule: [60_000], perEndpoint: PER_ENDPOINT }
    pump = startPump(deliveryPump(world.ctx, { sender: wire.sender, settings }, pino({ level: 'silent' })))
  })
  after(async () => {
    wire.hangWhere(() => false)
    wire.giveUp()
    await pump.stop()
    await world[Symbol.asyncDispose]()
  })

  const hanging = () => urls.slice(0, HANGING)
  const cause = async () => {
    await insertEvents(world, merchant.organizationId, Array(EVENTS).fill('payin.confirmed'))
    await sequenceAllEvents(world.ctx, merchant.organizationId)
    pump.wake()
  }
  const delivered = async (): Promise<number[]> => {
    const { rows } = await world.db.query<{ url: string; delivered: bigint }>({
      text: `select w.url, count(distinct a.event_id) as delivered
               from webhook_endpoints w
               left join delivery_attempts a
                 on a.organization_id = w.organization_id and a.endpoint_id = w.endpoint_id and a.failure is null
              where w.organization_id = $1
              group by w.url
              order by w.url`,
      values: [merchant.organizationId],
    })
    return rows.map((row) => Number(row.delivered))
  }
  const allButHanging = (count: number) =>
    eventually(delivered, (counts) => counts.slice(HANGING).every((one) => one === count))

  it('the others get all of theirs, while those that never answered hold a handful of requests each', async () => {
    wire.hangWhere((url) => hanging().includes(url))
    await cause()
    await allButHanging(EVENTS)
    for (const url of hanging()) assert.equal(wire.openAt(url), FIRST_BATCH_SIZE)
    assert.deepEqual((await delivered()).slice(0, HANGING), Array(HANGING).fill(0))
  })

  it('a hanging one is then probed by one request at a time, with pauses, and by all once a probe is answered', async () => {
    const openNow = () => hanging().map((url) => wire.openAt(url))
    wire.giveUp()
    await eventually(async () => pump.idle(), Boolean)
    // The deliveries that were not started are due. None may be sent before the pause is over.
    await pump.turn()
    assert.deepEqual(openNow(), [0, 0, 0])
    world.advance(BREAKER_REST_MS)
    pump.wake()
    await eventually(
      async () => openNow(),
      (open) => open.every((count) => count === 1),
    )
    await pump.turn()
    assert.deepEqual(openNow(), [1, 1, 1])
    wire.giveUp()
    await eventually(async () => pump.idle(), Boolean)
    await pump.turn()
    assert.deepEqual(openNow(), [0, 0, 0], 'a failed probe begins another rest')

    wire.hangWhere(() => false)
    world.advance(120_000)
    pump.wake()
    await eventually(delivered, (counts) => counts.every((count) => count === EVENTS))
  })

  it('one that answered before and hangs now has its sixteen requests open and no more', async () => {
    wire.mostOpen.clear()
    wire.hangWhere((url) => hanging().includes(url))
    await cause()
    await cause()
    await cause()
    await allButHanging(4 * EVENTS)
    for (const url of hanging()) {
      assert.equal(wire.openAt(url), PER_ENDPOINT)
      assert.equal(wire.mostOpen.get(url), PER_ENDPOINT, 'its two batches together')
    }
    assert.deepEqual((await delivered()).slice(0, HANGING), Array(HANGING).fill(EVENTS))
  })
})

describe('a queue', () => {
  const never = () => new Promise<void>(() => {})
  const pieces = (count: number) => Array.from({ length: count }, () => never)

  it('keeps capacity for others, however many endpoints hang', () => {
    const queues = createEndpointQueues(PER_ENDPOINT)
    for (let index = 0; index < 5_000; index += 1) {
      const name = `hanging-${index}`
      // Half of them are new, half are known to answer.
      if (index % 2 === 0) queues.of(name).recordSuccess()
      const capacity = queues.capacity(name, 0)
      assert.ok(capacity > 0)
      void queues.of(name).runAll(pieces(capacity), (piece) => piece())
    }
    assert.equal(queues.capacity('new', 0), FIRST_BATCH_SIZE)
    queues.of('known').recordSuccess()
    assert.equal(queues.capacity('known', 0), FIRST_BATCH_SIZE, 'full batches are for when there is memory')
    const held = Array.from({ length: 5_000 }, (_, index) => queues.capacity(`hanging-${index}`, 0))
    assert.ok(held.every((capacity) => capacity === 0))
  })

  it('gives a full batch, and a second beside it, to an endpoint that has acknowledged', () => {
    const queues = createEndpointQueues(PER_ENDPOINT)
    const queue = queues.of('one')
    assert.equal(queues.capacity('one', 0), FIRST_BATCH_SIZE)
    queue.recordSuccess()
    for (const capacity of [BATCH_SIZE, BATCH_SIZE, 0]) {
      assert.equal(queues.capacity('one', 0), capacity)
      void queue.runAll(pieces(capacity), (piece) => piece())
    }
  })

  it('gives full batches on, however many have ended', async () => {
    const queues = createEndpointQueues(PER_ENDPOINT)
    queues.of('one').recordSuccess()
    for (let batches = 0; batches < 1_000; batches += 1) {
      assert.equal(queues.capacity('one', 0), BATCH_SIZE)
      await queues.of('one').runAll(pieces(BATCH_SIZE), async () => {})
    }
  })

  it('is closed by consecutive failures, and opened by one success', () => {
    const queues = createEndpointQueues(PER_ENDPOINT)
    const queue = queues.of('one')
    queue.recordSuccess()
    for (let failure = 1; failure <= BREAKER_FAILURES; failure += 1) {
      assert.equal(queue.isTripped, false)
      queue.recordFailure(1_000)
    }
    assert.equal(queue.isTripped, true)
    assert.equal(queues.capacity('one', 1_000 + BREAKER_REST_MS - 1), 0)
    assert.equal(queues.capacity('one', 1_000 + BREAKER_REST_MS), 1)
    queue.recordSuccess()
    assert.equal(queues.capacity('one', 1_000), BATCH_SIZE)
  })

  it('interleaves the items of two batches, up to its concurrency, and continues if one throws', async () => {
    const queues = createEndpointQueues(2)
    const queue = queues.of('one')
    let open = 0
    let most = 0
    const piece = async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
    }
    const broken = async () => {
      throw new Error('broken')
    }
    const batches = [
      queue.runAll([piece, broken, piece, piece], (one) => one()),
      queue.runAll([piece, piece, piece], (one) => one()),
    ]
    const ended = await Promise.allSettled(batches)
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    )
    assert.equal(most, 2)
  })
})

// Batches of first attempts: new events for an endpoint wait in them, are claimed once, and survive the death of the
// worker that claimed them.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { oldestDue, placeBefore } from '../../src/store/due-work.ts'
import { type AttemptRecord, recordAcknowledged } from '../../src/store/webhooks/deliveries.ts'
import {
  type ClaimedFirstAttempts,
  claimFirstAttempts,
  finishFirstAttempts,
  releaseFirstAttempts,
} from '../../src/store/webhooks/first-attempts.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { type Client, createWorld, type World } from '../world.ts'

const LEASE_MS = 120_000

describe('batches of first attempts', () => {
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

  // An organization with one endpoint, and this many events that wait for it.
  const newEndpoint = async (events: number) => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const path = `/${organizationId}`
    const { json } = await client('POST', '/webhook-endpoints', { url: receiver.url + path })
    const cause = async (count: number) => {
      await insertEvents(world, organizationId, Array(count).fill('payin.confirmed'))
      await sequenceAllEvents(world.ctx, organizationId)
    }
    await cause(events)
    const address = { organizationId, endpointId: json.id as string }
    return {
      client,
      address,
      cause,
      at: `/webhook-endpoints/${json.id}`,
      take: async (capacity: number): Promise<ClaimedFirstAttempts & { token: string }> => {
        const token = world.ctx.ids.next()
        const lease = { token, until: world.ctx.clock.now() + LEASE_MS }
        return {
          ...(await claimFirstAttempts(world.db, address, world.ctx.clock.now(), lease, capacity)),
          token,
        }
      },
      got: () => receiver.got.filter((one) => one.path === path).map(({ body }) => JSON.parse(body).sequence),
    }
  }
  const numbersOf = ({ deliveries }: ClaimedFirstAttempts) => deliveries.map(({ event }) => event.sequence)
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const eventAt = async (client: Client, sequence: number): Promise<string> =>
    (await client('GET', `/events?after=${sequence - 1}&limit=1`)).json.data[0].id
  const deliveriesOf = async (client: Client, eventId: string) =>
    (await client('GET', `/events/${eventId}/deliveries`)).json.data
  const recorded = (
    { organizationId, endpointId }: { organizationId: string; endpointId: string },
    { event }: ClaimedFirstAttempts['deliveries'][number],
  ): AttemptRecord => ({
    organizationId,
    endpointId,
    eventId: event.eventId,
    sequence: event.sequence,
    attemptId: world.ctx.ids.next(),
    leaseToken: null,
    number: 1,
    at: world.ctx.clock.now(),
    result: {
      status: 200,
      latencyMs: 1,
      response: '',
      failure: null,
      retryAfterSeconds: null,
      delivered: true,
      gone: false,
    },
    state: 'DELIVERED',
    dueAt: null,
  })

  it('say when they are due, and no longer once they are being sent', async () => {
    const { client, take } = await newEndpoint(1)
    const eventId = await eventAt(client, 1)
    const next = async () => (await deliveriesOf(client, eventId))[0].nextAttemptAt
    assert.notEqual(await next(), null)
    assert.equal((await take(10)).deliveries.length, 1)
    assert.equal(await next(), null)
  })

  it('an event is pending until its first attempt, and delivered after it', async () => {
    const { client, got } = await newEndpoint(1)
    const id = await eventAt(client, 1)
    const [waiting] = await deliveriesOf(client, id)
    assert.deepEqual([waiting.state, waiting.attempts, waiting.deliveredAt], ['PENDING', [], null])
    assert.notEqual(waiting.nextAttemptAt, null)
    await world.work()
    assert.deepEqual(got(), [1])
    const [delivered] = await deliveriesOf(client, id)
    assert.deepEqual([delivered.state, delivered.nextAttemptAt], ['DELIVERED', null])
    assert.deepEqual(
      delivered.attempts.map(({ number, status }: { number: number; status: number }) => [number, status]),
      [[1, 200]],
    )
    assert.equal(delivered.deliveredAt, delivered.attempts[0].at)
  })

  it('are claimed in order, up to the capacity, and each event once', async () => {
    const { take } = await newEndpoint(1_234)
    const capacities = [5, 100, 250, 95, 1, 1_000]
    const taken = []
    for (const capacity of capacities) taken.push(await take(capacity))
    assert.deepEqual(taken.flatMap(numbersOf), range(1, 1_234))
    assert.deepEqual(
      taken.slice(0, -1).map(({ size, isFull }) => [size, isFull]),
      capacities.slice(0, -1).map((capacity) => [capacity, true]),
    )
    assert.deepEqual(await take(10).then(({ size, isFull }) => [size, isFull]), [0, false])
  })

  it('claimed by several workers at once contain no event twice, and the database survives it', async () => {
    // PostgreSQL 18.4 crashed about once in ten rounds when claim and events were one statement.
    for (let round = 0; round < 12; round += 1) {
      const { take } = await newEndpoint(450)
      const taken: ClaimedFirstAttempts[] = []
      while (taken.reduce((sum, { size }) => sum + size, 0) < 450)
        taken.push(...(await Promise.all([take(35), take(65), take(1), take(20)])))
      assert.deepEqual(
        taken.flatMap(numbersOf).sort((a, b) => a - b),
        range(1, 450),
      )
    }
  })

  it('are gone once finished; released events wait for their due time', async () => {
    const { address, take } = await newEndpoint(150)
    const first = await take(100)
    await finishFirstAttempts(world.db, address, first.batches, first.token)
    const second = await take(50)
    const unsent = second.deliveries.slice(20, 30).map(({ event }) => event.eventId)
    const dueAt = world.ctx.clock.now() + 5_000
    await releaseFirstAttempts(world.db, address, second.batches, second.token, unsent, dueAt)
    assert.equal((await take(100)).size, 0)
    world.advance(5_001)
    assert.deepEqual(numbersOf(await take(100)), range(121, 130))
  })

  it('of a worker that died are claimed by the next, which skips what was attempted', async () => {
    const { address, take } = await newEndpoint(10)
    const lost = await take(10)
    for (const delivery of lost.deliveries.slice(0, 4))
      await world.ctx.batched.recordAcknowledged(recorded(address, delivery))
    assert.equal((await take(10)).size, 0, 'the lease holds')
    world.advance(LEASE_MS + 1)
    const found = await take(10)
    assert.deepEqual([numbersOf(found), found.size], [range(5, 10), 10])
    // The first worker comes back. It can no longer finish anything.
    await finishFirstAttempts(world.db, address, lost.batches, lost.token)
    world.advance(LEASE_MS + 1)
    assert.deepEqual(numbersOf(await take(10)), range(5, 10))
  })

  it('of a worker that lost its lease before it read them are not sent by it', async () => {
    const { address, take } = await newEndpoint(3)
    const next = world.ctx.ids.next()
    // Another worker claims them between the claim and the reading of the events.
    const query: typeof world.db.query = async (config) => {
      if (config.name === 'read-first-attempts')
        await world.db.query({
          text: 'update first_attempt_batches set lease_token = $1 where endpoint_id = $2',
          values: [next, address.endpointId],
        })
      return world.db.query(config)
    }
    const lease = { token: world.ctx.ids.next(), until: world.ctx.clock.now() + LEASE_MS }
    const lost = await claimFirstAttempts({ query }, address, world.ctx.clock.now(), lease, 10)
    assert.deepEqual([lost.size, numbersOf(lost)], [3, []])
    await finishFirstAttempts(world.db, address, lost.batches, lease.token)
    world.advance(LEASE_MS + 1)
    assert.deepEqual(numbersOf(await take(10)), [1, 2, 3])
  })

  it('that are acknowledged together keep their endpoint, their answer and its time', async () => {
    const made = [await newEndpoint(2), await newEndpoint(1)]
    const records: AttemptRecord[] = []
    for (const { address, take } of made)
      for (const delivery of (await take(10)).deliveries) records.push(recorded(address, delivery))
    const [first, second, third] = records as [AttemptRecord, AttemptRecord, AttemptRecord]
    second.result = { ...second.result, status: 202, latencyMs: 7.6, response: 'thank "you", \\0' }
    third.at += 1_234
    for (const batch of [[third, first], [second]]) await recordAcknowledged(world.db, batch)
    const { rows } = await world.db.query({
      text: `select organization_id, endpoint_id, event_id, attempt_id, number, at, status, latency_ms, failure, response
               from delivery_attempts
              where attempt_id = any($1)
              order by attempt_id`,
      values: [records.map(({ attemptId }) => attemptId)],
    })
    assert.deepEqual(
      rows,
      records.map(({ organizationId, endpointId, eventId, attemptId, at, result }) => ({
        organization_id: organizationId,
        endpoint_id: endpointId,
        event_id: eventId,
        attempt_id: attemptId,
        number: 1,
        at,
        status: result.status,
        latency_ms: Math.round(result.latencyMs),
        failure: null,
        response: result.response.replace('\0', '\uFFFD'),
      })),
    )
  })

  it('a waiting event is sent once, also if it is redelivered by hand or recovered', async () => {
    const { client, at, got } = await newEndpoint(3)
    const id = await eventAt(client, 2)
    assert.deepEqual((await client('POST', `/events/${id}/redeliver`)).json, { scheduled: 1 })
    const since = new Date(world.ctx.clock.now() - 60_000).toISOString()
    assert.deepEqual((await client('POST', `${at}/recover`, { since })).json, { scheduled: 0 })
    await world.work()
    assert.deepEqual(got().toSorted(), [1, 2, 3])
    assert.deepEqual((await client('POST', `${at}/recover`, { since })).json, { scheduled: 0 })
    assert.deepEqual((await client('POST', `/events/${id}/redeliver`)).json, { scheduled: 1 })
    await world.work()
    assert.deepEqual(got().toSorted(), [1, 2, 2, 3])
    const [delivery] = await deliveriesOf(client, id)
    assert.deepEqual(
      delivery.attempts.map(({ number }: { number: number }) => number),
      [1, 2],
    )
  })

  it('are met by no look while a worker holds their lease, and by the next one when it ends', async () => {
    const { address, take } = await newEndpoint(2)
    const looks = async () => {
      const now = world.ctx.clock.now()
      const { owners } = await oldestDue(world.db, 'first_attempt_batches', now, placeBefore(0), 1_000)
      return owners.includes(`${address.organizationId} ${address.endpointId}`)
    }
    assert.equal(await looks(), true)
    await take(1)
    assert.equal(await looks(), true, 'the other half is free')
    await take(1)
    assert.equal(await looks(), false)
    world.advance(LEASE_MS)
    assert.equal(await looks(), true)
    await world.work()
  })

  it('wait while the endpoint is disabled, and events that come meanwhile are not added', async () => {
    const { client, at, cause, got } = await newEndpoint(2)
    await client('PATCH', at, { status: 'DISABLED' })
    await cause(3)
    await world.work()
    assert.deepEqual(got(), [])
    await client('PATCH', at, { status: 'ENABLED' })
    await world.work()
    assert.deepEqual(got().toSorted(), [1, 2])
  })

  it('of a deleted endpoint are recorded as failed', async () => {
    const { client, at, take, address } = await newEndpoint(1_150)
    const { deliveries } = await take(1)
    for (const delivery of deliveries) await world.ctx.batched.recordAcknowledged(recorded(address, delivery))
    await client('DELETE', at)
    const { rows } = await world.db.query<{ state: string; count: bigint }>({
      text: 'select state, count(*) as count from deliveries where organization_id = $1 group by state',
      values: [address.organizationId],
    })
    assert.deepEqual(rows, [{ state: 'FAILED', count: 1_149n }])
    const statuses = await Promise.all(
      [1, 1_150].map(
        async (sequence) => (await deliveriesOf(client, await eventAt(client, sequence)))[0].state,
      ),
    )
    assert.deepEqual(statuses, ['DELIVERED', 'FAILED'])
    await world.work()
  })

  it('contain only what the endpoint subscribed to at the time of the event', async () => {
    const { client, at, address, got } = await newEndpoint(0)
    await client('PATCH', at, { events: ['payin.declined'] })
    await insertEvents(world, address.organizationId, ['payin.confirmed', 'payin.declined', 'payin.canceled'])
    await sequenceAllEvents(world.ctx, address.organizationId)
    await client('PATCH', at, { events: ['payin.confirmed'] })
    await world.work()
    assert.deepEqual(got(), [2])
  })
})

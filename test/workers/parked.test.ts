// What waits for a disabled endpoint: no look meets it, nothing of it is lost, and it is sent once the endpoint is enabled,
// whoever dies meanwhile.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS } from '../../src/core/instant.ts'
import { parkDueDeliveries } from '../../src/flows/webhooks/park-deliveries.ts'
import { resumeParkedDeliveries } from '../../src/flows/webhooks/resume-deliveries.ts'
import { oldestDue, placeBefore, queuesWithWork } from '../../src/store/due-work.ts'
import { listBacklog, readBacklog } from '../../src/store/webhooks/delivery-views.ts'
import { deleteEndpoint, disableEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { endpointsToResume } from '../../src/store/webhooks/parked.ts'
import type { Attempt } from '../../src/webhooks/send.ts'
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

describe('what waits for a disabled endpoint', () => {
  let world: World
  const log = pino({ level: 'silent' })
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // An endpoint with `retries` deliveries that failed once and are due again, and `fresh` events that were never sent.
  const newEndpoint = async (retries: number, fresh: number) => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const { json } = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    const address = { organizationId, endpointId: json.id as string }
    const sent: number[] = []
    const work = (attempt: Attempt) =>
      runAllDue(world.ctx, log, {
        sender: {
          send: async ({ endpointId, body }) => {
            if (endpointId === address.endpointId) sent.push(JSON.parse(body).sequence)
            return attempt
          },
          close: async () => {},
        },
        settings: { schedule: [60_000, DAY_MS], perEndpoint: 1 },
      })
    const cause = async (count: number) => {
      await insertEvents(world, organizationId, Array<string>(count).fill('payin.confirmed'))
      await sequenceAllEvents(world.ctx, organizationId)
    }
    await cause(retries)
    await work(REFUSED)
    world.advance(DAY_MS)
    await cause(fresh)
    sent.length = 0
    return {
      client,
      address,
      sent,
      work,
      cause,
      change: (status: string) => client('PATCH', `/webhook-endpoints/${address.endpointId}`, { status }),
    }
  }
  const dueNow = async () => {
    const now = world.ctx.clock.now()
    const pages = await Promise.all(
      (['deliveries', 'first_attempt_batches'] as const).map((queue) =>
        oldestDue(world.db, queue, now, placeBefore(0), 10),
      ),
    )
    return pages.map(({ owners }) => owners.length)
  }
  const toResume = async () => (await endpointsToResume(world.db, 10)).length

  it('is met once, then by no look, and is sent in order once the endpoint is enabled', async () => {
    const { client, sent, work, change, cause, address } = await newEndpoint(2, 3)
    assert.deepEqual(await dueNow(), [1, 1])
    await change('DISABLED')
    await work(ACCEPTED)
    assert.deepEqual([sent, await dueNow(), await toResume()], [[], [0, 0], 0])
    const [waiting] = (await listBacklog(world.db, world.ctx.clock.now())).filter(
      ({ endpointId }) => endpointId === address.endpointId,
    )
    assert.deepEqual([waiting?.waiting, waiting?.due, waiting?.oldestDueAt], [5, 0, null])
    for (const sequence of [1, 3]) {
      const { json } = await client('GET', `/events?after=${sequence - 1}`)
      const shown = await client('GET', `/events/${json.data[0].id}/deliveries`)
      const [{ state, nextAttemptAt }] = shown.json.data
      assert.deepEqual([state, nextAttemptAt], ['PENDING', null], 'there is no next attempt for now')
    }

    await change('ENABLED')
    const found = (await queuesWithWork(world.db, world.ctx.clock.now(), () => 0)).filter(
      // What was done to the endpoint is written down.
      (queue) => queue !== 'audit_unchained',
    )
    assert.deepEqual(found, ['webhook_endpoints'], 'a watch finds it although nothing is due')
    await cause(1)
    assert.equal(await toResume(), 1)
    await work(ACCEPTED)
    assert.deepEqual(sent.toSorted(), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(
      sent.filter((sequence) => sequence > 2),
      [3, 4, 5, 6],
      'what was never sent, in the order of its numbers',
    )
    assert.equal(await toResume(), 0)
    assert.deepEqual(await readBacklog(world.db, world.ctx.clock.now()), { due: 0, oldestDueMs: 0 })
  })

  it('is parked and resumed in steps: thousands of deliveries, and the endpoint stays marked until the last', async () => {
    const { address, change, work, sent } = await newEndpoint(0, 1)
    await change('DISABLED')
    await world.db.query({
      text: `insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
             select organization_id, $2, gen_random_uuid(), sequence, 'PENDING', 1, 0, created_at, created_at
               from events cross join generate_series(1, 2500)
              where organization_id = $1`,
      values: [address.organizationId, address.endpointId],
    })
    await work(ACCEPTED)
    assert.deepEqual(await dueNow(), [0, 0])
    await change('ENABLED')
    for (const left of [1_500, 500, 0]) {
      assert.equal(await toResume(), 1)
      // A process that dies between two steps leaves the rest to the next.
      await resumeParkedDeliveries(world.ctx, address)
      const { rows } = await world.db.query<{ parked: bigint }>({
        text: `select count(*) as parked from deliveries where organization_id = $1 and due_at = 'infinity'`,
        values: [address.organizationId],
      })
      assert.equal(Number(rows[0]?.parked), left)
    }
    assert.equal(await toResume(), 0)
    await world.db.query({
      text: 'delete from deliveries where organization_id = $1',
      values: [address.organizationId],
    })
    await work(ACCEPTED)
    assert.deepEqual(sent, [1])
  })

  it('is resumed in steps where nothing was ever tried, too: the endpoint stays marked until the last', async () => {
    const { address, change, work } = await newEndpoint(0, 1)
    await change('DISABLED')
    await world.db.query({
      text: `insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at)
             select organization_id, $2, 1000 * series, array[event_id], created_at
               from events cross join generate_series(1, 1500) as series
              where organization_id = $1`,
      values: [address.organizationId, address.endpointId],
    })
    await work(ACCEPTED)
    assert.deepEqual(await dueNow(), [0, 0])
    await change('ENABLED')
    for (const left of [501, 0]) {
      assert.equal(await toResume(), 1)
      await resumeParkedDeliveries(world.ctx, address)
      const { rows } = await world.db.query<{ parked: bigint }>({
        text: `select count(*) as parked from first_attempt_batches where organization_id = $1 and due_at = 'infinity'`,
        values: [address.organizationId],
      })
      assert.equal(Number(rows[0]?.parked), left)
    }
    assert.equal(await toResume(), 0)
    await world.db.query({
      text: 'delete from first_attempt_batches where organization_id = $1',
      values: [address.organizationId],
    })
  })

  it('is not parked if the endpoint was enabled meanwhile, and not resumed if it was disabled again', async () => {
    const { address, change, work, sent } = await newEndpoint(1, 1)
    // A worker that read the endpoint while it was disabled.
    await parkDueDeliveries(world.ctx, address)
    assert.deepEqual(await dueNow(), [1, 1])
    await change('DISABLED')
    await parkDueDeliveries(world.ctx, address)
    await resumeParkedDeliveries(world.ctx, address)
    assert.deepEqual(await dueNow(), [0, 0])
    await change('ENABLED')
    await work(ACCEPTED)
    assert.deepEqual(sent.toSorted(), [1, 2])
  })

  it('and became due after it was disabled is parked too', async () => {
    const { address, work, sent, change } = await newEndpoint(0, 2)
    await work(REFUSED)
    sent.length = 0
    await disableEndpoint(
      world.db,
      address.organizationId,
      address.endpointId,
      'FAILING',
      world.ctx.clock.now(),
    )
    await work(ACCEPTED)
    world.advance(DAY_MS)
    assert.deepEqual(await dueNow(), [1, 0])
    await work(ACCEPTED)
    assert.deepEqual([await dueNow(), sent], [[0, 0], []])
    await change('ENABLED')
    await work(ACCEPTED)
    assert.deepEqual(sent.toSorted(), [1, 2])
  })

  it('stays where it is when another endpoint, with the same events, is enabled', async () => {
    const { client, address, work, change, cause } = await newEndpoint(0, 0)
    const other = (await client('POST', '/webhook-endpoints', { url: 'https://other.example/' })).json.id
    await cause(2)
    await work(REFUSED)
    await change('DISABLED')
    await client('PATCH', `/webhook-endpoints/${other}`, { status: 'DISABLED' })
    world.advance(DAY_MS)
    await work(ACCEPTED)
    await change('ENABLED')
    await resumeParkedDeliveries(world.ctx, address)
    const { rows } = await world.db.query<{ endpoint_id: string }>({
      text: `select endpoint_id from deliveries where organization_id = $1 and due_at = 'infinity'`,
      values: [address.organizationId],
    })
    assert.deepEqual(
      rows.map((row) => row.endpoint_id),
      [other, other],
    )
    await work(ACCEPTED)
  })

  it('is ended if the endpoint is deleted, even if the process that deleted it died', async () => {
    const { address, work, sent } = await newEndpoint(1, 1)
    await deleteEndpoint(world.db, address.organizationId, address.endpointId, world.ctx.clock.now())
    assert.deepEqual(await dueNow(), [1, 1])
    await work(ACCEPTED)
    assert.deepEqual([await dueNow(), sent], [[0, 0], []])
    const { rows } = await world.db.query<{ state: string }>({
      text: 'select state from deliveries where organization_id = $1',
      values: [address.organizationId],
    })
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['FAILED', 'FAILED'],
    )
  })
})

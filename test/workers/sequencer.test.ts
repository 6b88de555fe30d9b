// Events of many organizations get their sequences in one batch, and none waits for another.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { instantOfId } from '../../src/core/ids.ts'
import { createOrganization } from '../../src/flows/organizations/create.ts'
import { StoreBusy, StoreUnavailable } from '../../src/store/db.ts'
import { lockCounter, sequencing } from '../../src/store/events/events.ts'
import { verifyEventNumbers } from '../../src/store/events/verify-numbers.ts'
import { searchForUnsequenced } from '../../src/workers/due-queues.ts'
import { sequenceAllDue } from '../../src/workers/sequencer.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { citusUrl } from '../citus.ts'
import { waitingForLocks } from '../locks.ts'
import { createWorld, eventually, type World } from '../world.ts'

describe('the sequencer', () => {
  let world: World
  const complaints: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => complaints.push(JSON.parse(line)) })
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const organizationWith = async (events: number): Promise<string> => {
    const { organizationId } = await createOrganization(world.ctx, 'Café La Palma')
    await insertEvents(world, organizationId, Array<string>(events).fill('payin.confirmed'))
    return organizationId
  }
  // Per organization: its sequences in order, and how many events have none.
  const numbersOf = async (organizationId: string): Promise<{ numbers: number[]; left: number }> => {
    const { rows } = await world.db.query<{ sequence: bigint | null }>({
      text: 'select sequence from events where organization_id = $1 order by sequence',
      values: [organizationId],
    })
    const numbers = rows.flatMap(({ sequence }) => (sequence === null ? [] : [Number(sequence)]))
    return { numbers, left: rows.length - numbers.length }
  }
  const locksWaitedFor = (): Promise<number> => waitingForLocks(world.db)
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

  it('gives every organization one turn, however many events one of them has', async () => {
    const large = await organizationWith(1_200)
    const small: string[] = []
    for (let made = 0; made < 40; made += 1) small.push(await organizationWith(2))

    const { organizations, events } = await sequenceAllDue(world.ctx, log)
    assert.equal(organizations, 41)
    for (const one of small) assert.deepEqual(await numbersOf(one), { numbers: [1, 2], left: 0 })
    const some = await numbersOf(large)
    assert.ok(some.left > 0 && some.numbers.length > 0, 'the large one has had its share')
    assert.equal(events, 80 + some.numbers.length)

    while ((await sequenceAllDue(world.ctx, log)).events > 0);
    assert.deepEqual(await numbersOf(large), { numbers: upTo(1_200), left: 0 })
    await insertEvents(world, large, ['payin.declined'])
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(large), { numbers: upTo(1_201), left: 0 })
    assert.deepEqual(complaints, [])
  })

  it('run several times at once gives every sequence once', async () => {
    const busy = await Promise.all([1, 2, 3, 4, 5].map(() => organizationWith(300)))
    const sequencers = [1, 2, 3].map(async () => {
      while ((await sequenceAllDue(world.ctx, log)).events > 0);
    })
    await Promise.all(sequencers)
    while ((await sequenceAllDue(world.ctx, log)).events > 0);
    for (const one of busy) assert.deepEqual(await numbersOf(one), { numbers: upTo(300), left: 0 })
    assert.deepEqual(complaints, [])
  })

  it('skips an organization whose counter is locked, and continues with the others', async () => {
    const [held, free] = [await organizationWith(1), await organizationWith(1)]
    await sequenceAllDue(world.ctx, log)
    for (const one of [held, free]) await insertEvents(world, one, ['payin.declined'])
    await world.db.inTransaction(async (tx) => {
      await lockCounter(tx, held)
      await sequenceAllDue(world.ctx, log)
      assert.deepEqual(await numbersOf(free), { numbers: [1, 2], left: 0 })
      assert.deepEqual(await numbersOf(held), { numbers: [1], left: 1 })
    })
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(held), { numbers: [1, 2], left: 0 })
    assert.deepEqual(complaints, [])
  })

  it('sequences an event that commits long after its id was made, in the order of commits and without a gap', async () => {
    const organizationId = await organizationWith(1)
    const search = searchForUnsequenced(world.ctx, { sweepEveryMs: 0 })
    const late = world.ctx.ids.next()
    await sequenceAllDue(world.ctx, log, search)
    world.advance(60_000)
    await insertEvents(world, organizationId, ['payin.declined'])
    await sequenceAllDue(world.ctx, log, search)
    await sequenceAllDue(world.ctx, log, search)
    assert.ok(search.from() > instantOfId(late), 'the search has moved on')
    await world.db.query({
      text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
             values ($1, $2, 'payin.canceled', 'payin', $2, 1, '{}', now())`,
      values: [organizationId, late],
    })
    await eventually(
      async () => {
        await sequenceAllDue(world.ctx, log, search)
        return numbersOf(organizationId)
      },
      ({ left }) => left === 0,
    )
    const { rows } = await world.db.query<{ event_id: string }>({
      text: 'select event_id from events where organization_id = $1 and sequence = 3',
      values: [organizationId],
    })
    assert.equal(rows[0]?.event_id, late)
    assert.deepEqual(complaints, [])
  })

  it('gives every event its sequence, also one whose text is rewritten meanwhile', async () => {
    const organizationId = await organizationWith(3)
    const eventIds = await world.db.query<{ event_id: string }>({
      text: 'select event_id from events where organization_id = $1 order by event_id',
      values: [organizationId],
    })
    const first = eventIds.rows[0]?.event_id
    let sequenced: Promise<unknown> | undefined
    await world.db.inTransaction(async (tx) => {
      // As sealing and erasing people do.
      await tx.query({
        text: `update events set data = '{"sealed":true}' where organization_id = $1 and event_id = $2`,
        values: [organizationId, first],
      })
      sequenced = sequenceAllDue(world.ctx, log)
      await eventually(locksWaitedFor, (count) => count === 1)
    })
    await sequenced
    assert.deepEqual(await numbersOf(organizationId), { numbers: [1, 2, 3], left: 0 })
    await insertEvents(world, organizationId, ['payin.declined'])
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(organizationId), { numbers: [1, 2, 3, 4], left: 0 })
    const rewritten = await world.db.query<{ sequence: bigint; data: string }>({
      text: 'select sequence, data from events where organization_id = $1 and event_id = $2',
      values: [organizationId, first],
    })
    assert.deepEqual(rewritten.rows, [{ sequence: 1n, data: '{"sealed":true}' }])
    assert.deepEqual(await verifyEventNumbers(world.db), [])
    assert.deepEqual(complaints, [])
  })

  it('gives no sequence if the counter moved after it began', async () => {
    const organizationId = await organizationWith(2)
    await world.db.inTransaction((tx) => lockCounter(tx, organizationId))
    // It waits for the lock on the counter, which holds open the moment in which another may be quicker.
    const { text, values = [] } = sequencing(
      organizationId,
      2,
      world.ctx.clock.now(),
      0,
      citusUrl() !== undefined,
    )
    const waiting = { text: text.replace('skip locked', ''), values }
    let late: Promise<{ rows: { numbered: bigint }[] }> | undefined
    await world.db.inTransaction(async (tx) => {
      await lockCounter(tx, organizationId)
      late = world.db.query(waiting)
      await eventually(locksWaitedFor, (count) => count === 1)
      await tx.query(sequencing(organizationId, 1, world.ctx.clock.now(), 0, citusUrl() !== undefined))
    })
    assert.deepEqual((await late)?.rows, [{ numbered: 0n, isFirst: false, isGapless: 1 }])
    assert.deepEqual(await numbersOf(organizationId), { numbers: [1], left: 1 })
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(organizationId), { numbers: [1, 2], left: 0 })
  })

  it('asks a database that is away once, and not again for each organization', async () => {
    for (let made = 0; made < 12; made += 1) await organizationWith(1)
    const search = searchForUnsequenced(world.ctx)
    const due = await search.look()
    for (const away of [new StoreUnavailable('away'), new StoreBusy('busy')]) {
      let asked = 0
      const fails = (): Promise<never> => {
        asked += 1
        return Promise.reject(away)
      }
      const ctx = { ...world.ctx, db: { ...world.ctx.db, query: fails, inTransaction: fails } }
      const before = complaints.length
      await assert.rejects(sequenceAllDue(ctx, log, { ...search, look: async () => [...due] }), away)
      assert.ok(asked <= 3, `${asked} questions`)
      assert.equal(complaints.length, before)
    }
    await sequenceAllDue(world.ctx, log)
  })

  it('sequences the others if one organization cannot be sequenced', async () => {
    const [hindered, free] = [await organizationWith(1), await organizationWith(1)]
    // So that they are in one batch.
    for (let made = 0; made < 10; made += 1) await organizationWith(1)
    await world.db.query({
      text: `alter table events add constraint hindered check (organization_id <> '${hindered}' or sequence is null)`,
    })
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(free), { numbers: [1], left: 0 })
    assert.deepEqual(await numbersOf(hindered), { numbers: [], left: 1 })
    assert.deepEqual(
      complaints.map(({ job, organizationId }) => [job, organizationId]),
      [['events', hindered]],
    )
    await world.db.query({ text: 'alter table events drop constraint hindered' })
    await sequenceAllDue(world.ctx, log)
    assert.deepEqual(await numbersOf(hindered), { numbers: [1], left: 0 })
  })
})

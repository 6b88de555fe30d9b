// Tables that are split by time: how they come to be so, that no row is ever refused or copied, and that nobody waits for it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createIdSource, firstIdAt, instantOfId } from '../../src/core/ids.ts'
import { DAY_MS, type Instant, isoInstant } from '../../src/core/instant.ts'
import type { Bounds } from '../../src/core/partitions.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { sequenceEvents } from '../../src/store/events/events.ts'
import { undeliveredBefore } from '../../src/store/events/undelivered.ts'
import { migrate, readMigrations } from '../../src/store/migrate.ts'
import {
  addPartitions,
  dropOldestPartition,
  EVENT_PARTITIONS,
  EXCHANGE_PARTITIONS,
  listPartitions,
} from '../../src/store/partitions.ts'
import { redeliver } from '../../src/store/webhooks/deliveries.ts'
import { citusUrl } from '../citus.ts'
import { waitingForLocks } from '../locks.ts'
import { createDatabase, createWorld, eventually, type World } from '../world.ts'

// What these look at is on the machines of a cluster.
const onOneMachine = { skip: citusUrl() !== undefined && 'reads the tables of one machine' }

const FIRST_SPLIT = 26
const GROUPS = [EVENT_PARTITIONS, EXCHANGE_PARTITIONS]
const LOCK_NOT_AVAILABLE = { code: '55P03' }
const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

async function addAll(db: Db, now: Instant): Promise<void> {
  for (const group of GROUPS) while (await addPartitions(db, group, now)) {}
}

async function insertEvent(db: Db, organizationId: string, at: Instant, sequence: number | null) {
  const eventId = newId(at)
  await db.query({
    text: `insert into events (organization_id, event_id, sequence, type, resource, object_id, version, data, created_at)
           values ($1, $2, $3, 'payin.confirmed', 'payin', $2, 1, '{}', $4)`,
    values: [organizationId, eventId, sequence, isoInstant(at)],
  })
  return eventId
}

async function partitionOf(db: Db, eventId: string): Promise<string | undefined> {
  const found = await db.query<{ partition: string }>({
    text: 'select tableoid::regclass::text as partition from events where event_id = $1',
    values: [eventId],
  })
  return found.rows[0]?.partition
}

const fileOf = async (db: Db, table: string): Promise<string | undefined> =>
  (
    await db.query<{ file: string }>({
      text: 'select pg_relation_filenode(to_regclass($1))::text as file',
      values: [table],
    })
  ).rows[0]?.file

function assertWithoutGap(partitions: readonly Bounds[]): void {
  assert.equal(partitions[0]?.from, null)
  for (const [index, { to }] of partitions.slice(0, -1).entries())
    assert.equal(partitions[index + 1]?.from, to)
}

const drop = (world: World) =>
  dropOldestPartition(world.db, EVENT_PARTITIONS, world.ctx.clock.now() - 400 * DAY_MS, undeliveredBefore)

describe('a table that was not split', () => {
  it('becomes the first partition, with its rows where they were', onOneMachine, async () => {
    const database = await createDatabase(null)
    const db = openDb({ url: database.url, poolSize: 2 })
    try {
      const all = readMigrations()
      await migrate(
        db,
        all.filter(({ version }) => version < FIRST_SPLIT),
      )
      const organizationId = randomUUID()
      await db.query({
        text: `insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup,
                                          payin_expiry_minutes, created_at, updated_at)
               values ($1, 'Café', '{BRE_B}', 'decline', false, 10, now(), now())`,
        values: [organizationId],
      })
      const ages = [900, 90, 0]
      for (const [index, days] of ages.entries())
        await insertEvent(db, organizationId, Date.now() - days * DAY_MS, index + 1)
      const tables = [...EVENT_PARTITIONS.tables, ...EXCHANGE_PARTITIONS.tables]
      const files = await Promise.all(tables.map((table) => fileOf(db, table)))
      await migrate(db, all)

      const [first] = await listPartitions(db, EVENT_PARTITIONS)
      assert.equal(first?.from, null)
      const found = await db.query({
        text: `select tableoid::regclass::text as partition, count(*)::integer from events group by 1`,
      })
      const end = isoInstant(instantOfId(first?.to ?? ''))
        .slice(0, 10)
        .replaceAll('-', '')
      assert.deepEqual(found.rows, [{ partition: `events_to_${end}`, count: ages.length }])
      assert.equal(await fileOf(db, `events_to_${end}`), files[0], 'no row was copied')
      for (const group of GROUPS) assertWithoutGap(await listPartitions(db, group))
      await insertEvent(db, organizationId, Date.now() + 40 * DAY_MS, 4)
    } finally {
      await db.close()
      await database.drop()
    }
  })
})

describe('a table that is split', () => {
  it('takes a row for which there is no partition, and makes one of what took it', onOneMachine, async () => {
    await using world = await createWorld()
    const { db } = world
    const { organizationId } = world.organization
    // Nobody has made partitions for years.
    const later = world.ctx.clock.now() + 900 * DAY_MS
    const events = [
      await insertEvent(db, organizationId, later - 400 * DAY_MS, 1),
      await insertEvent(db, organizationId, later, 2),
    ]
    for (const event of events) assert.equal(await partitionOf(db, event), 'events_default')
    const file = await fileOf(db, 'events_default')

    await addAll(db, later)
    const partition = await partitionOf(db, events[0] as string)
    assert.match(partition ?? '', /^events_to_\d{8}$/)
    assert.equal(await partitionOf(db, events[1] as string), partition)
    assert.equal(await fileOf(db, partition as string), file, 'no row was copied')
    for (const group of GROUPS) assertWithoutGap(await listPartitions(db, group))
    const next = await insertEvent(db, organizationId, later + 40 * DAY_MS, 3)
    assert.notEqual(await partitionOf(db, next), 'events_default')
    const beyond = await insertEvent(db, organizationId, later + 4_000 * DAY_MS, 4)
    assert.equal(await partitionOf(db, beyond), 'events_default', 'the new one takes rows too')
  })

  it('that has rows from beyond the time ahead gets its partitions all the same', async () => {
    await using world = await createWorld()
    const now = world.ctx.clock.now()
    const beyond = await insertEvent(world.db, world.organization.organizationId, now + 9_000 * DAY_MS, 1)
    await addAll(world.db, now + 200 * DAY_MS)
    const last = (await listPartitions(world.db, EVENT_PARTITIONS)).at(-1)?.to ?? ''
    assert.ok(last > firstIdAt(now + 200 * DAY_MS) && last < firstIdAt(now + 300 * DAY_MS))
    assert.ok((await partitionOf(world.db, beyond))?.startsWith('events_default'))
  })

  it('takes a row that arrives just as its partition is made', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const later = world.ctx.clock.now() + 100 * DAY_MS
    let arrived: string | undefined
    // Nothing was caught when it was looked for; by the time the partition is attached a row is in the default one.
    const inBetween: Db = {
      ...world.db,
      inTransaction: (work, limits) =>
        world.db.inTransaction(
          (tx) =>
            work({
              ...tx,
              query: async (config) => {
                if (/^create table/.test(config.text))
                  arrived ??= await insertEvent(world.db, organizationId, later, null)
                return tx.query(config)
              },
            }),
          limits,
        ),
    }
    await addAll(inBetween, later)
    assert.match((await partitionOf(world.db, arrived as string)) ?? '', /^events_to_\d{8}$/)
    for (const group of GROUPS) assertWithoutGap(await listPartitions(world.db, group))
  })

  it('gets its partitions from several processes at once', async () => {
    await using world = await createWorld()
    const others = [1, 2, 3].map(() => openDb({ url: world.databaseUrl, poolSize: 2 }))
    const now = world.ctx.clock.now()
    for (const days of [50, 100, 1_000]) {
      await insertEvent(world.db, world.organization.organizationId, now + days * DAY_MS, null)
      await Promise.all(others.map((db) => addAll(db, now + days * DAY_MS)))
      await addAll(world.db, now + days * DAY_MS)
    }
    for (const group of GROUPS) {
      const partitions = await listPartitions(world.db, group)
      assertWithoutGap(partitions)
      assert.ok((partitions.at(-1)?.to ?? '') > firstIdAt(now + 1_000 * DAY_MS))
    }
    for (const db of others) await db.close()
  })

  it('has its old partitions dropped by several processes at once', async () => {
    await using world = await createWorld()
    await insertEvent(world.db, world.organization.organizationId, world.ctx.clock.now(), 1)
    world.advance(600 * DAY_MS)
    await addAll(world.db, world.ctx.clock.now())
    const others = [1, 2, 3].map(() => openDb({ url: world.databaseUrl, poolSize: 2 }))
    const dropped = await Promise.all(others.map((db) => drop({ ...world, db })))
    const names = dropped.flatMap((one) => one?.partition ?? [])
    assert.ok(names.length > 0)
    assert.equal(new Set(names).size, names.length, 'each is dropped once')
    while ((await drop(world)) !== null) {}
    const left = await world.db.query({ text: 'select from events' })
    assert.equal(left.rowCount, 0)
    assertWithoutGap(await listPartitions(world.db, EVENT_PARTITIONS))
    for (const db of others) await db.close()
  })

  it('has no row between its partitions: one with an old id is taken, and leaves with the next', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    await insertEvent(world.db, organizationId, world.ctx.clock.now(), 1)
    world.advance(600 * DAY_MS)
    await addAll(world.db, world.ctx.clock.now())
    while ((await drop(world)) !== null) {}
    const stray = await insertEvent(world.db, organizationId, 0, 2)
    assert.match((await partitionOf(world.db, stray)) ?? '', /^events_to_/)
    assert.notEqual(await drop(world), null)
    assert.equal(await partitionOf(world.db, stray), undefined)
  })

  it(
    'gives up dropping while somebody reads, so that others wait for a moment only',
    onOneMachine,
    async () => {
      await using world = await createWorld()
      const { organizationId } = world.organization
      await insertEvent(world.db, organizationId, world.ctx.clock.now(), 1)
      world.advance(600 * DAY_MS)
      const now = world.ctx.clock.now()
      await addAll(world.db, now)
      await world.db.inTransaction(async (tx) => {
        await tx.query({ text: 'select from events limit 1' })
        const dropping = assert.rejects(drop(world), LOCK_NOT_AVAILABLE)
        for (let inserted = 2; inserted < 6; inserted += 1) {
          const begunAt = performance.now()
          await insertEvent(world.db, organizationId, now, inserted)
          assert.ok(
            performance.now() - begunAt < 1_500,
            'an insert waits no longer than the drop is willing to',
          )
        }
        await dropping
      })
      assert.equal((await drop(world))?.because, null)
    },
  )

  it('keeps a month in which an event is being asked for again', onOneMachine, async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    const eventId = await insertEvent(world.db, organizationId, world.ctx.clock.now(), 1)
    world.advance(600 * DAY_MS)
    const now = world.ctx.clock.now()
    await addAll(world.db, now)
    let dropping: ReturnType<typeof drop> | undefined
    await world.db.inTransaction(async (tx) => {
      await redeliver(tx, organizationId, eventId, [json.id], 1, now)
      // It has found nothing to be sent, and waits for the table.
      dropping = drop(world)
      await eventually(
        () => waitingForLocks(world.db),
        (count) => count > 0,
      )
    })
    assert.equal((await dropping)?.because, 'deliveries are to be tried again')
    await world.db.query({ text: `update deliveries set state = 'FAILED', due_at = null` })
    assert.equal((await drop(world))?.because, null)
    // Whoever read the event before is too late.
    await redeliver(world.db, organizationId, eventId, [json.id], 1, now)
    assert.equal((await world.db.query({ text: 'select from deliveries' })).rowCount, 0)
  })

  it('has its indexes in every partition, and in each a number once', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    for (const days of [0, 40]) {
      await insertEvent(world.db, organizationId, now + days * DAY_MS, 100 + days)
      await assert.rejects(insertEvent(world.db, organizationId, now + days * DAY_MS, 100 + days), {
        code: '23505',
      })
    }
    const indexes = await world.db.query<{ table: string; count: number }>({
      text: `select c.relname as table, count(*)::integer as count
               from pg_inherits i
               join pg_class c on c.oid = i.inhrelid
               join pg_index x on x.indrelid = c.oid and x.indisvalid
              where i.inhparent = 'events'::regclass
              group by 1`,
    })
    assert.deepEqual([...new Set(indexes.rows.map(({ count }) => count))], [6])
  })

  it('gets its numbers once each, over partitions whose rows are in the same places', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const others = [1, 2, 3].map(() => openDb({ url: world.databaseUrl, poolSize: 2 }))
    const now = world.ctx.clock.now()
    // The first row of each partition has the same ctid, and so has the second.
    for (let event = 0; event < 90; event += 1)
      await insertEvent(world.db, organizationId, now + (event % 3) * 31 * DAY_MS, null)
    const number = async (db: Db): Promise<void> => {
      for (let turn = 0; turn < 40; turn += 1) await sequenceEvents(db, [organizationId], 5, now)
    }
    await Promise.all(others.map(number))
    while ((await sequenceEvents(world.db, [organizationId], 50, now)) > 0) {}
    const { rows } = await world.db.query<{ sequence: bigint; event_id: string }>({
      text: 'select sequence, event_id from events where organization_id = $1 order by sequence',
      values: [organizationId],
    })
    assert.deepEqual(
      rows.map(({ sequence }) => Number(sequence)),
      Array.from({ length: 90 }, (_, index) => index + 1),
    )
    for (const db of others) await db.close()
  })
})

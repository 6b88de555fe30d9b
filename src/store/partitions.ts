// The partitions of the tables that are split by time: which there are, new ones ahead of time, and the end of old ones. A change
// is one short transaction, which gives up rather than have others wait behind it. Of several processes one makes it.

import { firstIdAt, instantOfId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import {
  type Bounds,
  endOfPeriod,
  missingPartitions,
  type Period,
  partitionName,
  partitionsBefore,
} from '../core/partitions.ts'
import { CHECK_VIOLATION, type Db, LOCK_NOT_AVAILABLE, type Queryable, sqlState } from './db.ts'
import { hasDistributedTables } from './distribute.ts'
import { tryLockSchema } from './schema-lock.ts'

export type PartitionedTable =
  | 'events'
  | 'deliveries'
  | 'delivery_attempts'
  | 'rail_exchanges'
  | 'request_log'

// Tables of one group have partitions with the same bounds, which leave together.
export type PartitionGroup = {
  readonly tables: readonly PartitionedTable[]
  readonly id: 'event_id' | 'exchange_id' | 'log_id'
  readonly period: Period
}

export const EVENT_PARTITIONS: PartitionGroup = {
  tables: ['events', 'deliveries', 'delivery_attempts'],
  id: 'event_id',
  period: 'month',
}
export const EXCHANGE_PARTITIONS: PartitionGroup = {
  tables: ['rail_exchanges'],
  id: 'exchange_id',
  period: 'day',
}

export const REQUEST_PARTITIONS: PartitionGroup = { tables: ['request_log'], id: 'log_id', period: 'day' }

export const PARTITION_GROUPS: readonly PartitionGroup[] = [
  EVENT_PARTITIONS,
  EXCHANGE_PARTITIONS,
  REQUEST_PARTITIONS,
]

// What a partitioned table cannot have as a whole, since the key does not hold the number. In all partitions together a number is
// given once because the counter is locked.
const UNIQUE_IN_EACH: Readonly<Partial<Record<PartitionedTable, string>>> = {
  events: '(organization_id, sequence) where sequence is not null',
}

// Others wait behind us no longer than this. It is less than PostgreSQL takes to look for deadlocks, so that it is we who give up.
const LOCK_WAIT_MS = 200
const TRIES = 3
// A row was caught by the default partition after it was looked through. The next try finds it there.
const CAUGHT_MEANWHILE = CHECK_VIOLATION

// In the order of time, without the default partition.
export async function listPartitions(db: Queryable, group: PartitionGroup): Promise<Bounds[]> {
  const result = await db.query<{ bound: string }>({
    text: `select pg_get_expr(c.relpartbound, c.oid) as bound
             from pg_inherits i
             join pg_class c on c.oid = i.inhrelid
            where i.inhparent = to_regclass($1)`,
    values: [group.tables[0]],
  })
  return result.rows
    .flatMap(({ bound }) => {
      const [, from, to] = /FROM \((?:MINVALUE|'(.+)')\) TO \('(.+)'\)/.exec(bound) ?? []
      return to === undefined ? [] : [{ from: from ?? null, to }]
    })
    .sort((a, b) => (a.to < b.to ? -1 : 1))
}

// How many are missing for now and the time ahead.
export async function partitionsMissing(db: Queryable, group: PartitionGroup, now: Instant): Promise<number> {
  return (await missing(db, group, now)).length
}

async function missing(db: Queryable, group: PartitionGroup, now: Instant): Promise<Bounds[]> {
  return missingPartitions((await listPartitions(db, group)).at(-1)?.to ?? null, group.period, now)
}

// Makes the partitions that are missing for now and the time ahead. Returns whether rows of that time were caught by the default
// partition. Then that one becomes the partition of these rows, none of which is moved, an empty one takes its place, and there
// may be more to make.
export async function addPartitions(
  db: Db,
  group: PartitionGroup,
  now: Instant,
  timeoutMs?: number,
): Promise<boolean> {
  if ((await missing(db, group, now)).length === 0) return false
  const add = async (tx: Queryable): Promise<boolean> => {
    const [first, ...later] = await missing(tx, group, now)
    if (first === undefined) return false
    const caught = await lastCaught(tx, group)
    const isCaught = caught !== null && (await lastCaught(tx, group, (later.at(-1) ?? first).to)) !== null
    if (isCaught) {
      const to = firstIdAt(endOfPeriod(group.period, Math.max(now, instantOfId(caught))))
      await makeOfDefault(tx, group, { from: first.from, to })
    } else for (const bounds of [first, ...later]) await makePartitions(tx, group, bounds)
    return isCaught
  }
  return changePartitions(db, add, timeoutMs)
}

// Ends the oldest partition of which every row is older than the time, if `isNeeded` has no reason against it. Returns what became
// of it. An empty partition takes the place of what is gone, so that no row can fall between the partitions and the default one.
export async function dropOldestPartition(
  db: Db,
  group: PartitionGroup,
  before: Instant,
  isNeeded: (db: Queryable, beforeId: string) => Promise<string | null>,
): Promise<{ partition: string; because: string | null } | null> {
  const oldest = async (on: Queryable): Promise<Bounds[]> => {
    const old = partitionsBefore(await listPartitions(on, group), before)
    const [first, second] = old
    if (first === undefined) return []
    if (first.from !== null || (await hasRows(on, group, first))) return [first]
    return second === undefined ? [] : [first, second]
  }
  const found = (await oldest(db)).at(-1)
  if (found === undefined) return null
  const partition = partitionName(group.tables[0] ?? '', found)
  const because = await isNeeded(db, found.to)
  if (because !== null) return { partition, because }
  return changePartitions(db, async (tx) => {
    await tx.query({ text: `lock table ${group.tables.join(', ')} in access exclusive mode` })
    const ending = await oldest(tx)
    if (ending.at(-1)?.to !== found.to) return null
    const neededNow = await isNeeded(tx, found.to)
    if (neededNow === null) {
      const names = group.tables.flatMap((table) => ending.map((bounds) => partitionName(table, bounds)))
      await tx.query({ text: `drop table ${names.join(', ')}` })
      await makePartitions(tx, group, { from: null, to: found.to })
    }
    return { partition, because: neededNow }
  })
}

// Null or false if another process is changing the schema: it has nothing else to do than we.
async function changePartitions<Result extends boolean | object | null>(
  db: Db,
  change: (tx: Queryable) => Promise<Result>,
  timeoutMs?: number,
): Promise<Result> {
  const isSpread = await hasDistributedTables(db)
  const run = async (tx: Queryable): Promise<Result> => {
    if (!(await tryLockSchema(tx))) return null as Result
    await tx.query({ text: `set local lock_timeout = ${LOCK_WAIT_MS}` })
    // The default partition is read from one end to the other.
    await tx.query({ text: 'set local enable_seqscan = on' })
    if (isSpread) await tx.query({ text: `set local citus.multi_shard_modify_mode = 'sequential'` })
    return change(tx)
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.inTransaction(run, timeoutMs === undefined ? undefined : { timeoutMs })
    } catch (error) {
      if (tries === TRIES || !isInterference(error)) throw error
    }
  }
}

// Others were in the way, who may be gone the next time.
export function isInterference(error: unknown): boolean {
  const state = sqlState(error)
  return state === LOCK_NOT_AVAILABLE || state === CAUGHT_MEANWHILE
}

// The last of the ids that the default partitions have caught, or of those before a bound.
async function lastCaught(
  tx: Queryable,
  group: PartitionGroup,
  before = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
): Promise<string | null> {
  let last: string | null = null
  for (const table of group.tables) {
    const result = await tx.query<{ id: string }>({
      text: `select ${group.id} as id from ${table}_default where ${group.id} < $1 order by ${group.id} desc limit 1`,
      values: [before],
    })
    const id = result.rows[0]?.id
    if (id !== undefined && (last === null || id > last)) last = id
  }
  return last
}

async function hasRows(db: Queryable, group: PartitionGroup, bounds: Bounds): Promise<boolean> {
  for (const table of group.tables) {
    const result = await db.query({ text: `select from ${partitionName(table, bounds)} limit 1` })
    if (result.rowCount !== 0) return true
  }
  return false
}

export async function makePartitions(tx: Queryable, group: PartitionGroup, bounds: Bounds): Promise<void> {
  for (const table of group.tables) {
    const name = partitionName(table, bounds)
    await createLike(tx, table, name)
    await attach(tx, table, name, bounds)
  }
}

async function makeOfDefault(tx: Queryable, group: PartitionGroup, bounds: Bounds): Promise<void> {
  await tx.query({ text: `lock table ${group.tables.join(', ')} in access exclusive mode` })
  for (const table of group.tables) {
    const name = partitionName(table, bounds)
    await tx.query({ text: `alter table ${table} detach partition ${table}_default` })
    await tx.query({ text: `alter table ${table}_default rename to ${name}` })
    await attach(tx, table, name, bounds)
    await createLike(tx, table, `${table}_default`)
    await tx.query({ text: `alter table ${table} attach partition ${table}_default default` })
  }
}

async function attach(tx: Queryable, table: PartitionedTable, name: string, bounds: Bounds): Promise<void> {
  const from = bounds.from === null ? 'minvalue' : `'${bounds.from}'`
  await tx.query({
    text: `alter table ${table} attach partition ${name} for values from (${from}) to ('${bounds.to}')`,
  })
}

// Attached later, which others need not wait for as they would for one that is created in its place.
async function createLike(tx: Queryable, table: PartitionedTable, name: string): Promise<void> {
  await tx.query({ text: `create table ${name} (like ${table} including all)` })
  const unique = UNIQUE_IN_EACH[table]
  if (unique !== undefined) await tx.query({ text: `create unique index on ${name} ${unique}` })
}

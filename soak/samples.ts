// What is measured again and again: the memory and open handles of each process, the queues and the size of the database, and how
// long answers took.

import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/store/db.ts'
import { WORK_QUEUES } from '../src/store/due-work.ts'
import { readClockOffset } from '../src/store/staging-clock.ts'
import type { ProbeResult } from './probe.ts'

export type Percentiles = { readonly p50Ms: number; readonly p99Ms: number; readonly count: number }

export type DatabaseSample = {
  // Work that has been due for a while, of all queues, without that for receivers who never answer.
  readonly dueRows: number
  readonly unnumberedEvents: number
  readonly waitingForDead: number
  readonly keptBytes: number
  readonly workingBytes: number
  readonly connections: number
  // What the server's processes have for themselves. Null where the system does not tell.
  readonly memoryBytes: number | null
}

export type Sample = {
  readonly atSeconds: number
  readonly lives: number
  readonly retries: number
  readonly processes: Readonly<Record<string, ProbeResult | null>>
  readonly database: DatabaseSample
  readonly answers: Percentiles | null
  readonly told: Percentiles | null
  // What was done to the installation since the last sample.
  readonly disruptions: readonly string[]
}

// Tables that grow with what happens, by design: they prove money, or are kept for as long as core/retention.ts says.
export const KEPT_TABLES = [
  'alarm_mails',
  'alarms',
  'approval_decisions',
  'approvals',
  'audit_entries',
  'beneficiaries',
  'bookings_of_other_days',
  'daily_closes',
  'deliveries',
  'delivery_attempts',
  'events',
  'idempotency_records',
  'key_lookups',
  'ledger_transfers',
  'payins',
  'payment_links',
  'payout_batch_rows',
  'payout_batches',
  'payout_usage',
  'payouts',
  'people_digests',
  'rail_exchanges',
  'rail_notices',
  'receipt_mails',
  'reconciliation_findings',
  'reconciliation_runs',
  'reconciliations',
  'redeliveries',
  'refunds',
  'request_log',
  'search_words',
  'statement_lines',
  'suspense_items',
]

// A claim moves what is due to the end of its lease, so that whatever a dead worker held is due again only then.
const OVERDUE_MS = 10_000
const OF_ENDPOINTS = ['deliveries', 'first_attempt_batches']

export async function sampleDatabase(
  db: Queryable,
  deadEndpoints: readonly string[],
): Promise<DatabaseSample> {
  const overdue = new Date(Date.now() + (await readClockOffset(db)) - OVERDUE_MS).toISOString()
  const dueIn = (queue: string) => `select count(*) as count from ${queue} where due_at <= $1`
  const due = await count(
    db,
    WORK_QUEUES.map((queue) =>
      OF_ENDPOINTS.includes(queue) ? `${dueIn(queue)} and endpoint_id <> all($2::uuid[])` : dueIn(queue),
    ).join(' union all '),
    [overdue, deadEndpoints],
  )
  const waitingForDead = await count(
    db,
    OF_ENDPOINTS.map(
      (queue) =>
        `select count(*) as count from ${queue} where due_at is not null and endpoint_id = any($1::uuid[])`,
    ).join(' union all '),
    [deadEndpoints],
  )
  const unnumberedEvents = await count(db, 'select count(*) as count from events where sequence is null', [])
  const { keptBytes, workingBytes } = await tableSizes(db)
  const { rows: processes } = await db.query<{ pid: number }>({
    text: 'select pid from pg_stat_activity where datname = current_database()',
  })
  const memory = processes.map(({ pid }) => ownMemoryBytes(pid))
  return {
    dueRows: due,
    unnumberedEvents,
    waitingForDead,
    keptBytes,
    workingBytes,
    connections: processes.length,
    memoryBytes: memory.every((bytes) => bytes === null)
      ? null
      : memory.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
  }
}

async function count(db: Queryable, text: string, values: unknown[]): Promise<number> {
  const { rows } = await db.query<{ count: bigint | number }>({ text, values })
  return rows.reduce((sum, row) => sum + Number(row.count), 0)
}

async function tableSizes(db: Queryable): Promise<{ keptBytes: number; workingBytes: number }> {
  const { rows } = await db.query<{ name: string; bytes: bigint | number }>({
    text: `select coalesce(parent.relname, c.relname)::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes
             from pg_class c
             left join pg_inherits i on i.inhrelid = c.oid
             left join pg_class parent on parent.oid = i.inhparent
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
            group by 1`,
  })
  const sumOf = (isKept: boolean): number =>
    rows
      .filter(({ name }) => KEPT_TABLES.includes(name) === isKept)
      .reduce((sum, { bytes }) => sum + Number(bytes), 0)
  return { keptBytes: sumOf(true), workingBytes: sumOf(false) }
}

// Without what processes share.
function ownMemoryBytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024
  } catch {
    return null
  }
}

export function percentilesOf(timesMs: readonly number[]): Percentiles | null {
  if (timesMs.length === 0) return null
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
  return { p50Ms: at(0.5), p99Ms: at(0.99), count: sorted.length }
}

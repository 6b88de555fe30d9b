// Work that nobody has done: rows that were due long ago, rows that a worker took and did not bring back, and rows that wait for
// something that will not come. What is read is what is overdue or open, never what is finished.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { WORK_QUEUES, type WorkQueue } from '../due-work.ts'
import { tableOfOrganizations } from '../scoped-statement.ts'

// Counting stops there: more would say no more.
export const MAX_COUNTED_ROWS = 1_000

export type OverdueWork = {
  readonly rows: number
  // Of these, how many a worker has taken and not brought back.
  readonly taken: number
  readonly oldestDueAt: Instant
}

// Those with a lease in their rows. A notice and a link are taken by moving the time they are due at.
const LEASED: readonly WorkQueue[] = [
  'payins',
  'payouts',
  'refunds',
  'payout_batches',
  'deliveries',
  'first_attempt_batches',
]

// What else is due by time, and the column that says when.
const OTHER_QUEUES = {
  receipt_mails: 'due_at',
  alarm_mails: 'due_at',
  invitations: 'mail_due_at',
  closing_marks: 'due_at',
} as const
export type OtherQueue = keyof typeof OTHER_QUEUES
export const DUE_QUEUES: readonly (WorkQueue | OtherQueue)[] = [
  ...WORK_QUEUES,
  ...(Object.keys(OTHER_QUEUES) as OtherQueue[]),
]

// Null: nothing in the queue was due before then.
export async function overdueIn(
  db: Queryable,
  queue: WorkQueue | OtherQueue,
  before: Instant,
): Promise<OverdueWork | null> {
  const column = queue in OTHER_QUEUES ? OTHER_QUEUES[queue as OtherQueue] : 'due_at'
  const taken = LEASED.includes(queue as WorkQueue) ? 'lease_token is not null' : 'false'
  const result = await db.query<{ rows: number; taken: number; oldest: Instant }>({
    text: `select count(*)::int as rows, count(*) filter (where is_taken)::int as taken, min(due_at) as oldest
             from (select ${column} as due_at, ${taken} as is_taken
                     from ${queue}
                    where ${column} < $1
                    order by ${column}
                    limit ${MAX_COUNTED_ROWS}) overdue`,
    values: [isoInstant(before)],
  })
  const [row] = result.rows
  return row === undefined || row.rows === 0
    ? null
    : { rows: row.rows, taken: row.taken, oldestDueAt: row.oldest }
}

// Alarms that nobody was told of. A new one is due at once, whenever that was.
export async function untoldAlarms(db: Queryable, before: Instant): Promise<number> {
  const result = await db.query<{ rows: number }>({
    text: `select count(*)::int as rows
             from (select 1
                     from alarms
                    where mail_due_at < $1 and created_at < $1
                    order by mail_due_at
                    limit ${MAX_COUNTED_ROWS}) untold`,
    values: [isoInstant(before)],
  })
  return result.rows[0]?.rows ?? 0
}

export type Stuck = { readonly rows: number; readonly example: string }

const STUCK = {
  // Handed to the network, which has not said what became of it.
  'unknown payouts': {
    table: 'payouts',
    id: 'payout_id',
    when: `status = 'PROCESSING' and stage in ('SENDING', 'SENT') and updated_at < $1`,
  },
  'contradicted payouts': {
    table: 'payouts',
    id: 'payout_id',
    when: `status = 'PROCESSING' and stage = 'STOPPED' and updated_at < $1`,
  },
  'forgotten payouts': {
    table: 'payouts',
    id: 'payout_id',
    when: `status = 'PROCESSING' and stage not in ('AWAITING_APPROVAL', 'STOPPED') and due_at is null and updated_at < $1`,
  },
  'unended payins': {
    table: 'payins',
    id: 'payin_id',
    when: `status in ('PENDING', 'PROCESSING') and expires_at < $1`,
  },
  'forgotten payins': {
    table: 'payins',
    id: 'payin_id',
    when: `status in ('PENDING', 'PROCESSING') and due_at is null and updated_at < $1`,
  },
  'unknown refunds': {
    table: 'refunds',
    id: 'refund_id',
    when: `status = 'PROCESSING' and stage = 'SENDING' and updated_at < $1`,
  },
  'forgotten batches': {
    table: 'payout_batches',
    id: 'batch_id',
    when: `status in ('CHECKING', 'PROCESSING') and due_at is null and updated_at < $1`,
  },
  // A restore has held them back, and nobody has looked yet.
  'batches held back': {
    table: 'payout_batches',
    id: 'batch_id',
    when: `due_at = 'infinity' and updated_at < $1`,
  },
  'refunds held back': {
    table: 'refunds',
    id: 'refund_id',
    when: `due_at = 'infinity' and updated_at < $1`,
  },
  'payouts held back': {
    table: 'payouts',
    id: 'payout_id',
    when: `due_at = 'infinity' and updated_at < $1`,
  },
  'approvals that should have lapsed': {
    table: 'approvals',
    id: 'approval_id',
    when: `status = 'WAITING' and lapses_at < $1`,
  },
} as const
export type StuckKind = keyof typeof STUCK
export const STUCK_KINDS = Object.keys(STUCK) as StuckKind[]

// Organization by organization, each by its index of what is open.
export async function stuckRows(db: Queryable, kind: StuckKind, before: Instant): Promise<Stuck | null> {
  const { table, id, when } = STUCK[kind]
  const result = await db.query<{ rows: number; example: string }>({
    text: `select count(*)::int as rows, min(id::text) as example
             from (select stuck.id
                     from ${await tableOfOrganizations(db)} o
                    cross join lateral (select ${id} as id
                                          from ${table}
                                         where organization_id = o.organization_id and ${when}
                                         limit ${MAX_COUNTED_ROWS}) stuck
                    limit ${MAX_COUNTED_ROWS}) found`,
    values: [isoInstant(before)],
  })
  const [row] = result.rows
  return row === undefined || row.rows === 0 ? null : row
}

export async function openAlarmCount(db: Queryable): Promise<number> {
  const result = await db.query<{ rows: number }>({
    text: `select count(*)::int as rows
             from (select 1 from alarms where resolved_at is null limit ${MAX_COUNTED_ROWS}) open`,
  })
  return result.rows[0]?.rows ?? 0
}

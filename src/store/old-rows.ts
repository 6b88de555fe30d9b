// Deletes old rows of tables that are not split by time, because a key of theirs must hold for all time. The oldest leave first,
// whoever's they are, so many at a time.

import type { Queryable } from './db.ts'
import { isDistributed } from './distribute.ts'

type OldRows = {
  // On every machine of a cluster, and not by organization.
  readonly isDirectory?: true
  readonly key: readonly string[]
  // Is in an index in the order of this.
  readonly age: string
  // Besides its age: what the row must be.
  readonly only?: string
  readonly unless?: string
  // Is the same as when the row was found.
  readonly unchanged?: string
}

const OLD_ROWS = {
  idempotency_records: { key: ['idempotency_key'], age: 'created_at' },
  // Of a payment that was charged back the network may tell more, and what it told before is counted.
  rail_notices: {
    key: ['rail', 'notice_id'],
    age: 'received_at',
    only: `t.state = 'DONE' and t.network_update->>'kind' <> 'payin.chargeback'`,
  },
  alarms: { key: ['alarm_id'], age: 'resolved_at' },
  key_lookups: { key: ['key_string'], age: 'looked_up_at' },
  payout_usage: { key: ['day', 'credential_id'], age: 'day' },
  redeliveries: { key: ['number'], age: 'requested_at' },
  // Those of a day that is compared again are needed, and so is a line that a fetch has seen again meanwhile: its run is another.
  statement_lines: {
    key: ['rail', 'day', 'line_key', 'network_id', 'amount_cents'],
    age: 'day',
    unless: `exists (select 1 from reconciliation_runs r where r.rail = t.rail and r.day = t.day and r.state <> 'DONE')`,
    unchanged: 'run',
  },
  bookings_of_other_days: { key: ['transfer_id'], age: 'greatest(own_day, listed_on)' },
  invitations: { isDirectory: true, key: ['digest'], age: 'expires_at' },
  sessions: { isDirectory: true, key: ['digest'], age: 'expires_at' },
  sign_in_tokens: { isDirectory: true, key: ['digest'], age: 'expires_at' },
  sign_in_failures: { isDirectory: true, key: ['subject'], age: 'since' },
} as const satisfies Readonly<Record<string, OldRows>>

export type OldTable = keyof typeof OLD_ROWS
export const OLD_TABLES = Object.keys(OLD_ROWS) as OldTable[]

// Returns how many there were. A row is found again by its ctid, which a distributed PostgreSQL does not take.
export async function deleteOldRows(
  db: Queryable,
  table: OldTable,
  before: string,
  limit: number,
): Promise<number> {
  const { isDirectory, key, age, only, unless, unchanged }: OldRows = OLD_ROWS[table]
  const place = isDirectory ? key : ['organization_id', ...key]
  const address = (await isDistributed(db)) ? place : ['ctid']
  const found = unchanged === undefined ? address : [...address, unchanged]
  const isOld = `${age} < $1${only === undefined ? '' : ` and ${only}`}`
  const result = await db.query({
    name: `delete-old-${table}-${limit}`,
    text: `with old as materialized (
             select ${found.map((column) => `t.${column} as found_${column}`).join(', ')}
               from ${table} t
              where ${isOld}${unless === undefined ? '' : ` and not ${unless}`}
              order by ${age}
              limit ${limit}
           )
           delete from ${table} t
            using old
            where ${found.map((column) => `t.${column} = old.found_${column}`).join(' and ')} and ${isOld}`,
    values: [before],
  })
  return result.rowCount ?? 0
}

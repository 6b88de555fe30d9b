// Writes organizations, each with an endpoint and a hundred rows that wait for later, in seconds: no triggers, and indexes
// that are built when all rows are there.

import type { Db, Queryable } from '../src/store/db.ts'

export const ORGANIZATIONS = 1_000
// For each organization. Together a hundred.
const ROWS = {
  payins: 30,
  deliveries: 30,
  payouts: 10,
  payment_links: 10,
  rail_notices: 10,
  first_attempt_batches: 10,
} as const

export type Waiting = { organizations: number; rows: number }

const uuid = (number: string): string => `lpad(to_hex(${number}), 32, '0')::uuid`
// Ids of organizations begin with zeros, so that they are unlike those of others.
const OWNER = uuid('o')
const ID = uuid('o * 100 + row')
// Between one and thirty days from now: rows become due all the time, and none while the bench runs.
const LATER = `now() + interval '1 day' + interval '10 milliseconds' * ((o * 7919 + row * 104729) % 250000000)`

const INSERTS: Readonly<Record<keyof typeof ROWS, string>> = {
  payins: `
    insert into payins (organization_id, payin_id, version, status, settlement_status, rail, amount_cents, confirmed_amount_cents,
                        currency, reference, key_string, key_type, created_at, updated_at, expires_at, rail_stage, due_at)
    select ${OWNER}, ${ID}, 2, 'CONFIRMED', 'PENDING_SETTLEMENT', 'BRE_B', 1, 1, 'COP', row::text, 'key', 'QR_CODE', now(),
           now(), now(), 'TO_SETTLE', ${LATER}`,
  deliveries: `
    insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
    select ${OWNER}, ${OWNER}, ${ID}, row, 'PENDING', 1, 0, ${LATER}, now()`,
  payouts: `
    insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                         key_string, key_type, created_at, updated_at, due_at)
    select ${OWNER}, ${ID}, 1, 'PROCESSING', 'SENT', 1, 'COP', row::text, '{}', 'key', 'ALPHANUMERIC', now(), now(), ${LATER}`,
  payment_links: `
    insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                               callback_url, created_at, updated_at, expires_at, due_at)
    select ${OWNER}, ${ID}, decode(lpad(to_hex(o * 100 + row), 32, '0'), 'hex'), 1, 'PENDING', 1, 'COP', row::text, 'u',
           now(), now(), now(), ${LATER}`,
  rail_notices: `
    insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                              occurred_at, received_at, state, due_at)
    select ${OWNER}, 'BRE_B', row::text, 'payin', ${ID}, '{}', '', now(), now(), 'WAITING', ${LATER}`,
  // Every second organization's endpoint is disabled, and its batches are parked.
  first_attempt_batches: `
    insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at)
    select ${OWNER}, ${OWNER}, row, array[${ID}], case when o % 2 = 0 then 'infinity' else ${LATER} end`,
}

// Adds to what is there until there are so many organizations.
export async function fillWaiting(db: Db, { organizations }: Waiting, upTo: number): Promise<Waiting> {
  await db.inTransaction(async (tx) => {
    // Foreign keys are checked by triggers, which replicas do not run.
    await tx.query({ text: `set local session_replication_role = replica` })
    await tx.query({ text: `set local maintenance_work_mem = '256MB'` })
    await tx.query({
      text: `insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup,
                                        payin_expiry_minutes, created_at, updated_at)
             select ${OWNER}, 'Café', '{BRE_B}', 'decline', false, 60, now(), now()
               from generate_series($1::bigint + 1, $2) o`,
      values: [organizations, upTo],
    })
    await tx.query({
      text: `insert into webhook_endpoints (organization_id, endpoint_id, url, state, sealed_secret, created_at, updated_at,
                                            has_parked)
             select ${OWNER}, ${OWNER}, 'https://shop.example', case when o % 2 = 0 then 'DISABLED' else 'ENABLED' end, '',
                    now(), now(), o % 2 = 0
               from generate_series($1::bigint + 1, $2) o`,
      values: [organizations, upTo],
    })
    for (const [table, insert] of Object.entries(INSERTS))
      await withoutIndexes(tx, table, () =>
        tx.query({
          text: `${insert}
                   from generate_series($1::bigint + 1, $2) o, generate_series(1, ${ROWS[table as keyof typeof ROWS]}) row`,
          values: [organizations, upTo],
        }),
      )
  })
  for (const table of ['organizations', 'webhook_endpoints', ...Object.keys(INSERTS)]) {
    // A vacuum of its own accord would count as work of the idle database.
    await db.query({ text: `alter table ${table} set (autovacuum_enabled = off)` })
    await db.query({ text: `analyze ${table}` })
  }
  await db.query({ text: 'checkpoint' })
  return { organizations: upTo, rows: upTo * Object.values(ROWS).reduce((sum, rows) => sum + rows, 0) }
}

export async function withoutIndexes(
  tx: Queryable,
  table: string,
  insert: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await tx.query<{ name: string; definition: string }>({
    text: `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
             from pg_index i
             join pg_class c on c.oid = i.indexrelid
            where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    values: [table],
  })
  for (const { name } of rows) await tx.query({ text: `drop index ${name}` })
  await insert()
  for (const { definition } of rows) await tx.query({ text: definition })
}

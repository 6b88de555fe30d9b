// The schema: db/schema.sql, which exists for readers, matches the migrations. Every table keeps the rules that let the
// schema be sharded over several machines.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createDatabase } from '../world.ts'

// Not looked up by organization: small tables that every machine may hold.
const DIRECTORIES = [
  'api_keys',
  'external_identities',
  'invitations',
  'memberships',
  'oauth_clients',
  'passkeys',
  'reconciliation_runs',
  'schema_migrations',
  'secrets_keys',
  'sessions',
  'sign_in_failures',
  'sign_in_tokens',
  'signing_keys',
  'staging_clock',
  'users',
]

// By time, over all organizations: a look for due work asks every machine for its part.
const LOOKS = [
  'payins_due_by_time',
  'payouts_due_by_time',
  'refunds_due_by_time',
  'payout_batches_due_by_time',
  'payment_links_due_by_time',
  'rail_notices_due_by_time',
  'deliveries_due_by_time',
  'first_attempt_batches_due_by_time',
  'events_to_number_by_time',
  'receipt_mails_due_by_time',
  'alarms_to_mail_by_time',
  'alarm_mails_due_by_time',
  'approvals_due_by_time',
  'audit_unchained_due_by_time',
  'closing_marks_due_by_time',
]

// By age, over all organizations: what is old leaves, whoever's it is.
const AGES = [
  'alarms_by_age',
  'bookings_of_other_days_by_age',
  'connections_earlier_by_age',
  'idempotency_records_by_age',
  'key_lookups_by_age',
  'payout_usage_by_age',
  'rail_notices_by_age',
  'redeliveries_by_age',
  'statement_lines_by_age',
  'webhook_endpoints_earlier_by_age',
]

async function inDatabase<Result>(
  template: string | undefined,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const database = await createDatabase(template === undefined ? undefined : null)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
    await database.drop()
  }
}

// Not-null constraints have names since PostgreSQL 18, made from a column's first name. The columns tell about null anyway.
// Partitions come and go, and are as their table.
const SHAPE = `
  with tables as (
    select oid, relname, relkind, pg_get_partkeydef(oid) as key
      from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'schema_migrations'
  )
  select 'table' as kind, relname::text as name, concat_ws(' ', relkind, key) as shape from tables
   union all
  select 'column', table_name || '.' || column_name,
         concat_ws(' ', ordinal_position, data_type, is_nullable, column_default)
    from information_schema.columns
    join tables on relname = table_name
   where table_schema = 'public'
   union all
  select 'constraint', relname || ' ' || conname, pg_get_constraintdef(c.oid)
    from pg_constraint c
    join tables t on t.oid = c.conrelid
   where contype <> 'n'
   union all
  select 'index', indexname, indexdef
    from pg_indexes
    join tables on relname = tablename
   where schemaname = 'public'
   union all
  select 'default partition', relname::text, pg_get_expr(relpartbound, oid)
    from pg_class
   where relispartition and relname like '%\\_default'
   order by 1, 2`

// With the organization first, a plan from the time when the inbox was small would take it to find a notice by its id, and read the
// organization's whole inbox.
const BY_SUBJECT = ['rail_notices_by_subject']

type IndexRow = { table_name: string; index_name: string; first_column: string; is_key: boolean }

describe('the schema', () => {
  it('db/schema.sql equals what the migrations build', async () => {
    const migrated = await inDatabase(undefined, async (client) => (await client.query(SHAPE)).rows)
    const written = await inDatabase('none', async (client) => {
      await client.query(readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8'))
      return (await client.query(SHAPE)).rows
    })
    assert.deepEqual(written, migrated)
  })

  it('has organization_id first in every key and index of a merchant’s table, but for the looks by time and age, and one by subject', async () => {
    const rows = await inDatabase(undefined, async (client) => {
      const result = await client.query<IndexRow>(`
        select t.relname as table_name, c.relname as index_name, a.attname as first_column, i.indisunique as is_key
          from pg_index i
          join pg_class c on c.oid = i.indexrelid
          join pg_class t on t.oid = i.indrelid and not t.relispartition
          join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]`)
      return result.rows
    })
    const wrong = rows.filter(
      (row) => !DIRECTORIES.includes(row.table_name) && row.first_column !== 'organization_id',
    )
    assert.deepEqual(
      wrong.filter(({ is_key }) => is_key),
      [],
    )
    assert.deepEqual(
      wrong.map(({ index_name }) => index_name).sort(),
      [...LOOKS, ...AGES, ...BY_SUBJECT].sort(),
    )
  })

  it('has no sequence, trigger, function or deferrable constraint', async () => {
    const count = await inDatabase(undefined, async (client) => {
      const result = await client.query<{ count: string }>(`
        select (select count(*) from pg_sequences where schemaname = 'public')
             + (select count(*) from pg_trigger where not tgisinternal)
             + (select count(*) from pg_proc where pronamespace = 'public'::regnamespace)
             + (select count(*) from pg_constraint where condeferrable and connamespace = 'public'::regnamespace) as count`)
      return result.rows[0]?.count
    })
    assert.equal(Number(count), 0)
  })
})

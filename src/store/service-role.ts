// The rights of the role that the service runs as, where another role owns the tables. What happened stays as it was written: the
// ledger's transfers, the events, the audit entries, the attempts and the exchanges can be added to and read, and nothing else.
// Every table has a row here with what our statements need and no more (test/store/service-role.test.ts compares).

import type { Queryable } from './db.ts'

// A list of columns is what may be updated; true is all of them.
type Rights = {
  readonly insert?: true
  readonly update?: true | readonly string[]
  readonly delete?: true
}

const ADDED = { insert: true } as const
const CHANGED = { insert: true, update: true } as const

export const SERVICE_RIGHTS: Readonly<Record<string, Rights>> = {
  // Only ever added to. Old attempts, exchanges and requests leave as partitions, which their owner drops.
  ledger_transfers: ADDED,
  connection_movements: ADDED,
  delivery_attempts: ADDED,
  rail_exchanges: ADDED,
  request_log: ADDED,
  signing_keys: ADDED,
  data_keys: ADDED,
  erasures: ADDED,
  audit_entries: ADDED,
  audit_chain: ADDED,
  daily_closes: ADDED,
  approval_decisions: ADDED,
  // What was approved, by whom it was made and when stays as it was submitted.
  approvals: {
    insert: true,
    update: ['version', 'status', 'payload', 'updated_at', 'decided_at', 'used_at'],
  },
  // An event gets its number after it is written.
  events: { insert: true, update: ['sequence'] },
  // Told, taken, resolved, and old ones leave.
  alarms: {
    insert: true,
    update: ['resolved_at', 'mail_due_at', 'taken_by', 'taken_at', 'resolved_by', 'resolution'],
    delete: true,
  },
  redeliveries: { insert: true, delete: true },
  audit_unchained: { insert: true, delete: true },
  bookings_of_other_days: { insert: true, delete: true },

  organizations: CHANGED,
  api_keys: CHANGED,
  oauth_clients: CHANGED,
  payins: CHANGED,
  payouts: CHANGED,
  refunds: CHANGED,
  payout_batches: CHANGED,
  payout_batch_rows: CHANGED,
  // An entry of the book may be taken out.
  beneficiaries: { insert: true, update: true, delete: true },
  payment_links: CHANGED,
  payment_pages: CHANGED,
  suspense_items: CHANGED,
  ledger_balances: CHANGED,
  closing_marks: CHANGED,
  lookup_budgets: CHANGED,
  event_counters: CHANGED,
  webhook_endpoints: CHANGED,
  deliveries: CHANGED,
  reconciliation_runs: CHANGED,
  reconciliations: CHANGED,
  reconciliation_findings: CHANGED,
  staging_clock: CHANGED,
  secrets_keys: CHANGED,
  people_marks: CHANGED,
  people_digests: { insert: true, delete: true },
  search_marks: CHANGED,
  search_words: { insert: true, delete: true },
  saved_views: { insert: true, delete: true },

  // People who sign in. Who they are stays; what they sign in with, and what they may, changes.
  users: {
    insert: true,
    update: [
      'name',
      'language',
      'single_keys',
      'password_hash',
      'sealed_totp',
      'totp_enabled_at',
      'totp_last_step',
      'recovery_digests',
      'updated_at',
    ],
  },
  passkeys: { insert: true, update: ['name', 'sign_count', 'last_used_at'], delete: true },
  external_identities: { insert: true, delete: true },
  memberships: { insert: true, update: ['role', 'updated_at'], delete: true },
  invitations: {
    insert: true,
    update: ['used_at', 'revoked_at', 'sealed_token', 'mail_due_at', 'mail_attempts'],
    delete: true,
  },
  sessions: { insert: true, update: ['seen_at', 'proved_at', 'ended_at'], delete: true },
  sign_in_tokens: { insert: true, delete: true },
  sign_in_failures: { ...CHANGED, delete: true },

  idempotency_records: { ...CHANGED, delete: true },
  rail_notices: { ...CHANGED, delete: true },
  key_lookups: { ...CHANGED, delete: true },
  payout_usage: { ...CHANGED, delete: true },
  first_attempt_batches: { ...CHANGED, delete: true },
  receipt_mails: { ...CHANGED, delete: true },
  alarm_mails: { insert: true, update: ['due_at', 'attempts'], delete: true },
  connections: { ...CHANGED, delete: true },
  statement_lines: { ...CHANGED, delete: true },

  schema_migrations: {},
}

// Takes every right on our tables from the role, and gives it those above: on the tables, not on their partitions. Run it in a
// transaction, as the tables' owner.
export async function grantServiceRights(tx: Queryable, role: string): Promise<void> {
  const to = quoted(role)
  for (const [table, rights] of Object.entries(SERVICE_RIGHTS)) {
    await tx.query({ text: `revoke all on table ${table} from ${to}` })
    await tx.query({ text: `grant ${rightsOn(rights)} on table ${table} to ${to}` })
  }
}

function rightsOn({ insert, update, delete: removed }: Rights): string {
  const updated = update === true ? ['update'] : update === undefined ? [] : [`update (${update.join(', ')})`]
  return ['select', ...(insert ? ['insert'] : []), ...updated, ...(removed ? ['delete'] : [])].join(', ')
}

export type MissingRight = { readonly table: string; readonly right: string }

// What this connection's role lacks to run the service: nothing if it owns the tables, and everything of a new table that no
// `migrate --grant` followed.
export async function missingRights(db: Queryable): Promise<MissingRight[]> {
  const needed = Object.entries(SERVICE_RIGHTS).flatMap(([table, { insert, update, delete: removed }]) => [
    { table, right: 'select', column: null },
    ...(insert ? [{ table, right: 'insert', column: null }] : []),
    ...(update === true ? [{ table, right: 'update', column: null }] : []),
    ...(Array.isArray(update) ? update.map((column) => ({ table, right: 'update', column })) : []),
    ...(removed ? [{ table, right: 'delete', column: null }] : []),
  ])
  const result = await db.query<MissingRight>({
    text: `select distinct n.table, n.right
             from unnest($1::text[], $2::text[], $3::text[]) as n("table", "right", "column")
             join pg_class c on c.oid = to_regclass(n.table)
             left join pg_attribute a on a.attrelid = c.oid and a.attname = n.column
            where not case when n.column is null then has_table_privilege(c.oid, n.right)
                           else coalesce(has_column_privilege(c.oid, a.attnum, n.right), true) end
            order by n.table, n.right`,
    values: [
      needed.map(({ table }) => table),
      needed.map(({ right }) => right),
      needed.map(({ column }) => column),
    ],
  })
  return result.rows
}

export async function createRole(tx: Queryable, role: string): Promise<void> {
  await tx.query({ text: `create role ${quoted(role)} login` })
}

export type RoleFacts = {
  readonly exists: boolean
  readonly isSuperuser: boolean
  // It is the owner of the tables, or may act as the owner.
  readonly actsAsOwner: boolean
  readonly canCreateTables: boolean
}

export async function readRoleFacts(db: Queryable, role: string): Promise<RoleFacts> {
  const result = await db.query<RoleFacts>({
    text: `select r.oid is not null as "exists",
                  coalesce(r.rolsuper, false) as "isSuperuser",
                  coalesce(pg_has_role(r.oid, c.relowner, 'member'), false) as "actsAsOwner",
                  coalesce(has_schema_privilege(r.oid, c.relnamespace, 'create'), false) as "canCreateTables"
             from pg_class c
             left join pg_roles r on r.rolname = $1
            where c.oid = to_regclass('ledger_transfers')`,
    values: [role],
  })
  return result.rows[0] ?? { exists: false, isSuperuser: false, actsAsOwner: false, canCreateTables: false }
}

// Whether this connection's role may change the tables themselves, as making and dropping partitions does.
export async function ownsTables(db: Queryable): Promise<boolean> {
  const result = await db.query<{ owns: boolean }>({
    name: 'owns-tables',
    text: `select pg_has_role(relowner, 'usage') as owns from pg_class where oid = to_regclass('events')`,
  })
  return result.rows[0]?.owns === true
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

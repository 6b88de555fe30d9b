// Spreads the schema over the machines of a Citus cluster: every merchant's table by organization_id, and all of an
// organization's rows on one machine, so that its money moves in one transaction there. Directories are copied to every
// machine. All of it is one transaction: whatever fails, nothing has changed.

import { type Db, databaseOf, type Queryable } from './db.ts'
import { topLevelParts } from './migration-locks.ts'
import { withSchemaLock } from './schema-lock.ts'

// Not looked up by organization, or by every machine: small tables of which each machine has all rows.
export const DIRECTORIES: readonly string[] = [
  'organizations',
  'api_keys',
  'oauth_clients',
  'signing_keys',
  'secrets_keys',
  'staging_clock',
  'reconciliation_runs',
  'users',
  'passkeys',
  'external_identities',
  'memberships',
  'invitations',
  'sessions',
  'sign_in_tokens',
  'sign_in_failures',
]

// Read by migrations alone, where they are started.
const COORDINATOR_ONLY: readonly string[] = ['schema_migrations']

// The table whose places decide where an organization's rows are. The others follow it.
const FIRST_TABLE = 'payins'

// Statements were run on this version. Others plan some of them differently.
const CITUS_MAJOR = 13

export type TableKind = 'distributed' | 'reference'

export type TableChange = { table: string; kind: TableKind; change: 'done' | 'was so already' }

// The database is not one that can be spread. The message is for the operator.
export class NotDistributable extends Error {
  override name = 'NotDistributable'
}

export async function distribute(db: Db): Promise<TableChange[]> {
  await assertCluster(db)
  return withSchemaLock(
    db,
    async (tx) => {
      await tx.query({ text: 'set local lock_timeout = 0' })
      const tables = await readTables(tx)
      assertKinds(tables)
      const missing = tables.filter(({ current }) => current === null)
      if (missing.length > 0) await spread(tx, tables, missing)
      // By this row each organization is found where its rows are (scoped-statement.ts).
      await tx.query({
        text: `insert into event_counters (organization_id, last_sequence)
               select organization_id, 0 from organizations
                   on conflict do nothing`,
      })
      return tables.map(({ table, kind, current }) => ({
        table,
        kind,
        change: current === null ? 'done' : 'was so already',
      }))
    },
    { timeoutMs: 0 },
  )
}

async function assertCluster(tx: Queryable): Promise<void> {
  const extension = await tx.query<{ extversion: string }>({
    text: `select extversion from pg_extension where extname = 'citus'`,
  })
  const version = extension.rows[0]?.extversion
  if (version === undefined)
    throw new NotDistributable(
      'The database has no Citus: run `create extension citus` in it, on every machine of the cluster, and add the workers.',
    )
  if (Number.parseInt(version, 10) !== CITUS_MAJOR)
    throw new NotDistributable(
      `The database has Citus ${version}; Recaudo runs on Citus ${CITUS_MAJOR}. Nothing was changed.`,
    )
  const nodes = await tx.query<{ coordinators: number; workers: number }>({
    text: `select count(*) filter (where groupid = 0)::integer as coordinators,
                  count(*) filter (where groupid > 0 and shouldhaveshards)::integer as workers
             from pg_dist_node
            where isactive and noderole = 'primary'`,
  })
  const { coordinators = 0, workers = 0 } = nodes.rows[0] ?? {}
  if (workers === 0)
    throw new NotDistributable(
      `The cluster has no worker: run \`select citus_add_node('host', 5432)\` for each. Nothing was changed.`,
    )
  if (coordinators === 0)
    throw new NotDistributable(
      `The coordinator is not known to its workers: run \`select citus_set_coordinator_host('host', 5432)\`. Nothing was changed.`,
    )
}

type Table = {
  table: string
  kind: TableKind
  // Null for a table that is on the coordinator alone.
  current: string | null
}

// Citus names a column by an expression of its own, which only its function reads.
async function readTables(tx: Queryable): Promise<Table[]> {
  const result = await tx.query<{ table: string; current: string | null }>({
    text: `select c.relname as table,
                  case when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
                       when p.partmethod = 'h'
                       then 'distributed by ' || column_to_column_name(p.logicalrelid, p.partkey) end as current
             from pg_class c
             left join pg_dist_partition p on p.logicalrelid = c.oid
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and c.relname <> all($1)
            order by c.relname = $2 desc, c.relname`,
    values: [COORDINATOR_ONLY, FIRST_TABLE],
  })
  const tables = result.rows.map((row) => ({ ...row, kind: kindOf(row.table) }))
  if (!tables.some(({ table }) => table === FIRST_TABLE))
    throw new NotDistributable('The database has no schema yet: run `recaudo migrate` first.')
  // Others refer to directories, which therefore come first.
  return [
    ...DIRECTORIES.flatMap((name) => tables.filter(({ table }) => table === name)),
    ...tables.filter(({ kind }) => kind === 'distributed'),
  ]
}

function kindOf(table: string): TableKind {
  return DIRECTORIES.includes(table) ? 'reference' : 'distributed'
}

function assertKinds(tables: readonly Table[]): void {
  const wrong = tables.filter(
    ({ kind, current }) =>
      current !== null && current !== (kind === 'reference' ? kind : 'distributed by organization_id'),
  )
  if (wrong.length === 0) return
  const lines = wrong.map(({ table, current }) => `${table} is ${current}`)
  throw new NotDistributable(
    `Tables are spread in another way than Recaudo's: ${lines.join(', ')}. ` +
      'Run `select undistribute_table(…)` for each and try again. Nothing was changed.',
  )
}

// Foreign keys stand in the way of moving one table at a time. They are put back when all have moved.
async function spread(tx: Queryable, tables: readonly Table[], missing: readonly Table[]): Promise<void> {
  // Shards of one table are created one after the other, so that foreign keys can be added in the same transaction.
  await tx.query({ text: `set local citus.multi_shard_modify_mode = 'sequential'` })
  const foreignKeys = await dropForeignKeys(tx, missing)
  const follows = tables.find(({ kind, current }) => kind === 'distributed' && current !== null)
  for (const { table, kind } of missing) {
    if (kind === 'reference') {
      await tx.query({ text: 'select create_reference_table($1)', values: [table] })
    } else {
      await spreadTable(tx, table, follows?.table)
    }
    // The rows were copied to their machines. Those of the table that was here would only take up space.
    await tx.query({ text: 'select truncate_local_data_after_distributing_table($1)', values: [table] })
  }
  for (const { table, name, definition } of foreignKeys)
    await tx.query({ text: `alter table ${table} add constraint ${name} ${definition}` })
}

// With its partitions.
export async function spreadTable(tx: Queryable, table: string, follows = FIRST_TABLE): Promise<void> {
  await tx.query({
    text: `select create_distributed_table($1, 'organization_id', colocate_with => $2)`,
    values: [table, table === follows ? 'none' : follows],
  })
}

// A statement of a migration as Citus takes it: one change of a table at a time, and every check with a name, which is the one that
// PostgreSQL would give it.
export function statementsForCluster(statement: string): string[] {
  const [, table, actions = ''] = /^\s*alter table (\w+)\s([\s\S]*)$/.exec(statement) ?? []
  if (table === undefined) return [statement]
  return topLevelParts(actions)
    .flatMap((action) => {
      const [, added, column = '', check = ''] = COLUMN_WITH_CHECK.exec(action) ?? []
      if (added === undefined) return [action]
      const name = isOfOneColumn(check, column) ? `${table}_${column}_check` : `${table}_check`
      return [added, `add constraint ${name} ${check}`]
    })
    .map((action) => `alter table ${table} ${action}`)
}

const COLUMN_WITH_CHECK = /^(add column (\w+)[\s\S]*?)\s+(check \([\s\S]*\))$/

// Whether a check names this column alone. What is quoted names none, and what stands before a parenthesis is a function.
function isOfOneColumn(check: string, column: string): boolean {
  const words = check.replaceAll(/'[^']*'/g, '').matchAll(/\b[a-z]\w*\b(?!\s*\()/g)
  return words.every(([word]) => word === column || NO_COLUMNS.has(word))
}

const NO_COLUMNS = new Set(['and', 'or', 'not', 'is', 'in', 'null', 'between'])

type ForeignKey = { table: string; name: string; definition: string }

async function dropForeignKeys(tx: Queryable, missing: readonly Table[]): Promise<ForeignKey[]> {
  const result = await tx.query<ForeignKey>({
    text: `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
             from pg_constraint
            where contype = 'f' and connamespace = current_schema()::regnamespace
              and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
            order by conrelid::regclass::text, conname`,
    values: [missing.map(({ table }) => table)],
  })
  for (const { table, name } of result.rows)
    await tx.query({ text: `alter table ${table} drop constraint ${name}` })
  return result.rows
}

export async function hasDistributedTables(db: Queryable): Promise<boolean> {
  const extension = await db.query({ text: `select from pg_extension where extname = 'citus'` })
  if (extension.rowCount === 0) return false
  const found = await db.query({
    text: `select from pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h'`,
    values: [FIRST_TABLE],
  })
  return found.rowCount === 1
}

const known = new WeakMap<Queryable, Promise<boolean>>()

// Which form of a statement suits, where the form for many machines costs more on one. A process asks the database once: tables are
// spread while it is stopped.
export function isDistributed(queryable: Queryable): Promise<boolean> {
  const db = databaseOf(queryable)
  const asked = known.get(db)
  if (asked !== undefined) return asked
  const asking = hasDistributedTables(db)
  known.set(db, asking)
  asking.catch(() => known.delete(db))
  return asking
}

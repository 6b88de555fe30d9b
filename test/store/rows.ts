// What the tables hold: digests to compare before and after, attempts that are undone again, and the list of all functions of
// the store.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, Queryable } from '../../src/store/db.ts'

const ROOT = join(import.meta.dirname, '../..')

// Every table with an organization. Partitions are parts of theirs.
export async function organizationTables(db: Queryable): Promise<string[]> {
  const found = await db.query<{ table_name: string }>({
    text: `select c.relname as table_name
             from pg_class c
             join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            order by c.relname`,
  })
  return found.rows.map((row) => row.table_name)
}

// The rows of one organization, as a digest for each table.
export type Digests = Record<string, string>

export async function digestsOf(
  db: Queryable,
  tables: readonly string[],
  organizationIds: readonly string[],
): Promise<Digests[]> {
  // One organization at a time: PostgreSQL then keeps its plan, which takes longer to make than the digests.
  const text = tables.map(tableDigest).join(' union all ')
  const digests: Digests[] = []
  for (const id of organizationIds) {
    const name = `digests of ${tables.length}`
    const { rows } = await db.query<{ name: string; digest: string }>({ name, text, values: [id] })
    digests.push(Object.fromEntries(rows.map(({ name, digest }) => [name, digest])))
  }
  return digests
}

// As digestsOf for one organization and a few tables, each by a statement that is planned once.
export async function digestOfEach(
  db: Queryable,
  tables: readonly string[],
  organizationId: string,
): Promise<Digests> {
  const digests: Digests = {}
  for (const table of tables) {
    const config = { name: `digest of ${table}`, text: tableDigest(table), values: [organizationId] }
    digests[table] = (await db.query<{ digest: string }>(config)).rows[0]?.digest as string
  }
  return digests
}

const tableDigest = (table: string): string =>
  `select '${table}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(r::text, 0)), 0) as digest
     from ${table} r
    where r.organization_id = $1`

// In one statement, so that rows may refer to each other.
export async function deleteRows(
  db: Queryable,
  tables: readonly string[],
  organizationId: string,
): Promise<void> {
  if (tables.length === 0) return
  const parts = tables.map((table) => `${table}_gone as (delete from ${table} where organization_id = $1)`)
  const name = `delete ${tables.length} from ${tables[0]}`
  await db.query({ name, text: `with ${parts.join(', ')} select`, values: [organizationId] })
}

// How many rows of an organization another session could lock now, for each table.
export async function lockableRows(
  db: Queryable,
  tables: readonly string[],
  organizationId: string,
): Promise<Record<string, number>> {
  const free: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await db.query<{ free: bigint }>({
      name: `lockable in ${table}`,
      text: `select count(*) as free
               from (select 1 from ${table} where organization_id = $1 for update skip locked) f`,
      values: [organizationId],
    })
    free[table] = Number(rows[0]?.free)
  }
  return free
}

class Undo extends Error {}

// Runs the work in a transaction of its own and undoes it. Transactions inside it join it.
export async function undone<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  await db
    .inTransaction(async (client) => {
      const oneByOne: Db['sendTogether'] = async (statements) => {
        const results = []
        for (const statement of statements) results.push(await client.query(statement))
        return results
      }
      const tx: Db = {
        query: (config) => client.query(config),
        inTransaction: (inner) => inner(tx),
        sendTransaction: oneByOne,
        sendTogether: oneByOne,
        onOneConnection: (inner) => inner(tx),
        pool: db.pool,
        close: async () => {},
      }
      result = { value: await work(tx) }
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return (result as { value: Result }).value
}

export type StoreFunction = { name: string; file: string }

// Every function that a file of the store exports.
export async function storeFunctions(): Promise<StoreFunction[]> {
  const files = globSync('src/store/**/*.ts', { cwd: ROOT }).sort()
  const found: StoreFunction[] = []
  for (const file of files) {
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      if (typeof value === 'function') found.push({ name, file })
  }
  return found
}

// As text that compares: rows in any order.
export function comparable(value: unknown): string {
  const text = (one: unknown): string =>
    JSON.stringify(one, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'undefined'
  return Array.isArray(value) ? `[${value.map(text).sort().join(',')}]` : text(value)
}

const GUARD =
  /^\(?\s*(?:[a-z]\w*\.)?(?:version|link_version|lease_token|lease_until|status|state|stage|rail_stage|customer|accepted_terms|failing_since|sends_until|deleted_at|resolved_at|last_sequence|sequence|created_at|requested_at|due_at|exchange_id|event_ids|late_alarm_id|reconcile_after|seen_at|proved_at|ended_at|used_at|revoked_at|expires_at|mail_due_at|locked_until|sign_count|totp_last_step|recovery_digests)\s*(?:=|<=|<|>|in\b|is\b|&&|@>)/

export type Guard = { name: string; predicate: string }

// The conditions in updates and deletes of the store that are more than the key of the row: versions, leases, states, times.
// Each with the function or the constant that holds its statement.
export function storeGuards(): Guard[] {
  const found: Guard[] = []
  for (const file of globSync('src/store/**/*.ts', { cwd: ROOT }).sort()) {
    // Comments inside statements hold no conditions.
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^ *-- .*\n/gm, '')
    for (const part of text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)) {
      const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
      if (name === undefined || !/\b(update\s+\w+|delete from \w+)\b/.test(part)) continue
      for (const condition of part.split(/\b(?:where|and|or)\b/).slice(1)) {
        const predicate = (
          condition.split(
            /\n\s*(?:returning|limit|order|for|\)|group|from|set)|`|',\n|\n\s*on conflict/,
          )[0] ?? ''
        )
          .replaceAll(/\s+/g, ' ')
          .trim()
        // A condition of what was sent, not of the row.
        if (/^\(?i\.lease_token is (not )?null/.test(predicate)) continue
        if (GUARD.test(predicate.replace(/^not /, '')) || predicate.startsWith('${isClaimableSql('))
          found.push({ name, predicate })
      }
    }
  }
  return found
}

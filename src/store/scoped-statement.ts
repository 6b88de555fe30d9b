// Statements about rows of one or several organizations, in two forms. One PostgreSQL takes all rows at once. On a distributed one
// the rows are one organization's (batched-statement.ts sees to it) and the statement names it, so that the machine that has its
// rows does all of it, in a transaction of its own.

import type pg from 'pg'
import { type Db, databaseOf, type Queryable } from './db.ts'
import { isDistributed } from './distribute.ts'

// The parameter that has the organization, in the form that names it. Null in the other.
export type Scope = string | null

type ScopedStatement = (
  db: Queryable,
  organizationIds: readonly string[],
  values: unknown[],
) => Promise<pg.QueryConfig>

// `textOf` writes the statement with the parameters that it always has, and with the scope's where it has one.
export function scopedStatement(
  name: string,
  parameters: number,
  textOf: (scope: Scope) => string,
): ScopedStatement {
  const ofMany = { name, text: textOf(null) }
  const ofOne = { name: `${name}-of-one`, text: textOf(`$${parameters + 1}`) }
  return async (db, organizationIds, values) => {
    if (!(await isDistributed(db))) return { ...ofMany, values }
    const [first] = organizationIds
    if (first === undefined || organizationIds.some((id) => id !== first)) return { ...ofMany, values }
    if (ofOne.text.includes(ANCHOR)) await ensureAnchor(db, first)
    return { ...ofOne, values: [...values, first] }
  }
}

// The condition that a table's row is the organization's, to be added to others.
export function inScope(scope: Scope, table: string): string {
  return scope === null ? '' : `and ${table}.organization_id = ${scope}::uuid`
}

// Where rows come from that are inserted: `rows`, joined with the one row of the organization that its machine is sure to have. Citus
// would otherwise collect them on the coordinator, and write them in a transaction over all machines.
export function fromAnchored(scope: Scope, rows: string): string {
  return scope === null ? rows : `${rows} cross join ${ANCHOR} anchor`
}

// Completes `fromAnchored`: a condition to begin with.
export function isAnchored(scope: Scope): string {
  return scope === null ? 'true' : `anchor.organization_id = ${scope}::uuid`
}

// The organization of a row that is inserted.
export function anchoredOrganization(scope: Scope, table: string): string {
  return scope === null ? `${table}.organization_id` : 'anchor.organization_id'
}

// What a locking query finds, for the rest of the statement. Citus loses its way among the columns of a locking query, unless there
// is another around it.
export function lockedRows(scope: Scope, query: string): string {
  return scope === null ? query : `select * from (${query}) locked_rows`
}

// The table that a statement begins with which looks through all organizations for something of each. On a distributed PostgreSQL it
// is one of which each organization has a row on its own machine: from a directory, which every machine has, it could not go on.
export async function tableOfOrganizations(db: Queryable): Promise<string> {
  return (await isDistributed(db)) ? ANCHOR : 'organizations'
}

const ANCHOR = 'event_counters'
const anchored = new WeakMap<Db, Set<string>>()

// The row stays for ever, so a process ensures it once for each organization. One that a transaction adds may yet be taken back.
export async function ensureAnchor(db: Queryable, organizationId: string): Promise<void> {
  const known = anchored.get(databaseOf(db)) ?? new Set()
  anchored.set(databaseOf(db), known)
  if (known.has(organizationId)) return
  await db.query({
    name: 'ensure-anchor',
    text: `insert into ${ANCHOR} (organization_id, last_sequence) values ($1, 0) on conflict do nothing`,
    values: [organizationId],
  })
  if (db.database === undefined) known.add(organizationId)
}

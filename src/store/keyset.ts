// Lists by id: rows of one organization on one side of an id, in order. Ids hold their creation time, so this is newest
// first, at the same cost on any page.

import type pg from 'pg'
import type { Queryable } from './db.ts'

// `older` than an id walks down from the newest, `newer` walks up from it; from null means from that end.
export type Walk = { direction: 'older' | 'newer'; from: string | null }

export type Listed = { table: string; idColumn: string; columns: string }

// A column with its comparison, such as `status =`, and what to compare with. Undefined values do not narrow.
export type Condition = readonly [comparison: string, value: unknown]

// At most `limit` rows, in the order of the walk.
export async function walkRows<Row extends pg.QueryResultRow>(
  db: Queryable,
  { table, idColumn, columns }: Listed,
  organizationId: string,
  conditions: readonly Condition[],
  walk: Walk,
  limit: number,
): Promise<Row[]> {
  const older = walk.direction === 'older'
  const bound: Condition = [`${idColumn} ${older ? '<' : '>'}`, walk.from ?? undefined]
  const { where, values } = whereClause(organizationId, [...conditions, bound])
  const result = await db.query<Row>({
    text: `select ${columns}
             from ${table}
            where ${where}
            order by ${idColumn} ${older ? 'desc' : 'asc'}
            limit $${values.length + 1}`,
    values: [...values, limit],
  })
  return result.rows
}

// Whether anything lies on this side of an id, the id itself included.
export async function anyRowFrom(
  db: Queryable,
  { table, idColumn }: Listed,
  organizationId: string,
  conditions: readonly Condition[],
  side: 'older' | 'newer',
  id: string,
): Promise<boolean> {
  const bound: Condition = [`${idColumn} ${side === 'older' ? '<=' : '>='}`, id]
  const { where, values } = whereClause(organizationId, [...conditions, bound])
  const result = await db.query<{ found: boolean }>({
    text: `select exists (select 1 from ${table} where ${where}) as found`,
    values,
  })
  return result.rows[0]?.found === true
}

function whereClause(
  organizationId: string,
  conditions: readonly Condition[],
): { where: string; values: unknown[] } {
  const narrowing = conditions.filter(([, value]) => value !== undefined)
  return {
    where: [
      'organization_id = $1',
      ...narrowing.map(([comparison], index) => `${comparison} $${index + 2}`),
    ].join(' and '),
    values: [organizationId, ...narrowing.map(([, value]) => value)],
  }
}

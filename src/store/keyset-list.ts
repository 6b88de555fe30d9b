// Lists by id: rows of one organization on one side of an id, in order. Ids contain their creation time, so this is newest
// first, at the same cost on any page.

import type pg from 'pg'
import type { Queryable } from './db.ts'

// `older` reads down from an id, `newer` reads up. A null `from` starts at the newest row, or for `newer` at the oldest.
export type PageStart = { direction: 'older' | 'newer'; from: string | null }

// A column with its comparison, such as `status =`, and what to compare with. Undefined values are ignored.
type Condition = readonly [comparison: string, value: unknown]

// Bounds on the id, which contains the creation time: from (inclusive) and before (exclusive).
export type IdBounds = { fromId?: string; beforeId?: string }

type ListDefinition<Filters, Row, Item> = {
  table: string
  idColumn: string
  columns: string
  conditions: (filters: Filters) => Condition[]
  read: (row: Row) => Item
}

export type RowList<Item> = {
  // At most `limit` rows, in the direction of the seek.
  seek: (position: PageStart, limit: number) => Promise<Item[]>
  // Whether any row lies on this side of an id, including the id itself.
  exists: (side: PageStart['direction'], id: string) => Promise<boolean>
}

export function listOf<Filters extends IdBounds, Row extends pg.QueryResultRow, Item>(
  definition: ListDefinition<Filters, Row, Item>,
): (db: Queryable, organizationId: string, filters: Filters) => RowList<Item> {
  const { table, idColumn, columns, read } = definition
  return (db, organizationId, filters) => {
    const conditions: Condition[] = [
      ...definition.conditions(filters),
      [`${idColumn} >=`, filters.fromId],
      [`${idColumn} <`, filters.beforeId],
    ]
    return {
      seek: async ({ direction, from }, limit) => {
        const older = direction === 'older'
        const bound: Condition = [`${idColumn} ${older ? '<' : '>'}`, from ?? undefined]
        const { where, values } = whereClause(organizationId, [...conditions, bound])
        const result = await db.query<Row>({
          text: `select ${columns}
                   from ${table}
                  where ${where}
                  order by ${idColumn} ${older ? 'desc' : 'asc'}
                  limit $${values.length + 1}`,
          values: [...values, limit],
        })
        return result.rows.map(read)
      },
      exists: async (side, id) => {
        const bound: Condition = [`${idColumn} ${side === 'older' ? '<=' : '>='}`, id]
        const { where, values } = whereClause(organizationId, [...conditions, bound])
        const result = await db.query<{ found: boolean }>({
          text: `select exists (select 1 from ${table} where ${where}) as found`,
          values,
        })
        return result.rows[0]?.found === true
      },
    }
  }
}

function whereClause(
  organizationId: string,
  conditions: readonly Condition[],
): { where: string; values: unknown[] } {
  const active = conditions.filter(([, value]) => value !== undefined)
  return {
    where: [
      'organization_id = $1',
      ...active.map(([comparison], index) => `${comparison} $${index + 2}`),
    ].join(' and '),
    values: [organizationId, ...active.map(([, value]) => value)],
  }
}

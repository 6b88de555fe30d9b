// Lists by id: rows of one organization on one side of an id, in order. Ids contain their creation time, so this is newest
// first, at the same cost on any page and whatever is asked for: each case of a list reads one index from one end. A filter
// that an index has behind others is asked for once for each value of those, and the results are merged.

import type pg from 'pg'
import type { Queryable } from './db.ts'

// `older` reads down from an id, `newer` reads up. A null `from` starts at the newest row, or for `newer` at the oldest.
export type PageStart = { direction: 'older' | 'newer'; from: string | null }

// A column, and what it must be. Undefined values are ignored.
export type ListCondition = readonly [column: string, value: unknown]

export type ListCase = {
  // The columns between the organization and the id in the index that has the rows in order.
  key?: readonly ListCondition[]
  // The condition of that index, where it has not all rows.
  indexed?: string
  // Conditions that leave few rows, or for tables that have few.
  also?: readonly ListCondition[]
}

// Bounds on the id, which contains the creation time: from (inclusive) and before (exclusive).
export type IdBounds = { fromId?: string; beforeId?: string }

type ListDefinition<Filters, Row, Item> = {
  table: string
  idColumn: string
  columns: string
  // What is asked for, as cases of which a row meets one at most. Without a case no row can meet it.
  cases: (filters: Filters) => ListCase[]
  read: (row: Row) => Item
}

export type RowList<Item> = {
  // At most `limit` rows, in the direction of the seek.
  seek: (position: PageStart, limit: number) => Promise<Item[]>
  // Whether any row lies on this side of an id, including the id itself.
  exists: (side: PageStart['direction'], id: string) => Promise<boolean>
}

export type Bound = readonly [operator: '<' | '<=' | '>' | '>=', id: string | undefined]

export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function listOf<Filters extends IdBounds, Row extends pg.QueryResultRow, Item>(
  definition: ListDefinition<Filters, Row, Item>,
): (db: Queryable, organizationId: string, filters: Filters) => RowList<Item> {
  const { table, idColumn, columns, read } = definition
  return (db, organizationId, filters) => {
    const cases = definition.cases(filters)
    const whereOf = (one: ListCase, bound: Bound, values: unknown[]): string => {
      const bounds: Bound[] = [bound, ['>=', filters.fromId ?? FIRST_ID], ['<', filters.beforeId]]
      return whereClause(organizationId, one, idColumn, [...bounds, ['<=', LAST_ID]], values)
    }
    const orderOf = ({ key = [] }: ListCase, direction: PageStart['direction']): string =>
      [...key.map(([column]) => column), idColumn]
        .map((column) => `${column} ${direction === 'older' ? 'desc' : 'asc'}`)
        .join(', ')
    return {
      seek: async ({ direction, from }, limit) => {
        const [first = {}, ...others] = cases
        if (cases.length === 0) return []
        const values: unknown[] = [limit]
        const bound: Bound = [direction === 'older' ? '<' : '>', from ?? undefined]
        const rowsOf = (one: ListCase, selected: string): string =>
          `select ${selected} from ${table} where ${whereOf(one, bound, values)} order by ${orderOf(one, direction)} limit $1`
        const merged = (): string => {
          const ids = cases.map((one) => `(${rowsOf(one, `${idColumn} as listed_id`)})`).join(' union all ')
          const order = `listed_id ${direction === 'older' ? 'desc' : 'asc'}`
          return `select ${columns}
                    from (select listed_id from (${ids}) as ids order by ${order} limit $1) as page
                    join ${table} on organization_id = $${values.push(organizationId)} and ${idColumn} = listed_id
                   order by ${order}`
        }
        const text = others.length === 0 ? rowsOf(first, columns) : merged()
        const result = await db.query<Row>({ text, values })
        return result.rows.map(read)
      },
      exists: async (side, id) => {
        if (cases.length === 0) return false
        const values: unknown[] = []
        const bound: Bound = [side === 'older' ? '<=' : '>=', id]
        // In order, although any row would do: the order decides which index is read.
        const each = cases.map(
          (one) =>
            `(select true from ${table} where ${whereOf(one, bound, values)} order by ${orderOf(one, side)} limit 1)`,
        )
        const result = await db.query<{ found: boolean }>({
          text: `select coalesce(${each.join(', ')}, false) as found`,
          values,
        })
        return result.rows[0]?.found === true
      },
    }
  }
}

// Adds what it compares with to `values`. The key is compared as a row together with the id: equal columns would let the
// planner read the primary key instead and throw away what does not match, which may be all of it.
export function whereClause(
  organizationId: string,
  { key = [], indexed, also = [] }: ListCase,
  idColumn: string,
  bounds: readonly Bound[],
  values: unknown[],
): string {
  const place = (value: unknown): string => `$${values.push(value)}`
  const row = `(${[...key.map(([column]) => column), idColumn].join(', ')})`
  const set = <Pair extends readonly [string, unknown]>(pairs: readonly Pair[]): Pair[] =>
    pairs.filter(([, value]) => value !== undefined)
  return [
    `organization_id = ${place(organizationId)}`,
    ...(indexed === undefined ? [] : [indexed]),
    ...set(also).map(([column, value]) => `${column} = ${place(value)}`),
    ...set(bounds).map(
      ([operator, id]) =>
        `${row} ${operator} (${[...key.map(([, value]) => place(value)), place(id)].join(', ')})`,
    ),
  ].join(' and ')
}

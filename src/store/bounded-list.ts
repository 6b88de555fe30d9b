// Lists with filters that no index has, such as an amount or a part of a reference. What an index has is read along it, newest or
// oldest first, and the rest is compared row by row, but only so many rows at a time: a page that finds little says how far it
// looked, and goes on from there. So no filter costs more than its bound, however much an organization has.

import type pg from 'pg'
import type { Queryable } from './db.ts'
import {
  type Bound,
  FIRST_ID,
  type IdBounds,
  LAST_ID,
  type ListCase,
  listOf,
  type PageStart,
  whereClause,
} from './keyset-list.ts'

// Compared after a row was read. `contains` ignores upper and lower case. Undefined values are ignored.
export type RestCondition = readonly [
  column: string,
  operator: '=' | '>=' | '<=' | 'contains',
  value: unknown,
]

type BoundedDefinition<Filters, Row, Item> = {
  readonly table: string
  readonly idColumn: string
  readonly columns: string
  // As in a list by id.
  readonly cases: (filters: Filters) => ListCase[]
  readonly rest: (filters: Filters) => RestCondition[]
  // What cases have from an index and totals, which are by group, have not.
  readonly restOfTotals?: (filters: Filters) => RestCondition[]
  readonly read: (row: Row) => Item
  // What totals are of: rows by this column, and the sum of that one.
  readonly groupedBy: string
  readonly summed: string
  // What every row must meet, such as an event that has its number.
  readonly only?: string
}

export type BoundedPage<Item> = {
  readonly rows: Item[]
  // The last id that was looked at, if there may be more behind it. Null: everything was.
  readonly readTo: string | null
}

export type GroupTotal = { readonly group: string; readonly count: number; readonly sum: bigint }

// `isPartial`: there are more rows than are counted; these are of the newest.
export type Totals = { readonly groups: readonly GroupTotal[]; readonly isPartial: boolean }

export type BoundedList<Item> = {
  // At most `limit` rows, in the direction of the seek.
  readonly page: (position: PageStart, limit: number) => Promise<BoundedPage<Item>>
  readonly totals: () => Promise<Totals>
}

// A few milliseconds each.
export const ROWS_LOOKED_AT = 20_000

export function boundedList<Filters extends IdBounds, Row extends pg.QueryResultRow, Item>(
  definition: BoundedDefinition<Filters, Row, Item>,
  maxRows = ROWS_LOOKED_AT,
): (db: Queryable, organizationId: string, filters: Filters) => BoundedList<Item> {
  const { table, idColumn, columns, read, groupedBy, summed, only } = definition
  const cases = (filters: Filters): ListCase[] =>
    definition.cases(filters).map((one) => ({ ...one, ...(only !== undefined && { indexed: only }) }))
  const plain = listOf<Filters, Row, Item>({ table, idColumn, columns, cases, read })
  return (db, organizationId, filters) => {
    const given = (conditions: RestCondition[]) => conditions.filter(([, , value]) => value !== undefined)
    const rest = given(definition.rest(filters))
    const restOfTotals = [...rest, ...given(definition.restOfTotals?.(filters) ?? [])]
    const where = (one: ListCase, bound: Bound, values: unknown[]): string => {
      const bounds: Bound[] = [
        bound,
        ['>=', filters.fromId ?? FIRST_ID],
        ['<', filters.beforeId],
        ['<=', LAST_ID],
      ]
      return whereClause(organizationId, one, idColumn, bounds, values)
    }

    // One more is read than is shown, to know whether there is more.
    const plainPage = async (position: PageStart, limit: number): Promise<BoundedPage<Item>> => {
      const rows = await plain(db, organizationId, filters).seek(position, limit)
      return { rows, readTo: null }
    }
    const restPage = async ({ direction, from }: PageStart, limit: number): Promise<BoundedPage<Item>> => {
      const asked = cases(filters)
      if (asked.length === 0) return { rows: [], readTo: null }
      const values: unknown[] = [maxRows, limit]
      const order = direction === 'older' ? 'desc' : 'asc'
      const compared = [...new Set(rest.map(([column]) => column))].join(', ')
      const bound: Bound = [direction === 'older' ? '<' : '>', from ?? undefined]
      const looked = asked.map((one) => {
        const key = [...(one.key ?? []).map(([column]) => column), idColumn].map(
          (column) => `${column} ${order}`,
        )
        return `(select ${idColumn} as listed_id, ${compared} from ${table}
                  where ${where(one, bound, values)} order by ${key.join(', ')} limit $1)`
      })
      const text = `
        with looked as materialized (
          select * from (${looked.join(' union all ')}) as each_case order by listed_id ${order} limit $1
        ), matching as (
          select listed_id from looked where ${restClause(rest, values)} order by listed_id ${order} limit $2
        ), reach as (
          select (select count(*) from looked) as looked_count,
                 (select listed_id from looked order by listed_id ${order === 'desc' ? 'asc' : 'desc'} limit 1) as looked_to
        )
        select looked_count, looked_to, found.*
          from reach
          left join (select listed_id, ${columns}
                       from matching
                       join ${table} on organization_id = $${values.push(organizationId)} and ${idColumn} = listed_id) found on true
         order by listed_id ${order}`
      const result = await db.query<
        Row & { listed_id: string | null; looked_count: bigint; looked_to: string }
      >({
        text,
        values,
      })
      const found = result.rows.filter((row) => row.listed_id !== null)
      // One row at least: how far it looked.
      const reach = result.rows[0] as (typeof result.rows)[number]
      const isEnded = found.length < limit && Number(reach.looked_count) >= maxRows
      return { rows: found.map(read), readTo: isEnded ? reach.looked_to : null }
    }

    return {
      page: (position, limit) => (rest.length === 0 ? plainPage(position, limit) : restPage(position, limit)),
      totals: async () => {
        const values: unknown[] = [maxRows + 1]
        const compared = [...new Set([groupedBy, ...restOfTotals.map(([column]) => column)])].join(', ')
        const newest: ListCase = only === undefined ? {} : { indexed: only }
        const matching = restOfTotals.length === 0 ? 'true' : restClause(restOfTotals, values)
        const result = await db.query<{ group: string; read: bigint; count: bigint; sum: string | null }>({
          text: `select ${groupedBy} as "group", count(*) as read, count(*) filter (where ${matching}) as count,
                        (sum(summed) filter (where ${matching}))::text as sum
                   from (select ${compared}, ${summed} as summed
                           from ${table}
                          where ${where(newest, ['<=', LAST_ID], values)}
                          order by ${idColumn} desc
                          limit $1) as newest
                  group by ${groupedBy}`,
          values,
        })
        return {
          groups: result.rows.map(({ group, count, sum }) => ({
            group,
            count: Number(count),
            sum: BigInt(sum ?? 0),
          })),
          isPartial: result.rows.reduce((total, { read: rows }) => total + Number(rows), 0) > maxRows,
        }
      },
    }
  }
}

function restClause(rest: readonly RestCondition[], values: unknown[]): string {
  return rest
    .map(([column, operator, value]) =>
      operator === 'contains'
        ? `strpos(lower(${column}), lower($${values.push(value)})) > 0`
        : `${column} ${operator} $${values.push(value)}`,
    )
    .join(' and ')
}

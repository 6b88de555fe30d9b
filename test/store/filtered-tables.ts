// Rows that differ in what lists filter by, and every combination of filters to ask for.

export const COPIED_ROWS = 60
export type ColumnValues = Readonly<Record<string, readonly (string | number | boolean | bigint)[]>>
export type AskedFilters = Record<string, unknown>
export type StoredRow = Record<string, unknown>

export type FilteredTable = {
  readonly table: string
  readonly id: string
  // The values that rows have in turn.
  readonly columns: ColumnValues
  readonly filters: ColumnValues
  // Filters without which nobody asks.
  readonly always?: readonly string[]
  // Where a filter is more than its column.
  readonly meets?: Readonly<Record<string, (row: StoredRow, value: unknown) => boolean>>
  // What must be another in each row.
  readonly own?: string
}

const NAMES: Readonly<Record<string, string>> = { amountInCents: 'amount_cents' }
export const columnOfFilter = (name: string): string =>
  NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Copies of a row that is there, with other values: a column whose values come in turn meets each value of every other.
export function insertOfCopies({ table, id, columns, own }: FilteredTable): string {
  let stride = 1
  const parts = Object.entries(columns).map(([column, values]) => {
    const at = `1 + (n / ${stride}) % ${values.length}`
    stride *= values.length
    return `'${column}', nullif((array[${values.map((value) => `'${value}'`).join(', ')}])[${at}], 'null')`
  })
  const ownId = `'${id}', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')`
  return `insert into ${table}
          select made.*
            from (select t as model from ${table} t order by ${id} limit 1) one,
                 generate_series(1, ${COPIED_ROWS}) n,
                 jsonb_populate_record(one.model, jsonb_build_object(${[ownId, ...parts, own].filter(Boolean).join(', ')})) made`
}

// One value of each filter, or none.
export function filterCombinations({
  filters,
  always = [],
}: Pick<FilteredTable, 'filters' | 'always'>): AskedFilters[] {
  return Object.entries(filters).reduce<AskedFilters[]>(
    (before, [name, values]) =>
      before.flatMap((one) => [
        ...(always.includes(name) ? [] : [one]),
        ...values.map((value) => ({ ...one, [name]: value })),
      ]),
    [{}],
  )
}

export const propertyOfColumn = (column: string): string =>
  column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

export const describeFilters = (asked: AskedFilters): string =>
  Object.entries(asked)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

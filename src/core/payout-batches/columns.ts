// The columns of a file of payouts, as our template names them. A row is told what is wrong by column, so that a spreadsheet, a page
// and a program show it at the same place.

export const BATCH_COLUMNS = ['key', 'amount', 'reference', 'name', 'idType', 'idNumber', 'email'] as const
export type BatchColumn = (typeof BATCH_COLUMNS)[number]

// As the template writes them. A file may name them so, or by our own names, in any order.
export const COLUMN_HEADS: Readonly<Record<BatchColumn, string>> = {
  key: 'llave',
  amount: 'valor',
  reference: 'referencia',
  name: 'nombre',
  idType: 'tipo_documento',
  idNumber: 'documento',
  email: 'correo',
}

export const MAX_BATCH_ROWS = 5_000

// What the cells of one row hold, as text.
export type RowCells = Readonly<Record<BatchColumn, string>>

// Which column of the file is which of ours.
export type Layout = ReadonlyMap<BatchColumn, number>

export type LayoutProblem =
  | {
      readonly problem: 'columns-missing'
      readonly missing: readonly string[]
      readonly found: readonly string[]
    }
  | { readonly problem: 'column-twice'; readonly column: string }

// A file without one of these cannot be one of payouts. Whoever has no keys has documents.
export function layoutOf(heads: readonly string[]): Layout | LayoutProblem {
  const layout = new Map<BatchColumn, number>()
  for (const [at, head] of heads.entries()) {
    const column = COLUMN_BY_HEAD.get(plainHead(head))
    if (column === undefined) continue
    if (layout.has(column)) return { problem: 'column-twice', column: COLUMN_HEADS[column] }
    layout.set(column, at)
  }
  const missing = REQUIRED_COLUMNS.filter((column) => !layout.has(column)).map(
    (column) => COLUMN_HEADS[column],
  )
  if (missing.length > 0)
    return { problem: 'columns-missing', missing, found: heads.slice(0, MAX_SHOWN_HEADS) }
  return layout
}

export function isLayoutProblem(layout: Layout | LayoutProblem): layout is LayoutProblem {
  return 'problem' in layout
}

// The key may come from the beneficiary book, and an e-mail address is not needed.
const REQUIRED_COLUMNS = [
  'amount',
  'reference',
  'name',
  'idType',
  'idNumber',
] as const satisfies BatchColumn[]
const MAX_SHOWN_HEADS = 10

function plainHead(head: string): string {
  return head
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
}

const COLUMN_BY_HEAD: ReadonlyMap<string, BatchColumn> = new Map(
  BATCH_COLUMNS.flatMap((column) => [
    [COLUMN_HEADS[column], column],
    [column.toLowerCase(), column],
    [column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), column],
  ]),
)

// B7, as a spreadsheet names it.
export function cellName(columnAt: number, rowNumber: number): string {
  let letters = ''
  for (let rest = columnAt; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${rowNumber}`
}

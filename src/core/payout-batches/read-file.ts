// Reads a file of payouts, whatever it is: a CSV or a workbook. The bytes say which; a name may be wrong.

import { type SeparatorUse, separatorUseOf } from './amount-text.ts'
import {
  BATCH_COLUMNS,
  type BatchColumn,
  isLayoutProblem,
  type Layout,
  layoutOf,
  MAX_BATCH_ROWS,
} from './columns.ts'
import { MAX_CSV_BYTES, readCsv } from './csv-table.ts'
import {
  extraCells,
  type FileProblem,
  fileProblem,
  isEmptyRow,
  isFileProblem,
  isFilled,
  NO_CELL,
  type Table,
  type TableCell,
} from './table.ts'
import { isOldWorkbook, isZip, readXlsx } from './xlsx-table.ts'

export const MAX_FILE_BYTES = 4 * 1_024 * 1_024

export type FileRow = {
  readonly rowNumber: number
  readonly cells: Readonly<Record<BatchColumn, TableCell>>
}

export type PayoutFile = {
  readonly layout: Layout
  readonly rows: readonly FileRow[]
  readonly separators: SeparatorUse
}

export function readPayoutFile(bytes: Buffer): PayoutFile | FileProblem {
  if (bytes.length > MAX_FILE_BYTES) return fileTooLarge()
  if (isOldWorkbook(bytes))
    return fileProblem(
      'UNREADABLE_FILE',
      'This is a workbook of an old kind (.xls) or one with a password. Save it as .xlsx without a password.',
    )
  const table = isZip(bytes) ? readXlsx(bytes) : readCsv(bytes)
  if (isFileProblem(table)) return table
  const layout = layoutOf(table.heads)
  if (isLayoutProblem(layout)) return fileProblem('WRONG_LAYOUT', layoutWords(layout))
  const extra = extraCellOf(table)
  if (extra !== undefined) return extra
  const filled = table.rows.filter((row) => !isEmptyRow(row))
  if (filled.length === 0) return fileProblem('EMPTY_FILE', 'The file names its columns and has no rows.')
  if (filled.length > MAX_BATCH_ROWS) return tooManyRows()
  const rows = filled.map(({ rowNumber, cells }) => ({ rowNumber, cells: cellsBy(layout, cells) }))
  const separators = separatorUseOf(
    rows.flatMap(({ cells }) => (cells.amount.kind === 'text' ? [cells.amount.text] : [])),
  )
  return { layout, rows, separators }
}

// What stands behind the last head would be read by nobody.
function extraCellOf({ heads, rows }: Table): FileProblem | undefined {
  const width = heads.findLastIndex((head) => head !== '') + 1
  for (const { rowNumber, cells } of rows) {
    const beyond = cells.slice(width).findIndex(isFilled)
    if (beyond >= 0) return extraCells(width + beyond, rowNumber)
  }
  return undefined
}

function cellsBy(layout: Layout, cells: readonly TableCell[]): Record<BatchColumn, TableCell> {
  const entries = BATCH_COLUMNS.map((column) => [column, cells[layout.get(column) ?? -1] ?? NO_CELL])
  return Object.fromEntries(entries) as Record<BatchColumn, TableCell>
}

function layoutWords(found: Exclude<ReturnType<typeof layoutOf>, Layout>): string {
  if (found.problem === 'column-twice') return `The column ${found.column} is there twice. Leave one.`
  return `The columns ${found.missing.join(', ')} are missing; the first row has: ${found.found.join(', ')}. Use the template.`
}

export function tooManyRows(): FileProblem {
  return fileProblem('TOO_MANY_ROWS', `A file may have ${MAX_BATCH_ROWS} rows. Split it into several files.`)
}

export function fileTooLarge(): FileProblem {
  return fileProblem(
    'FILE_TOO_LARGE',
    `A workbook may have ${MAX_FILE_BYTES / 1_024 / 1_024} MB, a CSV ${MAX_CSV_BYTES / 1_000} KB, and each ${MAX_BATCH_ROWS} rows. Split it into several files.`,
  )
}

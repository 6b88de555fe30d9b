// A table as a file holds it, before anybody knows what its columns mean, and why a file is none. A refusal of a whole file has a
// name of its own, so that every door says the same.

import { cellName } from './columns.ts'

// A number was a number in the workbook, and not text that looks like one. A formula has no value that we take. What is invalid is
// true, false or an error such as #N/A.
export type TableCell = { readonly text: string; readonly kind: 'text' | 'number' | 'formula' | 'invalid' }

// Longer than any column of ours may be.
const MAX_CELL_LENGTH = 1_000
// 5,000 rows of thirty columns. Reading that many takes a tenth of a second, in which nobody else is answered.
export const MAX_CELLS = 150_000

export type TableRow = {
  // As a spreadsheet counts: the head is 1.
  readonly rowNumber: number
  readonly cells: readonly TableCell[]
}

export type Table = { readonly heads: readonly string[]; readonly rows: readonly TableRow[] }

export const FILE_PROBLEMS = [
  'EMPTY_FILE',
  'UNREADABLE_FILE',
  'WRONG_ENCODING',
  'WRONG_LAYOUT',
  'TOO_MANY_ROWS',
  'TOO_MANY_CELLS',
  'EXTRA_CELLS',
  'MERGED_CELLS',
  'FILE_TOO_LARGE',
] as const
export type FileProblemCode = (typeof FILE_PROBLEMS)[number]

export type FileProblem = { readonly fileProblem: FileProblemCode; readonly detail: string }

export function fileProblem(code: FileProblemCode, detail: string): FileProblem {
  return { fileProblem: code, detail }
}

export function isFileProblem(value: object): value is FileProblem {
  return 'fileProblem' in value
}

export const NO_CELL: TableCell = { text: '', kind: 'text' }

export function isEmptyRow({ cells }: Pick<TableRow, 'cells'>): boolean {
  return !cells.some(isFilled)
}

export function tooManyCells(): FileProblem {
  return fileProblem(
    'TOO_MANY_CELLS',
    'The file has too many cells or empty lines. Leave only the columns of the template, and delete the empty lines.',
  )
}

// A cell to the right of the last column that has a name: mostly a comma of an amount that was taken for a separator.
export function extraCells(columnAt: number, rowNumber: number): FileProblem {
  return fileProblem(
    'EXTRA_CELLS',
    `The cell ${cellName(columnAt, rowNumber)} has no column. Name its column or empty it; in a CSV, write amounts without commas or in quotation marks.`,
  )
}

export function isFilled({ text, kind }: TableCell): boolean {
  return kind !== 'text' || text.trim() !== ''
}

// What is too long for any column is cut, so that nothing takes long to look at, and stays too long: none of it is taken for the whole.
export function cellText(written: string): string {
  const text = written.trim()
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text
}

// Stops counting there.
export function hasMoreThan(text: string | Buffer, sign: string, count: number): boolean {
  let at = -1
  for (let found = 0; found <= count; found += 1) {
    at = text.indexOf(sign, at + 1)
    if (at < 0) return false
  }
  return true
}

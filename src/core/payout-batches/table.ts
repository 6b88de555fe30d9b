// A table as a file holds it, before anybody knows what its columns mean, and why a file is none. A refusal of a whole file has a
// name of its own, so that every door says the same.

// A number was a number in the workbook, and not text that looks like one. A formula has no value that we take.
export type TableCell = { readonly text: string; readonly kind: 'text' | 'number' | 'formula' }

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
  return cells.every(({ text, kind }) => kind === 'text' && text.trim() === '')
}

// Formats one object as lines of name and value, and many as a table.

import { bold, clean, dim } from './terminal.ts'

export type Row = readonly (string | null | undefined)[]

const GAP = '  '

// `titles` is the heading. Without rows the result is a single word.
export function table(titles: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return 'none'
  const [first = '', ...rest] = align([titles, ...rows]).split('\n')
  return [bold(first), ...rest].join('\n')
}

// Leaves out missing values.
export function fields(rows: readonly (readonly [string, string | null | undefined])[]): string {
  const present = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...present.map(([name]) => name.length))
  return present.map(([name, value]) => `${dim(name.padEnd(width))}${GAP}${clean(value ?? '')}`).join('\n')
}

export function align(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((cell) => clean(cell ?? '–')))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  )
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

// Reads a CSV as spreadsheets in Colombia and elsewhere save it: semicolons or commas, UTF-8 or Latin-1, with or without a mark.

import { CsvError, parse } from 'csv-parse/sync'
import { COLUMN_HEADS, MAX_BATCH_ROWS } from './columns.ts'
import { type FileProblem, fileProblem, isEmptyRow, type Table, type TableCell } from './table.ts'

export function readCsv(bytes: Uint8Array): Table | FileProblem {
  const text = decoded(bytes)
  if (typeof text !== 'string') return text
  // Excel's own line that says which separator follows.
  const declared = /^sep=([;,])\r?\n/i.exec(text)
  const body = declared === null ? text : text.slice(declared[0].length)
  const head = body.slice(0, MAX_HEAD_LENGTH).split(/\r?\n|\r/, 1)[0] ?? ''
  const delimiter = declared?.[1] ?? delimiterOf(head)
  if (delimiter === undefined)
    return fileProblem(
      'WRONG_LAYOUT',
      `The first line must name the columns, separated by ; or , as in: ${Object.values(COLUMN_HEADS).join(';')}`,
    )
  return tableOf(body, delimiter, declared === null ? 0 : 1)
}

// Longer than any line of names.
const MAX_HEAD_LENGTH = 4_000
// Of one row, in characters. A quote that is never closed would take the whole file into one cell.
const MAX_ROW_LENGTH = 8_000

function tableOf(body: string, delimiter: string, linesBefore: number): Table | FileProblem {
  let records: string[][]
  try {
    records = parse(body, {
      delimiter,
      relax_column_count: true,
      max_record_size: MAX_ROW_LENGTH,
      // One more than the head and all rows: who has that many has too many.
      to: MAX_BATCH_ROWS + MAX_EMPTY_ROWS,
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return fileProblem(
      'UNREADABLE_FILE',
      `Line ${lineOf(error) + linesBefore} cannot be read: ${wordsOf(error)}.`,
    )
  }
  const [head, ...others] = records
  if (head === undefined) return fileProblem('EMPTY_FILE', 'The file is empty.')
  const rows = others
    .map((record, at) => ({ rowNumber: at + 2, cells: record.map(cellOf) }))
    .filter((row) => !isEmptyRow(row))
  return { heads: head.map((name) => name.trim()), rows }
}

// Spreadsheets leave some below the last row.
const MAX_EMPTY_ROWS = 1_000

function lineOf(error: CsvError): number {
  const { lines } = error as CsvError & { lines?: number }
  return typeof lines === 'number' ? lines : 1
}

function wordsOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is never closed'
  if (code === 'CSV_MAX_RECORD_SIZE') return 'the row is too long, or a quotation mark is never closed'
  return 'a quotation mark stands in the middle of a cell'
}

// Which of the two separates more of the names that we know. Undefined if neither does.
function delimiterOf(head: string): string | undefined {
  const known = new Set<string>(Object.values(COLUMN_HEADS))
  const count = (delimiter: string): number =>
    head.split(delimiter).filter((name) => known.has(name.replaceAll('"', '').trim().toLowerCase())).length
  const [semicolons, commas] = [count(';'), count(',')]
  if (semicolons !== commas) return semicolons > commas ? ';' : ','
  // Named in another way, or not at all: the layout says what is missing.
  if (head.includes(';') !== head.includes(',')) return head.includes(';') ? ';' : ','
  return undefined
}

function decoded(bytes: Uint8Array): string | FileProblem {
  if (bytes.length === 0) return fileProblem('EMPTY_FILE', 'The file is empty.')
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) return fileProblem('WRONG_ENCODING', 'The file is in UTF-16. Save it as CSV UTF-8.')
  if (bytes.includes(0))
    return fileProblem('UNREADABLE_FILE', 'This is neither a CSV nor an Excel workbook (.xlsx).')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodedLatin(bytes)
  }
}

// What Excel calls Latin-1 is Windows-1252. Its five holes, and letters that no name in these languages has in a row, mean that the
// file is in yet another encoding, which would turn names into others.
function decodedLatin(bytes: Uint8Array): string | FileProblem {
  const text = new TextDecoder('windows-1252').decode(bytes)
  const isOther = /[\u0080-\u009f]/.test(text) || /[\u00c0-\u00ff]{4}/.test(text)
  return isOther
    ? fileProblem('WRONG_ENCODING', 'The file is neither in UTF-8 nor in Latin-1. Save it as CSV UTF-8.')
    : text
}

function cellOf(written: string): TableCell {
  const text = written.trim()
  // As our own downloads write a document that begins with zeros, so that a spreadsheet leaves it alone …
  const constant = /^="([^"]*)"$/.exec(text)?.[1]
  if (constant !== undefined) return { text: constant, kind: 'text' }
  // … and what a spreadsheet would take for a formula.
  const guarded = /^'([=+\-@].*)$/s.exec(text)?.[1]
  if (guarded !== undefined) return { text: guarded, kind: 'text' }
  return { text, kind: text.startsWith('=') ? 'formula' : 'text' }
}

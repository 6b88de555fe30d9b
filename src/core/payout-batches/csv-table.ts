// Reads a CSV as spreadsheets in Colombia and elsewhere save it: semicolons or commas, UTF-8 or Latin-1, with or without a mark.

import { CsvError, parse } from 'csv-parse/sync'
import { COLUMN_HEADS, MAX_BATCH_ROWS } from './columns.ts'
import { textOfConstantFormula, withoutFormulaGuard } from './formula-text.ts'
import {
  cellText,
  extraCells,
  type FileProblem,
  fileProblem,
  hasMoreThan,
  isEmptyRow,
  type Table,
  type TableCell,
  tooManyCells,
} from './table.ts'

// 5,000 rows with everything in them take about 550 KB. Reading it takes a tenth of a second, in which nobody else is answered.
export const MAX_CSV_BYTES = 750_000
// 5,000 rows of twenty columns.
const MAX_SEPARATORS = 100_000
// With two empty ones for each row. Line breaks inside quotation marks count, too.
const MAX_LINES = 3 * MAX_BATCH_ROWS

export function readCsv(bytes: Buffer): Table | FileProblem {
  if (['\n', '\r'].some((lineEnd) => hasMoreThan(bytes, lineEnd, MAX_LINES))) return tooManyLines()
  if (bytes.length > MAX_CSV_BYTES) return csvTooLarge()
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
  return hasMoreThan(body, delimiter, MAX_SEPARATORS)
    ? tooManyCells()
    : tableOf(body, delimiter, declared === null ? 0 : 1)
}

function tooManyLines(): FileProblem {
  return fileProblem(
    'TOO_MANY_ROWS',
    `A file may have ${MAX_BATCH_ROWS} rows. Split it into several files, or delete its empty lines.`,
  )
}

function csvTooLarge(): FileProblem {
  return fileProblem(
    'FILE_TOO_LARGE',
    `A CSV may have ${MAX_CSV_BYTES / 1_000} KB and ${MAX_BATCH_ROWS} rows. Split it into several files, or save it as .xlsx.`,
  )
}

// Longer than any line of names.
const MAX_HEAD_LENGTH = 4_000
// Of one row, in characters. A quote that is never closed would take the whole file into one cell.
const MAX_ROW_LENGTH = 8_000

function tableOf(body: string, delimiter: string, linesBefore: number): Table | FileProblem {
  let records: { record: string[]; info: { records: number; empty_lines: number } }[]
  try {
    records = parse(body, {
      delimiter,
      relax_column_count: true,
      max_record_size: MAX_ROW_LENGTH,
      skip_empty_lines: true,
      info: true,
      to: MAX_RECORDS + 1,
    }) as unknown as typeof records
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return fileProblem(
      'UNREADABLE_FILE',
      `Line ${lineOf(error) + linesBefore} cannot be read: ${wordsOf(error)}.`,
    )
  }
  if (records.length > MAX_RECORDS) return tooManyLines()
  const [head, ...others] = records
  if (head === undefined) return fileProblem('EMPTY_FILE', 'The file is empty.')
  const rows = others
    .map(({ record, info }) => ({
      rowNumber: info.records + info.empty_lines,
      cells: record.map(cellOf),
    }))
    .filter((row) => !isEmptyRow(row))
  const width = head.record.length
  // A comma may have been meant for decimals or thousands, whatever is behind it.
  const longer = delimiter === ',' ? rows.find(({ cells }) => cells.length > width) : undefined
  if (longer !== undefined) return extraCells(width, longer.rowNumber)
  return { heads: head.record.map((name) => name.trim()), rows }
}

// The head, all rows, and those without a value that spreadsheets leave below.
const MAX_RECORDS = 1 + MAX_BATCH_ROWS + 500

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

// What Excel calls Latin-1 is Windows-1252. What no name in these languages holds means that the file is in yet another encoding, which
// would turn names into others: mostly that of DOS or of old Macs, in which Excel saves CSVs, too.
function decodedLatin(bytes: Uint8Array): string | FileProblem {
  const text = new TextDecoder('windows-1252').decode(bytes)
  return IMPLAUSIBLE.some((pattern) => pattern.test(text))
    ? fileProblem('WRONG_ENCODING', 'The file is neither in UTF-8 nor in Latin-1. Save it as CSV UTF-8.')
    : text
}

const IMPLAUSIBLE = [
  // Its five holes, and letters as those of Cyrillic.
  /[\u0080-\u009f]/,
  /[À-ÿ]{4}/,
  // Letters of these languages in DOS or on a Mac, at a letter: Jos‚, JosŽ, ¥µ¥EZ.
  /(?<=\p{L})[ƒŠŽšžŸŒœ‚„†‡ˆ‰¢£¤¥µ]|[ƒŠŽšžŸŒœ‚„†‡ˆ‰¢£¤¥µ](?=\p{L})/u,
  // Other signs in a word: Luc¡a, Nu–ez. Those of ordinals and degrees, and the apostrophe of O’Connor, are at home there.
  /\p{L}[‹›‘“”•–—˜™¡¦§¨©«¬®¯±²³´¶·¸¹»¼½¾¿×÷€…]\p{L}/u,
  // M rquez, Mar’a. A space that does not break, and an apostrophe, have a capital behind them.
  /\p{L}[\u00a0’]\p{Ll}/u,
  // GARCêA, LàPEZ, çLVAREZ, BOGOTç.
  /(?<!\p{Ll})[à-ÿ]\p{Lu}|\p{Lu}{2}[à-ÿ](?!\p{L})/u,
  // GARCÖA.
  /Ö[AO]/,
]

function cellOf(written: string): TableCell {
  const text = cellText(written)
  // As our own downloads write a document that begins with zeros, so that a spreadsheet leaves it alone …
  const constant = text.startsWith('=') ? textOfConstantFormula(text.slice(1)) : undefined
  if (constant !== undefined) return { text: constant, kind: 'text' }
  // … and what a spreadsheet would take for a formula.
  const guarded = withoutFormulaGuard(text)
  if (guarded !== undefined) return { text: guarded, kind: 'text' }
  return { text, kind: text.startsWith('=') ? 'formula' : 'text' }
}

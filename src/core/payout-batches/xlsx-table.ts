// Reads the first sheet of an Excel workbook. Only what a table needs is looked at: text, numbers, and which cells are formulas or
// merged. Numbers stay as they are stored, so no format changes an amount.

import { cellName, MAX_BATCH_ROWS } from './columns.ts'
import { type FileProblem, fileProblem, isEmptyRow, NO_CELL, type Table, type TableCell } from './table.ts'
import { type ZipEntries, zipEntries } from './zip-entries.ts'

// 5,000 rows of our columns take about 3 MB.
const MAX_PART_BYTES = 24 * 1_024 * 1_024
const MAX_COLUMNS = 100
const MAX_SHARED_STRINGS = 200_000
// Spreadsheets leave some below the last row.
const MAX_EMPTY_ROWS = 1_000

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
}

// Excel before 2007, and workbooks with a password.
export function isOldWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0
}

const UNREADABLE = fileProblem(
  'UNREADABLE_FILE',
  'The workbook cannot be read. Open it in a spreadsheet program and save it again as .xlsx, without a password.',
)

export function readXlsx(bytes: Buffer): Table | FileProblem {
  const entries = zipEntries(bytes, MAX_PART_BYTES)
  if (entries === undefined) return UNREADABLE
  const sheet = textOf(entries, firstSheetOf(entries))
  if (sheet === undefined) return UNREADABLE
  const merged = [...sheet.matchAll(/<mergeCell\s[^>]*\bref="([A-Z0-9:]{1,20})"/g)].map(([, ref]) => ref)
  if (merged.length > 0)
    return fileProblem('MERGED_CELLS', `Cells are merged: ${merged.slice(0, 5).join(', ')}. Unmerge them.`)
  const shared = sharedStringsOf(entries)
  return shared === undefined ? UNREADABLE : tableOf(sheet, shared)
}

function tableOf(sheet: string, shared: readonly string[]): Table | FileProblem {
  const rows: { rowNumber: number; cells: TableCell[] }[] = []
  let last = 0
  for (const [, attributes = '', content = ''] of sheet.matchAll(ROW)) {
    const rowNumber = Number(/\br="(\d{1,7})"/.exec(attributes)?.[1] ?? last + 1)
    if (rowNumber <= last) return UNREADABLE
    last = rowNumber
    const cells = cellsOf(content, shared)
    if (cells === undefined) return UNREADABLE
    rows.push({ rowNumber, cells })
    if (rows.length > MAX_BATCH_ROWS + MAX_EMPTY_ROWS) break
  }
  const [head, ...others] = rows.filter((row) => !isEmptyRow(row))
  if (head === undefined) return fileProblem('EMPTY_FILE', 'The first sheet of the workbook is empty.')
  const formula = head.cells.findIndex(({ kind }) => kind === 'formula')
  if (formula >= 0)
    return fileProblem(
      'WRONG_LAYOUT',
      `The cell ${cellName(formula, head.rowNumber)} is a formula. The first row names the columns.`,
    )
  return { heads: head.cells.map(({ text }) => text.trim()), rows: others }
}

const ROW = /<row\b([^>]*?)(?:\/>|>(.*?)<\/row>)/gs
const CELL = /<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs

// Undefined if a cell stands where none can.
function cellsOf(content: string, shared: readonly string[]): TableCell[] | undefined {
  const cells: TableCell[] = []
  for (const [, attributes = '', inner = ''] of content.matchAll(CELL)) {
    const named = /\br="([A-Z]{1,3})\d+"/.exec(attributes)?.[1]
    const at = named === undefined ? cells.length : columnAt(named)
    if (at < cells.length) return undefined
    // What stands far to the right is none of our columns.
    if (at >= MAX_COLUMNS) break
    while (cells.length < at) cells.push(NO_CELL)
    cells.push(cellOf(/\bt="(\w+)"/.exec(attributes)?.[1] ?? 'n', inner, shared))
  }
  return cells
}

function columnAt(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function cellOf(type: string, inner: string, shared: readonly string[]): TableCell {
  if (/<f\b/.test(inner)) return { text: '', kind: 'formula' }
  if (type === 'inlineStr') return { text: textsIn(inner).trim(), kind: 'text' }
  const value = unescaped(/<v\b[^>]*>(.*?)<\/v>/s.exec(inner)?.[1] ?? '')
  if (type === 's') return { text: (shared[Number(value)] ?? '').trim(), kind: 'text' }
  // Text, an error such as #N/A, or true and false, which is no value of ours.
  if (type !== 'n' || value === '') return { text: value.trim(), kind: 'text' }
  return { text: plainNumber(value), kind: 'number' }
}

// 1.25E6 is 1250000. A document or phone that was typed as a number has no point.
function plainNumber(value: string): string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? String(number) : value
}

function firstSheetOf(entries: ZipEntries): string {
  const workbook = textOf(entries, 'xl/workbook.xml') ?? ''
  const relations = textOf(entries, 'xl/_rels/workbook.xml.rels') ?? ''
  const id = /<sheet\b[^>]*\br:id="([^"]+)"/.exec(workbook)?.[1]
  const relation = [...relations.matchAll(/<Relationship\b[^>]*>/g)].find(
    ([found]) => id !== undefined && found.includes(`Id="${id}"`),
  )
  const target = /\bTarget="([^"]+)"/.exec(relation?.[0] ?? '')?.[1] ?? 'worksheets/sheet1.xml'
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

// None if the workbook has none. Undefined if they cannot be read.
function sharedStringsOf(entries: ZipEntries): string[] | undefined {
  if (!entries.has('xl/sharedStrings.xml')) return []
  const text = textOf(entries, 'xl/sharedStrings.xml')
  if (text === undefined) return undefined
  const strings: string[] = []
  for (const [, inner = ''] of text.matchAll(/<si\b[^>]*?(?:\/>|>(.*?)<\/si>)/gs)) {
    strings.push(textsIn(inner))
    if (strings.length > MAX_SHARED_STRINGS) return undefined
  }
  return strings
}

// Of a text in several fonts, all parts; how it is pronounced is none of them.
function textsIn(inner: string): string {
  const spoken = inner.replaceAll(/<rPh\b.*?<\/rPh>/gs, '')
  return [...spoken.matchAll(/<t\b[^>]*>(.*?)<\/t>/gs)].map(([, text = '']) => unescaped(text)).join('')
}

// A part that declares entities of its own could grow without end, and no spreadsheet program writes one.
function textOf(entries: ZipEntries, name: string): string | undefined {
  const text = entries.get(name)?.()?.toString('utf8')
  return text === undefined || text.includes('<!DOCTYPE') ? undefined : withoutPrefix(text)
}

// Some programs name the elements of a sheet with a prefix.
function withoutPrefix(text: string): string {
  const prefix = /<(\w+):(?:worksheet|workbook|sst)\b/.exec(text.slice(0, 2_000))?.[1]
  return prefix === undefined ? text : text.replaceAll(new RegExp(`(</?)${prefix}:`, 'g'), '$1')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (found, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? found
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
}

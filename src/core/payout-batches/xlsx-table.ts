// Reads the first sheet of an Excel workbook. Only what a table needs is looked at: text, numbers, and which cells are formulas or
// merged. Numbers stay as they are stored, so no format changes an amount.

import { cellName } from './columns.ts'
import { textOfConstantFormula } from './formula-text.ts'
import {
  cellText,
  extraCells,
  type FileProblem,
  fileProblem,
  isEmptyRow,
  isFileProblem,
  isFilled,
  MAX_CELLS,
  NO_CELL,
  type Table,
  type TableCell,
  type TableRow,
  tooManyCells,
} from './table.ts'
import { attributeOf, readXml, type XmlReader } from './xml.ts'
import { type ZipEntries, zipEntries } from './zip-entries.ts'

// 5,000 rows of our columns take about 3 MB. The workbook itself names its sheets.
const MAX_SHEET_BYTES = 8 * 1_024 * 1_024
const MAX_STRINGS_BYTES = 4 * 1_024 * 1_024
const MAX_WORKBOOK_BYTES = 1_024 * 1_024
const MAX_COLUMNS = 100

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
  const entries = zipEntries(bytes)
  if (entries === undefined) return UNREADABLE
  const sheet = textOf(entries, firstSheetOf(entries), MAX_SHEET_BYTES)
  if (sheet === undefined) return UNREADABLE
  const shared = sharedStringsOf(entries)
  return isFileProblem(shared) ? shared : tableOf(sheet, shared)
}

function tableOf(sheet: string, shared: readonly string[]): Table | FileProblem {
  const rows: TableRow[] = []
  const merged: string[] = []
  const problem = readPart(sheet, sheetReader(shared, rows, merged))
  if (merged.length > 0)
    return fileProblem('MERGED_CELLS', `Cells are merged: ${merged.slice(0, 5).join(', ')}. Unmerge them.`)
  if (problem !== undefined) return problem
  const [head, ...others] = rows
  if (head === undefined) return fileProblem('EMPTY_FILE', 'The first sheet of the workbook is empty.')
  const formula = head.cells.findIndex(({ kind }) => kind === 'formula')
  if (formula >= 0)
    return fileProblem(
      'WRONG_LAYOUT',
      `The cell ${cellName(formula, head.rowNumber)} is a formula. The first row names the columns.`,
    )
  return { heads: head.cells.map(({ text }) => text.trim()), rows: others }
}

// A reader of one part of the workbook, and what it found wrong.
type PartReader = XmlReader & { readonly problem?: () => FileProblem | undefined }

function readPart(xml: string, reader: PartReader): FileProblem | undefined {
  const outcome = readXml(xml, reader)
  if (outcome === 'too-large') return tooManyCells()
  return outcome === 'broken' ? UNREADABLE : reader.problem?.()
}

type OpenRow = { readonly rowNumber: number; readonly cells: TableCell[] }
type OpenCell = { readonly columnAt: number; readonly type: string; text: string; formula: string | null }

// Rows that hold nothing are left out: spreadsheets leave some anywhere. Only what stands where a sheet has its rows is one.
function sheetReader(shared: readonly string[], rows: TableRow[], merged: string[]): PartReader {
  let last = 0
  let cellCount = 0
  let row: OpenRow = { rowNumber: 0, cells: [] }
  let cell: OpenCell | undefined
  let problem: FileProblem | undefined
  const openRow = (attributes: string): boolean => {
    const rowNumber = Number(/^\d{1,7}$/.exec(attributeOf(attributes, 'r') ?? '')?.[0] ?? last + 1)
    if (rowNumber <= last) problem = UNREADABLE
    last = rowNumber
    row = { rowNumber, cells: [] }
    return problem === undefined
  }
  const openCell = (attributes: string): boolean => {
    const named = /^([A-Z]{1,3})\d+$/.exec(attributeOf(attributes, 'r') ?? '')?.[1]
    const columnAt = named === undefined ? row.cells.length : columnOf(named)
    cellCount += Math.max(1, Math.min(columnAt, MAX_COLUMNS) - row.cells.length)
    // A cell stands where none can.
    if (columnAt < row.cells.length) problem = UNREADABLE
    else if (cellCount > MAX_CELLS) problem = tooManyCells()
    cell = { columnAt, type: attributeOf(attributes, 't') ?? 'n', text: '', formula: null }
    return problem === undefined
  }
  const closeCell = ({ columnAt, ...open }: OpenCell): boolean => {
    const closed = cellOf(open, shared)
    cell = undefined
    if (closed === undefined) problem = UNREADABLE
    else if (columnAt < MAX_COLUMNS) {
      while (row.cells.length < columnAt) row.cells.push(NO_CELL)
      row.cells.push(closed)
    } else if (isFilled(closed)) problem = extraCells(columnAt, row.rowNumber)
    return problem === undefined
  }
  return {
    open: (name, parents, attributes) => {
      if (cell !== undefined) {
        if (name === 'f' && isInCell(parents)) cell.formula = ''
      } else if (name === 'c') return !isInRow(parents) || openCell(attributes)
      else if (name === 'row') return !isInSheet(parents, 'sheetData') || openRow(attributes)
      else if (name === 'mergeCell' && isInSheet(parents, 'mergeCells'))
        merged.push((attributeOf(attributes, 'ref') ?? '').slice(0, 20))
      return true
    },
    text: (text, elements) => {
      if (cell === undefined) return
      const [part] = elements.slice(CELL_DEPTH)
      const isWhole = elements.length === CELL_DEPTH + 1
      if (part === 'f' && isWhole) cell.formula += text
      else if ((part === 'v' && isWhole) || (part === 'is' && isShownText(elements))) cell.text += text
    },
    close: (name, parents) => {
      if (cell !== undefined && name === 'c' && isInRow(parents)) return closeCell(cell)
      if (name === 'row' && isInSheet(parents, 'sheetData') && !isEmptyRow(row)) rows.push(row)
      return true
    },
    problem: () => problem,
  }
}

function isInSheet(parents: readonly string[], part: 'sheetData' | 'mergeCells'): boolean {
  return parents.length === 2 && parents[1] === part
}

// worksheet, sheetData, row, c
const CELL_DEPTH = 4

// What stands deeper belongs to a part of the cell that is not shown.
function isInCell(parents: readonly string[]): boolean {
  return parents.length === CELL_DEPTH
}

function isInRow(parents: readonly string[]): boolean {
  return parents.length === CELL_DEPTH - 1 && parents[2] === 'row' && parents[1] === 'sheetData'
}

// Of a text in several fonts, all parts; how it is pronounced is none of them.
function isShownText(elements: readonly string[]): boolean {
  const parent = elements.at(-2)
  return elements.at(-1) === 't' && (parent === 'is' || parent === 'si' || parent === 'r')
}

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

// Undefined if it names a shared text that there is not.
function cellOf(open: Omit<OpenCell, 'columnAt'>, shared: readonly string[]): TableCell | undefined {
  if (open.formula !== null) {
    // A workbook that was made from a file of ours.
    const constant = textOfConstantFormula(open.formula)
    return constant === undefined ? { text: '', kind: 'formula' } : { text: cellText(constant), kind: 'text' }
  }
  const text = cellText(open.text)
  if (text === '') return NO_CELL
  if (open.type === 's') {
    const found = shared[Number(text)]
    return found === undefined ? undefined : { text: found, kind: 'text' }
  }
  if (open.type === 'b') return { text: text === '0' ? 'FALSE' : 'TRUE', kind: 'invalid' }
  if (open.type === 'e') return { text, kind: 'invalid' }
  return open.type === 'n' ? { text: plainNumber(text), kind: 'number' } : { text, kind: 'text' }
}

// 1.25E6 is 1250000. A document or phone that was typed as a number has no point.
function plainNumber(value: string): string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? String(number) : value
}

function firstSheetOf(entries: ZipEntries): string {
  let id: string | undefined
  readWorkbookPart(entries, 'xl/workbook.xml', (name, attributes) => {
    if (name === 'sheet') id ??= attributeOf(attributes, 'r:id')
  })
  let target = 'worksheets/sheet1.xml'
  readWorkbookPart(entries, 'xl/_rels/workbook.xml.rels', (name, attributes) => {
    if (name === 'Relationship' && id !== undefined && attributeOf(attributes, 'Id') === id)
      target = attributeOf(attributes, 'Target') ?? target
  })
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

function readWorkbookPart(
  entries: ZipEntries,
  part: string,
  open: (name: string, attributes: string) => void,
): void {
  readXml(textOf(entries, part, MAX_WORKBOOK_BYTES) ?? '', {
    open: (name, _parents, attributes) => {
      open(name, attributes)
      return true
    },
  })
}

// None if the workbook has none.
function sharedStringsOf(entries: ZipEntries): string[] | FileProblem {
  if (!entries.has('xl/sharedStrings.xml')) return []
  const xml = textOf(entries, 'xl/sharedStrings.xml', MAX_STRINGS_BYTES)
  if (xml === undefined) return UNREADABLE
  const strings: string[] = []
  let open = ''
  const problem = readPart(xml, {
    open: (name) => {
      if (name === 'si') open = ''
      return true
    },
    text: (text, elements) => {
      if (isShownText(elements)) open += text
    },
    close: (name) => {
      if (name === 'si') strings.push(cellText(open))
      return true
    },
  })
  return problem ?? strings
}

function textOf(entries: ZipEntries, name: string, maxBytes: number): string | undefined {
  return entries.get(name)?.(maxBytes)?.toString('utf8')
}

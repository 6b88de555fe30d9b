// A table as an Excel workbook, written as it is read. Text is text, so that documents keep their zeros and no cell is a formula;
// amounts and times are numbers with a format, so that they can be summed and sorted.

import { BOGOTA_OFFSET_MS } from '../../core/bogota-day.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { FileValue } from './file-value.ts'
import { type ZipFile, zipped } from './zip.ts'

export type Sheet = {
  readonly name: string
  readonly heads: readonly string[]
  // In parts, as they are read.
  readonly rows: AsyncIterable<FileRows>
}

export type FileRows = readonly (readonly FileValue[])[]

export function xlsx(sheet: Sheet): AsyncGenerator<Buffer> {
  return zipped(filesOf(sheet))
}

// As the styles below are numbered.
const STYLE = { head: 1, text: 2, money: 3, time: 4 } as const
// Days since the last day of 1899, which Excel counts from.
const EPOCH_DAYS = 25_569
// What a sheet may have.
export const MAX_SHEET_ROWS = 1_000_000
const MAX_CELL_LENGTH = 32_000

function filesOf(sheet: Sheet): ZipFile[] {
  return [
    { name: '[Content_Types].xml', text: [CONTENT_TYPES] },
    { name: '_rels/.rels', text: [RELATIONS] },
    { name: 'xl/workbook.xml', text: [workbook(sheet.name)] },
    { name: 'xl/_rels/workbook.xml.rels', text: [WORKBOOK_RELATIONS] },
    { name: 'xl/styles.xml', text: [STYLES] },
    { name: 'xl/worksheets/sheet1.xml', text: sheetText(sheet) },
  ]
}

async function* sheetText({ heads, rows }: Sheet): AsyncGenerator<string> {
  const columns = heads.map((head, index) => {
    const width = Math.min(40, Math.max(14, head.length + 4))
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  yield `<row>${heads.map((head) => textCell(head, STYLE.head)).join('')}</row>`
  for await (const part of rows) yield part.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

function cell(value: FileValue): string {
  if ('text' in value) return value.text === null ? '<c/>' : textCell(value.text, STYLE.text)
  if ('cents' in value)
    return value.cents === null ? '<c/>' : numberCell(centsToDecimal(value.cents), STYLE.money)
  if ('time' in value) return value.time === null ? '<c/>' : numberCell(serialTime(value.time), STYLE.time)
  return value.number === null ? '<c/>' : `<c><v>${value.number}</v></c>`
}

function numberCell(text: string, style: number): string {
  return `<c s="${style}"><v>${text}</v></c>`
}

function serialTime(instant: Instant): string {
  return String((instant - BOGOTA_OFFSET_MS) / DAY_MS + EPOCH_DAYS)
}

function textCell(text: string, style: number): string {
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_CELL_LENGTH))}</t></is></c>`
}

// XML knows no control characters, and no half of a pair.
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const CONTENT_TYPES = `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`
const RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const WORKBOOK_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`

// A sheet's name is short and has none of a few characters.
function workbook(name: string): string {
  const safe = escaped(name.replaceAll(/[\\/?*[\]:']/g, ' ').slice(0, 31)).replaceAll('"', '&quot;')
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="${safe}" sheetId="1" r:id="rId1"/></sheets></workbook>`
}

const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`

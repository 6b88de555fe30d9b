// What a file holds, cell by cell, and what its sender is told where it cannot be read.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCsv } from '../../../src/core/payout-batches/csv-table.ts'
import { readPayoutFile } from '../../../src/core/payout-batches/read-file.ts'
import { isFileProblem, type Table } from '../../../src/core/payout-batches/table.ts'
import { isOldWorkbook, isZip, readXlsx } from '../../../src/core/payout-batches/xlsx-table.ts'
import { csv, GOOD_ROW, HEAD, workbook, zip } from './files.ts'

function tableOf(read: ReturnType<typeof readXlsx>): Table {
  assert.ok(!isFileProblem(read), JSON.stringify(read))
  return read
}
const told = (bytes: Buffer | string): string => {
  const file = readPayoutFile(Buffer.from(bytes))
  return isFileProblem(file) ? `${file.fileProblem}: ${file.detail}` : 'read'
}
const text = (written: string) => ({ text: written, kind: 'text' })

// A book of one sheet, of shared texts, and whatever else is said.
const book = (sheet: string, shared?: string, more: Record<string, string> = {}): Buffer =>
  zip({
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...(shared !== undefined && { 'xl/sharedStrings.xml': `<sst>${shared}</sst>` }),
    ...more,
  })
const cellsIn = (sheet: string, shared?: string) =>
  tableOf(readXlsx(book(`<row><c><v>1</v></c></row>${sheet}`, shared))).rows
const cellIn = (cell: string, shared?: string) => cellsIn(`<row>${cell}</row>`, shared)[0]?.cells[0]
const UNREADABLE =
  'UNREADABLE_FILE: The workbook cannot be read. Open it in a spreadsheet program and save it again as .xlsx, without a password.'

describe('a cell of a workbook', () => {
  it('is text, a number, a formula, or what can be none of these', () => {
    const shared = '<si><t>one</t></si><si><r><t>t</t></r><r><t>wo</t></r><rPh><t>x</t></rPh></si>'
    assert.deepEqual(cellIn('<c t="inlineStr"><is><t> a </t></is></c>'), text('a'))
    assert.deepEqual(
      cellIn('<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>x</t></rPh></is></c>'),
      text('ab'),
    )
    assert.deepEqual(cellIn('<c t="s"><v>0</v></c>', shared), text('one'))
    assert.deepEqual(cellIn('<c t="s"><v>1</v></c>', shared), text('two'))
    assert.deepEqual(cellIn('<c t="str"><v>a</v></c>'), text('a'))
    assert.deepEqual(cellIn('<c><v>1.25E6</v></c>'), { text: '1250000', kind: 'number' })
    assert.deepEqual(cellIn('<c t="n"><v>0.5</v></c>'), { text: '0.5', kind: 'number' })
    assert.deepEqual(cellIn('<c t="b"><v>0</v></c>'), { text: 'FALSE', kind: 'invalid' })
    assert.deepEqual(cellIn('<c t="b"><v>1</v></c>'), { text: 'TRUE', kind: 'invalid' })
    assert.deepEqual(cellIn('<c t="e"><v>#N/A</v></c>'), { text: '#N/A', kind: 'invalid' })
    assert.deepEqual(cellIn('<c><f>A1</f><v>5</v></c>'), { text: '', kind: 'formula' })
    assert.deepEqual(cellIn('<c><f/><v>5</v></c>'), { text: '', kind: 'formula' })
    assert.deepEqual(cellIn('<c><f>"007"</f><v>7</v></c>'), text('007'))
  })

  it('that names a text that there is not makes the workbook unreadable', () => {
    for (const name of ['1', '-1', 'x', '0.5'])
      assert.equal(
        told(book(`<row><c t="s"><v>${name}</v></c></row>`, '<si><t>one</t></si>')),
        UNREADABLE,
        name,
      )
    assert.equal(told(book('<row><c t="s"><v>0</v></c></row>')), UNREADABLE)
    assert.equal(told(book('<row/>', '<si>')), UNREADABLE)
  })

  it('stands where its name says, and else behind the one before it', () => {
    const sheet =
      '<row r="4"><c r="B4"><v>1</v></c><c><v>2</v></c><c r="AA4"><v>3</v></c></row><row><c><v>4</v></c></row>'
    const [first, second] = cellsIn(sheet)
    assert.equal(first?.rowNumber, 4)
    assert.deepEqual(
      first?.cells.map((cell) => cell.text),
      ['', '1', '2', ...Array(23).fill(''), '3'],
    )
    assert.deepEqual([second?.rowNumber, second?.cells.map((cell) => cell.text)], [5, ['4']])
  })

  it('that stands where none can makes the workbook unreadable', () => {
    const row = (cells: string) => told(book(`<row>${cells}</row>`))
    assert.equal(row('<c r="B1"><v>1</v></c><c r="A1"><v>2</v></c>'), UNREADABLE)
    assert.equal(row('<c r="A1"><v>1</v></c><c r="A1"><v>2</v></c>'), UNREADABLE)
    assert.equal(told(book('<row r="2"/><row r="1"/>')), UNREADABLE)
  })

  it('is none to the right of a hundred columns, and told of there', () => {
    const headRow = `<row r="1">${HEAD.split(';')
      .map((one) => `<c t="inlineStr"><is><t>${one}</t></is></c>`)
      .join('')}</row>`
    const far = (name: string, value: string) =>
      told(book(`${headRow}<row r="2"><c r="${name}">${value}</c></row>`))
    const words =
      'has no column. Name its column or empty it; in a CSV, write amounts without commas or in quotation marks.'
    assert.equal(far('CV2', '<v>1</v>'), `EXTRA_CELLS: The cell CV2 ${words}`)
    assert.equal(far('CW2', '<v>1</v>'), `EXTRA_CELLS: The cell CW2 ${words}`)
    assert.equal(far('CW2', ''), 'EMPTY_FILE: The file names its columns and has no rows.')
  })
})

describe('a workbook', () => {
  const rels = (target: string) => ({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="P" r:id="r9"/><sheet name="Q" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r9" Target="${target}"/></Relationships>`,
    'xl/other/first.xml': '<worksheet><sheetData><row><c><v>9</v></c></row></sheetData></worksheet>',
  })

  it('has its first sheet where it says, and else where it usually is', () => {
    const heads = (more: Record<string, string>) =>
      tableOf(readXlsx(book('<row><c><v>1</v></c></row>', undefined, more))).heads
    assert.deepEqual(heads({}), ['1'])
    assert.deepEqual(heads(rels('other/first.xml')), ['9'])
    assert.deepEqual(heads(rels('/xl/other/first.xml')), ['9'])
    const unnamed = rels('other/first.xml')['xl/workbook.xml'].replaceAll(/ r:id="\w+"/g, '')
    assert.deepEqual(heads({ ...rels('other/first.xml'), 'xl/workbook.xml': unnamed }), ['1'])
    assert.equal(told(book('<row/>', undefined, rels('nowhere.xml'))), UNREADABLE)
  })

  it('is told to be empty, merged, or named by formulas', () => {
    assert.equal(told(book('')), 'EMPTY_FILE: The first sheet of the workbook is empty.')
    assert.equal(told(book('<row><c/></row>')), 'EMPTY_FILE: The first sheet of the workbook is empty.')
    assert.equal(
      told(book('<row r="3"><c r="B3"><f>A1</f></c></row>')),
      'WRONG_LAYOUT: The cell B3 is a formula. The first row names the columns.',
    )
    const merged = [1, 2, 3, 4, 5, 6].map((at) => `<mergeCell ref="A${at}:B${at}"/>`).join('')
    assert.equal(
      told(workbook([HEAD.split(';')], `<mergeCells>${merged}</mergeCells>`)),
      'MERGED_CELLS: Cells are merged: A1:B1, A2:B2, A3:B3, A4:B4, A5:B5. Unmerge them.',
    )
    const elsewhere = workbook(
      [HEAD.split(';'), GOOD_ROW.split(';')],
      '<extLst><mergeCell ref="A1:B1"/></extLst>',
    )
    assert.equal(told(elsewhere), 'read')
    assert.equal(told(zip({ a: '' })), UNREADABLE)
  })

  it('is known by its first four bytes, and so is one of an old kind', () => {
    const [now, old] = [
      [0x50, 0x4b, 0x03, 0x04],
      [0xd0, 0xcf, 0x11, 0xe0],
    ]
    assert.deepEqual([isZip(Buffer.from(now)), isOldWorkbook(Buffer.from(old))], [true, true])
    for (const at of [0, 1, 2, 3]) {
      const other = (bytes: number[]) => Buffer.from(bytes.with(at, 0x20))
      assert.deepEqual([isZip(other(now)), isOldWorkbook(other(old))], [false, false], `${at}`)
    }
    assert.equal(
      told(Buffer.from([...old, 0])),
      'UNREADABLE_FILE: This is a workbook of an old kind (.xls) or one with a password. Save it as .xlsx without a password.',
    )
  })
})

describe('the cells of a workbook', () => {
  it('are 150,000 at most, with those that are left out', () => {
    // A cell in the last column stands for the ninety-nine before it.
    const rows = (wide: number, narrow: number) =>
      readXlsx(
        book('<row><c r="CV1"><v>1</v></c></row>'.repeat(wide) + '<row><c><v>1</v></c></row>'.repeat(narrow)),
      )
    const most = rows(1_515, 15)
    assert.ok(!isFileProblem(most) && most.rows.length === 1_529)
    const more = rows(1_515, 16)
    assert.ok(isFileProblem(more) && more.fileProblem === 'TOO_MANY_CELLS')
  })
})

describe('a CSV', () => {
  const table = (written: string) => tableOf(readCsv(Buffer.from(written)))

  it('has its cells as they are written, and formulas as what they are', () => {
    const { heads, rows } = table(`valor; nombre ;x\n1;" a;b ""c""";=A1\n'=1;"=""007""";'a`)
    assert.deepEqual(heads, ['valor', 'nombre', 'x'])
    assert.deepEqual(rows, [
      { rowNumber: 2, cells: [text('1'), text('a;b "c"'), { text: '=A1', kind: 'formula' }] },
      { rowNumber: 3, cells: [text('=1'), text('007'), text("'a")] },
    ])
    assert.deepEqual(table('sep=,\nvalor,nombre\n1,2').rows[0]?.cells, [text('1'), text('2')])
    const spare = table('valor,nombre\n,,,,,\n1,2\n  , ,,')
    assert.deepEqual(
      spare.rows.map(({ rowNumber }) => rowNumber),
      [3],
      'rows of separators alone are none',
    )
    assert.deepEqual(table('valor;nombre\r1;2').heads, ['valor', 'nombre'])
  })

  it('is separated by what separates more of the names, or by the only sign there is', () => {
    const headsOf = (head: string) => table(`${head}\n1`).heads.length
    assert.deepEqual(
      ['valor;nombre', 'valor,nombre', 'valor;nombre;a,b', 'valor,nombre,a;b'].map(headsOf),
      [2, 2, 3, 3],
    )
    assert.deepEqual(['"Valor";"x"', 'a;b', 'a,b', ' valor ; nombre ,x'].map(headsOf), [2, 2, 2, 2])
    for (const head of ['a', 'a;b,c', ''])
      assert.match(told(`${head}\n1`), /^WRONG_LAYOUT: The first line must name/, head)
  })

  it('says what is wrong with it, and in which line', () => {
    const rows: [written: string | Buffer, says: string][] = [
      ['', 'EMPTY_FILE: The file is empty.'],
      [HEAD, 'EMPTY_FILE: The file names its columns and has no rows.'],
      [
        'x',
        'WRONG_LAYOUT: The first line must name the columns, separated by ; or , as in: llave;valor;referencia;nombre;tipo_documento;documento;correo',
      ],
      [
        'valor;nombre\n1;2',
        'WRONG_LAYOUT: The columns referencia, tipo_documento, documento are missing; the first row has: valor, nombre. Use the template.',
      ],
      [`${HEAD};Valor\n1`, 'WRONG_LAYOUT: The column valor is there twice. Leave one.'],
      [`${HEAD}\n"a;b`, 'UNREADABLE_FILE: Line 2 cannot be read: a quotation mark is never closed.'],
      [
        `sep=;\n${HEAD}\na;b\na"b;c`,
        'UNREADABLE_FILE: Line 4 cannot be read: a quotation mark stands in the middle of a cell.',
      ],
      [
        `${HEAD}\n${'x'.repeat(8_001)};y`,
        'UNREADABLE_FILE: Line 2 cannot be read: the row is too long, or a quotation mark is never closed.',
      ],
      [Buffer.of(0xff, 0xfe, 0x41, 0), 'WRONG_ENCODING: The file is in UTF-16. Save it as CSV UTF-8.'],
      [Buffer.of(0xfe, 0xff, 0, 0x41), 'WRONG_ENCODING: The file is in UTF-16. Save it as CSV UTF-8.'],
      [Buffer.of(0x41, 0, 0x42), 'UNREADABLE_FILE: This is neither a CSV nor an Excel workbook (.xlsx).'],
      [
        Buffer.from(`${HEAD}\nJos\x82`, 'latin1'),
        'WRONG_ENCODING: The file is neither in UTF-8 nor in Latin-1. Save it as CSV UTF-8.',
      ],
      [
        `${HEAD}${'\n'.repeat(15_001)}`,
        'TOO_MANY_ROWS: A file may have 5000 rows. Split it into several files, or delete its empty lines.',
      ],
      [
        `${HEAD}\n${`${'x'.repeat(7_000)}\n`.repeat(107)}`.padEnd(750_001, 'x'),
        'FILE_TOO_LARGE: A CSV may have 750 KB and 5000 rows. Split it into several files, or save it as .xlsx.',
      ],
      [
        Buffer.alloc(4 * 1_024 * 1_024 + 1),
        'FILE_TOO_LARGE: A workbook may have 4 MB, a CSV 750 KB, and each 5000 rows. Split it into several files.',
      ],
      [
        `${HEAD}\n${';'.repeat(7_000)}`.padEnd(7_100) + `\n${';'.repeat(7_000)}`.repeat(14),
        'TOO_MANY_CELLS: The file has too many cells or empty lines. Leave only the columns of the template, and delete the empty lines.',
      ],
    ]
    for (const [written, says] of rows) assert.equal(told(written), says)
    assert.notEqual(told(`${HEAD}\n${'x'.repeat(8_000)};y`).slice(0, 15), 'UNREADABLE_FILE')
  })
})

it('the good row of these tests is read', () => assert.equal(told(csv(GOOD_ROW)), 'read'))

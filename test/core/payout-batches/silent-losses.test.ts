// Files that lose money without a word: cells and rows that nobody reads.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPayoutFile } from '../../../src/core/payout-batches/read-file.ts'
import { readRow } from '../../../src/core/payout-batches/row.ts'
import { isFileProblem } from '../../../src/core/payout-batches/table.ts'
import { GOOD_ROW, HEAD, workbook, zip } from './files.ts'

const CAP = 1_211_000_000n
const read = (text: string) => readPayoutFile(Buffer.from(text))

describe('a file of payouts', () => {
  it('with more cells in a row than columns is not paid by what is left of its amount', () => {
    // Saved with commas by a program that does not quote: 1,250,000 is three cells, and the last column is the amount.
    const file = read(
      [
        'llave,referencia,nombre,tipo_documento,documento,valor',
        '@ANAGOMEZ,nomina-1,Ana Gomez,CC,1020304050,1,250,000',
      ].join('\n'),
    )
    assert.ok(isFileProblem(file), 'a row of 1,250,000 pesos is paid as one peso')
    assert.equal(file.fileProblem, 'EXTRA_CELLS')
    assert.match(file.detail, /G2/)
  })

  it('with an amount that a comma parts from an empty cell is refused', () => {
    const file = read(
      'referencia,nombre,tipo_documento,documento,valor,area\nr,Ana Gomez,CC,1020304050,1,250,\n',
    )
    assert.ok(isFileProblem(file), 'a row of 1,250 pesos is paid as one peso')
    assert.equal(file.fileProblem, 'EXTRA_CELLS')
  })

  it('with a cell to the right of all names is refused, and with empty ones is read', () => {
    const heads = 'valor;referencia;nombre;tipo_documento;documento'
    const row = '1000;r;Ana Gomez;CC;1020304050'
    assert.ok(!isFileProblem(read(`${heads};;\n${row};;;;`)))
    const problem = read(`${heads};;\n${row};;x`)
    assert.ok(isFileProblem(problem))
    assert.match(problem.detail, /^The cell G2 /)
    const far = [...row.split(';'), ...Array(100).fill('<c/>')]
    const bookOf = (last: string) => readPayoutFile(workbook([heads.split(';'), [...far, last]]))
    assert.ok(!isFileProblem(bookOf('<c/>')))
    assert.ok(isFileProblem(bookOf('<c><v>1</v></c>')))
  })

  it('with empty cells has the others in their own columns, also where a workbook leaves those out', () => {
    const heads = 'nota;llave;area;valor;referencia;nombre;tipo_documento;documento'
    const row = ';@ANAGOMEZ;;1000;;Ana Gomez;CC;1020304050'
    const [fromText, fromBook] = [
      read(`${heads}\n${row}`),
      readPayoutFile(workbook([heads.split(';'), row.split(';')])),
    ].map((file) =>
      isFileProblem(file) ? file : readRow(file.rows[0]?.cells as never, file.separators, CAP),
    )
    assert.ok(fromText !== undefined && 'amountInCents' in fromText)
    assert.equal(fromText.amountInCents, 100_000n)
    assert.deepEqual(fromBook, fromText)
  })

  it('with an amount that stands behind a thousand spaces is not read in part', () => {
    const file = read(`valor;referencia;nombre;tipo_documento;documento\n1${' '.repeat(1_500)}5;r;Ana;CC;1`)
    assert.ok(!isFileProblem(file))
    assert.equal(readRow(file.rows[0]?.cells as never, file.separators, CAP).amountInCents, null)
  })

  it('with decimals behind an unquoted comma is refused', () => {
    const file = read(
      [
        'llave,referencia,nombre,tipo_documento,documento,valor',
        '@ANAGOMEZ,nomina-1,Ana Gomez,CC,1020304050,1250000,50',
      ].join('\n'),
    )
    assert.ok(isFileProblem(file))
    assert.equal(file.fileProblem, 'EXTRA_CELLS')
  })

  it('with blank lines between its rows is read to its end', () => {
    const rows = Array.from(
      { length: 4_000 },
      (_, at) => `@CLAVE${at};1000;r-${at};Ana Gomez;CC;${1_000_000_000 + at};\n`,
    )
    const file = read(['llave;valor;referencia;nombre;tipo_documento;documento;correo', ...rows].join('\n'))
    assert.ok(!isFileProblem(file))
    assert.deepEqual([file.rows.length, file.rows.at(-1)?.rowNumber], [4_000, 8_000])
  })

  it('with more rows without a value than a spreadsheet leaves is refused', () => {
    const file = read(`${HEAD}\n${';;;;;;\n'.repeat(6_000)}${GOOD_ROW}`)
    assert.ok(isFileProblem(file))
    assert.equal(file.fileProblem, 'TOO_MANY_ROWS')
  })
})

describe('a workbook of payouts', () => {
  it('with many empty rows in the middle is read to its end', () => {
    const heads = ['llave', 'valor', 'referencia', 'nombre', 'tipo_documento', 'documento', 'correo']
    const rowOf = (at: number) => [
      `@CLAVE${at}`,
      '1000',
      `r-${at}`,
      'Ana Gomez',
      'CC',
      `${1_000_000_000 + at}`,
      '',
    ]
    const empty = Array.from({ length: 6_000 }, () => ['<c s="1"/>'])
    const file = readPayoutFile(workbook([heads, rowOf(1), ...empty, rowOf(2)]))
    assert.ok(!isFileProblem(file))
    assert.equal(file.rows.length, 2, 'the second person is left unpaid, and nobody is told')
  })
})

// A file is read in the thread that answers everybody.
describe('a file that is made to be slow', () => {
  const cpuMsOf = (bytes: Buffer): number => {
    const before = process.threadCpuUsage()
    readPayoutFile(bytes)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  // Four times as much takes about four times as long, and not sixteen times. The pause of a collector is forgiven.
  const isInProportion = (fileOf: (size: number) => Buffer): void => {
    const [few, many] = [fileOf(10_000), fileOf(40_000)]
    cpuMsOf(few)
    const [once, fourTimes] = [cpuMsOf(few), cpuMsOf(many)]
    assert.ok(fourTimes < 8 * once + 40, `${once} ms, then ${fourTimes} ms`)
  }
  const bookOf = (sheet: string): Buffer => zip({ 'xl/worksheets/sheet1.xml': sheet })
  const unending = ['<row>', '<row r="', '<c>', '<row ', '<mergeCell ', '<!--', '<![CDATA[', '</', '<', '&']

  it('by elements that never end is refused at once', () => {
    for (const begin of unending)
      isInProportion((size) => bookOf(`<worksheet><sheetData>${begin.repeat(size)}`))
    const endless = readPayoutFile(bookOf(`<worksheet><sheetData>${'<row>'.repeat(80_000)}`))
    assert.ok(isFileProblem(endless))
    assert.equal(endless.fileProblem, 'UNREADABLE_FILE')
  })

  it('by its list of sheets is read as fast as any', () => {
    isInProportion((size) =>
      zip({
        'xl/workbook.xml': '<sheet '.repeat(size),
        'xl/_rels/workbook.xml.rels': '<Relationship '.repeat(size),
        'xl/sharedStrings.xml': '<si><rPh '.repeat(size),
        'xl/worksheets/sheet1.xml': '<worksheet/>',
      }),
    )
  })

  it('by spaces inside an amount has the amount refused', () => {
    const texts = (...cells: string[]) =>
      `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
    const heads = texts('valor', 'referencia', 'nombre', 'tipo_documento', 'documento')
    const fileOf = (size: number) =>
      bookOf(`<worksheet><sheetData>${heads}${texts(`1${' '.repeat(size)}1`, 'r')}</sheetData></worksheet>`)
    isInProportion(fileOf)
    const file = readPayoutFile(fileOf(10_000))
    assert.ok(!isFileProblem(file))
    const [row] = file.rows.map(({ cells }) => readRow(cells, file.separators, CAP))
    assert.deepEqual(row?.problems[0], { column: 'amount', code: 'WRONG_FORMAT' })
  })

  it('by more cells, tags or lines than 5,000 rows need is refused before it is read', () => {
    const nameOf = (bytes: Buffer) => {
      const file = readPayoutFile(bytes)
      return isFileProblem(file) ? file.fileProblem : 'read'
    }
    const sheetOf = (rows: string) => bookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)
    assert.equal(nameOf(sheetOf('<row/>'.repeat(500_000))), 'TOO_MANY_CELLS')
    assert.equal(nameOf(sheetOf('<row><c r="CV1"/></row>'.repeat(2_000))), 'TOO_MANY_CELLS')
    assert.equal(nameOf(sheetOf(`<row><c><v>${'&lt;'.repeat(100_001)}</v></c></row>`)), 'TOO_MANY_CELLS')
    assert.equal(nameOf(Buffer.from(`valor;nombre\n${';'.repeat(100_001)}`)), 'TOO_MANY_CELLS')
    assert.equal(nameOf(Buffer.from(`valor;nombre\n${'\n'.repeat(15_001)}`)), 'TOO_MANY_ROWS')
    assert.equal(nameOf(Buffer.from(`valor;nombre\n${'a'.repeat(750_000)}`)), 'FILE_TOO_LARGE')
  })
})

describe('an amount', () => {
  const amountOf = (text: string) => {
    const file = read(`valor;referencia;nombre;tipo_documento;documento\n${text};r;Ana Gomez;CC;1020304050`)
    assert.ok(!isFileProblem(file))
    return readRow(file.rows[0]?.cells as never, file.separators, CAP).amountInCents
  }

  it('with a space inside is not read as a number a hundred times as large', () => {
    assert.equal(amountOf('1 250 000'), 125_000_000n)
    assert.equal(amountOf('1250 50'), null, 'pesos and cents, or two amounts in one cell')
    assert.equal(amountOf('12 3456'), null)
    assert.equal(amountOf(`${'0'.repeat(60)}5`), null)
  })

  it('or a name that is an error of a spreadsheet is refused, in a CSV as in a workbook', () => {
    const codes = (file: ReturnType<typeof readPayoutFile>) => {
      assert.ok(!isFileProblem(file))
      const { problems } = readRow(file.rows[0]?.cells as never, file.separators, CAP)
      return problems.map(({ column, code }) => `${column} ${code}`)
    }
    const heads = ['valor', 'referencia', 'nombre', 'tipo_documento', 'documento']
    const invalid = ['<c t="e"><v>5000</v></c>', '<c t="b"><v>0</v></c>', '<c t="e"><v>#REF!</v></c>']
    const refused = ['amount WRONG_FORMAT', 'reference WRONG_FORMAT', 'name WRONG_FORMAT']
    assert.deepEqual(codes(readPayoutFile(workbook([heads, [...invalid, 'CC', '1']]))), refused)
    assert.deepEqual(codes(read(`${heads.join(';')}\n#N/A;#¿NOMBRE?;#¡VALOR!;CC;1`)), refused)
    assert.deepEqual(codes(read(`${heads.join(';')}\n5000;#12;Ana;CC;1`)), [])
  })

  it('that is TRUE in a workbook is not one peso', () => {
    const file = readPayoutFile(
      workbook([
        ['valor', 'referencia', 'nombre', 'tipo_documento', 'documento'],
        ['<c t="b"><v>1</v></c>', 'r', 'Ana Gomez', 'CC', '1020304050'],
      ]),
    )
    assert.ok(!isFileProblem(file))
    assert.equal(readRow(file.rows[0]?.cells as never, file.separators, CAP).amountInCents, null)
  })
})

describe('what a spreadsheet does not show', () => {
  const heads = ['llave', 'valor', 'referencia', 'nombre', 'tipo_documento', 'documento']
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (at: number, key: string, around = (cells: string) => cells) =>
    `<row r="${at}">${around([key, '1000', 'r', 'Ana Gomez', 'CC', '1020304050'].map(cell).join(''))}</row>`
  const sheetOf = (rows: string) =>
    `<worksheet><sheetData><row r="1">${heads.map(cell).join('')}</row>${rows}</sheetData></worksheet>`
  // As programs write them whose first sheet was moved there.
  const keysOf = (rows: string, others = row(2, '@OTHER')) => {
    const file = readPayoutFile(
      zip({
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="P" sheetId="2" r:id="rId7"/><sheet name="Q" sheetId="1" r:id="rId1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Target="worksheets/sheet2.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': sheetOf(others),
        'xl/worksheets/sheet2.xml': sheetOf(rows),
      }),
    )
    assert.ok(!isFileProblem(file))
    return file.rows.map(({ cells }) => cells.key.text)
  }

  it('as a cell that stands outside of any row is not read into one', () => {
    const stray = `<other><c r="A2" t="inlineStr"><is><t>@THIEF</t></is></c></other>`
    assert.deepEqual(keysOf(row(2, '@ANAGOMEZ') + stray), ['@ANAGOMEZ'])
  })

  it('as two rows under one number makes the workbook unreadable', () => {
    assert.deepEqual(keysOf(row(2, '@ANAGOMEZ') + row(3, '@OTHER')), ['@ANAGOMEZ', '@OTHER'])
    assert.throws(() => keysOf(row(2, '@ANAGOMEZ') + row(2, '@THIEF')))
  })

  it('is not paid: rows inside a comment of the workbook', () => {
    assert.deepEqual(keysOf(`${row(2, '@SEEN')}<!-- ${row(3, '@UNSEEN')} -->`), ['@SEEN'])
  })

  it('is not paid: the sheets behind the first, whatever their files are called', () => {
    assert.deepEqual(keysOf(row(2, '@FIRST'), row(2, '@SECOND')), ['@FIRST'])
  })

  it('is all that is read: a text between marks that hide nothing is text', () => {
    const row2 = row(2, '@PLAIN').replace('@PLAIN', '@<![CDATA[SEEN]]>')
    assert.deepEqual(keysOf(row2), ['@SEEN'])
  })

  it('is not paid: cells that are part of something else in their row', () => {
    const hidden = (cells: string) => `<extLst>${cells}</extLst>`
    assert.deepEqual(keysOf(row(2, '@SEEN') + row(3, '@UNSEEN', hidden)), ['@SEEN'])
    const within = row(2, '@SEEN').replace('</is></c>', `</is>${hidden('<c><v>1</v><f>2</f></c>')}</c>`)
    assert.deepEqual(keysOf(within), ['@SEEN'])
  })
})

describe('an encoding that is neither UTF-8 nor Latin-1', () => {
  const nameIn = (name: Buffer) => {
    const head = Buffer.from('valor;referencia;nombre;tipo_documento;documento\n1000;r;')
    const file = readPayoutFile(Buffer.concat([head, name, Buffer.from(';CC;1020304050\n')]))
    return isFileProblem(file) ? file.fileProblem : file.rows[0]?.cells.name.text
  }
  const latin = (name: string) => Buffer.from(name, 'latin1')

  it('is refused, and does not give people other names: DOS (850) and Mac Roman, as Excel saves CSVs', () => {
    const dos = [
      'Nu\xa4ez',
      'M\xa0rquez',
      'Luc\xa1a',
      'L\xa2pez',
      'Jes\xa3s',
      'Jos\x82',
      '\xb5ngel',
      'GARC\xd6A',
    ]
    const dosCapitals = ['L\xe0PEZ', 'RA\xe9L', 'PE\xa5A']
    const mac = [
      'Nu\x96ez',
      'M\x87rquez',
      'Mar\x92a',
      'L\x97pez',
      'Jes\x9cs',
      'Jos\x8e',
      '\xe7LVAREZ',
      'BOGOT\xe7',
    ]
    for (const name of [...dos, ...dosCapitals, ...mac])
      assert.equal(nameIn(latin(name)), 'WRONG_ENCODING', name)
  })

  it('is not seen in Latin-1, whatever people are called', () => {
    const names = [
      'Ana Núñez',
      'JOSÉ PEÑA',
      'María Ñáñez',
      'SCHRÖDER',
      'STRAßE',
      'François',
      'Mª José',
      'N° 5 año',
    ]
    for (const name of names) assert.equal(nameIn(latin(name)), name)
    assert.equal(nameIn(latin('O\x92Connor Mu\xf1oz')), 'O’Connor Muñoz')
    assert.equal(nameIn(latin('Ana\xa0Mu\xf1oz')), 'Ana\u00a0Muñoz')
  })
})

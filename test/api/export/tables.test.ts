// A table as a file, cell by cell and part by part, as programs that open one read it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { csvLine } from '../../../src/api/export/csv.ts'
import type { FileValue } from '../../../src/api/export/file-value.ts'
import { contentOf, type FileKind } from '../../../src/api/export/send-file.ts'
import { unzip } from '../../console/unzip.ts'

const TIME = Date.UTC(2026, 10, 14, 17)
const CELLS: readonly FileValue[] = [
  { text: 'a "b" <c> & d' },
  { text: null },
  { cents: 123_456n },
  { cents: null },
  { time: TIME },
  { time: null },
  { number: 7 },
  { number: 0 },
  { number: null },
]

async function fileOf(kind: FileKind, heads: readonly string[], rows: readonly FileValue[][]) {
  const parts = async function* () {
    for (const row of rows) yield [row]
  }
  const { content, ...file } = contentOf({
    kind,
    heads,
    organizationId: 'one',
    name: 'Cobros de hoy 2026',
    language: 'es',
    rows: parts(),
  })
  const read = await Array.fromAsync(content)
  return { ...file, bytes: Buffer.concat(read.map((part) => Buffer.from(part))) }
}

describe('a table as CSV', () => {
  it('has a cell for each value, and nothing where there is none', () => {
    assert.equal(csvLine(CELLS, 'es'), '"a ""b"" <c> & d";;1234,56;;2026-11-14 12:00:00;;7;0;\r\n')
    assert.equal(csvLine(CELLS.slice(2, 3), 'en'), '1234.56\r\n')
  })

  it('quotes what the line is made of, and keeps digits and their marks as text', () => {
    const cells = (...texts: string[]) =>
      csvLine(
        texts.map((text) => ({ text })),
        'es',
      )
    assert.equal(
      cells('a;b', 'a,b', 'a\nb', 'a\rb', ' a', 'a ', 'a', ''),
      '"a;b";"a,b";"a\nb";"a\rb";" a";"a ";a;\r\n',
    )
    assert.equal(
      cells('007', '1,5', '2:30', '1/2', '1-2', '-', 'a1'),
      '"=""007""";"=""1,5""";"=""2:30""";"=""1/2""";"=""1-2""";\'-;a1\r\n',
    )
  })

  it('begins with the mark of UTF-8 and its heads, and is named by its ending', async () => {
    const { bytes, ...file } = await fileOf(
      'csv',
      ['Uno', 'Dos'],
      [
        [{ text: 'x' }, { number: 1 }],
        [{ text: 'y' }, { number: 2 }],
      ],
    )
    assert.deepEqual(file, { name: 'Cobros-de-hoy-2026.csv', mediaType: 'text/csv; charset=utf-8' })
    assert.equal(bytes.toString(), '\ufeffUno;Dos\r\nx;1\r\ny;2\r\n')
  })
})

describe('a table as a workbook', () => {
  const sheetOf = async (heads: readonly string[], row: FileValue[]): Promise<string> =>
    unzip((await fileOf('xlsx', heads, [row])).bytes).get('xl/worksheets/sheet1.xml') ?? ''

  it('has a cell for each value, in the form of its kind, and an empty one where there is none', async () => {
    const sheet = await sheetOf(['Uno'], [...CELLS])
    const text = (value: string, style: number) =>
      `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${value}</t></is></c>`
    assert.ok(sheet.includes(`<row>${text('Uno', 1)}</row>`), sheet)
    const cells = [
      text('a "b" &lt;c&gt; &amp; d', 2),
      '<c/>',
      '<c s="3"><v>1234.56</v></c>',
      '<c/>',
      '<c s="4"><v>46340.5</v></c>',
      '<c/>',
      '<c><v>7</v></c>',
      '<c><v>0</v></c>',
      '<c/>',
    ]
    assert.ok(sheet.endsWith(`<row>${cells.join('')}</row></sheetData></worksheet>`), sheet)
  })

  it('has columns that are as wide as their heads, within reason, and heads that stay where they are', async () => {
    const sheet = await sheetOf(['a', 'b'.repeat(20), 'c'.repeat(99)], [])
    assert.deepEqual(
      [...sheet.matchAll(/<col min="(\d+)" max="(\d+)" width="(\d+)" customWidth="1"\/>/g)].map(
        ([, ...found]) => found.map(Number),
      ),
      [
        [1, 1, 14],
        [2, 2, 24],
        [3, 3, 40],
      ],
    )
    assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/)
  })

  it('says what its parts are and where they stand, each by its name', async () => {
    const { bytes, ...file } = await fileOf('xlsx', ['a'], [])
    assert.deepEqual(file, {
      name: 'Cobros-de-hoy-2026.xlsx',
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    })
    const files = unzip(bytes)
    const [types = '', relations = '', , sheets = '', styles = ''] = [...files.values()]
    for (const path of ['/xl/workbook.xml', '/xl/worksheets/sheet1.xml', '/xl/styles.xml'])
      assert.match(
        types,
        new RegExp(
          `PartName="${path}" ContentType="application/vnd\\.openxmlformats-officedocument\\.spreadsheetml\\.(?:sheet\\.main|worksheet|styles)\\+xml"`,
        ),
      )
    const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const targetsOf = (text: string) =>
      [...text.matchAll(/Type="([^"]+)" Target="([^"]+)"/g)].map(([, type, target]) => [type, target])
    assert.deepEqual(targetsOf(relations), [[`${OFFICE}/officeDocument`, 'xl/workbook.xml']])
    assert.deepEqual(targetsOf(sheets), [
      [`${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
      [`${OFFICE}/styles`, 'styles.xml'],
    ])
    const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    for (const path of ['xl/workbook.xml', 'xl/styles.xml', 'xl/worksheets/sheet1.xml'])
      assert.ok(files.get(path)?.includes(` xmlns="${MAIN}"`), path)
    for (const [path, text] of files)
      assert.ok(text.startsWith('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<'), path)
    assert.match(styles, /numFmtId="164" formatCode="#,##0\.00"/)
  })
})

describe('the archive that a workbook is', () => {
  it('can be read from its beginning, without the directory at its end', async () => {
    const { bytes } = await fileOf('xlsx', ['a'], [[{ text: 'x' }]])
    const named = unzip(bytes)
    let at = 0
    for (const [name, text] of named) {
      const nameLength = bytes.readUInt16LE(at + 26)
      assert.equal(bytes.toString('utf8', at + 30, at + 30 + nameLength), name)
      // Version, flags, method, time and date of the local header; the sizes follow the file.
      assert.deepEqual(
        [4, 6, 8, 10, 12].map((offset) => bytes.readUInt16LE(at + offset)),
        [20, 0x0808, 8, 0, 0x21],
      )
      assert.deepEqual(
        [14, 18, 22].map((offset) => bytes.readUInt32LE(at + offset)),
        [0, 0, 0],
      )
      at += 30 + nameLength + bytes.readUInt16LE(at + 28)
      const end = bytes.indexOf(Buffer.from('PK\x07\x08', 'latin1'), at)
      assert.equal(inflateRawSync(bytes.subarray(at, end)).toString(), text)
      assert.deepEqual(
        [bytes.readUInt32LE(end + 8), bytes.readUInt32LE(end + 12)],
        [end - at, Buffer.byteLength(text)],
      )
      at = end + 16
    }
    assert.equal(bytes.toString('latin1', at, at + 4), 'PK\x01\x02', 'then the directory')
    assert.deepEqual(
      [4, 6, 8, 10, 12, 14].map((offset) => bytes.readUInt16LE(at + offset)),
      [20, 20, 0x0808, 8, 0, 0x21],
    )
    const last = bytes.length - 22
    assert.equal(bytes.toString('latin1', last, last + 4), 'PK\x05\x06', 'and its end, which ends the file')
    assert.deepEqual(
      [4, 6, 8, 10, 20].map((offset) => bytes.readUInt16LE(last + offset)),
      [0, 0, 6, 6, 0],
    )
    assert.deepEqual([bytes.readUInt32LE(last + 12), bytes.readUInt32LE(last + 16)], [last - at, at])
  })
})

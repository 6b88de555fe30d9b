// Files of payouts for tests: CSVs, and workbooks made cell by cell.

import { deflateRawSync } from 'node:zlib'

export const HEAD = 'llave;valor;referencia;nombre;tipo_documento;documento;correo'

export function csv(...rows: string[]): Buffer {
  return Buffer.from([HEAD, ...rows].join('\r\n'))
}

export const GOOD_ROW = '@ANAGOMEZ;1.250.000;nomina-1;Ana Gómez;CC;1020304050;ana@example.com'

// A cell is XML as a workbook holds it, or text. An empty one is left out, as spreadsheets do.
export function workbook(rows: readonly (readonly string[])[], after = ''): Buffer {
  const cell = (text: string, at: number, row: number): string => {
    if (text === '') return ''
    const name = `${String.fromCharCode(65 + at)}${row}`
    return text.startsWith('<')
      ? text.replace('<c', `<c r="${name}"`)
      : `<c r="${name}" t="inlineStr"><is><t>${text.replaceAll('&', '&amp;')}</t></is></c>`
  }
  const sheet = rows
    .map((cells, at) => `<row r="${at + 1}">${cells.map((text, c) => cell(text, c, at + 1)).join('')}</row>`)
    .join('')
  return zip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Pagos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData>${after}</worksheet>`,
  })
}

export function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt16LE(name.length, 26)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50, 0)
    header.writeUInt16LE(8, 10)
    header.writeUInt32LE(packed.length, 20)
    header.writeUInt16LE(name.length, 28)
    header.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    central.push(header, Buffer.from(name))
    at += local.length + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}

// A file of payouts is read as it was meant, or refused by the name of what is wrong with it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readAmount, separatorUseOf } from '../../../src/core/payout-batches/amount-text.ts'
import { cellName, MAX_BATCH_ROWS } from '../../../src/core/payout-batches/columns.ts'
import { holderProblems, isSameName } from '../../../src/core/payout-batches/holder.ts'
import { type PayoutFile, readPayoutFile } from '../../../src/core/payout-batches/read-file.ts'
import { readRow, textCells } from '../../../src/core/payout-batches/row.ts'
import { cellText, type FileProblem, isFileProblem } from '../../../src/core/payout-batches/table.ts'
import { csv, GOOD_ROW, HEAD, workbook, zip } from './files.ts'

const CAP = 1_211_000_000n
const HEADS = HEAD.split(';')

function read(bytes: Buffer): PayoutFile {
  const file = readPayoutFile(bytes)
  if (isFileProblem(file)) assert.fail(`${file.fileProblem}: ${file.detail}`)
  return file
}

function problem(bytes: Buffer): FileProblem {
  const file = readPayoutFile(bytes)
  assert.ok(isFileProblem(file), 'the file was read')
  return file
}

function rowsOf(bytes: Buffer) {
  const file = read(bytes)
  return file.rows.map(({ cells }) => readRow(cells, file.separators, CAP))
}

const named = (bytes: Buffer) =>
  rowsOf(bytes).map(({ problems }) => problems.map(({ column, code }) => `${column} ${code}`))

describe('a CSV', () => {
  it('is read with semicolons or commas, in UTF-8 or Latin-1, with or without a mark', () => {
    const text = csv(GOOD_ROW).toString()
    const commas = text.replaceAll(';', ',').replace('1.250.000', '1250000.00')
    const spellings = [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(text, 'latin1'),
      Buffer.from(commas),
      Buffer.from(`sep=;\r\n${text}`),
      Buffer.from(text.replaceAll('\r\n', '\n')),
    ]
    for (const bytes of spellings) {
      const [row] = rowsOf(bytes)
      assert.deepEqual(row?.problems, [])
      assert.equal(row.amountInCents, 125_000_000n)
      assert.equal(row.cells.name, 'Ana Gómez')
      assert.equal(row.idType, 'CO_CC')
      assert.deepEqual(row.key, { keyString: '@ANAGOMEZ', keyType: 'ALPHANUMERIC' })
    }
  })

  it('is read with the separator that its first line declares, where its head alone would not say', () => {
    const head = `${HEAD};"nota,${HEAD.replaceAll(';', ',')}"`
    const text = [head, `${GOOD_ROW};nada`].join('\r\n')
    assert.equal(problem(Buffer.from(text)).fileProblem, 'WRONG_LAYOUT')
    const [row] = rowsOf(Buffer.from(`sep=;\r\n${text}`))
    assert.deepEqual([row?.problems, row?.amountInCents], [[], 125_000_000n])
  })

  it('names kinds of documents by their short and long names, however they are written', () => {
    const words = {
      CO_CC: ['CC', 'c.c.', 'Cédula', 'cedula de ciudadanía'],
      CO_CE: ['CE', 'CÉDULA DE EXTRANJERÍA'],
      CO_NIT: ['NIT', 'nit.'],
      MXN_RFC: ['RFC'],
      PASSPORT: ['Pasaporte', 'passport', 'PA', 'PP'],
    }
    for (const [idType, spellings] of Object.entries(words))
      for (const word of spellings) {
        const [row] = rowsOf(csv(`@ANAGOMEZ;5000;r;Ana;${word};1020304050;`))
        assert.equal(row?.idType, idType, word)
      }
    // Sixty characters at most.
    const long = [58, 59].map((dots) => `@ANAGOMEZ;5000;r;Ana;${'.'.repeat(dots)}CC;1020304050;`)
    assert.deepEqual(
      rowsOf(csv(...long)).map(({ idType }) => idType),
      ['CO_CC', null],
    )
  })

  it('may name its columns in any order and in English, and have others', () => {
    const file = Buffer.from(
      'area,amount,name,id type,Id_Number,reference,key\nX,5000,Ana,CE,77,r1,3001234567\n',
    )
    const [row] = rowsOf(file)
    assert.deepEqual(row?.problems, [])
    assert.deepEqual([row?.idType, row?.amountInCents, row?.key?.keyType], ['CO_CE', 500_000n, 'PHONE'])
  })

  it('keeps the numbers of its lines, and leaves empty ones out', () => {
    const { rows } = read(csv(GOOD_ROW, ';;;;;;', '', GOOD_ROW))
    assert.deepEqual(
      rows.map(({ rowNumber }) => rowNumber),
      [2, 5],
    )
  })

  it('reads back what our downloads write for spreadsheets', () => {
    const [row] = rowsOf(csv(`'@ANAGOMEZ;5000;r;Ana;CC;"=""0012345""";`))
    assert.deepEqual([row?.cells.key, row?.cells.idNumber, row?.problems], ['@ANAGOMEZ', '0012345', []])
  })

  it('is refused by name in another layout, encoding or size', () => {
    assert.equal(problem(Buffer.from('')).fileProblem, 'EMPTY_FILE')
    assert.equal(problem(csv()).fileProblem, 'EMPTY_FILE')
    assert.equal(problem(Buffer.from('cuenta;banco;monto\n1;2;3')).fileProblem, 'WRONG_LAYOUT')
    assert.match(
      problem(Buffer.from('llave;nombre;documento\n1;2;3')).detail,
      /valor, referencia, tipo_documento/,
    )
    assert.match(problem(Buffer.from(`${HEAD};valor\n1;2;3`)).detail, /valor is there twice/)
    assert.equal(problem(Buffer.from('solo una columna\n1')).fileProblem, 'WRONG_LAYOUT')
    assert.equal(problem(Buffer.from(`\ufeff${HEAD}\n`, 'utf16le')).fileProblem, 'WRONG_ENCODING')
    const cyrillic = Buffer.concat([csv(''), Buffer.of(0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2)])
    assert.equal(problem(cyrillic).fileProblem, 'WRONG_ENCODING')
    assert.equal(problem(Buffer.of(1, 0, 2, 0)).fileProblem, 'UNREADABLE_FILE')
    assert.equal(problem(Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0)).fileProblem, 'UNREADABLE_FILE')
    assert.match(problem(csv('"@ANA;5000;r;Ana;CC;1;')).detail, /never closed/)
    assert.equal(problem(csv(...Array(MAX_BATCH_ROWS + 1).fill(GOOD_ROW))).fileProblem, 'TOO_MANY_ROWS')
    assert.equal(problem(csv(...Array(100_000).fill('@ANA12;1;r;A;CC;1;'))).fileProblem, 'TOO_MANY_ROWS')
    assert.equal(problem(Buffer.alloc(5_000_000, 'a')).fileProblem, 'FILE_TOO_LARGE')
    assert.equal(read(csv(...Array(MAX_BATCH_ROWS).fill(GOOD_ROW))).rows.length, MAX_BATCH_ROWS)
  })
})

describe('a workbook', () => {
  const good = GOOD_ROW.split(';')

  it('keeps each digit of a number that is too long to count with', () => {
    const documents = ['12345678901234567890', '1.02030405E9']
    const rows = documents.map((text) => [...good.slice(0, 5), `<c><v>${text}</v></c>`, ...good.slice(6)])
    assert.deepEqual(
      rowsOf(workbook([HEADS, ...rows])).map(({ cells }) => cells.idNumber),
      ['12345678901234567890', '1020304050'],
    )
  })

  it('is read: text, shared text and numbers', () => {
    const bytes = workbook([HEADS, good, [...good.slice(0, 1), '<c><v>1250000.5</v></c>', ...good.slice(2)]])
    assert.deepEqual(
      rowsOf(bytes).map(({ amountInCents, problems }) => [amountInCents, problems.length]),
      [
        [125_000_000n, 0],
        [125_000_050n, 0],
      ],
    )
  })

  it('has its formulas refused at their cells, and merged cells by their names', () => {
    const formula = ['@ANAGOMEZ', '<c><f>A1*2</f><v>5000</v></c>', ...good.slice(2)]
    assert.deepEqual(named(workbook([HEADS, formula])), [['amount FORMULA']])
    // As our own file writes a text of digits, saved as a workbook.
    const constant = ['@ANAGOMEZ', '<c t="str"><f>"5000"</f><v>5000</v></c>', ...good.slice(2)]
    assert.deepEqual(named(workbook([HEADS, constant])), [[]])
    const merged = problem(workbook([HEADS, good], '<mergeCells><mergeCell ref="A3:B4"/></mergeCells>'))
    assert.equal(merged.fileProblem, 'MERGED_CELLS')
    assert.match(merged.detail, /A3:B4/)
  })

  it('is refused if it is broken, grows without end, or declares entities', () => {
    const whole = workbook([HEADS, good])
    for (const cut of [30, 100, whole.length - 5])
      assert.equal(problem(whole.subarray(0, cut)).fileProblem, 'UNREADABLE_FILE')
    const bomb = zip({ 'xl/worksheets/sheet1.xml': Buffer.alloc(64 * 1_024 * 1_024, 'a') })
    assert.ok(bomb.length < 100_000)
    assert.equal(problem(bomb).fileProblem, 'UNREADABLE_FILE')
    const entities = zip({ 'xl/worksheets/sheet1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>' })
    assert.equal(problem(entities).fileProblem, 'UNREADABLE_FILE')
    assert.equal(problem(zip({})).fileProblem, 'UNREADABLE_FILE')
    const crowded = zip(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, ''])))
    assert.equal(problem(crowded).fileProblem, 'UNREADABLE_FILE')
  })

  it('that is locked with a password, or packed in a way that we do not read, is refused and not guessed at', () => {
    const marked = (at: number, mark: number): Buffer => {
      const bytes = workbook([HEADS, good])
      for (let entry = 0; ; entry += 1) {
        entry = bytes.indexOf('PK\x01\x02', entry, 'latin1')
        if (entry < 0) return bytes
        bytes.writeUInt16LE(mark, entry + at)
      }
    }
    const [flags, method] = [8, 10]
    assert.equal(rowsOf(marked(method, 8)).length, 1)
    assert.equal(problem(marked(flags, 0x0001)).fileProblem, 'UNREADABLE_FILE', 'encrypted')
    assert.equal(problem(marked(method, 12)).fileProblem, 'UNREADABLE_FILE', 'bzip2')
  })

  it('never throws, whatever the bytes', () => {
    const whole = workbook([HEADS, good, good])
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const bytes = Buffer.from(whole.subarray(0, Math.max(at, length)))
        bytes[at] = byte
        readPayoutFile(bytes)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readPayoutFile(Buffer.from(bytes))),
    )
  })
})

describe('an amount', () => {
  const of = (text: string, ...others: string[]) =>
    readAmount({ text, kind: 'text' }, separatorUseOf([text, ...others]))

  it('is read as people write it', () => {
    for (const [text, cents] of Object.entries({
      '1.250.000': 125_000_000n,
      '1250000,50': 125_000_050n,
      '1,250,000': 125_000_000n,
      '1250000.5': 125_000_050n,
      '$ 1.250.000,00': 125_000_000n,
      'COP 5000': 500_000n,
      '1.250': 125_000n,
      '0,01': 1n,
    }))
      assert.equal(of(text), cents, text)
  })

  it('that may mean two is refused, unless the file says which', () => {
    assert.equal(of('1,250'), 'AMOUNT_AMBIGUOUS')
    assert.equal(of('1,250', '1,250,000'), 125_000n)
    assert.equal(of('1,250', '1,250.50'), 125_000n)
    assert.equal(of('1,250', '1250,50'), 'AMOUNT_AMBIGUOUS')
    assert.equal(of('1.250', '1250.50'), 'AMOUNT_AMBIGUOUS')
    assert.equal(of('1.250', '1250,50'), 125_000n)
  })

  it('of nothing, below nothing or of no number is refused', () => {
    for (const text of ['0', '0,00', '-5000', '5000-', '(5000)'])
      assert.equal(of(text), 'AMOUNT_NOT_POSITIVE', text)
    for (const text of ['cinco mil', '1.25.000', '1,2,3', '5e3', '1.250,000'])
      assert.equal(of(text), 'WRONG_FORMAT', text)
    assert.equal(of(''), 'REQUIRED')
    for (const [text, code] of [
      ['0', 'AMOUNT_NOT_POSITIVE'],
      ['-1', 'AMOUNT_NOT_POSITIVE'],
      ['10.005', 'WRONG_FORMAT'],
      ['1e300', 'WRONG_FORMAT'],
    ] as const)
      assert.equal(readAmount({ text, kind: 'number' }, separatorUseOf([])), code, text)
  })

  it('is the same however it is spelled', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999_999_999_999 }), (cents) => {
        const [pesos, rest] = [Math.floor(cents / 100), String(cents % 100).padStart(2, '0')]
        const dots = String(pesos).replaceAll(/\B(?=(\d{3})+$)/g, '.')
        for (const text of [
          `${dots},${rest}`,
          `${dots.replaceAll('.', ',')}.${rest}`,
          `${pesos},${rest}`,
          `${pesos}.${rest}`,
        ])
          assert.equal(of(text), BigInt(cents), text)
      }),
    )
  })
})

describe('a row', () => {
  it('names what is wrong with each of its cells', () => {
    assert.deepEqual(named(csv('no es llave!;-1;;;XX;#;no')), [
      [
        'key KEY_INVALID',
        'amount AMOUNT_NOT_POSITIVE',
        'reference REQUIRED',
        'name REQUIRED',
        'idType WRONG_FORMAT',
        'idNumber WRONG_FORMAT',
        'email WRONG_FORMAT',
      ],
    ])
    assert.deepEqual(named(csv('@ANAGOMEZ;99.000.000;r;Ana;NIT;900123456-1;')), [
      ['amount AMOUNT_ABOVE_MAXIMUM', 'idNumber WRONG_FORMAT'],
    ])
    assert.deepEqual(named(csv(`;=1+1;${'r'.repeat(256)};Ana;CC;1;`)), [
      ['amount FORMULA', 'reference TOO_LONG'],
    ])
  })

  it('has cells with the names that a spreadsheet gives them', () => {
    assert.deepEqual([cellName(1, 7), cellName(26, 2), cellName(701, 1)], ['B7', 'AA2', 'ZZ1'])
  })

  it('is held against who holds its key, masked or not', () => {
    const codes = (name: string, idNumber: string, holder: { name: string; idNumber: string | null }) =>
      holderProblems({ name, idType: 'CO_NIT', idNumber }, { idType: null, ...holder }).map(
        ({ code }) => code,
      )
    const ana = { name: 'Ana María Gómez Restrepo', idNumber: '1020304050' }
    assert.deepEqual(codes('ana gomez', '1.020.304.050', ana), [])
    assert.deepEqual(
      codes('Gómez, Ana', '1020304050', { name: 'Ana*** Mar*** Góm***', idNumber: '******4050' }),
      [],
    )
    assert.deepEqual(codes('Ana Gómez', '1020304059', ana), ['HOLDER_DOCUMENT_MISMATCH'])
    assert.deepEqual(codes('Ana Gómez', '10203040599', { name: 'Ana Gómez', idNumber: '******4059' }), [
      'HOLDER_DOCUMENT_MISMATCH',
    ])
    assert.deepEqual(codes('Luis Gómez', '1020304050', ana), ['HOLDER_NAME_MISMATCH'])
    assert.deepEqual(
      codes('Ferretería Gómez', '900123456', { name: 'Ferretería Gómez S.A.S.', idNumber: '900123456-8' }),
      [],
    )
    assert.deepEqual(codes('Ana', '1', { name: 'Ana', idNumber: null }), [])
  })

  for (const particle of ['de', 'del', 'la', 'las', 'los', 'SAS', 'SA', 'Ltda'])
    it(`has a name in which “${particle}” says nothing`, () => {
      assert.ok(isSameName(`Gómez ${particle}`, 'Ferretería Gómez Hermanos'))
      assert.ok(isSameName('Ferretería Gómez Hermanos', `Gómez ${particle}`))
      assert.ok(!isSameName(particle, `Ferretería ${particle}`))
    })
})

describe('a row that somebody corrects', () => {
  it('is read without the spaces around what they typed, as a file is', () => {
    const others = { reference: 'r', name: 'Ana', idType: 'CC', idNumber: '1', email: '' }
    const cells = textCells({ ...others, key: ' @ANAGOMEZ ', amount: ' 50.000 ' })
    assert.deepEqual([cells.key.text, cells.amount.text, cells.amount.kind], ['@ANAGOMEZ', '50.000', 'text'])
  })
})

describe('a cell that is too long for any column', () => {
  it('is cut after a thousand characters, and shows that it was', () => {
    assert.equal(cellText(` ${'a'.repeat(1_000)} `), 'a'.repeat(1_000))
    assert.equal(cellText(`${'ab'.repeat(500)}c`), `${'ab'.repeat(500)}…`)
  })
})

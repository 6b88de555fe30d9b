// What the columns, the rows and the amounts of a file of payouts mean.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAmount, separatorUseOf } from '../../../src/core/payout-batches/amount-text.ts'
import { BATCH_COLUMNS, cellName, layoutOf } from '../../../src/core/payout-batches/columns.ts'
import { looksLikeFormula, withoutFormulaGuard } from '../../../src/core/payout-batches/formula-text.ts'
import { cellsOfPerson, paidKeyOf, personFields } from '../../../src/core/payout-batches/person.ts'
import { readRow, textCells } from '../../../src/core/payout-batches/row.ts'

describe('the columns of a file', () => {
  it('are named in Spanish or as the API names them, however the words are joined', () => {
    const names: [string[], string][] = [
      [['llave', ' LLAVE ', 'key'], 'key'],
      [['valor', 'Amount'], 'amount'],
      [['referencia', 'reference'], 'reference'],
      [['nombre', 'name'], 'name'],
      [
        [
          'tipo_documento',
          'Tipo de documento'.replace(' de', ''),
          'tipo-documento',
          'idType',
          'id_type',
          'ID TYPE',
        ],
        'idType',
      ],
      [['documento', 'idNumber', 'id - number'], 'idNumber'],
      [['correo', 'Córreo', 'email'], 'email'],
    ]
    const needed = ['amount', 'reference', 'name', 'idtype', 'idnumber']
    for (const [heads, column] of names)
      for (const head of heads) {
        const layout = layoutOf([head, ...needed.filter((one) => one !== column.toLowerCase())])
        assert.ok(layout instanceof Map && layout.get(column) === 0, head)
      }
    assert.deepEqual(layoutOf(['amount', 'AMOUNT']), { problem: 'column-twice', column: 'valor' })
    const many = Array.from({ length: 12 }, (_, at) => `x${at}`)
    assert.deepEqual(layoutOf(many), {
      problem: 'columns-missing',
      missing: ['valor', 'referencia', 'nombre', 'tipo_documento', 'documento'],
      found: many.slice(0, 10),
    })
  })

  it('have the letters that spreadsheets give them', () => {
    const letters = [0, 25, 26, 51, 52, 701, 702].map((at) => cellName(at, 3))
    assert.deepEqual(letters, ['A3', 'Z3', 'AA3', 'AZ3', 'BA3', 'ZZ3', 'AAA3'])
  })
})

describe('a row', () => {
  const cells = {
    key: '@ana12',
    amount: '5',
    reference: 'r',
    name: 'Ana',
    idType: 'CC',
    idNumber: '12',
    email: '',
  }
  const none = separatorUseOf([])
  const problemsOf = (changes: Partial<typeof cells>, cap = 1_000n) =>
    readRow(textCells({ ...cells, ...changes }), none, cap).problems.map(
      ({ column, code }) => `${column} ${code}`,
    )

  it('is what its cells say', () => {
    assert.deepEqual(readRow(textCells(cells), none, 500n), {
      cells,
      amountInCents: 500n,
      key: { keyString: '@ANA12', keyType: 'ALPHANUMERIC' },
      idType: 'CO_CC',
      problems: [],
    })
    const empty = readRow(textCells({ ...cells, key: '', amount: '', idType: '' }), none, 500n)
    assert.deepEqual([empty.key, empty.amountInCents, empty.idType], [null, null, null])
    assert.deepEqual(
      empty.problems.map(({ column, code }) => `${column} ${code}`),
      ['amount REQUIRED', 'idType REQUIRED'],
    )
  })

  it('has what is wrong with it told by column', () => {
    assert.deepEqual(problemsOf({ amount: '5' }, 499n), ['amount AMOUNT_ABOVE_MAXIMUM'])
    assert.deepEqual(problemsOf({ key: '@\u202eana12' }), ['key KEY_INVALID'])
    const spaced = readRow(textCells({ ...cells, key: `@ana${' '.repeat(130)}12` }), none, 1_000n)
    assert.deepEqual([spaced.key, spaced.problems], [null, [{ column: 'key', code: 'TOO_LONG' }]])
    assert.deepEqual(problemsOf({ reference: 'r'.repeat(255), name: 'n'.repeat(120) }), [])
    assert.deepEqual(problemsOf({ reference: 'r'.repeat(256), name: 'n'.repeat(121) }), [
      'reference TOO_LONG',
      'name TOO_LONG',
    ])
    for (const name of ['#N/A', '#N/D', '#¿NOMBRE?', '#REF!', '#DIV/0!', 'Ana\u0000'])
      assert.deepEqual(problemsOf({ name }), ['name WRONG_FORMAT'], name)
    for (const name of ['#12', 'N/A', '# REF!', 'Ana #1!']) assert.deepEqual(problemsOf({ name }), [], name)
    assert.deepEqual(problemsOf({ idNumber: '' }), ['idNumber REQUIRED'])
    assert.deepEqual(problemsOf({ idType: 'NIT', idNumber: '900123456-1' }), ['idNumber WRONG_FORMAT'])
    assert.deepEqual(problemsOf({ idType: 'x', idNumber: '900123456-1' }), ['idType WRONG_FORMAT'])
    assert.deepEqual(problemsOf({ email: 'x' }), ['email WRONG_FORMAT'])
    const noAmount = { ...textCells(cells), amount: { text: '5', kind: 'invalid' } } as const
    assert.equal(readRow(noAmount, none, 1_000n).amountInCents, null, 'what is none is not read')
    for (const column of BATCH_COLUMNS)
      for (const [kind, code] of [
        ['formula', 'FORMULA'],
        ['invalid', 'WRONG_FORMAT'],
      ] as const) {
        const odd = { ...textCells(cells), [column]: { text: '', kind } }
        const found = readRow(odd, none, 1_000n).problems
        assert.deepEqual(found, [{ column, code }], `${column} ${kind}`)
      }
  })

  it('is kept with the person and the key that is paid, beside its cells', () => {
    const fields = personFields({ cells, idType: 'CO_CC' }, '@ANA12')
    assert.deepEqual(fields, [
      'Ana',
      'CO_CC',
      '12',
      '',
      '',
      '@ANA12',
      '@ana12',
      '@ana12',
      '5',
      'r',
      'Ana',
      'CC',
      '12',
      '',
    ])
    assert.deepEqual(cellsOfPerson(fields), cells)
    assert.equal(paidKeyOf(fields), '@ANA12')
    const unknown = personFields({ cells: { ...cells, key: '' }, idType: null }, '')
    assert.deepEqual([unknown[1], unknown[6], paidKeyOf(unknown)], ['CC', '', null])
  })
})

describe('an amount', () => {
  const number = (written: string) => readAmount({ text: written, kind: 'number' }, separatorUseOf([]))
  const typed = (written: string) => readAmount({ text: written, kind: 'text' }, separatorUseOf([]))

  it('of a workbook has whole cents, as near as a workbook can count', () => {
    const [fraction, infinite] = [String(0.1 + 0.2), '1e400']
    assert.deepEqual([number('5'), number('0.01'), number(fraction)], [500n, 1n, 30n])
    assert.deepEqual(
      [number('0.004'), number('0.011'), number(infinite), number('x')],
      Array(4).fill('WRONG_FORMAT'),
    )
    assert.deepEqual([number('5.0000005'), number('5.0000015')], [500n, 'WRONG_FORMAT'])
    assert.deepEqual([number('0'), number('-0.01')], ['AMOUNT_NOT_POSITIVE', 'AMOUNT_NOT_POSITIVE'])
    assert.deepEqual(
      [number('90071992547409.91'), number('90071992547409.92')],
      [9_007_199_254_740_991n, 'WRONG_FORMAT'],
    )
  })

  it('may have the sign of pesos before it or their name around it, and sixty signs', () => {
    for (const written of ['$5', 'COP 5', 'cop$ 5', '5 COP', '5 pesos', '5pesos', ' 5 '])
      assert.equal(typed(written), 500n, written)
    assert.equal(typed(`${'0'.repeat(59)}5`), 500n)
    assert.equal(typed(`${'0'.repeat(60)}5`), 'WRONG_FORMAT')
    for (const written of ['-5', '(5)', '5-', '$ -5'])
      assert.equal(typed(written), 'AMOUNT_NOT_POSITIVE', written)
    for (const written of ['$', 'COP', ' ']) assert.equal(typed(written), 'REQUIRED', written)
  })

  it('tells of its separators what it can', () => {
    const uses = (...amounts: string[]) => {
      const { comma, dot } = separatorUseOf(amounts)
      return [[...comma].sort().join(), [...dot].sort().join()]
    }
    assert.deepEqual(uses('1250'), ['', ''])
    assert.deepEqual(uses('1.5'), ['', 'decimals'])
    assert.deepEqual(uses('1,50'), ['decimals', ''])
    assert.deepEqual(uses('1.250'), ['', ''])
    assert.deepEqual(uses('1.250.000'), ['', 'thousands'])
    assert.deepEqual(uses('1.250,5'), ['decimals', 'thousands'])
    assert.deepEqual(uses('1,250.50', '7,5'), ['decimals,thousands', 'decimals'])
    assert.deepEqual(uses(`1.5${' '.repeat(60)}`, 'x.5y'), ['', ''])
  })
})

describe('a text that a spreadsheet would calculate', () => {
  it('is known by its first sign, whatever stands unseen before it, and stands behind an apostrophe in our files', () => {
    for (const risky of ['=1', '+1', '-1', '@a', '\t1', ' =1', '\u200b=1', '＝1', '＋1', '－1', '＠a']) {
      assert.equal(looksLikeFormula(risky), true, risky)
      assert.equal(withoutFormulaGuard(`'${risky}`), risky)
    }
    for (const plain of ['1', 'a=1', "'=1", '', '$1']) {
      assert.equal(looksLikeFormula(plain), false, plain)
      assert.equal(withoutFormulaGuard(`'${plain}`), undefined, plain)
    }
    assert.equal(withoutFormulaGuard('=1'), undefined)
  })
})

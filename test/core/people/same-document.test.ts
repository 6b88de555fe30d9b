// One document is another only by its kind and its whole number.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nitCheckDigit } from '../../../src/core/identity-document.ts'
import { isVerified } from '../../../src/core/payout-batches/holder.ts'
import { isSameDocument } from '../../../src/core/people/same-document.ts'
import { compareDocuments } from '../../../src/core/refunds/compare.ts'

const document = (idType: string | null, idNumber: string) => ({ idType, idNumber })
const withDigit = (base: string) => `${base}-${nitCheckDigit(base)}`

describe('documents', () => {
  it('of a person and of a company are not the same because one’s check digit completes the other', () => {
    // A person's NIT is their cédula. Both check digits are right.
    const person = withDigit('83001234')
    const company = person.replace('-', '')
    for (const held of [company, withDigit(company), withDigit(company).replace('-', '')]) {
      assert.equal(isSameDocument(document('CO_NIT', person), document('CO_NIT', held)), false, held)
      assert.equal(compareDocuments(document('CO_NIT', person), document('CO_NIT', held)), 'OTHER')
      assert.equal(compareDocuments(document('CO_NIT', held), document('CO_NIT', person)), 'OTHER')
      const ana = { name: 'Ana', idType: 'CO_NIT', idNumber: person }
      assert.equal(isVerified(ana, { name: 'Ana', idType: 'CO_NIT', idNumber: held }), false)
    }
  })

  it('of a company are the same with its check digit and without, behind a dash or not', () => {
    for (const base of ['900123456', '800197268', '830037248']) {
      const spellings = [base, withDigit(base), withDigit(base).replace('-', '')]
      for (const given of spellings)
        for (const held of spellings)
          assert.ok(isSameDocument(document('CO_NIT', given), document('CO_NIT', held)), `${given} ${held}`)
      const another = `${base}${(Number(nitCheckDigit(base)) + 1) % 10}`
      assert.equal(isSameDocument(document('CO_NIT', base), document('CO_NIT', another)), false)
    }
  })

  it('of two kinds are two, whatever their numbers', () => {
    for (const [given, held] of [
      ['CO_CC', 'CO_CE'],
      ['CO_CE', 'CO_CC'],
      ['CO_CC', 'CO_NIT'],
      ['CO_CE', 'PASSPORT'],
      ['PASSPORT', 'CO_CC'],
      ['CO_CC', 'TI'],
    ] as const) {
      assert.equal(isSameDocument(document(given, '1020304050'), document(held, '1020304050')), false)
      const row = { name: 'Ana', idType: given, idNumber: '1020304050' }
      assert.equal(isVerified(row, { name: 'Ana', idType: held, idNumber: '******4050' }), false)
    }
    // The network said no kind, or one of its own.
    assert.ok(isSameDocument(document('CO_CC', '1020304050'), document(null, '1.020.304.050')))
    assert.ok(isSameDocument(document('PASSPORT', 'AB12'), document('PA', 'ab12')))
    assert.ok(isSameDocument(document(null, '900123456-8'), document(null, '900.123.456')))
    assert.ok(isSameDocument(document(null, '1020304050'), document('CO_CC', '1.020.304.050')))
    assert.ok(isSameDocument(document('MXN_RFC', 'GODE561231GR8'), document('RFC', 'gode-561231-gr8')))
  })

  it('are the same in every spelling of a NIT, masked or not', () => {
    const spellings = ['900123456', '900.123.456', '900123456-8', '900.123.456-8', '9001234568']
    const masked = ['*****3456', '*****3456-8', '*******568', '*******56-8']
    for (const given of spellings)
      for (const held of [...spellings, ...masked])
        assert.ok(isSameDocument(document('CO_NIT', given), document('CO_NIT', held)), `${given} ${held}`)
    for (const held of ['900123456-1', '9001234561', '*****3456-1', '******3456', '*****3457'])
      assert.equal(isSameDocument(document('CO_NIT', '900123456'), document('CO_NIT', held)), false, held)
  })

  it('that are no NITs have no check digit, although the last digit could be one', () => {
    const cedula = document('CO_CC', '9001234568')
    for (const held of ['9001234568', '9.001.234.568', '******4568'])
      assert.ok(isSameDocument(cedula, document('CO_CC', held)), held)
    for (const held of ['900123456', '*****3456'])
      assert.equal(isSameDocument(cedula, document('CO_CC', held)), false, held)
  })

  it('of two bases are never the same, however each is spelled', () => {
    const base = fc.integer({ min: 100_000, max: 99_999_999 }).map(String)
    const spelling = fc.constantFrom((one: string) => one, withDigit)
    fc.assert(
      fc.property(base, fc.nat(9), spelling, spelling, (one, digit, first, second) => {
        const longer = document('CO_NIT', second(`${one}${digit}`))
        assert.equal(isSameDocument(document('CO_NIT', first(one)), longer), false)
        assert.equal(isSameDocument(longer, document('CO_NIT', first(one))), false)
      }),
    )
  })

  it('that are masked or missing tell nothing of a payer', () => {
    const payer = document('CO_CC', '1020304050')
    for (const holder of [null, document('CO_CC', '******4050'), document('CO_CC', '')])
      assert.equal(compareDocuments(payer, holder), 'UNKNOWN')
    assert.equal(compareDocuments(payer, { idType: 'CO_CC', idNumber: null }), 'UNKNOWN')
    assert.equal(compareDocuments(payer, document('CO_CC', '1.020.304.050')), 'SAME')
  })
})

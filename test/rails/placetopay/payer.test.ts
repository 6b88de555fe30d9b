// How a payer and an amount are written for PlacetoPay.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { centsOfPesos, pesosOfCents } from '../../../src/rails/placetopay/amount.ts'
import { payerOf, splitName } from '../../../src/rails/placetopay/payer.ts'
import { customer } from './orders.ts'

describe('a name at PlacetoPay', () => {
  it('has two parts, and loses no word', () => {
    const names: Record<string, [string, string]> = {
      'Ana Gómez': ['Ana', 'Gómez'],
      'Ana Gómez Pérez': ['Ana', 'Gómez Pérez'],
      'Ana María Gómez Pérez': ['Ana María', 'Gómez Pérez'],
      '  Ana   Gómez ': ['Ana', 'Gómez'],
      'Canaria del Campo': ['Canaria', 'del Campo'],
      'Juan de Dios Pérez': ['Juan de Dios', 'Pérez'],
      'María del Carmen Ruiz Díaz': ['María del Carmen', 'Ruiz Díaz'],
      'Pedro de la Torre': ['Pedro', 'de la Torre'],
      'Ana María de la Cruz': ['Ana María', 'de la Cruz'],
      'Inversiones El Roble S.A.S.': ['Inversiones El Roble', 'S.A.S.'],
      Madonna: ['Madonna', 'Madonna'],
      de: ['de', 'de'],
    }
    for (const [full, [name, surname]] of Object.entries(names))
      assert.deepEqual(splitName(full), { name, surname }, full)
  })

  it('is cut where it is too long, and not within a character', () => {
    assert.deepEqual(splitName(`${'A'.repeat(70)} ${'𝒜'.repeat(40)}`), {
      name: 'A'.repeat(60),
      surname: '𝒜'.repeat(30),
    })
    assert.equal(splitName(`Ana ${'B'.repeat(59)}𝒜`).surname, 'B'.repeat(59))
  })
})

describe('a document at PlacetoPay', () => {
  const documents: [idType: string, idNumber: string, expected: string | undefined][] = [
    ['CO_CC', '1012345678', 'CC 1012345678'],
    ['CO_CC', '1.012.345.678', 'CC 1012345678'],
    ['CO_CC', '1234', 'CC 1234'],
    ['CO_CC', '123', undefined],
    ['CO_CC', '0123456789', undefined],
    ['CO_CC', '10123456789', undefined],
    ['CO_CC', 'A123456', undefined],
    ['CO_CE', '12345678', 'CE 12345678'],
    ['CO_CE', 'ABCDE1234', 'CE ABCDE1234'],
    ['CO_CE', '123456789', undefined],
    ['CO_TI', '99010112345', 'TI 99010112345'],
    ['CO_TI', '1234', undefined],
    ['CO_NIT', '900123456', 'NIT 900123456'],
    ['CO_NIT', '900.123.456-8', 'NIT 900123456'],
    ['CO_NIT', '9001234568', 'NIT 9001234568'],
    ['CO_NIT', '123456', undefined],
    ['CO_RUT', '900123456-8', 'RUT 900123456'],
    ['PASSPORT', 'AB123456', 'PPN AB123456'],
    ['PASSPORT', 'ABÑ123456', undefined],
    ['PASSPORT', 'A12', undefined],
    ['PASSPORT', 'A'.repeat(17), undefined],
    ['MXN_RFC', 'VECJ880326XXX', undefined],
    ['constructor', '1012345678', undefined],
  ]
  for (const [idType, idNumber, expected] of documents)
    it(`${idType} ${idNumber} is ${expected ?? 'not accepted'}`, () => {
      const payer = payerOf({ ...customer, idType, idNumber })
      const written = typeof payer === 'string' ? payer : `${payer.documentType} ${payer.document}`
      assert.equal(written, expected ?? 'DOCUMENT_NOT_ACCEPTED')
    })
})

describe('an amount at PlacetoPay', () => {
  it('is the same amount in JSON and back', () => {
    let cents = 1n
    for (let count = 0; cents < 1_000_000_000_000_000n; count += 1) {
      const json = JSON.stringify(pesosOfCents(cents))
      assert.match(json, /^\d+(\.\d\d?)?$/)
      assert.equal(centsOfPesos(JSON.parse(json)), cents)
      assert.equal(centsOfPesos(json), cents)
      cents += count < 20_000 ? 1n : cents / 97n
    }
    for (const edge of [999_999_999_999_999n, 999_999_999_999_901n])
      assert.equal(centsOfPesos(JSON.parse(JSON.stringify(pesosOfCents(edge)))), edge)
  })

  it('is not written where it would be another one', () => {
    for (const cents of [0n, -100n, 10n ** 15n, 2n ** 53n, 2n ** 70n])
      assert.equal(pesosOfCents(cents), undefined, String(cents))
  })

  it('is read from a number or from text, with two decimals at most', () => {
    const read: [unknown, bigint | undefined][] = [
      [1, 100n],
      [0.01, 1n],
      [24_900.5, 2_490_050n],
      [1_234.56, 123_456n],
      ['24900.50', 2_490_050n],
      ['24900', 2_490_000n],
      ['0.10', 10n],
      [0.1 + 0.2, undefined],
      [0.001, undefined],
      [1e21, undefined],
      [1e-7, undefined],
      [Number.NaN, undefined],
      [Number.POSITIVE_INFINITY, undefined],
      [-1, undefined],
      [0, undefined],
      ['0.00', undefined],
      ['24900.500', undefined],
      ['24,900.50', undefined],
      ['24900,50', undefined],
      ['1e3', undefined],
      ['0x10', undefined],
      [' 1', undefined],
      ['1\n', undefined],
      ['01', undefined],
      ['.5', undefined],
      ['5.', undefined],
      ['', undefined],
      [null, undefined],
      [[1], undefined],
      [{}, undefined],
      [true, undefined],
    ]
    for (const [total, cents] of read) assert.equal(centsOfPesos(total), cents, String(total))
  })
})

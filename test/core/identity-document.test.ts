import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { documentNumberProblem, ID_TYPES, nitCheckDigit } from '../../src/core/identity-document.ts'

test('the check digit of known NITs is the one the tax authority prints', () => {
  const known: [base: string, digit: number][] = [
    ['213123432', 1],
    ['213123435', 1],
    ['890903938', 8],
    ['860034313', 7],
    ['800197268', 4],
    ['900123456', 8],
    ['900000000', 5],
    ['1037390240', 9],
  ]
  for (const [base, digit] of known) assert.equal(nitCheckDigit(base), digit, base)
})

test('each of fifteen places has the weight that the tax authority gives it', () => {
  const weights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71]
  for (const [place, weight] of weights.entries())
    for (const digit of [1, 5]) {
      const remainder = (weight * digit) % 11
      const base = `${digit}${'0'.repeat(place)}`
      assert.equal(nitCheckDigit(base), remainder < 2 ? remainder : 11 - remainder, base)
    }
})

test('a NIT base that is no number is a bug of the caller', () => {
  assert.throws(() => nitCheckDigit(''))
  assert.throws(() => nitCheckDigit('90012345X'))
  assert.throws(() => nitCheckDigit('1234567890123456'))
})

test('a NIT with a correct check digit after a dash is accepted, with dots or without', () => {
  assert.equal(documentNumberProblem('CO_NIT', '890903938-8'), undefined)
  assert.equal(documentNumberProblem('CO_NIT', '890.903.938-8'), undefined)
})

test('a NIT with a wrong check digit after a dash is refused', () => {
  assert.match(documentNumberProblem('CO_NIT', '800197356-1') ?? '', /check digit/)
  assert.match(documentNumberProblem('CO_NIT', '890.903.938-7') ?? '', /check digit/)
})

test('a NIT without a dash is not checked: its last digit may or may not be the check digit', () => {
  assert.equal(documentNumberProblem('CO_NIT', '8909039387'), undefined)
  assert.equal(documentNumberProblem('CO_NIT', '890903938'), undefined)
})

test('only a NIT has a check digit', () => {
  for (const idType of ID_TYPES) {
    if (idType !== 'CO_NIT') assert.equal(documentNumberProblem(idType, '800197356-1'), undefined, idType)
  }
})

test('one to twenty letters, digits, dots and dashes make a document number', () => {
  for (const idNumber of ['1', '1012345678', 'AV-123.456', 'GODE561231GR8', 'Ñ1', '9'.repeat(20)]) {
    assert.equal(documentNumberProblem('PASSPORT', idNumber), undefined, idNumber)
  }
})

test('what is wrong is said in words', () => {
  assert.equal(documentNumberProblem('CO_CC', ''), 'must be 1 to 20 letters, digits, dots or dashes')
  assert.equal(documentNumberProblem('CO_NIT', '890903938-7'), 'has a wrong NIT check digit after the dash')
  assert.match(documentNumberProblem('CO_NIT', '123456789012345-0') ?? '', /check digit/)
})

test('anything else is refused', () => {
  for (const idNumber of ['', ' ', '9'.repeat(21), '10 12', '1012345678\n', '1/2', '1_2', '\u0000', '😀']) {
    assert.match(documentNumberProblem('CO_CC', idNumber) ?? '', /1 to 20/, JSON.stringify(idNumber))
  }
})

test('exactly one of the ten digits after the dash is correct', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,15}$/), (base) => {
      const accepted = Array.from({ length: 10 }, (_, digit) => digit).filter(
        (digit) => documentNumberProblem('CO_NIT', `${base}-${digit}`) === undefined,
      )
      assert.deepEqual(accepted, [nitCheckDigit(base)])
    }),
  )
})

test('no text makes the check throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ID_TYPES), fc.string({ unit: 'binary' }), (idType, idNumber) => {
      documentNumberProblem(idType, idNumber)
    }),
  )
})

test('the part before the dash is checked only if it can be a NIT', () => {
  for (const idNumber of ['1234567890123456-7', '...-1', 'ABC-1', '890903938-88', '890903938-']) {
    assert.equal(documentNumberProblem('CO_NIT', idNumber), undefined, idNumber)
  }
})

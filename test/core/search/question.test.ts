// What was typed is read as everything that it may mean, in the form in which it is stored.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  keyText,
  nameWords,
  personFacts,
  phoneText,
  plainFacts,
  traceText,
} from '../../../src/core/search/fact.ts'
import {
  isAnswered,
  QUESTION_MAX_LENGTH,
  type Reading,
  readQuestion,
} from '../../../src/core/search/question.ts'
import { FOUND_BY, KIND_SCOPES, rankOf } from '../../../src/core/search/result.ts'
import { isIndexedSearchText, isPersonal, wordOf } from '../../../src/core/search/word.ts'

function textsOf(typed: string, trait: Reading['trait']): readonly string[] | undefined {
  return readQuestion(typed)?.readings.find((reading) => reading.trait === trait)?.texts
}

function traitsOf(typed: string): string[] {
  return (readQuestion(typed)?.readings ?? []).map(({ trait }) => trait)
}

describe('a question', () => {
  it('of nothing is none', () => {
    for (const typed of ['', '   ', '\u0000', ' \t\n\u200b ', '\u202e'])
      assert.equal(readQuestion(typed), undefined, JSON.stringify(typed))
  })

  it('is taken without what cannot be stored, and no longer than it may be', () => {
    assert.equal(readQuestion('ord\u0000er\ud800')?.text, 'ord er�')
    assert.equal(readQuestion('x'.repeat(10_000))?.text.length, QUESTION_MAX_LENGTH)
    assert.ok(readQuestion(`${'x'.repeat(QUESTION_MAX_LENGTH - 1)}😀`)?.text.isWellFormed())
  })

  it('is an id, in capital letters too', () => {
    const id = '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90'
    assert.equal(readQuestion(` ${id.toUpperCase()} `)?.id, id)
    assert.equal(readQuestion(id.slice(1))?.id, null)
  })

  it('is an amount, as people write it', () => {
    for (const typed of ['1250000', '1.250.000', '$ 1.250.000', '$1,250,000', '1250000,00', 'COP 1.250.000'])
      assert.deepEqual(textsOf(typed, 'amount'), ['125000000'], typed)
    for (const typed of ['$ 1.250.000,50', '1,250,000.50', '1250000.5'])
      assert.deepEqual(textsOf(typed, 'amount'), ['125000050'], typed)
    for (const typed of ['0', '1.25.000', 'mil', '1.250.000.00', '99999999999999999999'])
      assert.equal(textsOf(typed, 'amount'), undefined, typed)
  })

  it('is a document with or without its type, dots and check digit', () => {
    assert.ok(textsOf('1.020.304.050', 'document')?.includes('CO_CC 1020304050'))
    assert.deepEqual(textsOf('CC 1020304050', 'document'), ['CO_CC 1020304050'])
    assert.deepEqual(textsOf('c.c. 1.020.304.050', 'document'), ['CO_CC 1020304050'])
    assert.deepEqual(textsOf('CO_CE:1020304050', 'document'), ['CO_CE 1020304050'])
    assert.deepEqual(textsOf('NIT 900.373.115-3', 'document'), ['CO_NIT 900373115'])
    // Without the dash it may be either.
    assert.deepEqual(textsOf('NIT 9003731153', 'document'), ['CO_NIT 9003731153', 'CO_NIT 900373115'])
    assert.ok(textsOf('AB123456', 'document')?.includes('PASSPORT AB123456'))
    for (const typed of ['cc', '12', 'maria', 'x@example.com', '1'.repeat(25)])
      assert.equal(textsOf(typed, 'document'), undefined, typed)
  })

  it('is a document of the kind that is written before it', () => {
    const kinds: [written: string[], found: string][] = [
      [['CC 12345', 'c.c.12345', 'C. C.: 12345', 'cc12345', 'co_cc 12345'], 'CO_CC 12345'],
      [['CE 12345', 'c.e. 12345', 'ce:12345', 'CO_CE: 12345'], 'CO_CE 12345'],
      [['NIT 12345', 'nit. 12345', 'nit12345', 'co_nit 12345'], 'CO_NIT 12345'],
      [['RFC AB12345', 'rfc: AB12345', 'mxn_rfc AB12345'], 'MXN_RFC AB12345'],
      [
        ['pasaporte AB12345', 'Passport: AB12345', 'pas. AB12345', 'PA AB12345', 'passport AB12345'],
        'PASSPORT AB12345',
      ],
    ]
    for (const [written, found] of kinds)
      for (const typed of written) assert.deepEqual(textsOf(typed, 'document'), [found], typed)
    const any = ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT'].map((type) => `${type} 12345`)
    assert.deepEqual(textsOf('12345', 'document'), any)
  })

  it('is a document of four to twenty-four signs, with a digit, and of a NIT with its check digit or without', () => {
    for (const typed of ['1234', 'A123', '1'.repeat(24)])
      assert.notEqual(textsOf(typed, 'document'), undefined, typed)
    for (const typed of ['123', 'ABCD', '1'.repeat(25), '12_34', '1234@'])
      assert.equal(textsOf(typed, 'document'), undefined)
    assert.deepEqual(textsOf('NIT 9003731154', 'document'), ['CO_NIT 9003731154'])
    assert.deepEqual(textsOf('CC 9003731153', 'document'), ['CO_CC 9003731153'])
  })

  it('is a key, a phone number or a network’s name for a payment only if it is as long as one', () => {
    assert.deepEqual([textsOf('123', 'key'), textsOf('1234', 'key')], [undefined, ['1234']])
    assert.deepEqual([textsOf('123456', 'phone'), textsOf('1234567', 'phone')], [undefined, ['1234567']])
    assert.equal(textsOf('+57 (1) 234-5678', 'phone')?.[0], '5712345678')
    assert.equal(textsOf('1'.repeat(25), 'phone'), undefined)
    assert.deepEqual([textsOf('ab', 'trace'), textsOf('abc', 'trace')], [undefined, ['ABC']])
    assert.deepEqual([textsOf('x'.repeat(101), 'trace'), textsOf('a b', 'trace')], [undefined, undefined])
    assert.equal(textsOf('x'.repeat(100), 'trace')?.[0]?.length, 100)
  })

  it('is answered by one of its texts, or by all of them where it is a name', () => {
    const reading = (match: Reading['match']): Reading => ({ trait: 'name', match, texts: ['ana', 'gomez'] })
    for (const match of ['any', 'begin'] as const) {
      assert.equal(isAnswered(reading(match), ['ana', 'ruiz']), true)
      assert.equal(isAnswered(reading(match), ['eva']), false)
    }
    assert.equal(isAnswered(reading('all'), ['ana', 'ruiz']), false)
    assert.equal(isAnswered(reading('all'), ['gomez', 'ana', 'ruiz']), true)
  })

  it('is a phone number, an e-mail address, a key or a network’s name for a payment', () => {
    assert.deepEqual(textsOf('+57 300 123 4567', 'phone'), ['3001234567'])
    assert.deepEqual(textsOf('300-123-4567', 'phone'), ['3001234567'])
    assert.deepEqual(textsOf(' Ana@Example.COM', 'email'), ['ana@example.com'])
    assert.deepEqual(textsOf('@rc0abcdefghjk', 'key'), ['@RC0ABCDEFGHJK'])
    assert.deepEqual(textsOf('+57 300 123 4567', 'key'), ['3001234567'])
    assert.deepEqual(textsOf('wompi:1-abc', 'trace'), ['1-ABC'])
    assert.equal(traceText('wompi:1-abc'), '1-ABC')
    assert.equal(phoneText('+573001234567'), '3001234567')
  })

  it('is words of a name in any order, without accents or initials', () => {
    assert.deepEqual(textsOf('PÉREZ, José A.', 'name'), ['perez', 'jose'])
    assert.deepEqual(nameWords('Núñez Muñoz núñez'), ['nunez', 'munoz'])
    assert.equal(nameWords('uno dos tres cuatro cinco seis siete ocho nueve diez').length, 8)
    for (const typed of ['1020304050', 'a', 'ana@example.com', '…'])
      assert.equal(textsOf(typed, 'name'), undefined, typed)
  })

  it('is a reference that begins so, once it has three characters', () => {
    const [long] = readQuestion('ORD-1')?.readings ?? []
    assert.deepEqual(long, { trait: 'reference', match: 'begin', texts: ['ord-1'] })
    const [short] = readQuestion('O1')?.readings ?? []
    assert.equal(short?.match, 'any')
  })

  it('of ten digits is all that these may be', () => {
    assert.deepEqual(traitsOf('3001234567').sort(), [
      'amount',
      'document',
      'key',
      'phone',
      'reference',
      'trace',
    ])
  })
})

describe('a word', () => {
  const digest = () => Buffer.alloc(16, 7)

  it('says plainly what stands plain in the row, and a person only by digest', () => {
    const facts = plainFacts({
      reference: 'Order-1',
      amountsInCents: [100n, 90n],
      keyString: '@rcabcde',
      traces: ['placetopay:99', '99'],
    })
    const words = facts.filter(isIndexedSearchText).map((fact) => wordOf('payin', fact, digest))
    assert.deepEqual(words, ['irorder-1', 'ia100', 'ia90', 'ik@RCABCDE', 'it99', 'it99'])
    const hidden = digest().subarray(0, 9).toString('base64url')
    assert.equal(wordOf('paymentlink', { trait: 'name', text: 'ana' }, digest), `ln${hidden}`)
    assert.equal(wordOf('payin', { trait: 'phone', text: '3001234567' }, digest), `ip${hidden}`)
    // A payout's key is its receiver's.
    assert.equal(wordOf('payout', { trait: 'key', text: '3001234567' }, digest), `ok${hidden}`)
    assert.equal(isPersonal('payout', 'key'), true)
    assert.equal(isPersonal('payin', 'key'), false)
  })
})

describe('what somebody is found by', () => {
  const fields = ['Ana Gómez', 'CO_CC', '1.020', '+573001234567', 'Ana@Example.com', '@anagomez', '@Ana']
  const person = [
    ['document', 'CO_CC 1020'],
    ['email', 'ana@example.com'],
    ['phone', '3001234567'],
    ['name', 'ana'],
    ['name', 'gomez'],
  ]
  const factsOf = (resource: 'payin' | 'payout') =>
    personFacts(resource, fields).map(({ trait, text }) => [trait, text])

  it('is their document, address, number and names, and of a receiver the key', () => {
    assert.deepEqual(factsOf('payin'), person)
    assert.deepEqual(factsOf('payout'), [...person, ['key', '@ANAGOMEZ']])
    assert.equal(keyText(' ¿quién? '), '¿QUIÉN?')
    assert.equal(phoneText('+5730012345678'), '5730012345678')
    assert.equal(phoneText('573001234567'), '3001234567')
    assert.equal(phoneText('583001234567'), '583001234567')
    assert.deepEqual(nameWords('Ñ 3M 4 de la Ó'), ['3m', 'de', 'la'])
  })

  it('is digested where it tells of a person, and by a key as that key', () => {
    const asked: unknown[] = []
    const digest = (trait: object) => {
      asked.push(trait)
      return Buffer.alloc(16, 7)
    }
    wordOf('payout', { trait: 'key', text: '@ANA' }, digest)
    wordOf('payin', { trait: 'phone', text: '300' }, digest)
    wordOf('paymentlink', { trait: 'name', text: 'ana' }, digest)
    wordOf('payin', { trait: 'key', text: '@RC1' }, digest)
    assert.deepEqual(asked, [
      { by: 'key', keyString: '@ANA' },
      { by: 'phone', text: '300' },
      { by: 'name', text: 'ana' },
    ])
    for (const trait of ['document', 'email', 'phone', 'name'] as const)
      assert.equal(isPersonal('payin', trait), true, trait)
    for (const trait of ['reference', 'trace', 'amount'] as const)
      assert.equal(isPersonal('payout', trait), false, trait)
    for (const trait of ['document', 'email'] as const)
      assert.equal(isIndexedSearchText({ trait, text: 'x' }), false, trait)
    const plain = { reference: 'R', amountsInCents: [], keyString: null, traces: [] }
    assert.deepEqual(plainFacts(plain), [{ trait: 'reference', text: 'r' }])
  })

  it('comes in this order, what is found in part last, and to those who may read it', () => {
    const order = ['id', 'trace', 'reference', 'key', 'document', 'email', 'phone', 'name', 'url', 'amount']
    assert.deepEqual(
      FOUND_BY.toSorted((a, b) => rankOf(a, true) - rankOf(b, true)),
      order,
    )
    for (const by of FOUND_BY) assert.equal(rankOf(by, false), order.length)
    assert.deepEqual(KIND_SCOPES, {
      ...{
        payin: 'payins:read',
        payout: 'payouts:read',
        paymentlink: 'links:read',
        paymentpage: 'links:read',
      },
      ...{ event: 'events:read', webhookendpoint: 'webhooks:read', transfer: 'ledger:read' },
    })
  })
})

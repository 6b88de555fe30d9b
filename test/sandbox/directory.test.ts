// The directory. Every well-formed key has a holder, always the same one. A prefix marks the keys that misbehave.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nitCheckDigit } from '../../src/core/identity-document.ts'
import { collection, DELAY_MS, startHarness } from './harness.ts'

const path = (keyType: string, key: string) => `/keys/${keyType}/${encodeURIComponent(key)}`

describe('the directory', () => {
  it('has a holder for every well-formed key, and always the same one', async () => {
    await using harness = await startHarness()
    await using other = await startHarness({ seed: 99 })
    const keys = [
      ['M', '3001234567'],
      ['E', 'ana@example.com'],
      ['O', '@ANAGOMEZ'],
      ['NRIC', '52123456'],
      ['NRIC', '3001234567'],
      ['NRIC', 'AB123456'],
      ['B', '0012345678'],
    ] as const
    for (const [keyType, key] of keys) {
      const { status, json } = await harness.breb('GET', path(keyType, key))
      assert.equal(status, 200)
      assert.deepEqual([json.key, json.keyType, json.status], [key, keyType, 'ACTIVE'])
      assert.match(json.person.name, /^\p{Lu}/u)
      assert.match(json.participant.nit, /^[89]\d{8}$/)
      assert.deepEqual((await other.breb('GET', path(keyType, key))).json, json)
    }
  })

  it('answers with the key in the directory’s own spelling', async () => {
    await using harness = await startHarness()
    assert.equal((await harness.breb('GET', path('O', '@anagomez'))).json.key, '@ANAGOMEZ')
    assert.equal((await harness.breb('GET', path('E', 'Ana@Example.com'))).json.key, 'ana@example.com')
  })

  it('lists people by their documents and businesses by their NIT', async () => {
    await using harness = await startHarness()
    const person = (await harness.breb('GET', path('NRIC', '52123456'))).json.person
    assert.deepEqual([person.type, person.idType, person.idNumber], ['N', 'CO_CC', '52123456'])
    const business = (await harness.breb('GET', path('NRIC', '890903938'))).json.person
    assert.deepEqual([business.type, business.idType, business.idNumber], ['L', 'CO_NIT', '890903938-8'])
    const merchant = (await harness.breb('GET', path('B', '0012345678'))).json.person
    const [base = '', digit] = merchant.idNumber.split('-')
    assert.equal(merchant.type, 'L')
    assert.equal(Number(digit), nitCheckDigit(base))
    const types = new Set<string>()
    for (let index = 0; index < 20; index += 1)
      types.add((await harness.breb('GET', path('O', `@TIENDA${index}`))).json.person.type)
    assert.deepEqual([...types].sort(), ['L', 'N'])
    const wallet = (await harness.breb('GET', path('M', '3001234567'))).json.account
    assert.deepEqual(wallet, { type: 'DBMO', number: '3001234567' })
  })

  it('refuses a string that is no key of its type', async () => {
    await using harness = await startHarness()
    const wrong = [
      ['M', '6011234567'],
      ['E', 'ana'],
      ['O', '@AB'],
      ['B', '1112345678'],
      ['NRIC', '52.123.456'],
      ['ID', '52123456'],
    ] as const
    for (const [keyType, key] of wrong) {
      const { status, json } = await harness.breb('GET', path(keyType, key))
      assert.deepEqual([status, json.status, json.code], [400, 'ERROR', 'DIFE-5005'], key)
    }
  })

  it('has keys that do not exist, are suspended, or bring it down', async () => {
    await using harness = await startHarness()
    const cases = [
      ['@NOEXISTE123', 404, 'DIFE-0004'],
      ['@SUSPENDIDA1', 422, 'DIFE-0005'],
      ['@CAIDA1', 503, 'DIFE-9999'],
    ] as const
    for (const [key, expected, code] of cases) {
      const { status, json } = await harness.breb('GET', path('O', key))
      assert.deepEqual([status, json.status, json.code], [expected, 'ERROR', code])
    }
  })

  it('answers for a slow key after ten seconds of its clock', async () => {
    await using harness = await startHarness()
    let answered = false
    const slow = harness.breb('GET', path('O', '@LENTA1')).then((reply) => {
      answered = true
      return reply
    })
    await harness.breb('GET', path('O', '@RAPIDA1'))
    await harness.sandbox.advance(9_999)
    await harness.breb('GET', path('O', '@RAPIDA1'))
    assert.equal(answered, false)
    await harness.sandbox.advance(1)
    assert.equal((await slow).status, 200)
  })

  it('names the merchant behind the key of an open collection, and nobody once it has ended', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection(null, { key: '@RCMERCHANT' }))
    const found = await harness.breb('GET', path('O', '@RCMERCHANT'))
    assert.deepEqual([found.json.person.type, found.json.person.name], ['L', 'Café La Palma'])
    await harness.sandbox.advance(DELAY_MS)
    const gone = await harness.breb('GET', path('O', '@RCMERCHANT'))
    assert.deepEqual([gone.status, gone.json.code], [404, 'DIFE-0004'])
  })
})

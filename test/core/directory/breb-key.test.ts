import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type KeyType,
  maskEmail,
  maskKey,
  maskName,
  maskNumber,
  parseBrebKey,
  singleUseKey,
} from '../../../src/core/directory/breb-key.ts'

const examples: [written: string, keyString: string, keyType: KeyType][] = [
  ['3001234567', '3001234567', 'PHONE'],
  ['+57 300 123 4567', '3001234567', 'PHONE'],
  ['573001234567', '3001234567', 'PHONE'],
  ['300-123-4567', '3001234567', 'PHONE'],
  ['+57.300.123.4567', '3001234567', 'PHONE'],
  ['21482961', '21482961', 'DOCUMENT'],
  ['21.482.961', '21482961', 'DOCUMENT'],
  ['900123456-8', '9001234568', 'DOCUMENT'],
  ['av 123456', 'AV123456', 'DOCUMENT'],
  ['57300123456', '57300123456', 'DOCUMENT'],
  ['2001234567', '2001234567', 'DOCUMENT'],
  ['User@Example.com', 'user@example.com', 'EMAIL'],
  [' ana.gomez+pagos@correo.com.co ', 'ana.gomez+pagos@correo.com.co', 'EMAIL'],
  ['@user123', '@USER123', 'ALPHANUMERIC'],
  ['@ USER 123', '@USER123', 'ALPHANUMERIC'],
  ['@3001234567', '@3001234567', 'ALPHANUMERIC'],
  ['@ABCDEFGHIJKLMNOPQRST', '@ABCDEFGHIJKLMNOPQRST', 'ALPHANUMERIC'],
  ['0012345678', '0012345678', 'MERCHANT_CODE'],
  ['00 1234 5678', '0012345678', 'MERCHANT_CODE'],
]
for (const [written, keyString, keyType] of examples) {
  test(`"${written}" is the ${keyType} key ${keyString}`, () => {
    assert.deepEqual(parseBrebKey(written), { keyString, keyType })
  })
}

const noKeys = [
  '',
  '   ',
  '@',
  '@ABCD',
  '@ABCDEFGHIJKLMNOPQRSTU',
  '@USER-123',
  '@ÑANDU1',
  'ana@',
  'ana@correo com_co',
  'ana@gomez@correo.com',
  `${'a'.repeat(31)}@correo.com`,
  `ana@${'a'.repeat(62)}`,
  'a\u0000a@correo.com',
  '+573001234',
  '+582001234567',
  '1234567890123456789',
  'hola, mundo',
  '3001234567;',
  '---',
]
for (const written of noKeys) {
  test(`${JSON.stringify(written)} is no key`, () => assert.equal(parseBrebKey(written), undefined))
}

test('no text makes the reader throw, and a canonical key reads as itself', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[ @+.\-0-9A-Za-z]{0,25}$/),
    fc.stringMatching(/^\+?57 ?3[0-9 .-]{9,14}$/),
    fc.stringMatching(/^[^\s]{1,30}@[A-Za-z0-9.-]{1,61}$/),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const key = parseBrebKey(text)
      if (key !== undefined) assert.deepEqual(parseBrebKey(key.keyString), key)
    }),
    { numRuns: 2_000 },
  )
})

test('spaces and case never change which key it is', () => {
  const written = fc.stringMatching(
    /^(@[A-Za-z0-9]{5,20}|[a-z]{1,30}@[a-z]{1,20}|3[0-9]{9}|[A-Za-z0-9]{1,18})$/,
  )
  fc.assert(
    fc.property(written, fc.nat(40), (text, at) => {
      const key = parseBrebKey(text)
      assert.ok(key)
      assert.deepEqual(parseBrebKey(`${text.slice(0, at)} ${text.slice(at)}\t`.toUpperCase()), key)
    }),
  )
})

const uuidV7 = fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

test('a single-use key is made of the low 60 bits of its payin', () => {
  assert.equal(singleUseKey('01890a5d-ac96-774b-8000-000000000000'), '@RC000000000000')
  assert.equal(singleUseKey('01890a5d-ac96-774b-bfff-ffffffffffff'), '@RCZZZZZZZZZZZZ')
  assert.equal(singleUseKey('01890a5d-ac96-774b-8000-000000000021'), '@RC000000000011')
  assert.equal(singleUseKey('01890A5D-AC96-774B-BFFF-FFFFFFFFFFFF'), '@RCZZZZZZZZZZZZ')
})

test('a single-use key is a canonical alphanumeric key that decodes to the 60 bits', () => {
  fc.assert(
    fc.property(uuidV7, (payinId) => {
      const key = singleUseKey(payinId)
      assert.match(key, /^@[A-Z0-9]{5,20}$/)
      assert.deepEqual(parseBrebKey(key), { keyString: key, keyType: 'ALPHANUMERIC' })
      const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
      const bits = [...key.slice(3)].reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n)
      assert.equal(bits, BigInt(`0x${payinId.replaceAll('-', '').slice(-15)}`))
    }),
  )
})

test('a single-use key of anything but a UUIDv7 is a bug', () => {
  for (const text of [
    '',
    'x',
    '01890a5d-ac96-474b-8000-000000000000',
    '01890a5d-ac96-774b-c000-000000000000',
  ]) {
    assert.throws(() => singleUseKey(text), text)
  }
})

test('a masked name shows three letters of each word', () => {
  assert.equal(maskName('Ana María Gómez'), 'Ana*** Mar*** Góm***')
  assert.equal(maskName('  Juan   de la Peña '), 'Jua*** de*** la*** Peñ***')
  assert.equal(maskName('Gómez'.normalize('NFD')), 'Góm***')
  assert.equal(maskName(''), '')
})

test('a masked number shows its last four characters, and a short one nothing', () => {
  assert.equal(maskNumber('1012345678'), '******5678')
  assert.equal(maskNumber('12345'), '*2345')
  assert.equal(maskNumber('1234'), '****')
  assert.equal(maskNumber(''), '')
})

test('a masked e-mail address shows its first letter and its domain, and what is none is masked as a number', () => {
  assert.equal(maskEmail('ana@example.com'), 'a***@example.com')
  assert.equal(maskEmail('a@example.com'), 'a***@example.com')
  assert.equal(maskEmail('ana@x@example.com'), 'a***@example.com')
  assert.equal(maskEmail('@example.com'), '********.com')
  assert.equal(maskEmail('anagomez'), '****omez')
  assert.deepEqual(['@ANAGOMEZ', 'ana@example.com', '3001234567'].map(maskKey), [
    '@ANA***',
    'a***@example.com',
    '******4567',
  ])
})

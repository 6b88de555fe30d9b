import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crcHex, type EmvCharge, emvPayload, readEmvPayload } from '../../src/core/emv-qr.ts'

// Made by another program, with the laboratory network id LAB.
const DYNAMIC_VECTOR =
  '00020101021226350014CO.COM.LAB.LLA0413@DEMO0000000149250014CO.COM.LAB.RED0103LAB5204000053031705406100.005802CO' +
  '5913COMERCIO DEMO6006BOGOTA62180708WEB0000108020080290016CO.COM.LAB.CANAL0105ECOMM90430016CO.COM.LAB.TRXID' +
  '01190000000000000000001630403FF'
const STATIC_VECTOR =
  '00020101021126320014CO.COM.LAB.LLA0210300123456749250014CO.COM.LAB.RED0103LAB5204000053031705802CO' +
  '5913COMERCIO DEMO6006BOGOTA62180708WEB0000108020080290016CO.COM.LAB.CANAL0105ECOMM90300016CO.COM.LAB.TRXID' +
  '010600000063041842'

const charge: EmvCharge = {
  key: '@DEMO00000001',
  amountInCents: 10_000n,
  merchantName: 'Comercio Demo',
  merchantCity: 'Bogotá',
  transactionId: '0000000000000000001',
}
/** Closes a payload with its CRC. */
const signed = (unsigned: string) => `${unsigned}6304${crcHex(`${unsigned}6304`)}`
const fieldsOf = (payload: string) => {
  const reading = readEmvPayload(payload)
  assert.ok(reading.ok, `not read: ${payload}`)
  return reading.fields
}
const reasonOf = (payload: string) => {
  const reading = readEmvPayload(payload)
  return reading.ok ? 'read' : reading.reason
}

test('the CRC is CRC-16/CCITT-FALSE', () => {
  assert.equal(crcHex('123456789'), '29B1')
  assert.equal(crcHex(''), 'FFFF')
})

test('the dynamic vector is built to the letter', () => {
  assert.equal(emvPayload({ ...charge, networkId: 'LAB', terminal: 'WEB00001' }), DYNAMIC_VECTOR)
})

test('the dynamic vector reads as one charge of 100.00', () => {
  assert.deepEqual(fieldsOf(DYNAMIC_VECTOR), {
    key: '@DEMO00000001',
    keyType: 'ALPHANUMERIC',
    amountInCents: 10_000n,
    merchantName: 'COMERCIO DEMO',
    merchantCity: 'BOGOTA',
    transactionId: '0000000000000000001',
    dynamic: true,
  })
})

test('the static vector reads as a phone key without an amount', () => {
  assert.deepEqual(fieldsOf(STATIC_VECTOR), {
    key: '3001234567',
    keyType: 'PHONE',
    amountInCents: null,
    merchantName: 'COMERCIO DEMO',
    merchantCity: 'BOGOTA',
    transactionId: '000000',
    dynamic: false,
  })
})

test('the tags are in order and carry the laboratory network’s id', () => {
  const tags: string[] = []
  const payload = emvPayload(charge)
  for (let at = 0; at < payload.length; at += 4 + Number(payload.slice(at + 2, at + 4))) {
    tags.push(payload.slice(at, at + 2))
  }
  assert.deepEqual(tags, ['00', '01', '26', '49', '52', '53', '54', '58', '59', '60', '62', '80', '90', '63'])
  assert.match(payload, /0014CO\.COM\.RCD\.LLA/)
})

test('a name or a city is written in upper-case ASCII and cut to its limit', () => {
  const named = (merchantName: string) => fieldsOf(emvPayload({ ...charge, merchantName })).merchantName
  assert.equal(named('Panadería Ñandú & Cía'), 'PANADERIA NANDU & CIA')
  assert.equal(named('Comercializadora del Valle del Cauca'), 'COMERCIALIZADORA DEL VALL')
  assert.equal(named('Distribuidora Don Manuel de Cali'), 'DISTRIBUIDORA DON MANUEL')
  assert.equal(named('Café\u0000☕\tSol'), 'CAFE SOL')
  assert.equal(named('日本'), 'COMERCIO')
  assert.equal(named(''), 'COMERCIO')
  const city = (merchantCity: string) => fieldsOf(emvPayload({ ...charge, merchantCity })).merchantCity
  assert.equal(city('San José del Guaviare'), 'SAN JOSE DEL GU')
  assert.equal(city(' '), 'BOGOTA')
})

test('a charge that cannot be written is a bug, not a broken code', () => {
  assert.throws(() => emvPayload({ ...charge, key: '@' }))
  assert.throws(() => emvPayload({ ...charge, key: 'josé@correo.com' }))
  assert.throws(() => emvPayload({ ...charge, amountInCents: 0n }))
  assert.throws(() => emvPayload({ ...charge, amountInCents: 1_000_000_000_000n }))
  assert.throws(() => emvPayload({ ...charge, transactionId: '' }))
  assert.throws(() => emvPayload({ ...charge, transactionId: '1'.repeat(20) }))
  assert.throws(() => emvPayload({ ...charge, networkId: 'rcd' }))
})

test('each kind of key has its own sub-tag, in writing and in reading', () => {
  const kinds: [key: string, written: string, keyType: string][] = [
    ['1020304050', '01101020304050', 'DOCUMENT'],
    ['3001234567', '02103001234567', 'PHONE'],
    ['ana@correo.co', '0313ana@correo.co', 'EMAIL'],
    ['@ANA12', '0406@ANA12', 'ALPHANUMERIC'],
    ['0012345678', '05100012345678', 'MERCHANT_CODE'],
  ]
  for (const [key, written, keyType] of kinds) {
    const payload = emvPayload({ ...charge, key })
    assert.ok(payload.includes(`0014CO.COM.RCD.LLA${written}49`), payload)
    const fields = fieldsOf(payload)
    assert.deepEqual([fields.key, fields.keyType], [key, keyType])
  }
})

test('a charge may be as large and as long as its fields', () => {
  const amountOf = (amountInCents: bigint) => {
    const payload = emvPayload({ ...charge, amountInCents })
    return [/5303170(54.*)5802CO/.exec(payload)?.[1], fieldsOf(payload).amountInCents]
  }
  assert.deepEqual(amountOf(1n), ['54040.01', 1n])
  assert.deepEqual(amountOf(999_999_999_999n), ['54139999999999.99', 999_999_999_999n])
  for (const networkId of ['LABS', 'LAB'])
    assert.ok(emvPayload({ ...charge, networkId }).includes(`CO.COM.${networkId}.LLA`))
  for (const networkId of ['LA', 'LABSX', 'LA1'])
    assert.throws(() => emvPayload({ ...charge, networkId }), networkId)
  assert.equal(
    fieldsOf(emvPayload({ ...charge, transactionId: '1'.repeat(19) })).transactionId,
    '1'.repeat(19),
  )
  for (const transactionId of ['a-b', 'ñ']) assert.throws(() => emvPayload({ ...charge, transactionId }))
  assert.match(emvPayload({ ...charge, terminal: 'T'.repeat(89) }), /62990789T{89}0802/)
})

test('tags and sub-tags may come in any order', () => {
  const shuffled = signed(
    '000201' +
      '90300106A1B2C30016CO.COM.RBM.TRXID' +
      '5802CO' +
      '5303170' +
      '26320210300123456700' +
      '14CO.COM.RBM.LLA' +
      '6006BOGOTA' +
      '010212',
  )
  assert.deepEqual(fieldsOf(shuffled), {
    key: '3001234567',
    keyType: 'PHONE',
    amountInCents: null,
    merchantName: '',
    merchantCity: 'BOGOTA',
    transactionId: 'A1B2C3',
    dynamic: true,
  })
})

const plain = '0002015303170'
const phone = '26320014CO.COM.RBM.LLA02103001234567'

test('an amount has no, one or two decimals', () => {
  const amountOf = (amount: string) =>
    fieldsOf(signed(`${plain}${phone}54${String(amount.length).padStart(2, '0')}${amount}`)).amountInCents
  assert.equal(amountOf('1356'), 135_600n)
  assert.equal(amountOf('1356.5'), 135_650n)
  assert.equal(amountOf('100.53'), 10_053n)
  assert.equal(amountOf('0.01'), 1n)
})

test('an amount of any other form is refused', () => {
  for (const amount of ['1.234', '1,5', '-1', 'abc', '1e3', '.5', ' 1']) {
    const payload = signed(`${plain}${phone}54${String(amount.length).padStart(2, '0')}${amount}`)
    assert.equal(reasonOf(payload), 'AMOUNT_INVALID', amount)
  }
})

test('a payload may be as long as the largest code, and says no more than it has', () => {
  const padded = (length: number) => {
    const filler = length - `000201${plain.slice(6)}${phone}63041234`.length
    let chain = ''
    for (let tag = 64, left = filler; left > 0; tag += tag === 89 ? 2 : 1) {
      const size = Math.min(99, left - 4)
      chain += `${tag}${String(size).padStart(2, '0')}${'x'.repeat(size)}`
      left -= 4 + size
    }
    return signed(`${plain}${phone}${chain}`)
  }
  assert.equal(padded(2_953).length, 2_953)
  assert.equal(reasonOf(padded(2_953)), 'read')
  assert.equal(reasonOf(`${padded(2_953)}1`), 'NOT_EMV')
  const bare = fieldsOf(signed(`${plain}${phone}`))
  assert.deepEqual(bare, {
    ...{ key: '3001234567', keyType: 'PHONE', amountInCents: null, merchantName: '', merchantCity: '' },
    ...{ transactionId: null, dynamic: false },
  })
})

test('what is broken in one of its chains is malformed as a whole', () => {
  const chains = [
    '5',
    '5802',
    '58',
    '5803CO',
    '58xxCO',
    'x802CO',
    '5802CO5802CO',
    '26',
    '9003001',
    '90050002x',
  ]
  for (const chain of chains) assert.equal(reasonOf(signed(`${plain}${chain}`)), 'MALFORMED', chain)
  const otherEnd = `${plain}${phone}6404`
  assert.equal(reasonOf(`${otherEnd}${crcHex(otherEnd)}`), 'MALFORMED')
  const wrongCrc = signed(`${plain}${phone}`).slice(0, -4)
  assert.equal(reasonOf(`${wrongCrc}0000`), 'CRC_MISMATCH')
  assert.equal(reasonOf(signed(`${plain}26260014CO.COM.RBM.LLX02041234`)), 'NO_KEY')
})

test('what is not a Colombian payload with one key is refused with its reason', () => {
  assert.equal(reasonOf(''), 'NOT_EMV')
  assert.equal(reasonOf('https://example.com'), 'NOT_EMV')
  assert.equal(reasonOf('000201'), 'MALFORMED')
  assert.equal(reasonOf(`000201${'9'.repeat(3_000)}`), 'NOT_EMV')
  assert.equal(reasonOf(STATIC_VECTOR.slice(0, -8)), 'MALFORMED')
  assert.equal(reasonOf(signed(`${plain}${phone}5899CO`)), 'MALFORMED')
  assert.equal(reasonOf(signed(`${plain}${phone}5303170`)), 'MALFORMED')
  assert.equal(reasonOf(signed(`0002015303986${phone}`)), 'NOT_COP')
  assert.equal(reasonOf(signed(`000201${phone}`)), 'NOT_COP')
  assert.equal(reasonOf(signed(plain)), 'NO_KEY')
  assert.equal(reasonOf(signed(`${plain}26280014br.gov.bcb.pix0106123456`)), 'NO_KEY')
  assert.equal(reasonOf(signed(`${plain}26180014CO.COM.RBM.LLA`)), 'NO_KEY')
  assert.equal(reasonOf(signed(`${plain}26380014CO.COM.RBM.LLA01021202103001234567`)), 'NO_KEY')
})

test('a CRC in lower case and blanks around the payload are tolerated', () => {
  assert.ok(readEmvPayload(` ${DYNAMIC_VECTOR.slice(0, -4)}03ff\n`).ok)
})

const anyCharge: fc.Arbitrary<EmvCharge> = fc.record({
  key: fc.stringMatching(
    /^(@[A-Z0-9]{5,20}|3[0-9]{9}|00[0-9]{8}|[A-Z][A-Z0-9]{0,17}|[a-z0-9.]{1,30}@[a-z0-9.-]{1,61})$/,
  ),
  amountInCents: fc.bigInt(1n, 999_999_999_999n),
  merchantName: fc.string({ unit: 'binary' }),
  merchantCity: fc.string({ unit: 'grapheme' }),
  transactionId: fc.stringMatching(/^[A-Za-z0-9]{1,19}$/),
})

test('every payload reads back to what was charged, in printable ASCII', () => {
  fc.assert(
    fc.property(anyCharge, (any) => {
      // An e-mail of 78 characters and more does not fit the two-digit length of the template around it.
      fc.pre(any.key.length <= 77)
      const payload = emvPayload(any)
      assert.match(payload, /^[\x20-\x7e]+$/)
      assert.equal(payload.slice(-4), crcHex(payload.slice(0, -4)))
      const fields = fieldsOf(payload)
      assert.equal(fields.key, any.key)
      assert.equal(fields.amountInCents, any.amountInCents)
      assert.equal(fields.transactionId, any.transactionId)
      assert.equal(fields.dynamic, true)
      assert.match(fields.merchantName, /^\S(.{0,23}\S)?$/)
      assert.match(fields.merchantCity, /^\S(.{0,13}\S)?$/)
    }),
    { numRuns: 500 },
  )
})

test('one changed character is always detected', () => {
  fc.assert(
    fc.property(anyCharge, fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), (any, where, code) => {
      fc.pre(any.key.length <= 77)
      const payload = emvPayload(any)
      const at = where % payload.length
      const changed = payload.slice(0, at) + String.fromCharCode(code) + payload.slice(at + 1)
      // The case of the CRC's letters carries no information.
      fc.pre(
        changed.slice(-4).toUpperCase() !== payload.slice(-4) ||
          changed.slice(0, -4) !== payload.slice(0, -4),
      )
      assert.equal(readEmvPayload(changed).ok, false)
    }),
    { numRuns: 1_000 },
  )
})

test('no text makes the reader throw', () => {
  const almost = fc
    .array(fc.stringMatching(/^(26|53|54|90|00|01)[0-9]{2}[ -~]{0,20}$/))
    .map((chain) => signed(`000201${chain.join('')}`))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), almost), (text) => {
      readEmvPayload(text)
    }),
    { numRuns: 2_000 },
  )
})

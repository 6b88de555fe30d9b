// What is stored of answers and events comes back byte for byte, whatever a merchant wrote into it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { packText, unpackText } from '../../../src/core/events/packed-text.ts'

const PACKED_SINCE = 58

const payin = (fields: Record<string, unknown> = {}, sourceData: Record<string, unknown> = QR): string =>
  JSON.stringify({
    id: '01a1eda1-1395-7170-aa2b-e672f006edfc',
    amount: 50_000,
    amountInCents: 5_000_000,
    confirmedAmount: null,
    confirmedAmountInCents: null,
    currency: 'COP',
    status: 'PROCESSING',
    settlementStatus: null,
    rail: 'BRE_B',
    reference: 'order-1',
    description: null,
    metadata: null,
    paymentLinkId: null,
    inlineCustomer: null,
    errorCode: null,
    createdAt: '2026-11-18T07:48:38.933Z',
    updatedAt: '2026-11-18T07:48:38.933Z',
    expiresAt: '2026-11-18T08:03:38.933Z',
    resultAt: null,
    chargebackAt: null,
    chargebackAmountInCents: null,
    refundedAmountInCents: 0,
    organizationId: '01a1eda0-dfd0-7319-930c-2336e766bfd4',
    ...fields,
    sourceData,
    callbackUrl: null,
  })

const PAYLOAD =
  '00020101021226370014CO.COM.RCD.LLA0415@RCMAZ6EBR0DVFW49250014CO.COM.RCD.RED0103RCD520400005303170540850000.005802CO' +
  '5913CAFE LA PALMA6006BOGOTA62130703WEB08020080290016CO.COM.RCD.CANAL0105ECOMM90380016CO.COM.RCD.TRXID0114RCMAZ6EBR0DVFW6304DC50'
const QR = {
  keyType: 'QR_CODE',
  keyString: '@RCMAZ6EBR0DVFW',
  qrString: `qr:${PAYLOAD}`,
  qrPayload: PAYLOAD,
  checkoutUrl: 'https://pay.example/pay/AaHtoN_QcxmTDCM252a',
}

describe('packed texts', () => {
  it('a payin of every kind is stored as its values alone', () => {
    const kinds = [
      payin(),
      payin({}, { keyType: 'SINGLE_USE', keyString: '@RCMAZ6EBR0DVFW', checkoutUrl: QR.checkoutUrl }),
      payin({ rail: 'PSE' }, { bank: 'CO_BOGOTA', pseUrl: QR.checkoutUrl }),
    ]
    const codes = kinds.map((text) => {
      const packed = packText(text, PACKED_SINCE)
      assert.equal(unpackText(packed), text)
      assert.ok(packed.length < text.length / 2, `${packed.length} of ${text.length}`)
      return packed.slice(0, 2)
    })
    assert.deepEqual(codes, ['\u0001a', '\u0001b', '\u0001c'])
  })

  // A shape is never changed: databases hold texts that are read by it.
  it('what was written before is read', () => {
    const stored =
      '\u0001aid-1\u000210\u00021000\u0002\u0002\u0002PROCESSING\u0002\u0002\u0004\u0002\u0002\u0002\u0002{"sealed":"1.x"}\u0002' +
      '\u0002t1\u0002\u0003\u0002t3\u0002\u0002\u0002\u00020\u0002org\u0002@K\u0002' +
      '\u000537\u00060415@K\u0006041.00\u000608COMERCIO\u000638\u000602K1\u0006ABCD\u0002\u0003\u0002http://x\u0002'
    const payload =
      '00020101021226370014CO.COM.RCD.LLA0415@K49250014CO.COM.RCD.RED0103RCD52040000530317054041.005802CO5908COMERCIO' +
      '6006BOGOTA62130703WEB08020080290016CO.COM.RCD.CANAL0105ECOMM90380016CO.COM.RCD.TRXID0102K16304ABCD'
    assert.equal(
      unpackText(stored),
      '{"id":"id-1","amount":10,"amountInCents":1000,"confirmedAmount":null,"confirmedAmountInCents":null,"currency":"COP",' +
        '"status":"PROCESSING","settlementStatus":null,"rail":"BRE_B","reference":"","description":null,"metadata":null,' +
        '"paymentLinkId":null,"inlineCustomer":{"sealed":"1.x"},"errorCode":null,"createdAt":"t1","updatedAt":"t1",' +
        '"expiresAt":"t3","resultAt":null,"chargebackAt":null,"chargebackAmountInCents":null,"refundedAmountInCents":0,' +
        '"organizationId":"org","sourceData":{"keyType":"QR_CODE","keyString":"@K",' +
        `"qrString":"qr:${payload}","qrPayload":"${payload}","checkoutUrl":"http://x"},"callbackUrl":null}`,
    )
    assert.equal(packText(unpackText(stored), PACKED_SINCE), stored, 'and written so again')
    const others = ['\u0001b', '\u0001c'].map((code, at) => unpackText(code + '\u0002'.repeat(24 - at)))
    assert.deepEqual(
      others.map((text) => text.slice(text.indexOf('"sourceData"'))),
      [
        '"sourceData":{"keyType":"null","keyString":null,"checkoutUrl":"null"},"callbackUrl":null}',
        '"sourceData":{"bank":"null","pseUrl":"null"},"callbackUrl":null}',
      ],
    )
  })

  it('any text comes back as it was', () => {
    const piece = fc.constantFrom(
      ...[
        '\u0001',
        '\u0002',
        '\u0003',
        '\u0004',
        '\u0005',
        '\u0006',
        '0',
        'a',
        'null',
        '"',
        '\\',
        '◦',
        '▫',
        'ñ',
        '🙂',
      ],
      ...['","description":', '","qrPayload":"', '6304', PAYLOAD],
    )
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }).map((pieces) => pieces.join(''))
    const fields = fc.record({
      reference: text,
      status: text,
      description: fc.option(text),
      inlineCustomer: fc.json(),
    })
    const payload = fc.oneof(text, fc.constant(PAYLOAD))
    const source = fc.record({ keyString: text, qr: payload, qrPayload: payload, checkoutUrl: text })
    fc.assert(
      fc.property(text, fields, source, (any, changed, { keyString, qr, qrPayload, checkoutUrl }) => {
        const sourceData = { keyType: 'QR_CODE', keyString, qrString: `qr:${qr}`, qrPayload, checkoutUrl }
        for (const written of [any, payin(changed, sourceData), payin(changed, sourceData) + any])
          for (const reader of [PACKED_SINCE - 1, PACKED_SINCE])
            assert.equal(unpackText(packText(written, reader)), written)
      }),
      { numRuns: 300 },
    )
  })

  it('a text with a sign of ours is stored as it is, and marked only where it begins like one of ours', () => {
    assert.equal(packText('a\u0002b', PACKED_SINCE), 'a\u0002b')
    assert.equal(packText('\u0001b', PACKED_SINCE), '\u00010\u0001b')
    assert.equal(packText('{}', PACKED_SINCE), '{}')
  })

  it('nothing is packed that an earlier version may have to read', () => {
    assert.equal(packText(payin(), PACKED_SINCE - 1), payin())
  })

  it('a text of a shape that is not known, or with another number of values, is refused and not guessed', () => {
    assert.throws(() => unpackText('\u0001~x'), /the shape ~, which a newer version made/)
    const packed = packText(payin(), PACKED_SINCE)
    for (const broken of [packed.slice(0, packed.lastIndexOf('\u0002')), `${packed}\u0002`])
      assert.throws(() => unpackText(broken), /is not whole/)
  })
})

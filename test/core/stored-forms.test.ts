// What is stored, or printed on paper, is found and opened by every later version: seals, tokens, digests and names have the forms
// that they had.

import assert from 'node:assert/strict'
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import { subjectIdOf } from '../../src/core/organizations/abuse.ts'
import { signingKeyLabel } from '../../src/core/organizations/signing-key.ts'
import { openPayinPageToken, payinPageToken } from '../../src/core/payins/page-token.ts'
import { rowsDigest } from '../../src/core/payout-batches/rows-digest.ts'
import {
  dataKeyOf,
  indexKeyOf,
  objectOf,
  sealedTextOpener,
  sealerOf,
} from '../../src/core/people/seal-text.ts'
import { evidenceAddressTag, type PersonTrait, personDigest, traitsOf } from '../../src/core/people/search.ts'
import {
  readReceiptId,
  receiptIdOf,
  signedBytes,
  unsignedStatement,
} from '../../src/core/receipts/statement.ts'
import { openRefundClaimToken, refundClaimToken } from '../../src/core/refunds/claim-token.ts'
import {
  deriveKeys,
  isSealedWithCurrent,
  openSecret,
  openToken,
  sealSecret,
  sealToken,
} from '../../src/core/seal.ts'
import { accountSubject, addressSubject } from '../../src/core/team/lock.ts'
import { userHandleOf } from '../../src/core/team/passkey.ts'
import { recoveryCodes, recoveryDigest } from '../../src/core/team/recovery-codes.ts'
import { uuidBytes } from '../../src/core/uuid-token.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const ID = '0199a0b0-0000-7000-8000-000000000002'
const counting = (length: number) => Buffer.from(Array.from({ length }, (_, at) => at))
const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('under the same SECRETS_KEY', () => {
  const keys = deriveKeys(counting(32), Buffer.alloc(32, 7))

  it('keys have these ids, and tokens and secrets these forms', () => {
    assert.deepEqual(keys.keyIds, ['d26419637b7b7851', '8cdb463213df640f'])
    const token = 'cGF5bG9hZF5FO4MHkN5uOsaqTvNOfDM'
    assert.equal(sealToken(keys.page, Buffer.from('payload'), 'context'), token)
    assert.deepEqual(openToken(keys.page, token, 'context'), Buffer.from('payload'))
    const sealed = Buffer.from('000102030405060708090a0b7135f2f5713260dfe1435e0e771ca32ab4718984fda6', 'hex')
    assert.deepEqual(sealSecret(keys.rest, Buffer.from('secret'), 'label', counting(12)), sealed)
    assert.deepEqual(openSecret(keys.rest, sealed, 'label'), Buffer.from('secret'))
  })

  it('a secret is sealed with the key that seals now, or with another', () => {
    const sealed = sealSecret(keys.rest, Buffer.from('secret'), 'label', counting(12))
    assert.equal(isSealedWithCurrent(keys.rest, sealed, 'label'), true)
    assert.equal(isSealedWithCurrent(keys.rest, sealed, 'other'), false)
    const later = deriveKeys(Buffer.alloc(32, 7), counting(32))
    assert.equal(isSealedWithCurrent(later.rest, sealed, 'label'), false)
    assert.deepEqual(openSecret(later.rest, sealed, 'label'), Buffer.from('secret'))
    for (const length of [0, 27, 28, sealed.length - 1])
      assert.equal(openSecret(keys.rest, sealed.subarray(0, length), 'label'), undefined, `${length} bytes`)
  })

  it('pages of payers have these addresses', () => {
    const payin = 'AZmgsAAAcACAAAAAAAAAAQGZoLAAAHAAgAAAAAAAAAIqdyulP3iIvxpt0KbLcrJD'
    const refund = 'AZmgsAAAcACAAAAAAAAAAQGZoLAAAHAAgAAAAAAAAALQRGkmf3PChSwRmZ1sY7w2'
    const ofPayin = { organizationId: ORGANIZATION_ID, payinId: ID }
    const ofRefund = { organizationId: ORGANIZATION_ID, refundId: ID }
    assert.equal(payinPageToken(keys.page, ofPayin), payin)
    assert.deepEqual(openPayinPageToken(keys.page, payin), ofPayin)
    assert.equal(refundClaimToken(keys.page, ofRefund), refund)
    assert.deepEqual(openRefundClaimToken(keys.page, refund), ofRefund)
  })
})

describe('under the same data key', () => {
  const dataKey = dataKeyOf(3, createSecretKey(counting(32)))
  const organization = uuidBytes(ORGANIZATION_ID)
  const FIELDS = ['Ana', 'CO_CC', '1']
  const FIRST = 'AAMBmaCwAABwAIAAAAAAAAACAAECAwQFBgcICQoLDA0AACdCim-HlQfAHGOqRvq8Eea_8_eusNI0SnxuH0W1pGdF2wtH'
  const SECOND =
    'AAMBmaCwAABwAIAAAAAAAAACAAECAwQFBgcICQoLDA0AAo_qC33eq4Rn8kgJOX20G-YQTSIJZnaf9X2eBxzvkz-vlmUZ'

  it('people are sealed in this form, one behind the other', () => {
    const seal = sealerOf(dataKey, organization, counting)
    assert.deepEqual([seal(ID, FIELDS), seal(ID, FIELDS)], [FIRST, SECOND])
    const long = seal(ID, ['x'.repeat(5_000)])
    assert.equal(
      createHash('sha256').update(long).digest('hex'),
      'b9d50f3ba0ac7d7e78c5d99f549c0757ad1fbb2ce780f58a48e02f21f8fab844',
    )
    const open = sealedTextOpener([dataKey], organization)
    for (const sealed of [SECOND, FIRST, long, SECOND]) assert.equal(objectOf(sealed), ID)
    assert.deepEqual(
      [SECOND, FIRST, SECOND].map((sealed) => open(sealed, ID)),
      [FIELDS, FIELDS, FIELDS],
    )
    assert.deepEqual(open(long), ['x'.repeat(5_000)])
  })

  it('they are found by these digests', () => {
    const indexKey = indexKeyOf(dataKey)
    assert.equal(indexKey.toString('hex'), '8eb2e9253f730b25896fca39de71e89c1af355b244250b63ec60af6a230d5a2c')
    const traits: [PersonTrait, string][] = [
      [{ by: 'document', idType: 'CO_NIT', idNumber: '900.123.456-8' }, 'document\0CO_NIT 900123456'],
      [{ by: 'document', idType: 'PASSPORT', idNumber: 'ab-12' }, 'document\0PASSPORT AB12'],
      [{ by: 'email', email: ' Ana@Example.com' }, 'email\0ana@example.com'],
      [{ by: 'key', keyString: '@ANA' }, 'key\0@ANA'],
      [{ by: 'phone', text: '3001234567' }, 'phone\x003001234567'],
      [{ by: 'name', text: 'ana' }, 'name\0ana'],
    ]
    const digest = (text: string) => createHmac('sha256', indexKey).update(text).digest().subarray(0, 16)
    for (const [trait, text] of traits) assert.deepEqual(personDigest(indexKey, trait), digest(text), text)
    assert.equal(evidenceAddressTag(indexKey, ID), digest(`address\0${ID}`).toString('base64url'))
    const customer = { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '3', email: 'a@b.co' }
    const document = { by: 'document', idType: 'CO_CC', idNumber: '1' }
    assert.deepEqual(traitsOf(customer), [document, { by: 'email', email: 'a@b.co' }])
    assert.deepEqual(traitsOf({ ...customer, email: '' }), [document])
  })
})

describe('whoever signs in', () => {
  it('is counted by these digests, an address of IPv6 by its network', () => {
    assert.deepEqual(accountSubject('ana@example.com'), sha256('account ana@example.com'))
    assert.deepEqual(addressSubject('203.0.113.7'), sha256('address 203.0.113.7'))
    assert.deepEqual(addressSubject('2001:db8:1:2::3'), sha256('address 2001:db8:1:2::/64'))
    assert.equal(userHandleOf(ID).toString('hex'), '0199a0b0000070008000000000000002')
    assert.equal(subjectIdOf(ID), ID)
    assert.equal(subjectIdOf('203.0.113.7'), 'fec52565-aa0c-f18f-57d7-cf5b3ac72850')
    assert.equal(signingKeyLabel('k'), 'signing-key k')
  })

  it('has ten codes made of a hundred bytes, each known however it is typed', () => {
    const codes = recoveryCodes(counting(100))
    assert.deepEqual([codes.length, codes[0], codes[9]], [10, '000G-40R4-0M30-E209', 'B9DN-RQAY-BXG6-2RK3'])
    const digest = sha256('recovery code 7QZD0M4KT2WX9C11')
    const [long, hundred] = [150, 100].map((length) => recoveryDigest('A'.repeat(length)))
    assert.deepEqual(long, hundred, 'nothing longer is looked at')
    assert.notDeepEqual(recoveryDigest('A'.repeat(99)), hundred)
    for (const typed of ['7QZD-0M4K-T2WX-9C11', ' 7qzdOm4kt2wx9cil ', '7QZD 0M4K T2WX 9CI1'])
      assert.deepEqual(recoveryDigest(typed), digest, typed)
  })
})

describe('payments', () => {
  it('have these names at networks, and these on paper', () => {
    const name = 'AZmgsAAAcACAAAAAAAAAAQGZoLAAAHAAgAAAAAAAAAI'
    const named = (['payin', 'payout', 'return'] as const).map((kind) =>
      railReference(kind, ORGANIZATION_ID, ID),
    )
    assert.deepEqual(named, [`P${name}`, `O${name}`, `R${name}`])
    assert.equal(receiptIdOf(ORGANIZATION_ID, ID), name)
    assert.deepEqual(readReceiptId(name), { organizationId: ORGANIZATION_ID, paymentId: ID })
    assert.equal(readReceiptId(`${name}A`), undefined)
    assert.equal(unsignedStatement('k', 'r', ['payin', null, 1]), 'recaudo1.k.r.WyJwYXlpbiIsbnVsbCwxXQ')
    assert.equal(signedBytes('x').toString(), 'recaudo receipt\nx')
  })

  it('of a batch are bound to its approval by number, amount and sealed text', () => {
    const rows = [
      { rowNumber: 1, amountInCents: 5n, person: { sealed: 'x' } },
      { rowNumber: 2, amountInCents: null, person: { sealed: 'y' } },
    ]
    assert.equal(rowsDigest(rows), sha256('1 5 x\n2 null y\n').toString('hex'))
  })
})

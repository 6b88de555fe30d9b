// What each word of a network or a provider means to us, word by word. Of what they add later nothing is assumed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as breb from '../../src/rails/breb/codes.ts'
import * as mono from '../../src/rails/mono/codes.ts'
import { isPaymentType, networkCodeOf, standingOf } from '../../src/rails/placetopay/codes.ts'
import * as pse from '../../src/rails/pse/codes.ts'
import * as wompi from '../../src/rails/wompi/codes.ts'

type Meant = readonly (readonly [meaning: unknown, ...words: string[]])[]

const declined = (reason: string) => ({ how: 'declined', reason })
const canceled = (reason: string) => ({ how: 'canceled', reason })
const expired = { how: 'expired', reason: 'EXPIRED' }

const MEANT: Readonly<Record<string, [read: (word: string) => unknown, Meant]>> = {
  'how a collection of Mono ended': [
    mono.discardedBy,
    [
      [expired, 'expired', 'inactivity', 'key_canceled'],
      [canceled('CANCELED_BY_MERCHANT'), 'deleted'],
      [declined('RAIL_ERROR'), 'a word of tomorrow', 'constructor'],
    ],
  ],
  'why a transfer of Mono failed': [
    mono.payoutReason,
    [
      ['KEY_NOT_FOUND', 'key_not_found'],
      ['KEY_SUSPENDED', 'key_suspended'],
      ['KEY_INVALID', 'invalid_key_format'],
      ['RECEIVER_ID_MISMATCH', 'target_creditor_mismatch'],
      ['INSUFFICIENT_FUNDS', 'insufficient_funds'],
      ['RECEIVER_LIMIT_EXCEEDED', 'amount_exceeds_balance_limit'],
      ['AMOUNT_ABOVE_MAXIMUM', 'amount_exceeds_max_limit'],
      ['RECEIVER_ACCOUNT_INVALID', 'creditor_account_not_found', 'invalid_creditor_account'],
      ['RISK_REJECTED', 'risk_control'],
      ['PARTICIPANT_UNAVAILABLE', 'breb_timeout', 'provider_unavailable'],
      ['RAIL_ERROR', 'internal_error', 'unknown', 'target_not_found', 'amount_not_provided', 'tomorrow'],
    ],
  ],
  'why Mono does not find a key': [
    mono.directoryMeaning,
    [
      [{ refusal: 'KEY_NOT_FOUND' }, 'key_not_found'],
      [{ refusal: 'KEY_SUSPENDED' }, 'key_suspended'],
      [{ refusal: 'KEY_INVALID' }, 'invalid_key_format'],
      [{ trouble: 'timeout' }, 'breb_timeout'],
      [{ trouble: 'unavailable' }, 'tomorrow'],
    ],
  ],
  'an account of Mono': [
    mono.accountType,
    [
      ['SAVINGS', 'savings_account'],
      ['CHECKING', 'checking_account'],
      ['LOW_AMOUNT_DEPOSIT', 'low_amount_deposit'],
      ['INCLUSIVE_LOW_AMOUNT_DEPOSIT', 'inclusive_amount_deposit'],
      ['ORDINARY_DEPOSIT', 'regular_deposit'],
      [undefined, 'tomorrow'],
    ],
  ],
  'a document of Mono': [
    mono.idTypeOf,
    [
      ['CO_CC', 'CC'],
      ['CO_CE', 'CE'],
      ['CO_NIT', 'NIT'],
      ['TI', 'TI'],
    ],
  ],
  'a transfer of Mono': [
    (state) => mono.TRANSFER_MEANINGS[state as keyof typeof mono.TRANSFER_MEANINGS],
    [
      ['processing', 'created', 'processing', 'target_resolved', 'held', 'sent_to_breb_provider'],
      ['completed', 'successful', 'reapplied'],
      ['rejected', 'failed'],
      ['canceled', 'canceled'],
      ['returned', 'reversed'],
    ],
  ],
  'a transaction of Wompi': [
    wompi.payinMeaning,
    [
      ['open', 'PENDING'],
      ['paid', 'APPROVED'],
      ['declined', 'DECLINED'],
      [undefined, 'ERROR', 'VOIDED', 'tomorrow'],
    ],
  ],
  'a document to Wompi': [
    wompi.documentType,
    [
      ['CC', 'CO_CC'],
      ['CE', 'CO_CE'],
      ['NIT', 'CO_NIT'],
      ['PP', 'PASSPORT'],
      [undefined, 'MXN_RFC'],
    ],
  ],
  'why Wompi does not find a key': [
    wompi.directoryMeaning,
    [
      [{ refusal: 'KEY_INVALID' }, 'EXC_033'],
      [{ refusal: 'KEY_NOT_FOUND' }, 'EXC_034'],
      [{ refusal: 'KEY_SUSPENDED' }, 'EXC_035'],
      [{ trouble: 'unavailable' }, 'EXC_036', 'tomorrow'],
      [{ trouble: 'timeout' }, 'EXC_037'],
    ],
  ],
  'why a payout of Wompi failed': [
    wompi.payoutReason,
    [
      ['INSUFFICIENT_FUNDS', 'EXC_008'],
      ['RAIL_ERROR', 'EXC_017', 'MOL-5021'],
      ['KEY_INVALID', 'EXC_033'],
      ['KEY_NOT_FOUND', 'EXC_034'],
      ['KEY_SUSPENDED', 'EXC_035'],
      [null, 'EXC_036', 'EXC_037'],
      ['RECEIVER_ACCOUNT_INVALID', 'C01'],
      [undefined, 'tomorrow'],
    ],
  ],
  'whether Wompi knows a key of ours, by its code': [
    (code) => wompi.saysKeyUsed(code, 422),
    [
      [true, 'EXC_022', 'EXC_032'],
      [false, 'EXC_033'],
    ],
  ],
  'a transaction of PlacetoPay': [
    standingOf,
    [
      ['open', 'PENDING', 'PENDING_VALIDATION', 'PENDING_PROCESS', 'PENDING_CONFIRMATION'],
      ['paid', 'APPROVED', 'DISPUTE'],
      ['returned', 'REFUNDED', 'REVERSED'],
      ['declined', 'REJECTED'],
      ['undecided', 'FAILED', 'ERROR', 'UNKNOWN', 'MANUAL', 'APPROVED_PARTIAL', 'PARTIAL_EXPIRED'],
      [undefined, 'OK', 'tomorrow'],
    ],
  ],
  'whether PlacetoPay tells of a payment': [
    isPaymentType,
    [
      [true, 'AUTH_ONLY', 'AUTH_CAPTURE'],
      [false, 'REFUND', 'REVERSE', 'CHARGEBACK'],
    ],
  ],
  'how a payment by PSE ended': [
    pse.payinEnd,
    [
      [canceled('CANCELED_BY_PAYER'), '00001', '00015'],
      [declined('ACCOUNT_BLOCKED'), '00002'],
      [declined('ACCOUNT_INVALID'), '00003', '00004', '00005', '00006', '00007', '00013', '00017'],
      [declined('LIMIT_EXCEEDED'), '00008'],
      [declined('BANK_UNAVAILABLE'), '00009', '00010'],
      [declined('INSUFFICIENT_FUNDS'), '00011'],
      [declined('BANK_DECLINED'), '00012', 'tomorrow'],
      [expired, '00014'],
      [declined('AUTHENTICATION_FAILED'), '00016'],
      [declined('RAIL_ERROR'), '00018'],
    ],
  ],
  'why PSE made no session': [
    pse.payinReason,
    [
      ['BANK_UNAVAILABLE', 'FAIL_BANKNOTEXISTSORDISABLED', 'FAIL_BANKUNREACHEABLE'],
      ['LIMIT_EXCEEDED', 'FAIL_EXCEEDEDLIMIT'],
      ['RAIL_ERROR', 'FAIL_INVALIDAMOUNT'],
      ['RISK_REJECTED', 'FAIL_RISK'],
      ['ACCOUNT_BLOCKED', 'FAIL_DISABLEDUSEREMAIL'],
      [null, 'FAIL_TIMEOUT', 'NOT_FOUND'],
      [undefined, 'tomorrow'],
    ],
  ],
  'why PSE gave nothing back': [
    pse.returnReason,
    [
      ['RAIL_ERROR', 'FAIL_RISK', 'FAIL_EXCEEDEDLIMIT'],
      [null, 'FAIL_TIMEOUT', 'NOT_FOUND'],
      [undefined, 'tomorrow'],
    ],
  ],
  'why a payout by Bre-B failed': [
    breb.payoutReason,
    [
      ['RECEIVER_ACCOUNT_INVALID', 'B101', 'B102', 'B104', 'B105'],
      ['RECEIVER_ID_MISMATCH', 'B103'],
      ['RISK_REJECTED', 'B106'],
      ['RECEIVER_LIMIT_EXCEEDED', 'B107', 'B109'],
      ['AMOUNT_ABOVE_MAXIMUM', 'B108', 'U112'],
      ['RAIL_ERROR', 'U111', 'CANCELED'],
      ['PARTICIPANT_UNAVAILABLE', 'U122', 'U125'],
      ['KEY_INVALID', 'DIFE-5005', 'DIFE-4000', 'DIFE-4001', 'DIFE-0016'],
      ['KEY_NOT_FOUND', 'DIFE-0004', 'DIFE-5009'],
      ['KEY_SUSPENDED', 'DIFE-0005', 'DIFE-0006', 'DIFE-5012', 'DIFE-5017'],
      [null, 'NOT_FOUND', 'B001', 'B002', 'B301', 'B302', 'DIFE-5000', 'DIFE-9999'],
      [undefined, 'tomorrow'],
    ],
  ],
  'how a payment by Bre-B ended': [
    breb.payinEnd,
    [
      [canceled('CANCELED_BY_PAYER'), 'CANCELED_BY_PAYER'],
      [declined('AMOUNT_MISMATCH'), 'AMOUNT_MISMATCH'],
      [declined('INSUFFICIENT_FUNDS'), 'INSUFFICIENT_FUNDS'],
      [declined('ACCOUNT_INVALID'), 'ACCOUNT_INVALID', 'B101', 'B102', 'B103', 'B104', 'B105'],
      [declined('ACCOUNT_BLOCKED'), 'ACCOUNT_BLOCKED'],
      [declined('LIMIT_EXCEEDED'), 'LIMIT_EXCEEDED', 'B107', 'B108', 'B109', 'U112'],
      [declined('AUTHENTICATION_FAILED'), 'AUTHENTICATION_FAILED'],
      [declined('BANK_UNAVAILABLE'), 'BANK_UNAVAILABLE', 'U122', 'U125'],
      [declined('BANK_DECLINED'), 'BANK_DECLINED', 'tomorrow'],
      [declined('RISK_REJECTED'), 'RISK_REJECTED', 'B106'],
      [declined('RAIL_ERROR'), 'U111'],
    ],
  ],
  'why Bre-B does not find a key': [
    breb.directoryMeaning,
    [
      [{ refusal: 'KEY_INVALID' }, 'DIFE-5005', 'DIFE-4000', 'DIFE-4001', 'DIFE-0016'],
      [{ refusal: 'KEY_NOT_FOUND' }, 'DIFE-0004', 'DIFE-5009'],
      [{ refusal: 'KEY_SUSPENDED' }, 'DIFE-0005', 'DIFE-0006', 'DIFE-5012', 'DIFE-5017'],
      [{ trouble: 'timeout' }, 'DIFE-5000'],
      [{ trouble: 'unavailable' }, 'DIFE-9999', 'tomorrow'],
    ],
  ],
}

describe('the meaning of each word', () => {
  for (const [what, [read, meanings]] of Object.entries(MEANT))
    it(`that says ${what}`, () => {
      for (const [meaning, ...words] of meanings)
        for (const word of words) assert.deepEqual(read(word), meaning, word)
    })

  it('that says which kind a key is has one in each language', () => {
    assert.deepEqual(
      [breb, mono, wompi].map(({ WIRE_KEY_TYPES }) => WIRE_KEY_TYPES),
      [
        { DOCUMENT: 'NRIC', PHONE: 'M', EMAIL: 'E', ALPHANUMERIC: 'O', MERCHANT_CODE: 'B' },
        {
          DOCUMENT: 'identification',
          PHONE: 'cellphone',
          EMAIL: 'email',
          ALPHANUMERIC: 'alphanumeric',
          MERCHANT_CODE: 'merchant_code',
        },
        {
          DOCUMENT: 'IDENTIFICATION',
          PHONE: 'PHONE',
          EMAIL: 'MAIL',
          ALPHANUMERIC: 'ALPHANUMERIC',
          MERCHANT_CODE: 'ESTABLISHMENT_CODE',
        },
      ],
    )
  })

  it('that a conflict of Wompi’s says is that the key was used, whatever its code', () => {
    assert.deepEqual([wompi.saysKeyUsed('EXC_001', 409), wompi.saysKeyUsed('EXC_001', 422)], [true, false])
  })

  it('of PlacetoPay’s that can be shown is shown, and otherwise its state', () => {
    const shown = (reason: unknown, status = 'REJECTED') => networkCodeOf({ status, reason })
    assert.deepEqual(
      [shown('05'), shown(5), shown('?-'), shown('two words'), shown(''), shown('x'.repeat(64)), shown({})],
      ['05', '5', '?-', 'REJECTED', 'REJECTED', 'x'.repeat(64), 'REJECTED'],
    )
    assert.deepEqual(
      [shown('x'.repeat(65)), shown(undefined, 'two words'), shown('05', 'two words')],
      ['REJECTED', 'NO_REASON', '05'],
    )
  })
})

// A payout of Wompi's, by the state of its batch and by its own.
describe('a payout of Wompi', () => {
  const meant = (batch: string, status: string | null, failureCode: string | null = null) =>
    wompi.payoutMeaning(batch, status === null ? null : { status, failureCode })
  const UNDER_WAY = ['PENDING', 'PENDING_APPROVAL', 'AFE_ON_HOLD']
  const PAID = ['TOTAL_PAYMENT', 'PARTIAL_PAYMENT']
  const REFUSED = ['NOT_APPROVED', 'AFE_REJECTED', 'REJECTED']
  const stopped: Record<string, unknown> = {
    NOT_APPROVED: { state: 'canceled', reason: 'CANCELED_BY_MERCHANT', networkCode: 'NOT_APPROVED' },
    AFE_REJECTED: { state: 'rejected', reason: 'RISK_REJECTED', networkCode: 'AFE_REJECTED' },
  }

  it('that is under way is, unless its batch was let through by nobody before it began', () => {
    for (const status of ['PENDING', 'PROCESSING', 'READY_TO_FILE', 'ADDED_TO_FILE'])
      for (const batch of [...UNDER_WAY, ...PAID])
        assert.deepEqual(meant(batch, status), { state: 'processing' }, `${batch} ${status}`)
    for (const batch of REFUSED) {
      assert.deepEqual(meant(batch, 'PENDING'), stopped[batch], batch)
      assert.equal(meant(batch, 'PROCESSING'), undefined, batch)
    }
  })

  it('that is paid is, unless its batch says that nothing was', () => {
    for (const batch of [...UNDER_WAY, ...PAID])
      assert.deepEqual(meant(batch, 'APPROVED'), { state: 'completed' }, batch)
    for (const batch of REFUSED) assert.equal(meant(batch, 'APPROVED'), undefined, batch)
  })

  it('that failed has its reason from its own code, or else from what stopped its batch', () => {
    for (const batch of [...UNDER_WAY, ...REFUSED]) {
      assert.deepEqual(
        meant(batch, 'FAILED', 'EXC_008'),
        { state: 'rejected', reason: 'INSUFFICIENT_FUNDS', networkCode: 'EXC_008' },
        batch,
      )
      const unnamed = { state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'REJECTED' }
      assert.deepEqual(meant(batch, 'REJECTED'), stopped[batch] ?? unnamed, batch)
      const ended = { state: 'canceled', reason: 'RAIL_ERROR', networkCode: 'CANCELLED' }
      assert.deepEqual(meant(batch, 'CANCELLED'), stopped[batch] ?? ended, batch)
    }
    // All of it or a part was paid, so one that says that it was not contradicts it where it is the only one.
    for (const batch of PAID) assert.equal(meant(batch, 'FAILED'), undefined, batch)
  })

  it('that is not there yet is under way with its batch, and otherwise unknown', () => {
    for (const batch of UNDER_WAY) assert.deepEqual(meant(batch, null), { state: 'processing' }, batch)
    for (const batch of [...PAID, ...REFUSED, 'tomorrow']) assert.equal(meant(batch, null), undefined, batch)
    assert.equal(meant('PENDING', 'tomorrow'), undefined)
    assert.equal(meant('tomorrow', 'PENDING'), undefined)
  })
})

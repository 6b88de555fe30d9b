// What a payin is made of, and which of its fields each step changes.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayinUpdate } from '../../../src/core/connections/notice.ts'
import { instantOfId } from '../../../src/core/ids.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { NO_CHARGES } from '../../../src/core/ledger/charges.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import {
  awaitsPayer,
  cancelPayin,
  isReady,
  mayStillBePaid,
  newPayin,
  type Payin,
  withProviderKey,
} from '../../../src/core/payins/payin.ts'
import {
  chargeBackPayin,
  type PayinFacts,
  preparePayin,
  settleFunds,
  settlePayin,
} from '../../../src/core/payins/settle.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const PAYIN_ID = '0199a0b0-0000-7000-8000-000000000002'
const LINK_ID = '0199a0b0-0000-7000-8000-000000000003'
const CREATED = instantOfId(PAYIN_ID)
const NOW = CREATED + 7 * MINUTE_MS
const AMOUNT = 5_000_000n
const organization = newOrganization(ORGANIZATION_ID, 'Café La Palma', CREATED)
const REQUEST = {
  amountInCents: AMOUNT,
  reference: 'order-1',
  customer: null,
  callbackUrl: 'https://shop.example/paid',
}
const PSE = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'BUSINESS' } as const
const pse = newPayin(organization, PAYIN_ID, { ...REQUEST, way: PSE })
const open: Payin = { ...pse, status: 'PROCESSING', version: 4 }
const ended = (status: Payin['status']): Payin => ({ ...open, status, resultAt: CREATED })
const confirmed: Payin = {
  ...ended('CONFIRMED'),
  settlementStatus: 'PENDING_SETTLEMENT',
  confirmedAmountInCents: AMOUNT,
}
const paid = (amountInCents = AMOUNT, paymentId = 'one'): PayinUpdate => ({
  kind: 'payin.paid',
  amountInCents,
  paymentId,
})
const FACTS: PayinFacts = { paymentId: null, onAmountMismatch: 'decline' }
const settle = (payin: Payin, update: PayinUpdate, facts: Partial<PayinFacts> = {}) => {
  const { next, ...rest } = settlePayin(payin, update, { ...FACTS, ...facts }, NOW)
  return { ...rest, ...(next && { changes: changedFieldsOf(payin, next) }) }
}
const END = { version: 5, updatedAt: NOW, resultAt: NOW } as const

describe('a new payin', () => {
  const NEW = {
    organizationId: ORGANIZATION_ID,
    payinId: PAYIN_ID,
    version: 1,
    connection: null,
    settlementStatus: null,
    amountInCents: AMOUNT,
    confirmedAmountInCents: null,
    currency: 'COP',
    reference: 'order-1',
    paymentLinkId: null,
    customer: null,
    note: null,
    callbackUrl: 'https://shop.example/paid',
    errorCode: null,
    progress: {
      stage: 'TO_OPEN',
      providerId: null,
      bankUrl: null,
      traceId: null,
      paymentId: null,
      networkCode: null,
      attempts: 0,
    },
    frozenOrder: { merchantName: 'Café La Palma', returnUrl: null, acceptedTerms: null, device: null },
    createdAt: CREATED,
    updatedAt: CREATED,
    expiresAt: CREATED + 15 * MINUTE_MS,
    resultAt: null,
    chargebackAt: null,
    chargedBackInCents: 0n,
    refundHeldInCents: 0n,
    refundedInCents: 0n,
  }
  const breb = (keyType: 'SINGLE_USE' | 'QR_CODE', route: Parameters<typeof newPayin>[4] = null) =>
    newPayin(organization, PAYIN_ID, { ...REQUEST, way: { rail: 'BRE_B', keyType } }, null, route)
  const route = (provider: 'mono' | 'wompi', namesKeys: boolean) =>
    ({ connectionId: 'c', provider, namesKeys }) as NonNullable<Parameters<typeof newPayin>[4]>

  it('over PSE waits for its bank’s page', () => {
    assert.deepEqual(pse, { ...NEW, status: 'PENDING', source: PSE })
  })

  it('over Bre-B can be paid at once, if its key is ours', () => {
    const { source, ...rest } = breb('SINGLE_USE')
    const { status, ...others } = rest
    assert.equal(status, 'PROCESSING')
    assert.deepEqual(others, NEW)
    assert.ok(source.rail === 'BRE_B' && /^@[A-Z0-9]+$/.test(source.keyString ?? ''))
    assert.equal(source.qrPayload, null)
    const code = breb('QR_CODE').source
    assert.ok(code.rail === 'BRE_B' && code.qrPayload?.includes(code.keyString ?? '-'))
  })

  it('keeps the connection that it was made with, and waits for a key that its provider names', () => {
    const connection = { connectionId: 'c', provider: 'mono' }
    const waiting = breb('QR_CODE', route('mono', true))
    assert.deepEqual([waiting.connection, waiting.status], [connection, 'PENDING'])
    assert.deepEqual(waiting.source, { rail: 'BRE_B', keyType: 'QR_CODE', keyString: null, qrPayload: null })
    const named = breb('SINGLE_USE', route('mono', false))
    assert.deepEqual([named.connection, named.status], [connection, 'PROCESSING'])
  })

  it('that waits for its provider’s key takes it once, with the provider’s code or one of ours', () => {
    const payload = (payin: Payin) => (payin.source.rail === 'BRE_B' ? payin.source.qrPayload : null)
    const waiting = breb('QR_CODE', route('mono', true))
    const theirs = withProviderKey(organization, waiting, '@MONO1', 'a code of theirs')
    assert.deepEqual(changedFieldsOf(waiting, theirs), {
      source: { rail: 'BRE_B', keyType: 'QR_CODE', keyString: '@MONO1', qrPayload: 'a code of theirs' },
    })
    assert.equal(withProviderKey(organization, theirs, '@MONO2', null), theirs)
    assert.match(payload(withProviderKey(organization, waiting, '@MONO1', null)) ?? '', /@MONO1/)
    const keyOnly = withProviderKey(organization, breb('SINGLE_USE', route('mono', true)), '@MONO1', null)
    assert.equal(payload(keyOnly), null)
    assert.equal(withProviderKey(organization, pse, '@MONO1', null), pse)
  })
})

describe('where a payin stands', () => {
  const at = (stage: Payin['progress']['stage'], changes: Partial<Payin> = {}): Payin => ({
    ...pse,
    ...changes,
    progress: { ...pse.progress, stage },
  })
  const connection = { connectionId: 'c', provider: 'mono' } as const
  const stages = ['TO_OPEN', 'OPENING', 'OPEN', 'TO_CLOSE', 'TO_SETTLE', 'DONE'] as const
  const stagesWhere = (holds: (payin: Payin) => boolean, changes: Partial<Payin> = {}) =>
    stages.filter((stage) => holds(at(stage, changes)))

  it('says whether its payer can pay', () => {
    assert.deepEqual(stagesWhere(isReady), ['TO_OPEN', 'OPEN'])
    assert.deepEqual(stagesWhere(isReady, { connection }), ['OPEN'])
  })

  it('says whether somebody may still be at the bank with it', () => {
    assert.deepEqual(stagesWhere(mayStillBePaid), [])
    assert.deepEqual(stagesWhere(mayStillBePaid, { status: 'CANCELED' }), ['TO_CLOSE'])
  })

  it('says whether the payer must come first', () => {
    const customer = {} as NonNullable<Payin['customer']>
    assert.deepEqual(stagesWhere(awaitsPayer), ['TO_OPEN'])
    assert.deepEqual(stagesWhere(awaitsPayer, { customer }), [])
    const wompi = { connectionId: 'c', provider: 'wompi' } as const
    assert.deepEqual(stagesWhere(awaitsPayer, { customer, connection: wompi }), ['TO_OPEN'])
    const frozenOrder = { ...pse.frozenOrder, acceptedTerms: [] }
    assert.deepEqual(stagesWhere(awaitsPayer, { customer, connection: wompi, frozenOrder }), [])
    const source = { rail: 'BRE_B', keyType: 'SINGLE_USE', keyString: '@A', qrPayload: null } as const
    assert.deepEqual(stagesWhere(awaitsPayer, { source }), [])
  })
})

describe('a step of a payin changes this and nothing else', () => {
  it('payment', () => {
    const changes = {
      ...END,
      status: 'CONFIRMED',
      settlementStatus: 'PENDING_SETTLEMENT',
      confirmedAmountInCents: AMOUNT,
    }
    const booking = { booking: 'payin confirmed', amountInCents: AMOUNT }
    assert.deepEqual(settle(open, paid()), { changes, booking, paymentId: 'one' })
    const pending = { ...open, status: 'PENDING' } as const
    assert.deepEqual(settle(pending, paid()).changes, { ...changes, version: 6 })
    const accepted = settle(open, paid(9n), { onAmountMismatch: 'accept' })
    assert.deepEqual(accepted.changes, { ...changes, confirmedAmountInCents: 9n })
    assert.deepEqual(accepted.booking, { ...booking, amountInCents: 9n })
  })

  it('payment that it cannot take', () => {
    const suspense = { amountInCents: 9n, paymentId: 'one' }
    assert.deepEqual(settle(open, paid(9n)), {
      changes: { ...END, status: 'DECLINED', errorCode: 'AMOUNT_MISMATCH' },
      suspense: { ...suspense, reason: 'AMOUNT_MISMATCH' },
      paymentId: 'one',
    })
    const ofLink = { ...open, paymentLinkId: LINK_ID }
    assert.deepEqual(settle(ofLink, paid(9n), { linkHasEnded: true }), {
      changes: { ...END, status: 'CANCELED', errorCode: 'EXPIRED' },
      suspense: { ...suspense, reason: 'LATE' },
      paymentId: 'one',
    })
    assert.deepEqual(settle(ended('CANCELED'), paid(9n)), { suspense: { ...suspense, reason: 'LATE' } })
    assert.deepEqual(settle(confirmed, paid(9n)), { suspense: { ...suspense, reason: 'SECOND_PAYMENT' } })
  })

  it('its end without money', () => {
    assert.deepEqual(settle(open, { kind: 'payin.declined', reason: 'RISK_REJECTED' }), {
      changes: { ...END, status: 'DECLINED', errorCode: 'RISK_REJECTED' },
    })
    assert.deepEqual(settle(open, { kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }), {
      changes: { ...END, status: 'CANCELED', errorCode: 'CANCELED_BY_PAYER' },
    })
    assert.deepEqual(changedFieldsOf(open, cancelPayin(open, 'EXPIRED', NOW)), {
      ...END,
      status: 'CANCELED',
      errorCode: 'EXPIRED',
    })
    for (const over of [confirmed, ended('CANCELED'), ended('DECLINED')])
      assert.equal(cancelPayin(over, 'EXPIRED', NOW), undefined)
  })

  it('its preparation, which is no result', () => {
    const pending = { ...open, status: 'PENDING' } as const
    const changes = { status: 'PROCESSING', version: 5, updatedAt: NOW }
    assert.deepEqual(changedFieldsOf<Payin>(pending, preparePayin(pending, NOW)), changes)
    assert.equal(preparePayin(open, NOW), undefined)
  })

  it('its settlement', () => {
    const part = { ...confirmed, chargedBackInCents: 1n }
    const { next, ...rest } = settleFunds(part, NO_CHARGES, NOW)
    assert.deepEqual(changedFieldsOf(part, next), { settlementStatus: 'SETTLED', version: 5, updatedAt: NOW })
    const amountInCents = AMOUNT - 1n
    assert.deepEqual(rest, { booking: { booking: 'payin settled', amountInCents }, charges: [] })
    const connection = { connectionId: 'c', provider: 'mono' } as const
    const { booking } = settleFunds({ ...part, connection }, NO_CHARGES, NOW)
    assert.deepEqual(booking, { booking: 'payin settled to deposits', amountInCents })
    assert.deepEqual(settleFunds(open, NO_CHARGES, NOW), {})
  })
})

describe('a chargeback of a payin', () => {
  const facts = { paymentId: 'one', noticeId: 'notice-1' }
  const takeBack = (payin: Payin, amountInCents: bigint, more: Partial<PayinFacts> = {}) => {
    const update = { amountInCents, paymentId: 'one' }
    const { next, ...rest } = chargeBackPayin(payin, update, { ...facts, ...more }, NOW)
    return { ...rest, ...(next && { changes: changedFieldsOf(payin, next) }) }
  }
  const TAKEN = { version: 5, chargebackAt: NOW, updatedAt: NOW }
  const settled: Payin = { ...confirmed, settlementStatus: 'SETTLED' }
  const connection = { connectionId: 'c', provider: 'mono' } as const

  it('takes all of it, from where the money is', () => {
    const changes = { ...TAKEN, settlementStatus: 'REVERSED', chargedBackInCents: AMOUNT }
    const rows: [Payin, string][] = [
      [confirmed, 'payin charged back before settlement'],
      [{ ...confirmed, connection }, 'payin charged back before settlement'],
      [settled, 'payin charged back after settlement'],
      [{ ...settled, connection }, 'payin charged back from deposits'],
    ]
    for (const [payin, booking] of rows) {
      const { changes: made, booking: booked, alarm } = takeBack(payin, AMOUNT)
      assert.deepEqual(made, changes, booking)
      assert.deepEqual([booked?.booking, booked?.amountInCents, alarm], [booking, AMOUNT, undefined])
    }
  })

  it('takes a part, and says so', () => {
    const part = takeBack({ ...settled, chargedBackInCents: 5n }, 10n)
    assert.deepEqual(part.changes, { ...TAKEN, chargedBackInCents: 15n })
    assert.equal(part.booking?.amountInCents, 10n)
    assert.equal(part.alarm, 'the network charged back 10 cents of 5000000 (notice notice-1)')
  })

  it('takes no more than is left, nor what refunds have given back over its rail', () => {
    const refunds = { byRailInCents: 10n, byPayoutInCents: 0n }
    const rest = takeBack({ ...settled, chargedBackInCents: 5n }, AMOUNT, { refunds })
    assert.deepEqual(rest.changes, { ...TAKEN, chargedBackInCents: AMOUNT - 10n })
    assert.equal(rest.booking?.amountInCents, AMOUNT - 15n)
    assert.equal(rest.alarm, 'the network charged back 5000000 cents of 5000000 (notice notice-1)')
    const none = { byRailInCents: AMOUNT, byPayoutInCents: 0n }
    assert.deepEqual(takeBack(settled, 1n, { refunds: none }), {
      alarm:
        'the network charged back 1 cents of 5000000 (notice notice-1), not booked: nothing is left of the payin',
    })
    const one = { byRailInCents: AMOUNT - 1n, byPayoutInCents: 0n }
    assert.equal(takeBack(settled, 1n, { refunds: one }).booking?.amountInCents, 1n)
  })

  it('of what refunds paid out names how much that was, and of the rest does not', () => {
    const refunds = { byRailInCents: 0n, byPayoutInCents: 100n }
    assert.equal(
      takeBack(settled, AMOUNT, { refunds }).alarm,
      'the network charged back 5000000 cents of 5000000 (notice notice-1), after 100 cents of it were refunded by payout',
    )
    const inWords = (cents: bigint) => `the network charged back ${cents} cents of 5000000 (notice notice-1)`
    assert.equal(takeBack(settled, AMOUNT - 100n, { refunds }).alarm, inWords(AMOUNT - 100n))
    assert.match(takeBack(settled, AMOUNT - 99n, { refunds }).alarm ?? '', /after 100 cents/)
  })

  it('that may be one of those booked is not booked, and says why', () => {
    const booked = { chargebackId: null, amountInCents: 10n }
    const chargebacks = { booked: [booked], reportedBefore: [{ noticeId: 'notice-0', ...booked }] }
    assert.deepEqual(takeBack(settled, 10n, { chargebacks }), {
      alarm:
        'the network charged back 10 cents of 5000000 (notice notice-1), not booked: one of this amount is, and this may be the same',
    })
    const fromStatement = { booked: [booked], reportedBefore: [{ noticeId: 'statement:1', ...booked }] }
    assert.deepEqual(takeBack(settled, 10n, { chargebacks: fromStatement }), { changes: { version: 5 } })
  })

  it('of another payment, or of a payin that has no money, is looked for elsewhere', () => {
    const update = { amountInCents: 1n, paymentId: 'two' }
    assert.deepEqual(chargeBackPayin(settled, update, facts, NOW), { otherPaymentChargedBack: update })
    assert.deepEqual(takeBack(ended('DECLINED'), 1n), {
      otherPaymentChargedBack: { amountInCents: 1n, paymentId: 'one' },
    })
  })
})

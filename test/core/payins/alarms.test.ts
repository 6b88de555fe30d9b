// What a person reads where a network contradicts itself about a payin.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayinUpdate } from '../../../src/core/connections/notice.ts'
import { instantOfId } from '../../../src/core/ids.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import {
  type HeldPayment,
  mayBeElsewhere,
  type PayinFacts,
  settlePayin,
} from '../../../src/core/payins/settle.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const PAYIN_ID = '0199a0b0-0000-7000-8000-000000000002'
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
const settle = (payin: Payin, update: PayinUpdate, facts: Partial<PayinFacts> = {}) =>
  settlePayin(payin, update, { ...FACTS, ...facts }, NOW)

describe('an alarm about a payin says', () => {
  const held = (changes: Partial<HeldPayment> = {}) => ({
    held: { suspenseId: 's-1', amountInCents: AMOUNT, isFree: true, isOwn: true, ...changes },
  })
  const elsewhere = (kind: 'payin' | 'suspense') => ({
    elsewhere: { kind, organizationId: 'o-2', id: 'x-2' },
  })
  const declined = ended('DECLINED')
  const withSession = { ...open, progress: { ...open.progress, traceId: 'session' } }
  const rows: [what: string, Payin, PayinUpdate, Partial<PayinFacts>, string | undefined][] = [
    [
      'that its payment is another payin’s',
      open,
      paid(),
      elsewhere('payin'),
      'the network reported payment one of 5000000 cents here, but it confirmed payin x-2 of organization o-2',
    ],
    [
      'that its late payment is in suspense elsewhere',
      declined,
      paid(),
      elsewhere('suspense'),
      'the network reported payment one of 5000000 cents here, but it is in suspense as x-2 of organization o-2',
    ],
    [
      'that a wrong amount is another payin’s',
      open,
      paid(9n),
      elsewhere('payin'),
      'the network reported payment one of 9 cents here, but it confirmed payin x-2 of organization o-2',
    ],
    [
      'that its payment is in suspense with another amount',
      open,
      paid(),
      held({ amountInCents: 9n }),
      'the network reported payment one of 5000000 cents here, but the payment is in suspense as s-1 with 9 cents',
    ],
    [
      'that somebody has dealt with its payment',
      open,
      paid(),
      held({ isFree: false }),
      'the network reported payment one of 5000000 cents here, but the payment is in suspense as s-1 with 5000000 cents, and was dealt with there',
    ],
    [
      'that its late payment is in suspense of nobody',
      declined,
      paid(),
      held({ isOwn: false }),
      'payment one of 5000000 cents came for this payin, and is in suspense of nobody as s-1',
    ],
    [
      'that its late payment came with another amount before',
      declined,
      paid(),
      held({ amountInCents: 9n, isOwn: false }),
      'the network reported payment one of 9 cents again, with 5000000 cents',
    ],
    [
      'that its own payment came again with another amount',
      confirmed,
      paid(9n),
      { paymentId: 'one' },
      'the network reported payment one of 5000000 cents again, with 9 cents',
    ],
    [
      'that the payment that ended it came again with another amount',
      declined,
      paid(9n),
      { paymentId: 'one', ...held() },
      'the network reported payment one of 5000000 cents again, with 9 cents',
    ],
    [
      'that it was declined after it was confirmed',
      confirmed,
      { kind: 'payin.declined', reason: 'RISK_REJECTED' },
      {},
      'the network says decline (RISK_REJECTED) of a payin it had confirmed',
    ],
    [
      'that it was canceled after it was confirmed',
      confirmed,
      { kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' },
      {},
      'the network says cancel (CANCELED_BY_PAYER) of a payin it had confirmed',
    ],
    [
      'that the network had opened another session for it',
      withSession,
      paid(),
      {},
      "the network reported payment one, and had opened this payin's session as session",
    ],
    [
      'nothing of a payment under its session’s own name',
      withSession,
      paid(AMOUNT, 'session'),
      {},
      undefined,
    ],
  ]
  for (const [what, payin, update, facts, alarm] of rows)
    it(what, () => assert.equal(settle(payin, update, facts).alarm, alarm))

  it('nothing over Bre-B of a payment under another name than the payin’s', () => {
    const source = { rail: 'BRE_B', keyType: 'SINGLE_USE', keyString: '@A', qrPayload: null } as const
    assert.equal(settle({ ...withSession, source }, paid()).alarm, undefined)
  })

  it('what was looked for elsewhere: money for suspense, and a payment of another session', () => {
    const isLookedFor = (payin: Payin, update: PayinUpdate) =>
      mayBeElsewhere(payin, settlePayin(payin, update, FACTS, NOW))
    assert.equal(isLookedFor(open, paid()), false)
    assert.equal(isLookedFor(open, paid(9n)), true)
    assert.equal(isLookedFor(withSession, paid()), true)
    assert.equal(isLookedFor(withSession, paid(AMOUNT, 'session')), false)
    assert.equal(isLookedFor(withSession, { kind: 'payin.declined', reason: 'RISK_REJECTED' }), false)
  })
})

// Which event a change of an object is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { payinEventType, payoutEventType, refundEventType } from '../../../src/core/events/event.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import type { Refund } from '../../../src/core/refunds/refund.ts'

type Change<Thing> = [before: Partial<Thing>, next: Partial<Thing>, type: string | undefined]

function assertEach<Thing>(
  thing: Thing,
  changes: readonly Change<Thing>[],
  typeOf: (before: Thing, next: Thing) => string | undefined,
): void {
  for (const [before, next, type] of changes) {
    const was = { ...thing, ...before }
    assert.equal(typeOf(was, { ...was, ...next }), type, inspect([before, next]))
  }
}

describe('an event', () => {
  it('of a payin tells of its outcome, its settlement and its chargebacks', () => {
    const payin = {
      status: 'PROCESSING',
      paymentLinkId: null,
      settlementStatus: null,
      chargedBackInCents: 0n,
    }
    const confirmed: Partial<Payin> = { status: 'CONFIRMED', settlementStatus: 'PENDING_SETTLEMENT' }
    const changes: Change<Payin>[] = [
      [{ status: 'PENDING' }, { status: 'PROCESSING' }, 'payin.processing'],
      [{}, confirmed, 'payin.confirmed'],
      [{}, { status: 'CANCELED' }, 'payin.canceled'],
      [{}, { status: 'DECLINED' }, 'payin.declined'],
      [confirmed, { settlementStatus: 'SETTLED' }, 'payin.settled'],
      [confirmed, { settlementStatus: 'REVERSED', chargedBackInCents: 5n }, 'payin.chargeback'],
      [{ ...confirmed, chargedBackInCents: 2n }, { chargedBackInCents: 5n }, 'payin.chargeback'],
      [{}, {}, undefined],
      [{ paymentLinkId: 'a link' }, confirmed, undefined],
    ]
    assertEach(payin as Payin, changes, payinEventType)
  })

  it('of a payout tells once that it was sent, that it came back, and how it ended', () => {
    const payout = { status: 'PROCESSING', stage: 'SENT', returnedAt: null } as Payout
    const changes: Change<Payout>[] = [
      [{ stage: 'RESERVED' }, { stage: 'SENT' }, 'payout.processing'],
      [{}, { stage: 'DONE', status: 'CONFIRMED' }, 'payout.confirmed'],
      [{}, { stage: 'DONE', status: 'CANCELED' }, 'payout.canceled'],
      [{}, { stage: 'DONE', status: 'DECLINED' }, 'payout.declined'],
      [{ status: 'CONFIRMED' }, { returnedAt: 7 }, 'payout.returned'],
      [{ status: 'CONFIRMED', returnedAt: 7 }, {}, undefined],
      [{}, {}, undefined],
    ]
    assertEach(payout, changes, payoutEventType)
  })

  it('of a refund tells of each wait, that its money came back once, and how it ended', () => {
    const refund = {
      status: 'PROCESSING',
      stage: 'SENT',
      returnedAt: null,
      errorCode: null,
    } as unknown as Refund
    const changes: Change<Refund>[] = [
      [{}, { stage: 'AWAITING_FUNDS' } as Partial<Refund>, 'refund.waiting'],
      [
        { stage: 'AWAITING_FUNDS' } as Partial<Refund>,
        { errorCode: 'RAIL_ERROR' } as Partial<Refund>,
        'refund.waiting',
      ],
      [{}, { errorCode: 'RAIL_ERROR' } as Partial<Refund>, undefined],
      [{}, { status: 'CONFIRMED' }, 'refund.confirmed'],
      [{}, { status: 'CANCELED' }, 'refund.canceled'],
      [{}, { status: 'DECLINED' }, 'refund.declined'],
      [{ status: 'CONFIRMED' }, { returnedAt: 7 }, 'refund.returned'],
      [{ status: 'CONFIRMED', returnedAt: 7 }, {}, undefined],
    ]
    assertEach(refund, changes, refundEventType)
    assert.equal(refundEventType(null, refund), 'refund.created')
  })
})

// What becomes of a payin when the network says something about it. The answer is a step: the payin's next version where it
// changes, the bookings that go with it, money for suspense, or an alarm. Nothing here is ever lost: money that fits no
// open payin goes to suspense, and a contradiction is shown to a person.

import type { PayinUpdate } from '../connections/notice.ts'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import { nextState } from '../lifecycle.ts'
import { isOpen, PAYIN, type Payin, type PayinErrorCode, type PayinStatus } from './payin.ts'

export type SuspenseReason = 'LATE' | 'AMOUNT_MISMATCH' | 'SECOND_PAYMENT'

export type PayinStep = {
  // Absent where the payin stays as it is.
  readonly next?: Payin
  readonly booking?: { readonly booking: Booking; readonly amountInCents: bigint }
  readonly suspense?: {
    readonly reason: SuspenseReason
    readonly amountInCents: bigint
    readonly paymentId: string
  }
  // The network took back a payment that is not the payin's own: if we have it, it is in suspense.
  readonly otherPaymentChargedBack?: { readonly amountInCents: bigint; readonly paymentId: string }
  readonly alarm?: string
  // The network's id of the payment that was taken as the payin's own.
  readonly paymentId?: string
}

export type PayinFacts = {
  // The payment that confirmed or ended the payin, where one did.
  readonly paymentId: string | null
  readonly onAmountMismatch: 'decline' | 'accept'
  // The payin was a try on a payment link that has ended meanwhile: nobody waits for its money any more.
  readonly linkHasEnded?: boolean
}

export function settlePayin(
  payin: Payin,
  happening: PayinUpdate,
  known: PayinFacts,
  now: Instant,
): PayinStep {
  switch (happening.kind) {
    case 'payin.paid':
      return paid(payin, happening.amountInCents, happening.paymentId, known, now)
    case 'payin.declined':
      return ended(payin, 'decline', happening.reason, now)
    case 'payin.canceled':
      return ended(payin, 'cancel', happening.reason, now)
    case 'payin.chargeback':
      return chargedBack(payin, happening, known, now)
  }
}

function paid(
  payin: Payin,
  amountInCents: bigint,
  paymentId: string,
  known: PayinFacts,
  now: Instant,
): PayinStep {
  if (!isOpen(payin)) {
    // Told again about the payment we know: nothing new.
    if (known.paymentId === paymentId) return {}
    const reason = payin.status === 'CONFIRMED' ? 'SECOND_PAYMENT' : 'LATE'
    return { suspense: { reason, amountInCents, paymentId } }
  }
  if (known.linkHasEnded === true) {
    return {
      next: moved(payin, 'cancel', now, { errorCode: 'EXPIRED' }),
      suspense: { reason: 'LATE', amountInCents, paymentId },
      paymentId,
    }
  }
  const fits = amountInCents === payin.amountInCents
  // A payment link promises exactly its amount, so its payins never accept another.
  if (!fits && (known.onAmountMismatch === 'decline' || payin.paymentLinkId !== null)) {
    return {
      next: moved(payin, 'decline', now, { errorCode: 'AMOUNT_MISMATCH' }),
      suspense: { reason: 'AMOUNT_MISMATCH', amountInCents, paymentId },
      paymentId,
    }
  }
  return {
    next: moved(prepared(payin, now), 'confirm', now, {
      confirmedAmountInCents: amountInCents,
      settlementStatus: 'PENDING_SETTLEMENT',
    }),
    booking: { booking: 'payin confirmed', amountInCents },
    paymentId,
  }
}

function ended(payin: Payin, how: 'decline' | 'cancel', errorCode: PayinErrorCode, now: Instant): PayinStep {
  if (isOpen(payin)) return { next: moved(payin, how, now, { errorCode }) }
  // Final already. Only money that we counted and the network now denies is worth a person's time.
  return payin.status === 'CONFIRMED'
    ? { alarm: `the network says ${how} (${errorCode}) of a payin it had confirmed` }
    : {}
}

function chargedBack(
  payin: Payin,
  { amountInCents, paymentId }: { amountInCents: bigint; paymentId: string },
  known: PayinFacts,
  now: Instant,
): PayinStep {
  if (payin.status !== 'CONFIRMED' || known.paymentId !== paymentId)
    return { otherPaymentChargedBack: { amountInCents, paymentId } }
  if (payin.settlementStatus === 'REVERSED') return {}
  const held = payin.confirmedAmountInCents as bigint
  const next: Payin = {
    ...payin,
    version: payin.version + 1,
    settlementStatus: 'REVERSED',
    chargebackAt: now,
    updatedAt: now,
  }
  const booking: Booking =
    payin.settlementStatus === 'SETTLED'
      ? 'payin charged back after settlement'
      : 'payin charged back before settlement'
  return {
    next,
    booking: { booking, amountInCents: held },
    ...(amountInCents !== held && { alarm: `the network charged back ${amountInCents} cents of ${held}` }),
  }
}

// A payment can be told before its bank session: the payin then passes through PROCESSING on the way.
function prepared(payin: Payin, now: Instant): Payin {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : payin
}

export function preparePayin(payin: Payin, now: Instant): Payin | undefined {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : undefined
}

export function settleFunds(payin: Payin, now: Instant): PayinStep {
  if (payin.settlementStatus !== 'PENDING_SETTLEMENT') return {}
  return {
    next: { ...payin, version: payin.version + 1, settlementStatus: 'SETTLED', updatedAt: now },
    booking: { booking: 'payin settled', amountInCents: payin.confirmedAmountInCents as bigint },
  }
}

function moved(payin: Payin, happening: string, now: Instant, changes: Partial<Payin>): Payin {
  const status = nextState<PayinStatus>(PAYIN, payin.status, happening)
  if (status === undefined) throw new Error(`a ${payin.status} payin cannot ${happening}`)
  const isResult = happening !== 'prepare'
  return {
    ...payin,
    ...changes,
    status,
    version: payin.version + 1,
    updatedAt: now,
    ...(isResult && { resultAt: now }),
  }
}

// What can happen to a payment inside a network, whoever causes it: the timer, a payer on a page, or the control API. Money
// moves only here. Each movement is in the log, and a debit is there at most once.

import { type Instant, MINUTE_MS } from '../core/instant.ts'
import { participantIsDown } from './directory.ts'
import { drawnHex } from './faults.ts'
import type { NetworkContext } from './network-context.ts'
import { type NetworkEvent, networkOf, queueNotification } from './notifications.ts'
import type { Payment, Task } from './records.ts'
import { plannedOutcome } from './scenarios.ts'

/** Stores a new payment and schedules its outcome. */
export function begin(context: NetworkContext, payment: Payment): void {
  const { storage, delayMs } = context
  const { kind, reference, createdAt, expiresAt } = payment
  storage.transaction(() => {
    storage.addPayment(payment)
    // Added first, so that the expiry wins if both are due at the same time.
    if (expiresAt !== null) storage.addTask({ due: expiresAt, name: 'expire', kind, reference })
    storage.addTask({ due: createdAt + delayMs, name: 'settle', kind, reference })
  })
}

export function runTask(context: NetworkContext, task: Task): void {
  const payment = context.storage.payment(task.kind, task.reference)
  if (payment === undefined) return
  if (task.name === 'settle') settle(context, payment, task.due)
  else if (task.name === 'expire') expire(context, payment, task.due)
  else if (task.name === 'give-up') endPendingSession(context, payment, task.due)
  else if (task.name === 'pay-late') payLate(context, payment, task.due)
  else if (isChargeable(context, payment)) chargeBack(context, payment, task.due)
}

/**
 * Money moves to the merchant, or for a transfer to the beneficiary. It may do so after the end (late money), and a
 * collection may be paid again. Each payment is credited and reported under its own id.
 */
export function pay(context: NetworkContext, payment: Payment, amountInCents: bigint, at: Instant): void {
  const { storage } = context
  const { kind, reference } = payment
  storage.transaction(() => {
    const traceId = kind === 'session' ? (payment.traceId as string) : movementId(context, payment)
    const movement = { at, network: networkOf(kind), reference, amountInCents, traceId }
    if (kind === 'transfer') {
      storage.addToLog({ movement: 'debit', ...movement })
    } else {
      storage.addArrival({ kind, paymentId: traceId, reference, amountInCents, paidAt: at })
      storage.addToLog({ movement: 'credit', ...movement })
      if (payment.scenario === 'chargeback' && payment.state === 'open')
        storage.addTask({
          due: at + CHARGEBACK_AFTER_DELAYS * context.delayMs,
          name: 'charge-back',
          kind,
          reference,
        })
    }
    const paid: Payment = {
      ...payment,
      state: 'paid',
      code: null,
      traceId: kind === 'collection' ? null : traceId,
    }
    saveAndNotify(context, paid, { type: 'paid', amountInCents, paymentId: traceId, code: null }, at)
    if (kind === 'transfer') payOwnCollection(context, payment, amountInCents, at)
  })
}

/** The payer approves at the bank after PSE has ended the session: money that nobody expects any more. */
export function payAfterExpiry(context: NetworkContext, { kind, reference, expiresAt }: Payment): void {
  const due = (expiresAt as Instant) + PENDING_LIMIT_MS + LATE_BY_MS
  context.storage.addTask({ due, name: 'pay-late', kind, reference })
}

export function refuse(
  context: NetworkContext,
  payment: Payment,
  how: 'rejected' | 'canceled',
  code: string | null,
  at: Instant,
): void {
  context.storage.transaction(() =>
    saveAndNotify(
      context,
      { ...payment, state: how, code },
      { type: how, amountInCents: payment.amountInCents, paymentId: null, code },
      at,
    ),
  )
}

/** Closes a payment for the merchant, if it still can be closed. No notice is sent. */
export function close(context: NetworkContext, payment: Payment): Payment {
  if (payment.state !== 'open' || (payment.kind === 'session' && payment.opened)) return payment
  const closed: Payment = { ...payment, state: payment.kind === 'session' ? 'expired' : 'canceled' }
  context.storage.savePayment(closed)
  return closed
}

/** A payer has opened the payment. From now on the payer decides, not the timer. */
export function payerOpensPayment(context: NetworkContext, payment: Payment): Payment {
  if (payment.state !== 'open' || payment.opened) return payment
  const opened = { ...payment, opened: true }
  context.storage.savePayment(opened)
  return opened
}

export function isChargeable(context: NetworkContext, payment: Payment): boolean {
  return (
    payment.kind !== 'transfer' &&
    payment.state === 'paid' &&
    !payment.chargedBack &&
    chargeableInCents(context, payment) > 0n
  )
}

/** What was returned cannot be taken back. */
function chargeableInCents({ storage }: NetworkContext, { kind, reference }: Payment): bigint {
  const [arrival] = storage.arrivals(kind, reference)
  if (arrival === undefined) throw new Error(`${reference} is paid, but no money arrived`)
  return arrival.amountInCents - storage.returnedAmount(networkOf(kind), arrival.paymentId)
}

/** Charges back the first payment. Any other is the payer's mistake, which the merchant returns. */
export function chargeBack(context: NetworkContext, payment: Payment, at: Instant): void {
  const { storage } = context
  const { kind, reference } = payment
  storage.transaction(() => {
    const [arrival] = storage.arrivals(kind, reference)
    if (arrival === undefined) throw new Error(`${reference} is paid, but no money arrived`)
    const { paymentId } = arrival
    const amountInCents = chargeableInCents(context, payment)
    const entry = { at, network: networkOf(kind), reference, amountInCents, traceId: paymentId }
    storage.addToLog({ movement: 'chargeback', ...entry })
    saveAndNotify(
      context,
      { ...payment, chargedBack: true },
      { type: 'chargeback', amountInCents, paymentId, code: null },
      at,
    )
  })
}

// Late enough that the payment has long been taken as final.
const CHARGEBACK_AFTER_DELAYS = 10
// How long a payer may stay on the bank's page after the session's expiry, before PSE ends it.
const PENDING_LIMIT_MS = 10 * MINUTE_MS
const PENDING_TOO_LONG = '00014'
const LATE_BY_MS = MINUTE_MS
const PARTICIPANT_NOT_ACTIVE = 'U122'

function settle(context: NetworkContext, payment: Payment, at: Instant): void {
  if (payment.state !== 'open' || payment.opened) return
  const outcome = plannedOutcome(payment.kind, payment.scenario, payment.amountInCents)
  if (payment.kind === 'transfer' && participantIsDown(payment.key as string))
    refuse(context, payment, 'rejected', PARTICIPANT_NOT_ACTIVE, at)
  else if (outcome.how === 'paid') pay(context, payment, outcome.amountInCents, at)
  else if (outcome.how !== 'nothing') refuse(context, payment, outcome.how, outcome.code, at)
}

function expire(context: NetworkContext, payment: Payment, at: Instant): void {
  const { kind, reference, amountInCents } = payment
  if (payment.state !== 'open') return
  if (kind === 'session' && payment.opened) {
    // A payer who is already at the bank may still finish there.
    context.storage.addTask({ due: at + PENDING_LIMIT_MS, name: 'give-up', kind, reference })
    return
  }
  const event: NetworkEvent = { type: 'expired', amountInCents, paymentId: null, code: null }
  saveAndNotify(context, { ...payment, state: 'expired' }, event, at)
}

function endPendingSession(context: NetworkContext, payment: Payment, at: Instant): void {
  if (payment.state === 'open') refuse(context, payment, 'rejected', PENDING_TOO_LONG, at)
}

function payLate(context: NetworkContext, payment: Payment, at: Instant): void {
  if (payment.state !== 'paid') pay(context, payment, payment.amountInCents, at)
}

function saveAndNotify(context: NetworkContext, payment: Payment, event: NetworkEvent, at: Instant): void {
  const notices = queueNotification(context, payment, event, at)
  context.storage.savePayment({ ...payment, noticeCount: payment.noticeCount + notices })
}

// A payout to the key of an open payin pays that payin.
function payOwnCollection(
  context: NetworkContext,
  transfer: Payment,
  amountInCents: bigint,
  at: Instant,
): void {
  const collection = context.storage.collectionOfKey(transfer.key as string)
  if (collection?.state === 'open') pay(context, collection, amountInCents, at)
}

function movementId(context: NetworkContext, { kind, reference }: Payment): string {
  const prefix = kind === 'transfer' ? 'E2E' : 'PAY'
  const earlierArrivals = context.storage.arrivals(kind, reference).length
  const movement = earlierArrivals === 0 ? 'movement' : `movement ${earlierArrivals + 1}`
  return prefix + drawnHex(context.faults.seed, kind, reference, movement).slice(0, 24).toUpperCase()
}

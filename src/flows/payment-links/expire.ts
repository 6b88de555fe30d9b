// Ends a payment link that nobody paid: because its hour is over, or because the merchant ends it. We wait for an
// attempt that is open when the hour ends: it has its own expiry, and the network decides whether it was paid in time.

import { endLink, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { openAttempt } from '../../store/payins/attempts.ts'
import { deferLink, endPaymentLink, getLink } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { linkEvent } from '../payins/write.ts'
import { cancelAttempt } from './abandon-attempt.ts'

const OPEN_ATTEMPT_POLL_MS = 1_000

export async function expireDueLink(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals'>,
  link: PaymentLink,
): Promise<void> {
  if (link.status !== 'PENDING') return deferLink(ctx.db, link, null)
  const now = ctx.clock.now()
  if (await openAttempt(ctx.db, link.organizationId, link.paymentLinkId))
    return deferLink(ctx.db, link, now + OPEN_ATTEMPT_POLL_MS)
  const expired = endLink(link, 'expire', now) as PaymentLink
  await endPaymentLink(ctx.db, expired, link.version, linkEvent(ctx, expired))
  ctx.signals.workAdded('events')
}

export async function expireLinkEarly(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  paymentLinkId: string,
  idempotency: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  try {
    const outcome = await ctx.db.inTransaction(async (tx) => {
      const before = await getLink(tx, organizationId, paymentLinkId)
      if (before === undefined) return refuse('NOT_FOUND', `No payment link has the id ${paymentLinkId}.`)
      // The payin first and then the link: a confirmation locks them in the same order.
      const open = await openAttempt(tx, organizationId, paymentLinkId)
      if (open !== undefined) await cancelAttempt(ctx, tx, open, 'CANCELED_BY_MERCHANT')
      const link = (await getLink(tx, organizationId, paymentLinkId)) as PaymentLink
      const now = ctx.clock.now()
      const expired = endLink(link, 'expire', now)
      if (expired === undefined)
        return refuse('LINK_ALREADY_FINAL', `The payment link is ${link.status} and stays so.`)
      if (!(await endPaymentLink(tx, expired, link.version, linkEvent(ctx, expired)))) {
        return refuse('LINK_ALREADY_FINAL', 'The payment link has just ended otherwise.')
      }
      if (idempotency !== null)
        await insertRecord(tx, organizationId, idempotencyRecordOf(idempotency, expired), now)
      return expired
    })
    ctx.signals.workAdded('payins')
    ctx.signals.workAdded('events')
    return outcome
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

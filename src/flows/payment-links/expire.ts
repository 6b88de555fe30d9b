// Ends a payment link that nobody paid: because its hour is over, or because the merchant says so. A try that is open at
// the hour's end has its own expiry and is waited for: the network has the last word on whether it was paid in time.

import { endLink, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { deferLink, endPaymentLink, getLink } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { linkEvent } from '../payins/write.ts'
import { cancelAttempt } from './abandon-attempt.ts'
import { findOpenAttempt } from './start-attempt.ts'

const LOOK_AGAIN_MS = 1_000

export async function expireDueLink(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals'>,
  link: PaymentLink,
): Promise<void> {
  if (link.status !== 'PENDING') return deferLink(ctx.db, link, null)
  const now = ctx.clock.now()
  if (await findOpenAttempt(ctx.db, link)) return deferLink(ctx.db, link, now + LOOK_AGAIN_MS)
  const expired = endLink(link, 'expire', now) as PaymentLink
  await endPaymentLink(ctx.db, expired, link.version, linkEvent(ctx, expired))
  ctx.signals.workAdded('events')
}

export async function expireLinkEarly(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  paymentLinkId: string,
  remember: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  try {
    const outcome = await ctx.db.inTransaction(async (tx) => {
      const before = await getLink(tx, organizationId, paymentLinkId)
      if (before === undefined) return refuse('NOT_FOUND', `No payment link has the id ${paymentLinkId}.`)
      // The payin first and then the link, in the order in which a confirmation takes them.
      const open = await findOpenAttempt(tx, before)
      if (open !== undefined) await cancelAttempt(ctx, tx, open, 'CANCELED_BY_MERCHANT')
      const link = (await getLink(tx, organizationId, paymentLinkId)) as PaymentLink
      const now = ctx.clock.now()
      const expired = endLink(link, 'expire', now)
      if (expired === undefined)
        return refuse('LINK_ALREADY_FINAL', `The payment link is ${link.status} and stays so.`)
      if (!(await endPaymentLink(tx, expired, link.version, linkEvent(ctx, expired)))) {
        return refuse('LINK_ALREADY_FINAL', 'The payment link has just ended otherwise.')
      }
      if (remember !== null)
        await insertRecord(tx, organizationId, idempotencyRecordOf(remember, expired), now)
      return expired
    })
    ctx.signals.workAdded('payins')
    ctx.signals.workAdded('events')
    return outcome
  } catch (error) {
    if (remember !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

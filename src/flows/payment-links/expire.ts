// Ends a payment link that nobody paid: because its hour is over, or because the merchant says so. A try that is open at
// the hour's end has its own expiry and is waited for: the network has the last word on whether it was paid in time.

import { endLink, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { deferLink, endPaymentLink, getLink } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Context, type Remember, recordOf } from '../context.ts'
import { linkEvent } from '../payins/write.ts'
import { withdraw } from './abandon-attempt.ts'
import { openTry } from './start-attempt.ts'

const LOOK_AGAIN_MS = 1_000

export async function expireDueLink(ctx: Context, link: PaymentLink): Promise<void> {
  if (link.status !== 'PENDING') return deferLink(ctx.db, link, null)
  const now = ctx.now()
  if (await openTry(ctx.db, link)) return deferLink(ctx.db, link, now + LOOK_AGAIN_MS)
  const expired = endLink(link, 'expire', now) as PaymentLink
  await endPaymentLink(ctx.db, expired, link.version, linkEvent(ctx, expired))
  ctx.hint('events')
}

export async function expireLinkEarly(
  ctx: Context,
  organizationId: string,
  paymentLinkId: string,
  remember: Remember<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  try {
    const outcome = await ctx.db.inTransaction(async (tx) => {
      const before = await getLink(tx, organizationId, paymentLinkId)
      if (before === undefined) return refuse('NOT_FOUND', `No payment link has the id ${paymentLinkId}.`)
      // The payin first and then the link, in the order in which a confirmation takes them.
      const open = await openTry(tx, before)
      if (open !== undefined) await withdraw(ctx, tx, open, 'CANCELED_BY_MERCHANT')
      const link = (await getLink(tx, organizationId, paymentLinkId)) as PaymentLink
      const now = ctx.now()
      const expired = endLink(link, 'expire', now)
      if (expired === undefined)
        return refuse('LINK_ALREADY_FINAL', `The payment link is ${link.status} and stays so.`)
      if (!(await endPaymentLink(tx, expired, link.version, linkEvent(ctx, expired)))) {
        return refuse('LINK_ALREADY_FINAL', 'The payment link has just ended otherwise.')
      }
      if (remember !== null) await insertRecord(tx, organizationId, recordOf(remember, expired), now)
      return expired
    })
    ctx.hint('payins')
    ctx.hint('events')
    return outcome
  } catch (error) {
    if (remember !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

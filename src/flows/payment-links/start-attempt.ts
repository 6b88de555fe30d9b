// A payer chooses how to pay on a link's page. This starts an attempt, which is a payin of its own. Under the link's
// lock only one attempt can be open, so that two tabs, two phones or two rails cannot both be at the bank.

import type { Organization } from '../../core/organizations/organization.ts'
import { isOpen, newPayin, type Payin, type PayinRequest } from '../../core/payins/payin.ts'
import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import type { Queryable } from '../../store/db.ts'
import { getPayins, insertPayins } from '../../store/payins/payins.ts'
import { latestAttemptId, lockLink } from '../../store/payment-links/payment-links.ts'
import type { Needs } from '../context.ts'
import { withReturnUrl } from '../payins/return-url.ts'

export type StartedAttempt = { payin: Payin; isNew: boolean }

// Undefined if the link no longer accepts a payment.
export async function startAttempt(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organization: Organization,
  link: PaymentLink,
  request: Pick<PayinRequest, 'customer' | 'way'>,
): Promise<StartedAttempt | undefined> {
  const started = await ctx.db.inTransaction(async (tx) => {
    const locked = await lockLink(tx, link.organizationId, link.paymentLinkId)
    if (locked === undefined || locked.status !== 'PENDING' || ctx.clock.now() >= locked.expiresAt)
      return undefined
    const open = await findOpenAttempt(tx, locked)
    // A second submit of the same form, or another tab: the payer continues with the open attempt.
    if (open !== undefined) return { payin: open, isNew: false }
    const { amountInCents, reference, callbackUrl, paymentLinkId, expiresAt } = locked
    const made = newPayin(
      organization,
      ctx.ids.next(),
      { ...request, amountInCents, reference, callbackUrl },
      { paymentLinkId, linkExpiresAt: expiresAt },
    )
    const payin = withReturnUrl(ctx, made, locked)
    await insertPayins(tx, [{ payin, record: null }])
    return { payin, isNew: true }
  })
  if (started?.isNew === true) ctx.signals.workAdded('payins')
  return started
}

export async function findOpenAttempt(db: Queryable, link: PaymentLink): Promise<Payin | undefined> {
  const payin = await findLatestAttempt(db, link)
  return payin !== undefined && isOpen(payin) ? payin : undefined
}

export async function findLatestAttempt(db: Queryable, link: PaymentLink): Promise<Payin | undefined> {
  const payinId = await latestAttemptId(db, link.organizationId, link.paymentLinkId)
  if (payinId === undefined) return undefined
  const [payin] = await getPayins(db, [{ organizationId: link.organizationId, payinId }])
  return payin
}

// A merchant asks for a page on which a payer can pay, once, within the hour.

import type { Organization } from '../../core/organizations/organization.ts'
import {
  newPaymentLink,
  type PaymentLink,
  type PaymentLinkRequest,
} from '../../core/payment-links/payment-link.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { getLink } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce } from '../insert-once.ts'

// 128 bits: nobody guesses the address of a page.
const TOKEN_BYTES = 16

export async function createPaymentLink(
  ctx: Needs<'ids' | 'db' | 'batched'>,
  organization: Organization,
  request: PaymentLinkRequest,
  remember: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  const { organizationId } = organization
  const link = newPaymentLink(organizationId, ctx.ids.next(), ctx.ids.randomBytes(TOKEN_BYTES), request)
  const record = remember && idempotencyRecordOf(remember, link)
  const inserted = await insertOnce(remember !== null, () => ctx.batched.insertLink({ link, record }))
  if (isRefusal(inserted)) return inserted
  if (inserted) return link
  // A commit whose answer was lost is run again by the store: the row in its way is our own.
  const own = await getLink(ctx.db, organizationId, link.paymentLinkId)
  if (own === undefined) throw new AnsweredBefore()
  return own
}

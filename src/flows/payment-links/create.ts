// A merchant requests a page on which a payer can pay once, within the hour.

import { isInRanges } from '../../core/connections/amount-range.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  newPaymentLink,
  type PaymentLink,
  type PaymentLinkRequest,
} from '../../core/payment-links/payment-link.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { getLink, insertLinks } from '../../store/payment-links/payment-links.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce } from '../insert-once.ts'
import { refuseUnpayable } from '../payment-route.ts'
import { sealCustomer, sealNote } from '../people/vault.ts'
import { insertRecorded } from '../record-act.ts'

// 128 bits: nobody can guess the URL of a page.
const TOKEN_BYTES = 16

export async function createPaymentLink(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'settings' | 'signals' | 'vault'>,
  organization: Organization,
  request: PaymentLinkRequest,
  idempotency: Idempotency<PaymentLink> | null,
): Promise<PaymentLink | Refusal> {
  const { organizationId } = organization
  const refused = refuseUnpayable(ctx, organization, request.rail, (ranges) =>
    isInRanges(ranges, request.amountInCents),
  )
  if (refused !== undefined) return refused
  const linkId = ctx.ids.next()
  const vault = await ctx.vault(organizationId)
  const customer = sealCustomer(vault, linkId, request.customer)
  const note = sealNote(vault, linkId, request.note ?? null)
  const token = ctx.ids.randomBytes(TOKEN_BYTES)
  const link = newPaymentLink(organizationId, linkId, token, { ...request, customer, note })
  const record = idempotency && idempotencyRecordOf(idempotency, link)
  const made = { act: 'paymentlink.create', before: null, after: link } as const
  const inserted = await insertOnce(idempotency !== null, () =>
    insertRecorded(
      ctx,
      { ...made, organizationId, objectId: linkId },
      () => ctx.batched.insertLink({ link, record }),
      async (tx) => (await insertLinks(tx, [{ link, record }]))[0] as { inserted: boolean },
    ),
  )
  if (isRefusal(inserted)) return inserted
  if (inserted) {
    ctx.signals.workAdded('shown', organizationId)
    return link
  }
  // The store repeats a commit whose answer was lost. The conflicting row is then our own.
  const existing = await getLink(ctx.db, organizationId, link.paymentLinkId)
  if (existing === undefined) throw new AnsweredBefore()
  return link
}

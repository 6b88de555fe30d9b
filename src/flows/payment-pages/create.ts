// A merchant makes a page to sell by.

import type { Organization } from '../../core/organizations/organization.ts'
import { newPaymentPage, type PageTerms, type PaymentPage } from '../../core/payment-pages/payment-page.ts'
import type { Refusal } from '../../core/refusal.ts'
import { insertPage } from '../../store/payment-pages/payment-pages.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnpayablePage } from './change.ts'

// As of links: nobody can guess the address of a page.
const TOKEN_BYTES = 16

export async function createPaymentPage(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  organization: Organization,
  terms: PageTerms,
  idempotency: Idempotency<PaymentPage> | null,
): Promise<PaymentPage | Refusal> {
  const { organizationId } = organization
  const refused = refuseUnpayablePage(ctx, organization, terms)
  if (refused !== undefined) return refused
  const token = ctx.ids.randomBytes(TOKEN_BYTES)
  const page = newPaymentPage(organizationId, ctx.ids.next(), token, terms)
  const made = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    await insertPage(tx, page)
    const act = { act: 'paymentpage.create', before: null, after: page } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: page.paymentPageId })
    return page
  })
  ctx.signals.workAdded('shown', organizationId)
  return made
}

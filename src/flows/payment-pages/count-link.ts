// A link of a page has ended: the page counts what was paid, or has its pieces back. It does so once, under the locks of both, and the
// link is due until then. Whoever locks both locks the link first.

import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import {
  countPayment,
  type PaymentPage,
  releasePieces,
  sellOut,
} from '../../core/payment-pages/payment-page.ts'
import type { Queryable } from '../../store/db.ts'
import { deferLink } from '../../store/payment-links/payment-links.ts'
import { lockPage, updatePage } from '../../store/payment-pages/payment-pages.ts'
import type { Needs } from '../context.ts'
import { pageEvent } from './page-event.ts'

// The caller has locked the link, which has ended and is due.
export async function countEndedLink(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  link: PaymentLink & { readonly paymentPageId: string },
): Promise<void> {
  const page = await lockPage(tx, link.organizationId, link.paymentPageId)
  if (page !== undefined) await count(ctx, tx, page, link)
  await deferLink(tx, link, null)
}

async function count(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  page: PaymentPage,
  link: PaymentLink,
): Promise<void> {
  const pieces = link.pieces ?? 1
  if (link.status !== 'COMPLETED') return updatePage(tx, releasePieces(page, pieces), [])
  const now = ctx.clock.now()
  const paid = countPayment(page, pieces, link.amountInCents, now)
  const told = [pageEvent(ctx, 'paymentpage.paid', paid, link)]
  const soldOut = sellOut(paid, now)
  if (soldOut !== undefined) told.push(pageEvent(ctx, 'paymentpage.soldout', soldOut, null))
  await updatePage(tx, soldOut ?? paid, told)
}

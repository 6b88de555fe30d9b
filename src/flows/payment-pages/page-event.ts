// What a merchant is told of a page, as it stands after the change.

import type { EventType, NewEvent } from '../../core/events/event.ts'
import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import { pageEventData } from '../../core/payment-pages/object.ts'
import type { PaymentPage } from '../../core/payment-pages/payment-page.ts'
import type { Needs } from '../context.ts'

export function pageEvent(
  ctx: Needs<'ids' | 'settings'>,
  type: EventType & `paymentpage.${string}`,
  page: PaymentPage,
  // The link that was paid, if one was.
  paidBy: PaymentLink | null,
): NewEvent {
  return {
    organizationId: page.organizationId,
    eventId: ctx.ids.next(),
    type,
    resource: 'paymentpage',
    objectId: page.paymentPageId,
    version: page.version,
    data: pageEventData(ctx.settings.checkoutUrl, page, paidBy),
    createdAt: page.updatedAt,
  }
}

// A payment page as merchants see it, in responses and in events.

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import type { PaymentLink } from '../payment-links/payment-link.ts'
import { type PaymentPage, pageUrl } from './payment-page.ts'

const numberOrNull = (cents: bigint | null): number | null => (cents === null ? null : centsToNumber(cents))

export function presentPage(checkoutUrl: string, page: PaymentPage): Record<string, unknown> {
  return { ...presentWithoutImage(checkoutUrl, page), image: page.image }
}

function presentWithoutImage(checkoutUrl: string, page: PaymentPage): Record<string, unknown> {
  return {
    paymentPageId: page.paymentPageId,
    paymentPageUrl: pageUrl(checkoutUrl, page),
    status: page.status,
    name: page.name,
    description: page.description,
    items: page.items,
    amountType: page.amountInCents === null ? 'OPEN' : 'FIXED',
    amount: page.amountInCents === null ? null : centsToPesos(page.amountInCents),
    amountInCents: numberOrNull(page.amountInCents),
    minAmountInCents: numberOrNull(page.minAmountInCents),
    maxAmountInCents: numberOrNull(page.maxAmountInCents),
    currency: page.currency,
    reference: page.reference,
    metadata: page.metadata,
    callbackUrl: page.callbackUrl,
    rail: page.rail,
    validUntil: isoOrNull(page.validUntil),
    maxPayments: page.maxPayments,
    maxPieces: page.maxPieces,
    openPayments: page.heldPayments,
    openPieces: page.heldPieces,
    paidPayments: page.paidPayments,
    paidPieces: page.paidPieces,
    paidAmountInCents: centsToNumber(page.paidInCents),
    createdAt: isoInstant(page.createdAt),
    updatedAt: isoInstant(page.updatedAt),
  }
}

// Without the image, which never changes by itself and would be most of the event. `payment` says what was paid, where something was.
export function pageEventData(checkoutUrl: string, page: PaymentPage, paidBy: PaymentLink | null): string {
  return JSON.stringify({
    ...presentWithoutImage(checkoutUrl, page),
    payment: paidBy && {
      paymentLinkId: paidBy.paymentLinkId,
      amount: centsToPesos(paidBy.amountInCents),
      amountInCents: centsToNumber(paidBy.amountInCents),
      pieces: paidBy.pieces,
      completedAt: isoOrNull(paidBy.completedAt),
    },
  })
}

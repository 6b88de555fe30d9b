// A link to a page where a payer pays once. It holds what the merchant fixed in advance. Each attempt on the page is a
// payin of its own, and only one can be open at a time. Money for a link that has ended goes to suspense.

import type { Rail } from '../connections/rail.ts'
import { instantOfId } from '../ids.ts'
import { HOUR_MS, type Instant, isoInstant, isoOrNull } from '../instant.ts'
import { type Lifecycle, nextState } from '../lifecycle.ts'
import { type Currency, centsToNumber, centsToPesos } from '../money.ts'
import type { Customer } from '../people/customer.ts'
import { type Note, presentNote } from '../people/note.ts'
import type { Sealed } from '../people/sealed.ts'
import { decodeUuidToken, encodeUuidToken } from '../uuid-token.ts'

export const PAYMENT_LINK_STATUSES = ['PENDING', 'COMPLETED', 'EXPIRED'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]

export const PAYMENT_LINK = {
  PENDING: { complete: 'COMPLETED', expire: 'EXPIRED' },
  COMPLETED: {},
  EXPIRED: {},
} as const satisfies Lifecycle<PaymentLinkStatus>

export const LINK_LIFETIME_MS = HOUR_MS

export type PaymentLink = {
  readonly organizationId: string
  readonly paymentLinkId: string
  readonly token: Buffer
  readonly version: number
  readonly status: PaymentLinkStatus
  readonly amountInCents: bigint
  readonly currency: Currency
  readonly reference: string
  readonly callbackUrl: string
  readonly rail: Rail | null
  readonly customer: Customer | Sealed | null
  readonly note: Note | Sealed | null
  readonly bank: string | null
  // Of a link that a payment page made, and how many pieces of the page it holds until it ends.
  readonly paymentPageId: string | null
  readonly pieces: number | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
  readonly completedAt: Instant | null
}

export type PaymentLinkRequest = Pick<
  PaymentLink,
  'amountInCents' | 'reference' | 'callbackUrl' | 'rail' | 'customer' | 'bank'
> & { readonly note?: Note | Sealed | null; readonly paymentPageId?: string; readonly pieces?: number }

export function newPaymentLink(
  organizationId: string,
  paymentLinkId: string,
  token: Buffer,
  request: PaymentLinkRequest,
): PaymentLink {
  const createdAt = instantOfId(paymentLinkId)
  return {
    organizationId,
    paymentLinkId,
    token,
    version: 1,
    status: 'PENDING',
    currency: 'COP',
    note: null,
    paymentPageId: null,
    pieces: null,
    ...request,
    createdAt,
    updatedAt: createdAt,
    expiresAt: createdAt + LINK_LIFETIME_MS,
    completedAt: null,
  }
}

// Undefined if the link has already ended.
export function endLink(
  link: PaymentLink,
  how: 'complete' | 'expire',
  now: Instant,
): PaymentLink | undefined {
  const status = nextState<PaymentLinkStatus>(PAYMENT_LINK, link.status, how)
  if (status === undefined) return undefined
  return {
    ...link,
    status,
    version: link.version + 1,
    updatedAt: now,
    ...(how === 'complete' ? { completedAt: now } : {}),
  }
}

export function linkUrl(checkoutUrl: string, link: Pick<PaymentLink, 'organizationId' | 'token'>): string {
  return `${checkoutUrl}/pay/${linkToken(link)}`
}

// The organization id locates the link. The 128 random bits make the URL impossible to guess.
function linkToken({ organizationId, token }: Pick<PaymentLink, 'organizationId' | 'token'>): string {
  return encodeUuidToken(organizationId, token)
}

export function readLinkToken(text: string): { organizationId: string; token: Buffer } | undefined {
  const decoded = decodeUuidToken(text)
  return decoded && { organizationId: decoded.uuid, token: decoded.bytes }
}

export function presentLink(checkoutUrl: string, link: PaymentLink): Record<string, unknown> {
  return {
    paymentLinkId: link.paymentLinkId,
    paymentLinkUrl: linkUrl(checkoutUrl, link),
    status: link.status,
    amountType: 'FIXED',
    amount: centsToPesos(link.amountInCents),
    amountInCents: centsToNumber(link.amountInCents),
    currency: link.currency,
    reference: link.reference,
    ...presentNote(link.note),
    callbackUrl: link.callbackUrl,
    rail: link.rail,
    inlineCustomer: link.customer,
    pse: link.bank === null ? null : { bank: link.bank },
    paymentPageId: link.paymentPageId,
    createdAt: isoInstant(link.createdAt),
    updatedAt: isoInstant(link.updatedAt),
    expiresAt: isoInstant(link.expiresAt),
    completedAt: isoOrNull(link.completedAt),
  }
}

// The contract's payload: a completed link has no expiry, an expired one no completion time.
export function linkEventData(link: PaymentLink): string {
  return JSON.stringify({
    paymentLinkId: link.paymentLinkId,
    reference: link.reference,
    ...presentNote(link.note),
    amount: centsToPesos(link.amountInCents),
    amountInCents: centsToNumber(link.amountInCents),
    currency: link.currency,
    status: link.status,
    createdAt: isoInstant(link.createdAt),
    updatedAt: isoInstant(link.updatedAt),
    expiresAt: link.status === 'COMPLETED' ? null : isoInstant(link.expiresAt),
    completedAt: isoOrNull(link.completedAt),
  })
}

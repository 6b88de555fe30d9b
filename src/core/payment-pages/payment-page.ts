// A page to sell by: in a chat, on a poster, at a counter. Whoever opens it and goes on gets a payment link of their own, which holds
// what they want of the page until it ends. So the last piece is sold once, and money takes the ways that it takes with any link.

import { type AmountRange, isInRanges, rangesWithin } from '../connections/amount-range.ts'
import type { Rail } from '../connections/rail.ts'
import { instantOfId } from '../ids.ts'
import { type Instant, MINUTE_MS } from '../instant.ts'
import type { Currency } from '../money.ts'
import type { Metadata } from '../people/note.ts'
import { decodeUuidToken, encodeUuidToken } from '../uuid-token.ts'

// A page is sold out when everything that it has was paid. Only its merchant closes it, and a closed one stays so.
export const PAYMENT_PAGE_STATUSES = ['OPEN', 'SOLD_OUT', 'CLOSED'] as const
export type PaymentPageStatus = (typeof PAYMENT_PAGE_STATUSES)[number]

export type PageItem = {
  readonly name: string
  readonly quantity: number
  readonly unitAmountInCents: number
}

export type PaymentPage = {
  readonly organizationId: string
  readonly paymentPageId: string
  readonly token: Buffer
  readonly version: number
  readonly status: PaymentPageStatus
  readonly name: string
  readonly description: string | null
  readonly items: readonly PageItem[] | null
  readonly image: string | null
  readonly metadata: Metadata | null
  // Null where the payer types it, within the two that follow.
  readonly amountInCents: bigint | null
  readonly minAmountInCents: bigint | null
  readonly maxAmountInCents: bigint | null
  readonly currency: Currency
  readonly reference: string
  readonly callbackUrl: string | null
  readonly rail: Rail | null
  readonly validUntil: Instant | null
  readonly maxPayments: number | null
  readonly maxPieces: number | null
  // Of links that are open, and of links that were paid.
  readonly heldPayments: number
  readonly heldPieces: number
  readonly paidPayments: number
  readonly paidPieces: number
  readonly paidInCents: bigint
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type PageTerms = Pick<
  PaymentPage,
  | 'name'
  | 'description'
  | 'items'
  | 'image'
  | 'metadata'
  | 'amountInCents'
  | 'minAmountInCents'
  | 'maxAmountInCents'
  | 'reference'
  | 'callbackUrl'
  | 'rail'
  | 'validUntil'
  | 'maxPayments'
  | 'maxPieces'
>

// More links than payers of one page have open at once. Whoever floods a page fills no more rows than this in an hour.
export const MAX_OPEN_LINKS = 1_000
// What one payer may take with one payment.
export const MAX_PIECES_PER_PAYMENT = 20
// A link on which nobody is paying, nor has begun to for so long, yields to somebody who wants its piece.
export const IDLE_LINK_MS = 10 * MINUTE_MS

export function newPaymentPage(
  organizationId: string,
  paymentPageId: string,
  token: Buffer,
  terms: PageTerms,
): PaymentPage {
  const createdAt = instantOfId(paymentPageId)
  return {
    organizationId,
    paymentPageId,
    token,
    version: 1,
    status: 'OPEN',
    currency: 'COP',
    ...terms,
    heldPayments: 0,
    heldPieces: 0,
    paidPayments: 0,
    paidPieces: 0,
    paidInCents: 0n,
    createdAt,
    updatedAt: createdAt,
  }
}

// Why nobody can begin to pay. 'held': others have what is left, and may yet leave it.
export type NotPayableReason = 'closed' | 'over' | 'sold-out' | 'held'

// Null if so many pieces can be begun with.
export function stopOf(page: PaymentPage, pieces: number, now: Instant): NotPayableReason | null {
  const end = paymentPageEnd(page, now)
  if (end !== null) return end
  const { maxPayments, maxPieces, heldPayments, heldPieces } = page
  const isHeld =
    heldPayments >= MAX_OPEN_LINKS ||
    (maxPayments !== null && page.paidPayments + heldPayments >= maxPayments) ||
    (maxPieces !== null && page.paidPieces + heldPieces + pieces > maxPieces)
  return isHeld ? 'held' : null
}

// Why the page sells nothing more. Null while it does, although others may hold all that is left.
export function paymentPageEnd(page: PaymentPage, now: Instant): Exclude<NotPayableReason, 'held'> | null {
  if (page.status === 'CLOSED') return 'closed'
  if (isSoldOut(page)) return 'sold-out'
  return page.validUntil !== null && now >= page.validUntil ? 'over' : null
}

// How many a payer may ask for: what others hold without paying may be free again by then. Without a number of pieces there is no
// choice.
export function piecesLeft({ maxPieces, paidPieces }: PaymentPage): number {
  return maxPieces === null ? 1 : Math.min(MAX_PIECES_PER_PAYMENT, Math.max(1, maxPieces - paidPieces))
}

export function hasFreePieces({ maxPieces, paidPieces, heldPieces }: PaymentPage): boolean {
  return maxPieces !== null && paidPieces + heldPieces < maxPieces
}

// How many nobody holds.
export function piecesOffered({ maxPieces, paidPieces, heldPieces }: PaymentPage): number {
  if (maxPieces === null) return 1
  return Math.min(MAX_PIECES_PER_PAYMENT, Math.max(1, maxPieces - paidPieces - heldPieces))
}

// What a payer may type, of what can be paid.
export function amountsOffered(
  { minAmountInCents, maxAmountInCents }: Pick<PaymentPage, 'minAmountInCents' | 'maxAmountInCents'>,
  payable: readonly AmountRange[],
): AmountRange[] {
  return rangesWithin(payable, minAmountInCents ?? 1n, maxAmountInCents)
}

// Of so many pieces at most, those numbers whose price can be paid at once.
export function payableCounts(
  amountInCents: bigint,
  most: number,
  payable: readonly AmountRange[],
): number[] {
  const counts = Array.from({ length: most }, (_, index) => index + 1)
  return counts.filter((count) => isInRanges(payable, amountInCents * BigInt(count)))
}

// Whether a payer can choose anything that can be paid.
export function isPayable(
  page: Pick<PaymentPage, 'amountInCents' | 'minAmountInCents' | 'maxAmountInCents' | 'maxPieces'>,
  payable: readonly AmountRange[],
): boolean {
  const { amountInCents, maxPieces } = page
  if (amountInCents === null) return amountsOffered(page, payable).length > 0
  const most = maxPieces === null ? 1 : Math.min(MAX_PIECES_PER_PAYMENT, maxPieces)
  return payableCounts(amountInCents, most, payable).length > 0
}

export function holdPieces(page: PaymentPage, pieces: number): PaymentPage {
  return { ...page, heldPayments: page.heldPayments + 1, heldPieces: page.heldPieces + pieces }
}

// Somebody has left without paying.
export function releasePieces(page: PaymentPage, pieces: number): PaymentPage {
  return { ...page, heldPayments: page.heldPayments - 1, heldPieces: page.heldPieces - pieces }
}

export function countPayment(
  page: PaymentPage,
  pieces: number,
  amountInCents: bigint,
  now: Instant,
): PaymentPage {
  return {
    ...releasePieces(page, pieces),
    paidPayments: page.paidPayments + 1,
    paidPieces: page.paidPieces + pieces,
    paidInCents: page.paidInCents + amountInCents,
    version: page.version + 1,
    updatedAt: now,
  }
}

// The page once more if its last piece was paid since it was open. Undefined if not.
export function sellOut(page: PaymentPage, now: Instant): PaymentPage | undefined {
  if (page.status !== 'OPEN' || !isSoldOut(page)) return undefined
  return { ...page, status: 'SOLD_OUT', version: page.version + 1, updatedAt: now }
}

// A page that has something again is open again.
export function changeTerms(page: PaymentPage, changes: Partial<PageTerms>, now: Instant): PaymentPage {
  const changed = { ...page, ...changes }
  return {
    ...changed,
    status: isSoldOut(changed) ? 'SOLD_OUT' : 'OPEN',
    version: page.version + 1,
    updatedAt: now,
  }
}

// Undefined if it is closed already. Links that are open stay so: whoever is about to pay is not stopped.
export function closePage(page: PaymentPage, now: Instant): PaymentPage | undefined {
  if (page.status === 'CLOSED') return undefined
  return { ...page, status: 'CLOSED', version: page.version + 1, updatedAt: now }
}

function isSoldOut({ maxPayments, maxPieces, paidPayments, paidPieces }: PaymentPage): boolean {
  return (
    (maxPayments !== null && paidPayments >= maxPayments) || (maxPieces !== null && paidPieces >= maxPieces)
  )
}

// Its public address. As with links, 128 random bits make it impossible to guess.
export function pageUrl(
  checkoutUrl: string,
  { organizationId, token }: Pick<PaymentPage, 'organizationId' | 'token'>,
): string {
  return `${checkoutUrl}/page/${encodeUuidToken(organizationId, token)}`
}

export function readPageToken(text: string): { organizationId: string; token: Buffer } | undefined {
  const decoded = decodeUuidToken(text)
  return decoded && { organizationId: decoded.uuid, token: decoded.bytes }
}

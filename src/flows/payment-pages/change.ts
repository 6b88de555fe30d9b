// A merchant changes a page, or closes it. Links that it has made stay as they are: whoever is about to pay pays what they saw.

import type { AmountRange } from '../../core/connections/amount-range.ts'
import { type Rail, widestMaximumInCents } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import { isoOrNull } from '../../core/instant.ts'
import { centsToNumber } from '../../core/money.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  changeTerms,
  closePage,
  isPayable,
  type PageTerms,
  type PaymentPage,
} from '../../core/payment-pages/payment-page.ts'
import { type SentTerms, termProblems } from '../../core/payment-pages/terms.ts'
import { type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { lockPage, updatePage } from '../../store/payment-pages/payment-pages.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { refuseUnpayable } from '../payment-route.ts'
import { recordAct } from '../record-act.ts'
import { pageEvent } from './page-event.ts'

type Changing = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

// What the widest rail carries that a page may be paid over. Null if the organization has none of its.
export function pageCapInCents(
  ctx: Needs<'clock' | 'settings'>,
  organization: Organization,
  rail: Rail | null,
): bigint | null {
  const rails = organization.rails.filter((one) => rail === null || one === rail)
  return widestMaximumInCents(rails, ctx.clock.now(), ctx.settings.pseMaximumInCents)
}

export async function changePaymentPage(
  ctx: Changing,
  organization: Organization,
  paymentPageId: string,
  changes: Partial<PageTerms>,
): Promise<PaymentPage | Refusal> {
  const { organizationId } = organization
  const changed = await ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.now()
    const page = await lockPage(tx, organizationId, paymentPageId)
    if (page === undefined) return refuseUnknownPage(paymentPageId)
    if (page.status === 'CLOSED') return refuseClosedPage()
    const next = changeTerms(page, changes, now)
    const capInCents = pageCapInCents(ctx, organization, next.rail)
    const problems = termProblems(sentTermsOf(next, changes), { now, capInCents })
    if (problems.length > 0) return refuseFields(problems)
    const refused = touchesPayment(changes) ? refuseUnpayablePage(ctx, organization, next) : undefined
    if (refused !== undefined) return refused
    const soldOut = next.status === 'SOLD_OUT' && page.status === 'OPEN'
    await updatePage(tx, next, soldOut ? [pageEvent(ctx, 'paymentpage.soldout', next, null)] : [])
    const act = { act: 'paymentpage.change', before: page, after: next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: paymentPageId })
    return next
  })
  ctx.signals.workAdded('events', organizationId)
  return changed
}

// A page whose connections are gone can be renamed, and left as it is.
function touchesPayment(changes: Partial<PageTerms>): boolean {
  return (['amountInCents', 'minAmountInCents', 'maxAmountInCents', 'maxPieces'] as const).some(
    (field) => field in changes,
  )
}

// Nobody could pay anything on the page.
export function refuseUnpayablePage(
  ctx: Needs<'clock' | 'settings'>,
  organization: Organization,
  page: Pick<PageTerms, 'amountInCents' | 'minAmountInCents' | 'maxAmountInCents' | 'maxPieces' | 'rail'>,
): Refusal | undefined {
  const pathIn = (ranges: readonly AmountRange[]): string => {
    if (page.amountInCents !== null) return '/amountInCents'
    const { minAmountInCents: least } = page
    const isAbove = least !== null && ranges.every(({ mostInCents }) => mostInCents < least)
    return isAbove ? '/minAmountInCents' : '/maxAmountInCents'
  }
  return refuseUnpayable(ctx, organization, page.rail, (ranges) => isPayable(page, ranges), pathIn)
}

// A date that has passed is wrong only where it is sent anew.
function sentTermsOf(page: PaymentPage, changes: Partial<PageTerms>): SentTerms {
  const cents = (amount: bigint | null) => (amount === null ? null : centsToNumber(amount))
  return {
    ...page,
    amountType: page.amountInCents === null ? 'OPEN' : 'FIXED',
    amountInCents: cents(page.amountInCents),
    minAmountInCents: cents(page.minAmountInCents),
    maxAmountInCents: cents(page.maxAmountInCents),
    validUntil: changes.validUntil === undefined ? null : isoOrNull(page.validUntil as Instant | null),
  }
}

export async function closePaymentPage(
  ctx: Changing,
  organizationId: string,
  paymentPageId: string,
  idempotency: Idempotency<PaymentPage> | null,
): Promise<PaymentPage | Refusal> {
  const closed = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const page = await lockPage(tx, organizationId, paymentPageId)
    if (page === undefined) return refuseUnknownPage(paymentPageId)
    const next = closePage(page, ctx.clock.now())
    if (next === undefined) return refuseClosedPage()
    await updatePage(tx, next, [pageEvent(ctx, 'paymentpage.closed', next, null)])
    const act = { act: 'paymentpage.close', before: page, after: next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: paymentPageId })
    return next
  })
  ctx.signals.workAdded('events', organizationId)
  return closed
}

export function refuseUnknownPage(paymentPageId: string): Refusal {
  return refuse('NOT_FOUND', `No payment page has the id ${paymentPageId}.`)
}

function refuseClosedPage(): Refusal {
  return refuse('PAGE_CLOSED', 'The payment page is CLOSED and stays so.')
}

// The checkout backend on the real service: the subject of a token, and what a payer can do with it. Reads go straight
// to the store, every change goes through a flow.

import { maximumInCents, type Rail } from '../core/connections/rail.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { openPayinPageToken } from '../core/payins/page-token.ts'
import {
  awaitsPayer,
  awaitsPresence,
  isOpen,
  isReady,
  mayStillBePaid,
  newTermsSince,
  type Payin,
  type PaymentConnection,
  payinQrPayload,
} from '../core/payins/payin.ts'
import { queryPauseMs } from '../core/payins/schedule.ts'
import { type PaymentLink, readLinkToken } from '../core/payment-links/payment-link.ts'
import type { Customer } from '../core/people/customer.ts'
import { isRefusal } from '../core/refusal.ts'
import { createTokenBuckets } from '../core/token-buckets.ts'
import { createPseOffers } from '../flows/connections/pse-offer.ts'
import type { Context } from '../flows/context.ts'
import { requestStatusCheck } from '../flows/payins/payer-actions.ts'
import { abandonAttempt } from '../flows/payment-links/abandon-attempt.ts'
import { connectionOf, routePayin } from '../flows/payment-route.ts'
import { openNote } from '../flows/people/vault.ts'
import { isMoneyInSuspense, suspenseOfPayments } from '../store/ledger/suspense.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { attemptToShow } from '../store/payins/attempts.ts'
import { getLinkByToken } from '../store/payment-links/payment-links.ts'
import type { CheckoutBackend, CheckoutPayin, CheckoutSubject } from './backend.ts'
import { begin, customerOf, type Found } from './begin.ts'
import { createPageWatch } from './page-watch.ts'

export function liveBackend(ctx: Context): CheckoutBackend {
  const find = (token: string) => findSubject(ctx, token)
  const mayAsk = createQueryPause(ctx)
  const offerOf = createPseOffers(ctx)
  return {
    load: async (token) => {
      const found = await find(token)
      if (found === undefined) return undefined
      const described = await descriptionOf(ctx, found)
      const subject = subjectOf(
        ctx,
        found,
        await customerOf(ctx, found),
        described,
        await otherAmountOf(ctx, found),
      )
      return { ...subject, holdsMoney: await holdsMoney(ctx, found) }
    },
    pseOffer: ({ organizationId, pse, payin }) => offerOf(organizationId, pse, payin?.newTermsSince),
    begin: async (token, choice, language, device) => {
      const found = await find(token)
      if (found === undefined) return 'not-payable'
      return begin(ctx, offerOf, found, choice, { language, device })
    },
    recheck: async (token) => {
      const found = await find(token)
      // Within the network's pause the page answers from what is known.
      if (found?.payin && isOpen(found.payin) && mayAsk(found.payin))
        await requestStatusCheck(ctx, found.payin)
    },
    abandonAttempt: async (token) => {
      const found = await find(token)
      if (!found?.payin || found.link === null) return 'too-late'
      return abandonAttempt(ctx, found.organization, found.payin)
    },
    watch: createPageWatch(ctx),
  }
}

// The first press asks at once, as PSE wants it when a payer returns. Each process counts for itself, by the service's clock.
function createQueryPause(ctx: Context): (payin: Payin) => boolean {
  const bucketsOf = (rail: Rail) => createTokenBuckets({ perSecond: 1_000 / queryPauseMs(rail), burst: 1 })
  const buckets = { BRE_B: bucketsOf('BRE_B'), PSE: bucketsOf('PSE') }
  return ({ payinId, progress, source }) =>
    progress.stage === 'OPEN' && buckets[source.rail].take(payinId, ctx.clock.now()).allowed
}

async function findSubject(ctx: Context, token: string): Promise<Found | undefined> {
  const payinAddress = openPayinPageToken(ctx.settings.keys.page, token)
  if (payinAddress !== undefined) {
    const payin = await ctx.batched.getPayin(payinAddress)
    const organization = await getOrganization(ctx.db, payinAddress.organizationId)
    return payin && organization && { organization, link: null, payin }
  }
  const linkAddress = readLinkToken(token)
  if (linkAddress === undefined) return undefined
  const link = await getLinkByToken(ctx.db, linkAddress.organizationId, linkAddress.token)
  const organization = await getOrganization(ctx.db, linkAddress.organizationId)
  if (link === undefined || organization === undefined) return undefined
  const payin = await attemptToShow(ctx.db, link.organizationId, link.paymentLinkId)
  return { organization, link, payin: payin ?? null }
}

export function merchantOf(organization: Organization): CheckoutSubject['merchant'] {
  return {
    name: organization.name,
    taxId: organization.taxId,
    email: organization.contactEmail,
    phone: organization.contactPhone,
    logoUrl: organization.logoUrl,
    accentColor: organization.accentColor,
  }
}

// Money that arrived in another amount than was asked for is in suspense, or nobody knows where.
async function otherAmountOf(ctx: Context, { payin }: Found): Promise<bigint | null> {
  const paymentId = payin?.progress.paymentId ?? null
  if (payin?.errorCode !== 'AMOUNT_MISMATCH' || paymentId === null) return null
  const { organizationId, source } = payin
  const [[item] = []] = await suspenseOfPayments(ctx.db, [{ organizationId, rail: source.rail, paymentId }])
  return item?.amountInCents ?? null
}

// An attempt that has ended without being paid may have got its money since, and so may an earlier one.
async function holdsMoney(ctx: Context, { payin }: Found): Promise<boolean> {
  if (payin === null || isOpen(payin) || payin.status === 'CONFIRMED') return false
  return isMoneyInSuspense(ctx.db, payin)
}

async function descriptionOf(ctx: Context, { link, payin }: Found): Promise<string | null> {
  const noted = link ?? payin
  if (noted === null || noted.note === null) return null
  const id = link?.paymentLinkId ?? (payin as Payin).payinId
  return openNote(await ctx.vault(noted.organizationId), id, noted.note)?.description ?? null
}

function subjectOf(
  ctx: Context,
  { organization, link, payin }: Found,
  customer: Customer | null,
  description: string | null,
  otherAmountInCents: bigint | null,
): CheckoutSubject {
  const subject = (link ?? payin) as PaymentLink | Payin
  const offered = link === null ? [ownRail(payin as Payin)] : railsOf(ctx, organization, link)
  return {
    kind: link === null ? 'payin' : 'link',
    organizationId: organization.organizationId,
    merchant: merchantOf(organization),
    amountInCents: subject.amountInCents,
    reference: subject.reference,
    description,
    callbackUrl: isPaidOnPage(ctx, link) ? null : subject.callbackUrl,
    expiresAt: subject.expiresAt,
    endedEarlyAt: null,
    ...endOf(link),
    status: link === null ? payinStatus(payin as Payin) : linkStatus(ctx, link),
    rails: offered.map(({ rail }) => rail),
    pse: offered.find(({ rail }) => rail === 'PSE')?.connection ?? null,
    fixedBank: link === null ? bankOf(payin) : link.bank,
    customer,
    personType: link === null && payin?.source.rail === 'PSE' ? payin.source.personType : null,
    payin: payin && shownPayin(organization, payin, otherAmountInCents),
  }
}

// Where a payment page names no callbackUrl, its links lead back to it. Who has paid would find the same offer there, as if
// nothing had happened, so they are told that they are done.
function isPaidOnPage(ctx: Context, link: PaymentLink | null): boolean {
  if (link === null || link.paymentPageId === null || link.status !== 'COMPLETED') return false
  return link.callbackUrl.startsWith(`${ctx.settings.checkoutUrl}/page/`)
}

// The page shows a link as expired as soon as its hour is over, even if no worker has updated it yet.
function linkStatus(ctx: Context, link: PaymentLink): CheckoutSubject['status'] {
  return link.status === 'PENDING' && ctx.clock.now() >= link.expiresAt ? 'EXPIRED' : link.status
}

// A link that nobody ends is ended after its hour, never before, unless it holds a piece of a page that somebody else wants:
// then its time was over, and the merchant did nothing.
function endOf(link: PaymentLink | null): Partial<Pick<CheckoutSubject, 'expiresAt' | 'endedEarlyAt'>> {
  if (link?.status !== 'EXPIRED' || link.updatedAt >= link.expiresAt) return {}
  return link.paymentPageId === null ? { endedEarlyAt: link.updatedAt } : { expiresAt: link.updatedAt }
}

function payinStatus(payin: Payin): CheckoutSubject['status'] {
  if (payin.status === 'CONFIRMED') return 'COMPLETED'
  if (payin.status === 'DECLINED') return 'DECLINED'
  if (payin.status !== 'CANCELED') return 'PENDING'
  return payin.errorCode === 'EXPIRED' ? 'EXPIRED' : 'CANCELED'
}

type OfferedRail = { readonly rail: Rail; readonly connection: PaymentConnection | null }

function ownRail({ source, connection }: Payin): OfferedRail {
  return { rail: source.rail, connection }
}

// A rail that no connection takes for this amount is not offered.
function railsOf(ctx: Context, organization: Organization, link: PaymentLink): OfferedRail[] {
  const { amountInCents } = link
  const { pseMaximumInCents } = ctx.settings
  return organization.rails
    .filter((rail) => link.rail === null || rail === link.rail)
    .filter((rail) => amountInCents <= maximumInCents(rail, ctx.clock.now(), pseMaximumInCents))
    .flatMap((rail) => {
      const route = routePayin(ctx, organization, rail, amountInCents)
      return isRefusal(route) ? [] : [{ rail, connection: connectionOf(route) }]
    })
}

function bankOf(payin: Payin | null): string | null {
  return payin?.source.rail === 'PSE' ? payin.source.bank : null
}

function shownPayin(
  organization: Organization,
  payin: Payin,
  otherAmountInCents: bigint | null,
): CheckoutPayin {
  const { source, progress } = payin
  return {
    payinId: payin.payinId,
    rail: source.rail,
    status: payin.status,
    errorCode: payin.errorCode,
    mayStillBePaid: mayStillBePaid(payin),
    amountInCents: payin.amountInCents,
    confirmedAmountInCents: payin.confirmedAmountInCents,
    otherAmountInCents,
    awaitsPresence: awaitsPayer(payin) && awaitsPresence(payin),
    newTermsSince: newTermsSince(payin),
    isReady: isReady(payin),
    keyString: source.rail === 'BRE_B' ? source.keyString : null,
    qrPayload: payinQrPayload(organization, payin),
    bank: bankOf(payin),
    bankUrl: progress.bankUrl,
    traceId: progress.traceId,
    createdAt: payin.createdAt,
    updatedAt: payin.updatedAt,
    expiresAt: payin.expiresAt,
    resultAt: payin.resultAt,
    chargedBack:
      payin.chargebackAt === null
        ? null
        : { amountInCents: payin.chargedBackInCents, at: payin.chargebackAt },
  }
}

// The checkout backend on the real service: the subject of a token, and what a payer can do with it. Reads go straight
// to the store, every change goes through a flow.

import { maximumInCents, type Rail } from '../core/connections/rail.ts'
import { findPseBank } from '../core/directory/pse-bank.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { openPayinPageToken } from '../core/payins/page-token.ts'
import { isOpen, mayStillBePaid, type Payin, payinQrPayload } from '../core/payins/payin.ts'
import { queryPauseMs } from '../core/payins/schedule.ts'
import { type PaymentLink, readLinkToken } from '../core/payment-links/payment-link.ts'
import type { Customer } from '../core/people/customer.ts'
import type { PayerLanguage } from '../core/receipts/mail.ts'
import { createTokenBuckets } from '../core/token-buckets.ts'
import type { Context } from '../flows/context.ts'
import { requestStatusCheck, setPayer } from '../flows/payins/payer-actions.ts'
import { abandonAttempt } from '../flows/payment-links/abandon-attempt.ts'
import { startAttempt } from '../flows/payment-links/start-attempt.ts'
import { openCustomer, openNote } from '../flows/people/vault.ts'
import { isMoneyInSuspense, suspenseOfPayments } from '../store/ledger/suspense.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { attemptToShow } from '../store/payins/attempts.ts'
import { getLinkByToken } from '../store/payment-links/payment-links.ts'
import type { CheckoutBackend, CheckoutChoice, CheckoutPayin, CheckoutSubject } from './backend.ts'
import { createPageWatch } from './page-watch.ts'

type Found = { organization: Organization; link: PaymentLink | null; payin: Payin | null }

export function liveBackend(ctx: Context): CheckoutBackend {
  const find = (token: string) => findSubject(ctx, token)
  const mayAsk = createQueryPause(ctx)
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
    begin: async (token, choice, language) => {
      const found = await find(token)
      return found === undefined ? 'not-payable' : begin(ctx, found, choice, language)
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

// Whom the payer need not type. Whoever cannot be opened any more is typed again.
async function customerOf(ctx: Context, { link, payin }: Found): Promise<Customer | null> {
  const known = link ?? payin
  if (known === null) return null
  const vault = await ctx.vault(known.organizationId)
  const id = link?.paymentLinkId ?? (payin as Payin).payinId
  const customer = openCustomer(vault, id, known.customer)
  return typeof customer === 'string' ? null : customer
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
    rails: railsOf(ctx, organization, link, payin),
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

function railsOf(
  ctx: Context,
  organization: Organization,
  link: PaymentLink | null,
  payin: Payin | null,
): Rail[] {
  if (link === null) return payin === null ? [] : [payin.source.rail]
  const allowed =
    link.rail === null ? organization.rails : organization.rails.filter((rail) => rail === link.rail)
  return allowed.filter(
    (rail) => link.amountInCents <= maximumInCents(rail, ctx.clock.now(), ctx.settings.pseMaximumInCents),
  )
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

async function begin(ctx: Context, found: Found, choice: CheckoutChoice, language?: PayerLanguage) {
  const { organization, link, payin } = found
  if (link === null) {
    // A payin created through the API. The payer fills in what the merchant did not know.
    if (payin === null || !isOpen(payin)) return 'not-payable'
    if (choice.customer !== null && payin.customer === null)
      await setPayer(ctx, payin, choice.customer, language)
    return 'already-begun'
  }
  if (
    choice.rail === 'PSE' &&
    findPseBank(choice.bank ?? '', ctx.settings.environment === 'staging') === undefined
  ) {
    return 'bank-not-enabled'
  }
  // The page always has a QR, because the payer's app may be on another phone.
  const way =
    choice.rail === 'BRE_B'
      ? ({ rail: 'BRE_B', keyType: 'QR_CODE' } as const)
      : ({
          rail: 'PSE',
          bank: choice.bank ?? '',
          personType: choice.personType ?? 'INDIVIDUAL',
        } as const)
  const customer = (await customerOf(ctx, found)) ?? choice.customer
  const begun = await startAttempt(ctx, organization, link, { customer, way }, language)
  if (begun === undefined) return 'not-payable'
  if (begun.isNew) return 'begun'
  return isOpen(begun.payin) ? 'already-begun' : 'too-late'
}

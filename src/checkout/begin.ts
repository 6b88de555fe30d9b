// What the form of a payer's page begins: an attempt on a link, or the payment of a payin that waited for its payer. Where a provider
// wants the payer on our page, this is the moment: the payer has just sent the form.

import { payinAbilities } from '../core/connections/provider.ts'
import { findPseBank } from '../core/directory/pse-bank.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { awaitsPresence, isOpen, newTermsSince, type Payin, type PayinRequest } from '../core/payins/payin.ts'
import type { PaymentLink } from '../core/payment-links/payment-link.ts'
import type { Customer } from '../core/people/customer.ts'
import type { PayerLanguage } from '../core/receipts/mail.ts'
import { isRefusal } from '../core/refusal.ts'
import { type PseOffer, type PseOfferOf, WHOLE_OFFER } from '../flows/connections/pse-offer.ts'
import type { Context } from '../flows/context.ts'
import {
  confirmPayer,
  type PayerDevice,
  type PayerPresence,
  setPayer,
} from '../flows/payins/payer-actions.ts'
import { startAttempt } from '../flows/payment-links/start-attempt.ts'
import { ConnectionGone, connectionOf, routePayin } from '../flows/payment-route.ts'
import { openCustomer } from '../flows/people/vault.ts'
import type { BeginOutcome, CheckoutChoice } from './backend.ts'
import { isOffered } from './form.ts'

export type Found = { organization: Organization; link: PaymentLink | null; payin: Payin | null }

type Payer = { readonly language?: PayerLanguage | undefined; readonly device?: PayerDevice | undefined }

export async function begin(
  ctx: Context,
  offerOf: PseOfferOf,
  found: Found,
  choice: CheckoutChoice,
  payer: Payer,
): Promise<BeginOutcome> {
  const { link, payin } = found
  if (link !== null) return beginAttempt(ctx, offerOf, found, link, choice, payer)
  return payin === null || !isOpen(payin) ? 'not-payable' : fillIn(ctx, offerOf, payin, choice, payer)
}

// A payin created through the API. The payer fills in what the merchant did not know.
async function fillIn(
  ctx: Context,
  offerOf: PseOfferOf,
  payin: Payin,
  choice: CheckoutChoice,
  payer: Payer,
): Promise<BeginOutcome> {
  const { customer } = choice
  if (awaitsPresence(payin)) {
    const offer = await offerOf(payin.organizationId, payin.connection, newTermsSince(payin))
    const presence = presenceOf(offer, choice, payer)
    if (typeof presence === 'string') return presence
    await confirmPayer(ctx, payin, customer, presence, payer.language)
  } else if (customer !== null && payin.customer === null) {
    await setPayer(ctx, payin, customer, payer.language)
  }
  return 'already-begun'
}

async function beginAttempt(
  ctx: Context,
  offerOf: PseOfferOf,
  found: Found,
  link: PaymentLink,
  choice: CheckoutChoice,
  payer: Payer,
): Promise<BeginOutcome> {
  const { organization } = found
  const route = routePayin(ctx, organization, choice.rail, link.amountInCents)
  if (isRefusal(route)) return 'rail-not-available'
  const since = found.payin && newTermsSince(found.payin)
  const offer =
    choice.rail === 'PSE'
      ? await offerOf(organization.organizationId, connectionOf(route), since)
      : WHOLE_OFFER
  if (choice.rail === 'PSE' && !hasBank(ctx, offer, choice)) return 'bank-not-enabled'
  const { needsPayerPresent } = payinAbilities(route?.provider ?? null, choice.rail)
  const presence = needsPayerPresent ? presenceOf(offer, choice, payer) : null
  if (typeof presence === 'string') return presence
  const customer = (await customerOf(ctx, found)) ?? choice.customer
  const request = { customer, way: wayOf(choice), presence }
  const begun = await startAttempt(ctx, organization, link, request, payer.language, route).catch(ifGone)
  if (begun === 'connection-gone') return 'rail-not-available'
  if (begun === undefined) return 'not-payable'
  if (begun.isNew) return 'begun'
  return isOpen(begun.payin) ? 'already-begun' : 'too-late'
}

// The form is shown again, with what the connections that are left offer and ask for.
function ifGone(error: unknown): 'connection-gone' {
  if (error instanceof ConnectionGone) return 'connection-gone'
  throw error
}

function hasBank(ctx: Context, offer: PseOffer, { bank }: CheckoutChoice): boolean {
  const found = findPseBank(bank ?? '', ctx.settings.environment === 'staging')
  return found !== undefined && isOffered(offer, found)
}

// The page always has a QR, because the payer's app may be on another phone.
function wayOf({ rail, bank, personType }: CheckoutChoice): PayinRequest['way'] {
  return rail === 'BRE_B'
    ? { rail, keyType: 'QR_CODE' }
    : { rail, bank: bank ?? '', personType: personType ?? 'INDIVIDUAL' }
}

// The terms are those that the provider told us, whatever the form says. The form says only which ones its payer was shown.
function presenceOf(
  { terms }: PseOffer,
  choice: CheckoutChoice,
  { device = { ipAddress: '', userAgent: '' } }: Payer,
): PayerPresence | 'terms-changed' | 'terms-away' {
  if (terms === 'away') return 'terms-away'
  if (terms === null) return { acceptedTerms: [], device }
  if (choice.terms !== terms.digest) return 'terms-changed'
  return { acceptedTerms: terms.links.map(({ url }) => url), device }
}

// Whom the payer need not type. Whoever cannot be opened any more is typed again.
export async function customerOf(ctx: Context, { link, payin }: Found): Promise<Customer | null> {
  const known = link ?? payin
  if (known === null) return null
  const vault = await ctx.vault(known.organizationId)
  const id = link?.paymentLinkId ?? (payin as Payin).payinId
  const customer = openCustomer(vault, id, known.customer)
  return typeof customer === 'string' ? null : customer
}

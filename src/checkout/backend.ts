// What the payer's pages need from the rest of the service: the subject of a token, what PSE offers it, and the four things a
// page can do with it. The address is the capability. There is no session, so everything a page shows is read here, and every
// action of a payer may arrive twice.

import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import type { PayinErrorCode, PayinStatus, PaymentConnection, PersonType } from '../core/payins/payin.ts'
import type { Customer } from '../core/people/customer.ts'
import type { PayerLanguage } from '../core/receipts/mail.ts'
import type { PseOffer } from '../flows/connections/pse-offer.ts'
import type { PayerDevice } from '../flows/payins/payer-actions.ts'

export type CheckoutBackend = {
  load(token: string): Promise<CheckoutSubject | undefined>
  // Asks the provider that PSE goes over, unless it was asked lately. Only a page with the form needs it.
  pseOffer(subject: CheckoutSubject): Promise<PseOffer>
  // Starts an attempt, or adds what an API payin lacks of its payer. A double submit is harmless. Too late while an
  // attempt that has ended for us may still be paid at its network.
  begin(
    token: string,
    choice: CheckoutChoice,
    language?: PayerLanguage,
    device?: PayerDevice,
  ): Promise<BeginOutcome>
  // "Ya pagué": queries the network now.
  recheck(token: string): Promise<void>
  // Abandons the open attempt, so that the payer can choose another way to pay. Too late while the payer is at the bank,
  // and if the network cannot be asked.
  abandonAttempt(token: string): Promise<'left' | 'too-late'>
  // Calls back when the subject may have changed, and once soon after the start, so that no change in between is missed.
  watch(token: string, onChange: () => void): { stop(): void }
}

// Nothing was begun: no connection takes the rail, the provider's terms are others than the payer has accepted, or it does not
// say what they are.
export type BeginRefusal = 'bank-not-enabled' | 'rail-not-available' | 'terms-changed' | 'terms-away'
export type BeginOutcome = 'begun' | 'already-begun' | 'too-late' | 'not-payable' | BeginRefusal

export type CheckoutSubject = {
  // A payment link, or one payin that a merchant created through the API.
  readonly kind: 'link' | 'payin'
  readonly organizationId: string
  readonly merchant: {
    readonly name: string
    // NIT and contact of the merchant. PSE requires both on its receipt, if they are known.
    readonly taxId: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly logoUrl: string | null
    readonly accentColor: string | null
  }
  readonly amountInCents: bigint
  readonly reference: string
  // What is paid for, in the merchant's words. The payer reads it instead of the reference.
  readonly description: string | null
  readonly callbackUrl: string | null
  readonly expiresAt: Instant
  // When the merchant ended the link, if it did so before the hour was over.
  readonly endedEarlyAt: Instant | null
  // Of the link, or derived from the payin. A link stays PENDING when an attempt fails.
  readonly status: 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELED' | 'DECLINED'
  // Rails that are enabled, can carry the amount, and have somewhere to go.
  readonly rails: readonly Rail[]
  // What PSE goes over: the payin's own connection, or that of the link's next attempt. Null: the installation's network.
  readonly pse: PaymentConnection | null
  readonly fixedBank: string | null
  // If it is known, the form does not ask for it.
  readonly customer: Customer | null
  readonly personType: PersonType | null
  // The open attempt, else the one that paid, else one that may still be paid, else the latest.
  readonly payin: CheckoutPayin | null
  // Money came for it, was not counted, and is in suspense.
  readonly holdsMoney?: boolean
}

export type CheckoutPayin = {
  readonly payinId: string
  readonly rail: Rail
  readonly status: PayinStatus
  readonly errorCode: PayinErrorCode | null
  // It has its outcome, and its network has not said that it ended there.
  readonly mayStillBePaid: boolean
  readonly amountInCents: bigint
  readonly confirmedAmountInCents: bigint | null
  // What arrived instead, where another amount ended the payin.
  readonly otherAmountInCents: bigint | null
  // Its provider wants the payer on our page, and nobody was there yet.
  readonly awaitsPresence: boolean
  // Since when the payer must accept other terms than before: the provider had replaced them. Null: there is nothing new.
  readonly newTermsSince: Instant | null
  // Its key can be paid.
  readonly isReady: boolean
  readonly keyString: string | null
  readonly qrPayload: string | null
  readonly bank: string | null
  readonly bankUrl: string | null
  readonly traceId: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
  readonly resultAt: Instant | null
  // What the network has taken back since it was paid.
  readonly chargedBack?: { readonly amountInCents: bigint; readonly at: Instant } | null
}

export type CheckoutChoice = {
  readonly rail: Rail
  readonly bank: string | null
  readonly personType: PersonType | null
  readonly customer: Customer | null
  // The digest of the terms that the payer has accepted.
  readonly terms?: string
}

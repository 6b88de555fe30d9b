// What the payer's pages ask of the rest of the house: what a token names, and the four things a payer can do with it.
// The one thing to know: the address is the capability. There is no session, so everything a page shows is read here,
// and everything a payer does may come twice.

import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import type { Customer, PayinErrorCode, PayinStatus, PersonType } from '../core/payins/payin.ts'

export type CheckoutBackend = {
  load(token: string): Promise<CheckoutSubject | undefined>
  // Opens a try, or gives an API payin the customer it lacks. A double submit is harmless.
  begin(
    token: string,
    choice: CheckoutChoice,
  ): Promise<'begun' | 'already-begun' | 'not-payable' | 'bank-not-enabled'>
  // "Ya pagué": asks the network now.
  recheck(token: string): Promise<void>
  // Gives up the open try, so that another way can be chosen.
  leave(token: string): Promise<'left' | 'too-late'>
  // Calls back when what the token names may have changed. A call may be lost: pages look by themselves, too.
  watch(token: string, onChange: () => void): { stop(): void }
}

export type CheckoutSubject = {
  // A payment link, or one payin that a merchant made by the API.
  readonly kind: 'link' | 'payin'
  readonly merchant: {
    readonly name: string
    // NIT, and how to reach the merchant: PSE wants both on its receipt, where they are known.
    readonly taxId: string | null
    readonly contact: string | null
    readonly logoUrl: string | null
    readonly accentColor: string | null
  }
  readonly amountInCents: bigint
  readonly reference: string
  readonly callbackUrl: string | null
  readonly expiresAt: Instant
  // Of the link, or derived from the payin. A link stays PENDING when a try fails.
  readonly status: 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELED' | 'DECLINED'
  // What may be chosen: enabled, and able to carry the amount.
  readonly rails: readonly Rail[]
  readonly fixedBank: string | null
  // Known already: then nothing of it is asked.
  readonly customer: Customer | null
  readonly personType: PersonType | null
  // The latest try.
  readonly payin: CheckoutPayin | null
}

export type CheckoutPayin = {
  readonly payinId: string
  readonly rail: Rail
  readonly status: PayinStatus
  readonly errorCode: PayinErrorCode | null
  readonly amountInCents: bigint
  readonly confirmedAmountInCents: bigint | null
  readonly keyString: string | null
  readonly qrPayload: string | null
  readonly bank: string | null
  readonly bankUrl: string | null
  readonly traceId: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
  readonly resultAt: Instant | null
}

export type CheckoutChoice = {
  readonly rail: Rail
  readonly bank: string | null
  readonly personType: PersonType | null
  readonly customer: Customer | null
}

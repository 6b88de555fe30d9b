// The port between our payments and a network or provider. Nothing on our side knows a provider's codes, and no rail can write
// to our database.
//
// A rail answers instead of throwing. `unknown` is an answer too: no reply, a broken one, or one we cannot read. The money
// may or may not have moved, and only a query or a notification may decide which.

import type { RailNotice } from '../core/connections/notice.ts'
import type { Use } from '../core/connections/provider.ts'
import type { Rail } from '../core/connections/rail.ts'
import type { StatementPage } from '../core/connections/statement.ts'
import type { KeyType } from '../core/directory/breb-key.ts'
import type { Instant } from '../core/instant.ts'
import type { PayinErrorCode, PersonType } from '../core/payins/payin.ts'
import type { PayoutErrorCode } from '../core/payouts/payout.ts'
import type { Customer } from '../core/people/customer.ts'

export type Accepted<Value> = { readonly outcome: 'accepted'; readonly value: Value }
export type Rejected<Reason> = {
  readonly outcome: 'rejected'
  readonly reason: Reason
  readonly networkCode: string
  // Of a payin's order: its payer has accepted other terms than the provider has now. Nothing was ordered, and once the payer has
  // accepted those, it can be.
  readonly hasNewTerms?: true
}
// timeout: no answer in time. unavailable: the network cannot be reached, or asks us to come back later. unreadable: what
// came is not an answer. undecided: the network answered, but does not say whether the money moved.
export type UnknownKind = 'timeout' | 'unavailable' | 'unreadable' | 'undecided'
export type Unknown = {
  readonly outcome: 'unknown'
  readonly kind: UnknownKind
  readonly why: string
  // The network does not let us in: it refuses our credentials.
  readonly isLockedOut?: true
}
export function unknown(kind: UnknownKind, why: string): Unknown {
  return { outcome: 'unknown', kind, why }
}

// What these are about is who asks, and not what is asked.
export function refusesCredentials(httpStatus: number): boolean {
  return httpStatus === 401 || httpStatus === 403
}

export type RailAnswer<Value, Reason> = Accepted<Value> | Rejected<Reason> | Unknown

// Every request carries our own reference, which never changes. Whether sending an order twice orders once depends on the
// provider, so nobody relies on it: an order that may have arrived is searched for before it is sent again.
export type PayinOrder = {
  readonly reference: string
  readonly amountInCents: bigint
  readonly merchantName: string
  readonly expiresAt: Instant
  readonly customer: Customer | null
  // The payer's browser, if the payer was on our page.
  readonly device: PayerDevice | null
  // Links to the provider's terms that the payer accepted on our page.
  readonly acceptedTerms: readonly string[]
  // Where the bank sends the payer's browser afterwards; only PSE uses it.
  readonly returnUrl: string
  readonly source: // Null: the provider names the key.
    | { readonly rail: 'BRE_B'; readonly keyString: string | null }
    | { readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType }
}

export type PayerDevice = { readonly ipAddress: string; readonly userAgent: string }

// How a payment is found again: by our reference, or by the provider's id if we have it. Some searches need the amount too.
export type PaymentHandle = {
  readonly reference: string
  readonly providerId: string | null
  readonly amountInCents: bigint
}

// What the payer needs to pay. Null: the rail has no such thing, or the provider has not said it yet.
export type Instructions = {
  readonly keyString: string | null
  readonly qrPayload: string | null
  // The bank's page.
  readonly pageUrl: string | null
  // What is missing is still to come, such as the bank's page, or a key that is being registered. Nobody can pay yet.
  readonly isReady: boolean
}

// The provider has the order. `traceId` is the id by which it will report the payment, if it is known so early (PSE: CUS).
export type OpenedPayin = {
  readonly providerId: string | null
  readonly traceId: string | null
  readonly instructions: Instructions
}

export type RailPayment = { readonly amountInCents: bigint; readonly paymentId: string }

// What the network says about a payin we asked for.
export type RailPayinStatus =
  // Without `opened` nothing is news to us.
  | { readonly state: 'open'; readonly opened?: OpenedPayin }
  | {
      readonly state: 'paid'
      // All payments the network lists. The first decides an open payin; several people may have paid.
      readonly payments: readonly [RailPayment, ...RailPayment[]]
      readonly networkCode: string
      // What the network has taken back of them.
      readonly chargebacks?: readonly RailChargeback[]
    }
  | {
      readonly state: 'ended'
      // not-found: the network does not know the reference, and says nothing about an order that is on its way. Only a search
      // that would have found it says so.
      readonly how: 'declined' | 'canceled' | 'expired' | 'not-found'
      readonly reason: PayinErrorCode
      readonly networkCode: string
    }

export type RailChargeback = RailPayment & { readonly chargebackId: string }

export type PayinRail = {
  submit: (order: PayinOrder) => Promise<RailAnswer<OpenedPayin, PayinErrorCode>>
  query: (payment: PaymentHandle) => Promise<RailAnswer<RailPayinStatus, PayinErrorCode>>
  // Ends the payment if that is still possible, and returns its status. Where a payment cannot be ended, this only asks. A
  // payment that the network does not know counts as ended.
  cancel: (payment: PaymentHandle) => Promise<RailAnswer<RailPayinStatus, PayinErrorCode>>
  // Returns money that arrived too late or in the wrong amount to where it came from. The reference is ours, for this return.
  // Null: the provider cannot.
  returnPayment:
    | ((
        reference: string,
        paymentId: string,
        amountInCents: bigint,
      ) => Promise<RailAnswer<{ traceId: string | null }, 'RAIL_ERROR'>>)
    | null
}

export type PayoutOrder = {
  readonly reference: string
  readonly amountInCents: bigint
  readonly keyString: string
  readonly keyType: KeyType
  readonly customer: Customer
}

// `providerId` is the provider's id of the payout, where it has one.
export type RailPayoutStatus = { readonly providerId?: string } & (
  | { readonly state: 'processing' }
  // The amount is absent where the network does not name it.
  | { readonly state: 'completed'; readonly traceId: string | null; readonly amountInCents?: bigint }
  | { readonly state: 'rejected'; readonly reason: PayoutErrorCode; readonly networkCode: string }
  // The network called it off. No money moved.
  | { readonly state: 'canceled'; readonly reason: PayoutErrorCode; readonly networkCode: string }
  // It was paid, and the money came back.
  | { readonly state: 'returned'; readonly traceId: string | null; readonly networkCode: string }
  // A search found no record under this reference, so the payout may be submitted again under the same one.
  | { readonly state: 'absent' }
)

export type PayoutRail = {
  submit: (order: PayoutOrder) => Promise<RailAnswer<RailPayoutStatus, PayoutErrorCode>>
  query: (payment: PaymentHandle) => Promise<RailAnswer<RailPayoutStatus, PayoutErrorCode>>
  // Of a provider that would pay twice if an order came twice. An order without an answer is sent again only this long after the
  // last one, and only if a search finds nothing: the order may still be on its way.
  resendAfterMs?: number
}

// Null: the provider does not say. `isMasked`: it masks what it says, so nothing can be compared with it.
export type KeyHolder = {
  readonly keyString: string
  readonly keyType: KeyType
  readonly isMasked?: true
  readonly holder: {
    readonly name: string
    readonly personType: PersonType | null
    readonly idType: string | null
    readonly idNumber: string | null
  }
  readonly participant: { readonly name: string; readonly code: string | null }
  readonly account: { readonly type: string; readonly lastFour: string } | null
}

export type KeyRefusal = 'KEY_INVALID' | 'KEY_NOT_FOUND' | 'KEY_SUSPENDED'

export type Directory = {
  lookUp: (keyString: string, keyType: KeyType) => Promise<RailAnswer<KeyHolder, KeyRefusal>>
}

// A page of what the network says moved from one instant up to, but not including, another. A null cursor asks for the first
// page. An `unknown` answer says nothing about the day: the same page is asked for again.
export type ReadStatement = (
  from: Instant,
  to: Instant,
  cursor: string | null,
) => Promise<RailAnswer<StatementPage, never>>

// Undefined: the signature is invalid. A fault says what is wrong with a signed body.
// `unreadable` is what came, if it may be about money.
export type NoticeReading =
  | { notice: RailNotice }
  | { fault: string; unreadable?: { noticeId: string; content: string } }
  | undefined
export type ReadNotice = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  now: Instant,
) => NoticeReading

// What a provider's notification tells us. It never settles anything by itself: it makes us ask the provider, so it may come
// twice, late or out of order. `ask` names payments by our reference or by the provider's id. `ignored` says what came, and why it
// is not about us. Undefined: no secret of this connection signed it.
export type Hint =
  | { readonly ask: readonly HintedPayment[]; readonly kind: string }
  | { readonly ignored: string }
  | { readonly fault: string }
  | undefined
export type HintedPayment = { readonly kind: 'payin' | 'payout' } & (
  | { readonly reference: string }
  | { readonly providerId: string }
)
export type ReadHint = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  now: Instant,
) => Hint

// A bank as the provider names it.
export type ProviderBank = { readonly code: string; readonly name: string }

export type Terms = {
  readonly kind: 'conditions' | 'personal-data'
  readonly url: string
}

// One line for each thing that was asked: what was tried, and what is wrong in words.
export type ConnectionCheck = { readonly what: string; readonly problem: string | null }

// What one connection offers. Absent: the provider has no such thing, or the connection is not used for it.
export type ProviderRails = {
  readonly payins: Readonly<Partial<Record<Rail, PayinRail>>>
  readonly payouts: PayoutRail | null
  readonly directory: Directory | null
  readonly banks: (() => Promise<RailAnswer<readonly ProviderBank[], never>>) | null
  readonly terms: (() => Promise<RailAnswer<readonly Terms[], never>>) | null
  // Only providers that tell us their own record have one. The others are not reconciled.
  readonly statement: Readonly<Partial<Record<Rail, ReadStatement>>>
  // It has not been answering, and is not asked for the moment.
  readonly isAway: (use: Use) => boolean
  // Asks the provider something harmless with each of the credentials.
  readonly check: () => Promise<readonly ConnectionCheck[]>
  readonly readHint: ReadHint
  readonly close: () => Promise<void>
}

// The installation's own networks. They tell us what happened in notices that settle payments by themselves.
export type Rails = Omit<ProviderRails, 'payins' | 'payouts' | 'directory' | 'readHint'> & {
  readonly payins: Readonly<Record<Rail, PayinRail>>
  readonly payouts: PayoutRail
  readonly directory: Directory
  readonly readNotice: Readonly<Record<Rail, ReadNotice>>
}

// One exchange with a network as it went over the wire, without personal data, for the operator.
export type NetworkExchange = {
  readonly rail: Rail
  // Method and resource, such as PUT /transfers.
  readonly operation: string
  // Empty for an access token, and for a lookup, because its key is personal.
  readonly reference: string
  readonly at: Instant
  readonly tookMs: number
  readonly status: number | null
  readonly request: string
  readonly response: string
  readonly failure: string | null
  // It never left: there was no access token for it.
  readonly isUnsent?: true
}

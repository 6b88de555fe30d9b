// The port between our payments and a network. Two rails implement it. Nothing on our side knows a network's codes, and no
// rail can write to our database.
//
// A rail answers instead of throwing. `unknown` is an answer too: no reply, a broken one, or one we cannot read. The money
// may or may not have moved, and only a query or a notification may decide which.

import type { RailNotice } from '../core/connections/notice.ts'
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
}
// timeout: no answer in time. unavailable: the network cannot be reached, or asks us to come back later. unreadable: what
// came is not an answer. undecided: the network answered, but does not say whether the money moved.
export type UnknownKind = 'timeout' | 'unavailable' | 'unreadable' | 'undecided'
export type Unknown = { readonly outcome: 'unknown'; readonly kind: UnknownKind; readonly why: string }
export function unknown(kind: UnknownKind, why: string): Unknown {
  return { outcome: 'unknown', kind, why }
}

export type RailAnswer<Value, Reason> = Accepted<Value> | Rejected<Reason> | Unknown

// Every request carries our own reference, which never changes, so repeating a request has no further effect.
export type PayinOrder = {
  readonly reference: string
  readonly amountInCents: bigint
  readonly merchantName: string
  readonly expiresAt: Instant
  readonly customer: Customer | null
  // Where the bank sends the payer's browser afterwards; only PSE uses it.
  readonly returnUrl: string
  readonly source:
    | { readonly rail: 'BRE_B'; readonly keyString: string }
    | { readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType }
}

export type RailPayment = { readonly amountInCents: bigint; readonly paymentId: string }

// What the network says about a payin we asked for.
export type RailPayinStatus =
  | { readonly state: 'open' }
  | {
      readonly state: 'paid'
      // All payments the network lists. The first decides an open payin; several people may have paid.
      readonly payments: readonly [RailPayment, ...RailPayment[]]
      readonly networkCode: string
    }
  | {
      readonly state: 'ended'
      // not-found: the network does not know the reference, and says nothing about an order that is on its way.
      readonly how: 'declined' | 'canceled' | 'expired' | 'not-found'
      readonly reason: PayinErrorCode
      readonly networkCode: string
    }

export type PayinRail = {
  // `pageUrl` is the bank's page, if the rail has one. `traceId` is the network's id of the payment (PSE: CUS).
  submit: (
    order: PayinOrder,
  ) => Promise<RailAnswer<{ pageUrl: string | null; traceId: string | null }, PayinErrorCode>>
  query: (reference: string) => Promise<RailAnswer<RailPayinStatus, PayinErrorCode>>
  // Ends the payment if that is still possible, and returns its status. A payment that the network does not know counts as
  // ended.
  cancel: (reference: string) => Promise<RailAnswer<RailPayinStatus, PayinErrorCode>>
  // Returns money that arrived too late or in the wrong amount to where it came from. The reference is ours, for this return.
  returnPayment: (
    reference: string,
    paymentId: string,
    amountInCents: bigint,
  ) => Promise<RailAnswer<{ traceId: string | null }, 'RAIL_ERROR'>>
}

export type PayoutOrder = {
  readonly reference: string
  readonly amountInCents: bigint
  readonly keyString: string
  readonly keyType: KeyType
  readonly customer: Customer
}

export type RailPayoutStatus =
  | { readonly state: 'processing' }
  // The amount is absent where the network does not name it.
  | { readonly state: 'completed'; readonly traceId: string | null; readonly amountInCents?: bigint }
  | { readonly state: 'rejected'; readonly reason: PayoutErrorCode; readonly networkCode: string }
  // The network called it off. No money moved.
  | { readonly state: 'canceled'; readonly reason: PayoutErrorCode; readonly networkCode: string }
  // The network has no record under this reference, so the payout may be submitted again under the same one.
  | { readonly state: 'absent' }

export type PayoutRail = {
  submit: (order: PayoutOrder) => Promise<RailAnswer<RailPayoutStatus, PayoutErrorCode>>
  query: (reference: string) => Promise<RailAnswer<RailPayoutStatus, PayoutErrorCode>>
}

export type KeyHolder = {
  readonly keyString: string
  readonly keyType: KeyType
  readonly holder: {
    readonly name: string
    readonly personType: PersonType
    readonly idType: string
    readonly idNumber: string
  }
  readonly participant: { readonly name: string; readonly code: string }
  readonly account: { readonly type: string; readonly lastFour: string }
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

export type Rails = {
  readonly payins: Readonly<Record<Rail, PayinRail>>
  readonly payouts: PayoutRail
  readonly directory: Directory
  // Only networks that tell us their own record have one. The others are not reconciled.
  readonly statement: Readonly<Partial<Record<Rail, ReadStatement>>>
  readonly readNotice: Readonly<Record<Rail, ReadNotice>>
  readonly close: () => Promise<void>
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
}

// What a network reports unprompted, in our own terms. It may come late, twice, out of order, before our own commit, or
// contradict an earlier report. What we do about it is decided elsewhere.

import type { Instant } from '../instant.ts'
import type { PayinErrorCode } from '../payins/payin.ts'
import type { PayoutErrorCode } from '../payouts/payout.ts'
import type { Rail } from './rail.ts'

export type PayinUpdate =
  | { readonly kind: 'payin.paid'; readonly amountInCents: bigint; readonly paymentId: string }
  | { readonly kind: 'payin.declined'; readonly reason: PayinErrorCode }
  | { readonly kind: 'payin.canceled'; readonly reason: PayinErrorCode }
  | {
      readonly kind: 'payin.chargeback'
      readonly amountInCents: bigint
      readonly paymentId: string
      // The network's own id of the chargeback, if it gives one. A payment can be charged back in parts.
      readonly chargebackId?: string
    }

export type PayoutUpdate =
  // The amount is absent where the network does not name it.
  | { readonly kind: 'payout.completed'; readonly traceId: string | null; readonly amountInCents?: bigint }
  | { readonly kind: 'payout.rejected'; readonly reason: PayoutErrorCode }

// A provider has told us something, which settles nothing: we ask it.
export type HintUpdate = { readonly kind: 'payin.hint' | 'payout.hint'; readonly connectionId: string }

export type NetworkUpdate = PayinUpdate | PayoutUpdate | HintUpdate

export type RailNotice = {
  readonly rail: Rail
  // The network's own id. A repeated notice has the same one.
  readonly noticeId: string
  // As the network gives it: ours, another's, or empty.
  readonly reference: string
  readonly update: NetworkUpdate
  readonly networkCode: string
  readonly occurredAt: Instant
  // The network's time is impossible (too old or in the future), so `occurredAt` is our receipt time.
  readonly timeIsImpossible?: true
  // The body calls the notice by another id than its signature.
  readonly idInBody?: string
}

// A comparison of a day stores what only the network's statement has as a notice, under an id that begins so.
export function isFromStatement(noticeId: string): boolean {
  return noticeId.startsWith('statement:')
}

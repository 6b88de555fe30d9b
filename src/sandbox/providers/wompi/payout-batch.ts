// A batch of payouts at Wompi and the payouts in it, as its API shows them and as its events tell them.

import { type Instant, isoInstant } from '../../../core/instant.ts'
import type { Fields } from '../input.ts'
import { WOMPI_PAYOUTS } from './credentials.ts'
import { type KeyType, masked } from './keys.ts'
import { eventChecksum } from './transaction.ts'

export type BatchStatus =
  | 'PENDING'
  | 'PENDING_APPROVAL'
  | 'NOT_APPROVED'
  | 'AFE_ON_HOLD'
  | 'AFE_REJECTED'
  | 'TOTAL_PAYMENT'
  | 'PARTIAL_PAYMENT'
  | 'REJECTED'

export type PayoutStatus =
  | 'PENDING'
  | 'PROCESSING'
  | 'READY_TO_FILE'
  | 'ADDED_TO_FILE'
  | 'APPROVED'
  | 'FAILED'
  | 'REJECTED'
  | 'CANCELLED'

export type PayoutFailure = { readonly code: string; readonly description: string }

export type Batch = {
  readonly id: string
  readonly reference: string
  readonly accountId: string
  readonly paymentType: string
  readonly status: BatchStatus
  readonly amountInCents: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type Payout = {
  readonly id: string
  readonly payoutId: string
  readonly batchReference: string
  readonly reference: string | null
  readonly description: string | null
  readonly amountInCents: number
  readonly status: PayoutStatus
  readonly failure: PayoutFailure | null
  readonly payee: Payee
  /** How it ends, known from the start. Null: it is approved. */
  readonly endsWith: PayoutFailure | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type Payee = {
  readonly key: string
  readonly keyType: KeyType | null
  readonly name: string
  readonly email: string
  readonly legalIdType: string | null
  readonly legalId: string | null
  readonly keyResolutionId: string | null
}

export const hasEnded = ({ status }: Payout): boolean =>
  status === 'APPROVED' || status === 'FAILED' || status === 'REJECTED' || status === 'CANCELLED'

export const presentBatch = (batch: Batch): Record<string, unknown> => ({
  id: batch.id,
  reference: batch.reference,
  accountId: batch.accountId,
  paymentType: batch.paymentType,
  status: batch.status,
  amountInCents: batch.amountInCents,
  currency: 'COP',
  createdAt: isoInstant(batch.createdAt),
  updatedAt: isoInstant(batch.updatedAt),
})

// Why it failed is a text here, and an object in the event.
export const presentPayout = (payout: Payout): Record<string, unknown> => ({
  id: payout.id,
  payoutId: payout.payoutId,
  reference: payout.reference,
  description: payout.description,
  amountInCents: payout.amountInCents,
  currency: 'COP',
  status: payout.status,
  failureReason: payout.failure?.description ?? null,
  payee: presentPayee(payout.payee),
  createdAt: isoInstant(payout.createdAt),
  updatedAt: isoInstant(payout.updatedAt),
})

const presentPayee = ({ key, keyType, name, email, legalIdType, legalId, keyResolutionId }: Payee) => ({
  key,
  keyType,
  name,
  email,
  legalIdType,
  legalId: legalId === null ? null : masked(legalId),
  keyResolutionId,
  paymentMethodType: 'BREB',
})

/** The event about a batch. The documentation does not show the caller's reference in it: the id has to be known. */
export const batchEvent = ({ id, amountInCents, status }: Batch, at: Instant): string =>
  eventText('payout', { id, amountInCents, status }, at)

export const payoutEvent = (payout: Payout, at: Instant): string => {
  const { id, payoutId, amountInCents, status, payee, failure } = payout
  return eventText(
    'transaction',
    { id, payoutId, amountInCents, status, payee: presentPayee(payee), failureReason: failure },
    at,
  )
}

type Told = Fields & { readonly id: string; readonly amountInCents: number; readonly status: string }

// Signed as the events of payments are, but with another secret and with the time in milliseconds.
function eventText(what: 'payout' | 'transaction', told: Told, timestamp: Instant): string {
  const { id, status, amountInCents } = told
  return JSON.stringify({
    event: `${what}.updated`,
    data: { [what]: told },
    signature: {
      properties: [`${what}.id`, `${what}.status`, `${what}.amountInCents`],
      checksum: eventChecksum([id, status, amountInCents], timestamp, WOMPI_PAYOUTS.payoutsEventsSecret),
    },
    timestamp,
    sentAt: isoInstant(timestamp),
  })
}

// Payouts of one file. A batch is checked, corrected and submitted; its money is set aside as a whole, and its rows then become
// ordinary payouts, each once. It ends when all of them have.

import type { Instant } from '../instant.ts'
import { type Lifecycle, nextState } from '../lifecycle.ts'
import type { Sealed } from '../people/sealed.ts'
import type { RowProblem } from './row.ts'

export const BATCH_STATUSES = ['CHECKING', 'DRAFT', 'WAITING', 'PROCESSING', 'COMPLETED', 'CANCELED'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

// CHECKING: keys are being looked up. WAITING: somebody must approve it. PROCESSING: its payouts are made and sent.
export const BATCH = {
  CHECKING: { checked: 'DRAFT', cancel: 'CANCELED' },
  DRAFT: { check: 'CHECKING', submit: 'WAITING', start: 'PROCESSING', cancel: 'CANCELED' },
  WAITING: { start: 'PROCESSING', reopen: 'DRAFT', cancel: 'CANCELED' },
  PROCESSING: { complete: 'COMPLETED' },
  COMPLETED: {},
  CANCELED: {},
} as const satisfies Lifecycle<BatchStatus>

export type BatchStep = 'checked' | 'check' | 'submit' | 'start' | 'reopen' | 'cancel' | 'complete'

export type PayoutBatch = {
  readonly organizationId: string
  readonly batchId: string
  readonly version: number
  readonly status: BatchStatus
  readonly fileName: string
  readonly fileDigest: Buffer
  // Who submitted it, or made it while nobody has, and what they may pay out in a day: its payouts count there.
  readonly credentialId: string
  readonly payoutsPerDay: number | null
  readonly payoutSumPerDay: bigint | null
  readonly retryOf: string | null
  // Whoever handed it in or changed a row of it: people, keys and clients. None of them approves it.
  readonly writtenBy: readonly string[]
  // What is set aside for rows that are no payouts yet and for their fees, how much of it is from deposits, and how much is for fees.
  readonly reservedInCents: bigint
  readonly reservedDepositInCents: bigint
  readonly reservedFeesInCents: bigint
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly submittedAt: Instant | null
  readonly completedAt: Instant | null
}

// DRAFT: may be sent. LEFT_OUT: will not be. QUEUED: its money is set aside. SENT: it is a payout. REFUSED: it could not become one.
export const ROW_STATES = ['DRAFT', 'LEFT_OUT', 'QUEUED', 'SENT', 'REFUSED'] as const
export type RowState = (typeof ROW_STATES)[number]

// What is known of a key. PENDING: it will be looked up. UNCHECKED: the budget or the directory did not allow it.
export const KEY_CHECKS = ['PENDING', 'UNCHECKED', 'FOUND', 'VERIFIED'] as const
export type KeyCheck = (typeof KEY_CHECKS)[number]

export type BatchRow = {
  readonly organizationId: string
  readonly batchId: string
  readonly rowId: string
  readonly rowNumber: number
  readonly version: number
  readonly state: RowState
  readonly person: Sealed
  readonly amountInCents: bigint | null
  // Finds rows to the same key. Null while there is none.
  readonly keyDigest: Buffer | null
  readonly isKeyFromBook: boolean
  readonly keyCheck: KeyCheck
  readonly problems: readonly RowProblem[]
  // The first row of the batch with the same key and amount.
  readonly duplicateOf: number | null
  readonly payoutId: string | null
  // Why it could not become a payout.
  readonly refusal: string | null
}

export type BatchTotals = {
  readonly rows: number
  readonly leftOut: number
  // Rows that would be sent, and their sum.
  readonly toSend: number
  readonly sumInCents: bigint
  readonly largestInCents: bigint
  readonly withErrors: number
  readonly withWarnings: number
  readonly keysUnchecked: number
  readonly keysPending: number
}

export type BatchResults = {
  readonly queued: number
  readonly processing: number
  readonly confirmed: number
  readonly confirmedInCents: bigint
  readonly failed: number
}

// Undefined if the batch cannot take the step.
export function moveBatch(
  batch: PayoutBatch,
  step: BatchStep,
  now: Instant,
  changes: Partial<PayoutBatch> = {},
): PayoutBatch | undefined {
  const status = nextState<BatchStatus>(BATCH, batch.status, step)
  if (status === undefined) return undefined
  return { ...batch, ...changes, status, version: batch.version + 1, updatedAt: now }
}

// `id`: null for the service and for commands.
export function writtenAlsoBy(batch: PayoutBatch, id: string | null): PayoutBatch {
  if (id === null || batch.writtenBy.includes(id)) return batch
  return { ...batch, writtenBy: [...batch.writtenBy, id] }
}

export function isEditable({ status }: Pick<PayoutBatch, 'status'>): boolean {
  return status === 'DRAFT' || status === 'CHECKING'
}

// How soon to look again whether all payouts have ended: soon at first, and more seldom the longer it takes.
export function lookAgainAt({ updatedAt }: Pick<PayoutBatch, 'updatedAt'>, now: Instant): Instant {
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, Math.floor((now - updatedAt) / 10)))
  return now + pause
}

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000

// The first of these rows with the same key and amount, or null for the first itself.
export function firstRowWith(rows: readonly BatchRow[]): (row: BatchRow) => number | null {
  const first = new Map<string, number>()
  const nameOf = ({ keyDigest, amountInCents }: BatchRow): string | null =>
    keyDigest === null || amountInCents === null ? null : `${keyDigest.toString('hex')} ${amountInCents}`
  for (const row of rows) {
    const name = nameOf(row)
    if (name !== null && !first.has(name)) first.set(name, row.rowNumber)
  }
  return (row) => {
    const found = first.get(nameOf(row) ?? '')
    return found === undefined || found === row.rowNumber ? null : found
  }
}

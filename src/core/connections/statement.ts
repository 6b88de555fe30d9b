// A network's own record of a day, line by line, and where each line belongs in our books. Credits and chargebacks are known by
// the network's id of the payment, because one reference can be paid twice. Debits and returns are known by our reference,
// because money goes out once under it.

import { createHash } from 'node:crypto'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../organizations/organization.ts'
import { parseRailReference, type ReferenceKind } from './reference.ts'

export const MOVEMENTS = ['credit', 'debit', 'return', 'chargeback'] as const
export type Movement = (typeof MOVEMENTS)[number]

export type StatementLine = {
  readonly movement: Movement
  // Ours, or whatever text came.
  readonly reference: string
  // The payment's id, the end-to-end id, or PSE's CUS.
  readonly networkId: string
  // The provider's id of what was paid, where its list does not name our reference.
  readonly providerId?: string
  readonly amountInCents: bigint
  readonly occurredAt: Instant
}

// A line in another currency, of an unknown movement, or without a readable amount. It is kept as it came, cut to a length.
export type UnreadableLine = { readonly reference: string; readonly raw: string; readonly why: string }

export type StatementPage = {
  readonly lines: readonly StatementLine[]
  readonly unreadable: readonly UnreadableLine[]
  readonly nextCursor: string | null
  // False while the network may still add lines to the day.
  readonly complete: boolean
}

// A cursor as it is remembered, to notice pages that lead in a circle. Cursors are up to 512 characters, and a day can have
// thousands.
export function cursorDigest(cursor: string): string {
  return createHash('sha256').update(cursor).digest('base64url').slice(0, 11)
}

const SUBJECT_KINDS: Readonly<Record<Movement, ReferenceKind>> = {
  credit: 'payin',
  chargeback: 'payin',
  debit: 'payout',
  return: 'return',
}

export type Attribution = { organizationId: string; subjectId: string | null }

export function attributionOf(reference: string, movement: Movement | null): Attribution {
  const parsed = parseRailReference(reference)
  if (parsed === undefined || (movement !== null && parsed.kind !== SUBJECT_KINDS[movement]))
    return { organizationId: UNATTRIBUTED_ORGANIZATION, subjectId: null }
  return { organizationId: parsed.organizationId, subjectId: parsed.id }
}

// A line and its booking have the same key, and are matched by it.
export function matchKey({ movement, networkId }: StatementLine, subjectId: string | null): string {
  const byNetwork = movement === 'credit' || movement === 'chargeback' || subjectId === null
  return `${movement} ${byNetwork ? networkId : subjectId}`
}

// Which movement of the network a booking stands for, and what its subject is. Null: the
// booking moves money between our own accounts, or is staging's opening balance, so no network lists it.
export const MOVEMENT_OF_BOOKING: Readonly<
  Record<Booking, { movement: Movement; subject: 'payin' | 'suspense' | 'payout' | 'refund' } | null>
> = {
  'opening balance': null,
  'payin confirmed': { movement: 'credit', subject: 'payin' },
  // The network's credit is the one that was booked as money in suspense.
  'payin confirmed from suspense': null,
  'payin settled': null,
  'payin settled to deposits': null,
  'payin fee': null,
  'payin fee tax': null,
  'payin withholding': null,
  'payin charged back before settlement': { movement: 'chargeback', subject: 'payin' },
  'payin charged back after settlement': { movement: 'chargeback', subject: 'payin' },
  'payin charged back from deposits': { movement: 'chargeback', subject: 'payin' },
  'money in suspense': { movement: 'credit', subject: 'suspense' },
  'suspense returned': { movement: 'return', subject: 'suspense' },
  'suspense attached': null,
  'suspense attached to deposits': null,
  // Takes back what `money in suspense` booked. See the comparison, which counts neither.
  'suspense released': null,
  'suspense charged back': { movement: 'chargeback', subject: 'suspense' },
  'suspense charged back after attaching': { movement: 'chargeback', subject: 'suspense' },
  'suspense charged back from deposits': { movement: 'chargeback', subject: 'suspense' },
  'refund reserved': null,
  'refund released': null,
  'refund reserved from deposits': null,
  'refund released to deposits': null,
  'refund given back': { movement: 'return', subject: 'refund' },
  // Between the merchant and its provider. No network of the installation knows of it.
  'connection deposit': null,
  'connection withdrawal': null,
  'collected money withdrawn': null,
  'collected money moved to deposits': null,
  'collected money moved from deposits': null,
  'payout reserved': null,
  'payout released': null,
  'payout reserved from deposits': null,
  'payout released to deposits': null,
  'batch reserved': null,
  'batch released': null,
  'batch reserved from deposits': null,
  'batch released to deposits': null,
  'payout confirmed': { movement: 'debit', subject: 'payout' },
  'payout fee': null,
  'payout fee tax': null,
  'refund paid': { movement: 'debit', subject: 'payout' },
  // Only providers report it, and their payments are not in a network's statement.
  'payout returned': null,
  'payout returned to deposits': null,
  'payout paid after rejection': { movement: 'debit', subject: 'payout' },
  'payout paid after rejection from deposits': { movement: 'debit', subject: 'payout' },
}

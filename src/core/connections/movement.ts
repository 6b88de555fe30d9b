// Money that a merchant puts into its account at a provider, or takes out of it, as the merchant records it. Nobody else knows of it.
// Deposits are an account of their own, from which only payouts over connections are paid: what a merchant says it has elsewhere is
// nothing that the installation's networks would pay.

import { instantOfId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { type Booking, type Transfer, transfer } from '../ledger/bookings.ts'
import type { Connection } from './connection.ts'
import type { Rail } from './rail.ts'

export const MOVEMENT_KINDS = ['DEPOSIT', 'WITHDRAWAL'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

export type ConnectionMovement = {
  readonly organizationId: string
  readonly movementId: string
  readonly connectionId: string
  readonly kind: MovementKind
  readonly amountInCents: bigint
  // How much of it is of the deposits. The rest of a withdrawal is money that was collected.
  readonly depositInCents: bigint
  readonly reference: string
  // The key or client that recorded it.
  readonly recordedBy: string
  readonly createdAt: Instant
}

// More than anybody moves at once, and than anybody has. The sums of both are exact wherever numbers are.
export const MAX_MOVEMENT_CENTS = 10_000_000_000_000
export const MAX_DEPOSITED_CENTS = 1_000_000_000_000_000n

export type MovementRequest = Pick<ConnectionMovement, 'kind' | 'amountInCents' | 'reference' | 'recordedBy'>

// What the organization has, without what is reserved.
export type PayoutFunds = { readonly availableInCents: bigint; readonly depositedInCents: bigint }

// Undefined: a withdrawal of more than there is.
export function newMovement(
  { organizationId, connectionId }: Pick<Connection, 'organizationId' | 'connectionId'>,
  movementId: string,
  request: MovementRequest,
  funds: PayoutFunds,
): ConnectionMovement | undefined {
  const { kind, amountInCents } = request
  const depositInCents = kind === 'DEPOSIT' ? amountInCents : ofDeposits(amountInCents, funds)
  if (kind === 'WITHDRAWAL' && amountInCents > withdrawable(funds)) return undefined
  const createdAt = instantOfId(movementId)
  return { organizationId, connectionId, movementId, ...request, depositInCents, createdAt }
}

// Deposits are spent first. What was collected may be paid out elsewhere, too.
export function ofDeposits(amountInCents: bigint, { depositedInCents }: PayoutFunds): bigint {
  const deposited = positive(depositedInCents)
  return deposited < amountInCents ? deposited : amountInCents
}

// What is owed after a chargeback is no matter of the deposits.
export function withdrawable({ availableInCents, depositedInCents }: PayoutFunds): bigint {
  return positive(availableInCents) + positive(depositedInCents)
}

function positive(cents: bigint): bigint {
  return cents > 0n ? cents : 0n
}

// Payouts leave over Bre-B, so that is where deposits go. What was collected came over the connection's own rail.
export function movementTransfers(
  movement: ConnectionMovement,
  { uses }: Pick<Connection, 'uses'>,
  newId: () => string,
): Transfer[] {
  const { organizationId, movementId: subjectId, kind, amountInCents, depositInCents } = movement
  const collected: Rail = uses.includes('PSE_IN') && !uses.includes('BRE_B_IN') ? 'PSE' : 'BRE_B'
  const book = (booking: Booking, rail: Rail, cents: bigint): Transfer[] =>
    cents === 0n
      ? []
      : [
          transfer(booking, rail, {
            organizationId,
            transferId: newId(),
            subjectId,
            amountInCents: cents,
          }),
        ]
  return [
    ...book(kind === 'DEPOSIT' ? 'connection deposit' : 'connection withdrawal', 'BRE_B', depositInCents),
    ...book('collected money withdrawn', collected, amountInCents - depositInCents),
  ]
}

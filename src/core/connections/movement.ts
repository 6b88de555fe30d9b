// Money in a merchant's accounts at its providers: what was collected over its connections, and what it puts there or takes out, as the
// merchant records it. Nobody else knows of that. It is an account of its own, and payouts over connections are paid from it alone: the
// installation's networks pay for nobody's word, and nothing that they have not received.

import { instantOfId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { type Transfer, transfer } from '../ledger/bookings.ts'
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

// What pays for something that leaves over a connection, or over the installation's own network.
export function spendable({ availableInCents, depositedInCents }: PayoutFunds, isConnected: boolean): bigint {
  return isConnected ? depositedInCents : availableInCents
}

// Undefined: a withdrawal of more than there is.
export function newMovement(
  { organizationId, connectionId }: Pick<Connection, 'organizationId' | 'connectionId'>,
  movementId: string,
  request: MovementRequest,
  depositedInCents: bigint,
): ConnectionMovement | undefined {
  if (request.kind === 'WITHDRAWAL' && request.amountInCents > depositedInCents) return undefined
  return { organizationId, connectionId, movementId, ...request, createdAt: instantOfId(movementId) }
}

// Payouts leave over Bre-B, so that is where deposits go, if the connection has it. What is taken out was mostly collected, over the
// connection's own rail.
export function movementTransfer(
  movement: ConnectionMovement,
  { uses }: Pick<Connection, 'uses'>,
  transferId: string,
): Transfer {
  const { organizationId, movementId: subjectId, kind, amountInCents } = movement
  const collected: Rail = uses.includes('PSE_IN') && !uses.includes('BRE_B_IN') ? 'PSE' : 'BRE_B'
  const paidOut: Rail = uses.includes('BRE_B_OUT') ? 'BRE_B' : collected
  const entry = { organizationId, transferId, subjectId, amountInCents }
  return kind === 'DEPOSIT'
    ? transfer('connection deposit', paidOut, entry)
    : transfer('connection withdrawal', collected, entry)
}

// A merchant records that it put money into its account at a provider, or took some out. Row and books are written together, under the
// lock of the money that payouts are paid from, and at a connection that is there until they are written.

import {
  type ConnectionMovement,
  MAX_DEPOSITED_CENTS,
  type MovementRequest,
  movementTransfer,
  newMovement,
} from '../../core/connections/movement.ts'
import { centsToDecimal } from '../../core/money.ts'
import { type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { type ConnectionAddress, holdConnection } from '../../store/connections/connections.ts'
import { insertMovement } from '../../store/connections/movements.ts'
import { lockAvailable, PAYOUT_SLOT, postTransfers, readBalances } from '../../store/ledger/transfers.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownConnection } from './change-connection.ts'

export function recordMovement(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  address: ConnectionAddress,
  request: MovementRequest,
  idempotency: Idempotency<ConnectionMovement> | null,
): Promise<ConnectionMovement | Refusal> {
  const { organizationId, connectionId } = address
  const movementId = ctx.ids.next()
  return changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const connection = await holdConnection(tx, address)
    if (connection === undefined) return refuseUnknownConnection(connectionId)
    await lockAvailable(tx, organizationId)
    const { DEPOSITED: depositedInCents } = await readBalances(tx, organizationId)
    const movement = newMovement(connection, movementId, request, depositedInCents)
    if (movement === undefined)
      return refuse(
        'BALANCE_TOO_LOW',
        `Your accounts at providers hold ${centsToDecimal(depositedInCents)} pesos that are not reserved.`,
      )
    if (request.kind === 'DEPOSIT' && depositedInCents + request.amountInCents > MAX_DEPOSITED_CENTS) {
      const message = `must leave at most ${MAX_DEPOSITED_CENTS} deposited`
      return refuseFields([{ path: '/amountInCents', code: 'OUT_OF_RANGE', message }])
    }
    await insertMovement(tx, movement)
    await postTransfers(tx, [movementTransfer(movement, connection, ctx.ids.next())], PAYOUT_SLOT)
    const act = request.kind === 'DEPOSIT' ? 'movement.deposit' : 'movement.withdraw'
    await recordAct(ctx, tx, { act, organizationId, objectId: movementId, before: null, after: movement })
    return movement
  })
}

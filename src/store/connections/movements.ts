// Deposits and withdrawals that merchants recorded. They are never changed.

import type { ConnectionMovement, MovementKind } from '../../core/connections/movement.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, listOf } from '../keyset-list.ts'

export async function insertMovement(tx: Queryable, movement: ConnectionMovement): Promise<void> {
  await tx.query({
    text: `insert into connection_movements (organization_id, movement_id, connection_id, kind, amount_cents, deposit_cents,
                                             reference, recorded_by, created_at)
           values ($1, $2, $3, $4, $5, $5, $6, $7, $8)`,
    values: [
      movement.organizationId,
      movement.movementId,
      movement.connectionId,
      movement.kind,
      movement.amountInCents.toString(),
      movement.reference,
      movement.recordedBy,
      isoInstant(movement.createdAt),
    ],
  })
}

export type MovementFilters = IdBounds & { connectionId: string; kind: MovementKind }

export const movementList = listOf<MovementFilters, MovementRow, ConnectionMovement>({
  table: 'connection_movements',
  idColumn: 'movement_id',
  columns: `organization_id, movement_id, connection_id, kind, amount_cents, reference, recorded_by, created_at`,
  cases: ({ connectionId, kind }) => [
    {
      key: [
        ['connection_id', connectionId],
        ['kind', kind],
      ],
    },
  ],
  read: (row) => ({
    organizationId: row.organization_id,
    movementId: row.movement_id,
    connectionId: row.connection_id,
    kind: row.kind,
    amountInCents: row.amount_cents,
    reference: row.reference,
    recordedBy: row.recorded_by,
    createdAt: row.created_at,
  }),
})

type MovementRow = {
  organization_id: string
  movement_id: string
  connection_id: string
  kind: MovementKind
  amount_cents: bigint
  reference: string
  recorded_by: string
  created_at: Instant
}

// Connections as rows. Their credentials are sealed.

import type { Connection } from '../../core/connections/connection.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type ConnectionAddress = { readonly organizationId: string; readonly connectionId: string }

const COLUMNS = `organization_id as "organizationId", connection_id as "connectionId", version, name, provider, environment, uses,
  priority, minimum_cents as "minimumInCents", maximum_cents as "maximumInCents", enabled,
  sealed_credentials as "credentials", sealed_previous as "previousCredentials", previous_until as "previousUntil",
  created_at as "createdAt", updated_at as "updatedAt"`

export async function insertConnection(tx: Queryable, connection: Connection): Promise<void> {
  await tx.query({
    text: `insert into connections (organization_id, connection_id, version, name, provider, environment, uses, priority,
                                    minimum_cents, maximum_cents, enabled, sealed_credentials, sealed_previous,
                                    previous_until, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      ...addressValues(connection),
      connection.version,
      connection.name,
      connection.provider,
      connection.environment,
      ...changeableValues(connection),
      isoInstant(connection.createdAt),
      isoInstant(connection.updatedAt),
    ],
  })
}

// Under the organization's lock, so nobody else changes it meanwhile.
export async function updateConnection(tx: Queryable, connection: Connection): Promise<void> {
  await tx.query({
    text: `update connections
              set version = $3, name = $4, uses = $5, priority = $6, minimum_cents = $7, maximum_cents = $8, enabled = $9,
                  sealed_credentials = $10, sealed_previous = $11, previous_until = $12, updated_at = $13
            where organization_id = $1 and connection_id = $2 and version = $3 - 1`,
    values: [
      ...addressValues(connection),
      connection.version,
      connection.name,
      ...changeableValues(connection),
      isoInstant(connection.updatedAt),
    ],
  })
}

function addressValues({ organizationId, connectionId }: ConnectionAddress): unknown[] {
  return [organizationId, connectionId]
}

function changeableValues(connection: Connection): unknown[] {
  return [
    connection.uses,
    connection.priority,
    connection.minimumInCents?.toString() ?? null,
    connection.maximumInCents?.toString() ?? null,
    connection.enabled,
    connection.credentials,
    connection.previousCredentials,
    isoOrNull(connection.previousUntil),
  ]
}

export async function deleteConnection(tx: Queryable, address: ConnectionAddress): Promise<void> {
  await tx.query({
    text: 'delete from connections where organization_id = $1 and connection_id = $2',
    values: addressValues(address),
  })
}

// In the order of preference.
export async function listConnections(db: Queryable, organizationId: string): Promise<Connection[]> {
  const result = await db.query<Connection>({
    text: `select ${COLUMNS} from connections where organization_id = $1 order by priority, connection_id`,
    values: [organizationId],
  })
  return result.rows
}

export async function getConnection(
  db: Queryable,
  address: ConnectionAddress,
): Promise<Connection | undefined> {
  const result = await db.query<Connection>({
    name: 'get-connection',
    text: `select ${COLUMNS} from connections where organization_id = $1 and connection_id = $2`,
    values: addressValues(address),
  })
  return result.rows[0]
}

// Waits for payments that are being written with it. Those that come later see that it is gone, if it is deleted.
export async function lockConnection(
  tx: Queryable,
  address: ConnectionAddress,
): Promise<Connection | undefined> {
  const result = await tx.query<Connection>({
    text: `select ${COLUMNS} from connections where organization_id = $1 and connection_id = $2 for update`,
    values: addressValues(address),
  })
  return result.rows[0]
}

// Nobody can delete it before the caller's transaction has ended. Whoever is deleting it is waited for.
export async function holdConnection(
  tx: Queryable,
  address: ConnectionAddress,
): Promise<Connection | undefined> {
  const result = await tx.query<Connection>({
    text: `select ${COLUMNS} from connections where organization_id = $1 and connection_id = $2 for key share`,
    values: addressValues(address),
  })
  return result.rows[0]
}

// Whether a payment of it may still need its provider: one that is open, waits for settlement, or is being looked into.
export async function isConnectionInUse(db: Queryable, address: ConnectionAddress): Promise<boolean> {
  const result = await db.query<{ used: boolean }>({
    text: `select exists (select 1 from payins
                           where organization_id = $1 and connection_id = $2 and due_at is not null)
               or exists (select 1 from payouts
                           where organization_id = $1 and connection_id = $2 and due_at is not null)
               or exists (select 1 from payouts
                           where organization_id = $1 and connection_id = $2
                             and status = 'PROCESSING' and stage = 'AWAITING_APPROVAL') as used`,
    values: addressValues(address),
  })
  return result.rows[0]?.used === true
}

// A provider has told us something of a payment, so we ask it now. False if a worker has the payment at this moment, or if there is no
// such payment: `findHinted` tells which.
export async function makeHintedDue(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  kind: 'payin' | 'payout',
  id: string,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: `hint-${kind}`,
    text:
      kind === 'payin'
        ? `update payins set due_at = $4
            where organization_id = $1 and connection_id = $2 and payin_id = $3 and lease_token is null`
        : `update payouts set due_at = $4
            where organization_id = $1 and connection_id = $2 and payout_id = $3 and lease_token is null
              and stage in ('SENT', 'STOPPED', 'DONE')`,
    values: [organizationId, connectionId, id, isoInstant(now)],
  })
  return (result.rowCount ?? 0) > 0
}

// The payment of ours that a provider means. Only payments of this connection are its to speak of.
export async function findHinted(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  kind: 'payin' | 'payout',
  by: { readonly id: string } | { readonly providerId: string },
): Promise<string | undefined> {
  const column = 'id' in by ? `${kind}_id` : 'provider_id'
  const result = await db.query<{ id: string }>({
    name: `find-hinted-${kind}-by-${'id' in by ? 'id' : 'provider-id'}`,
    text: `select ${kind}_id as id
             from ${kind}s
            where organization_id = $1 and connection_id = $2 and ${column} = $3
            limit 1`,
    values: [organizationId, connectionId, 'id' in by ? by.id : by.providerId],
  })
  return result.rows[0]?.id
}

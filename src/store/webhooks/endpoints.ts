// Webhook endpoints: where merchants receive events.

import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type DisabledReason = 'BY_MERCHANT' | 'GONE' | 'FAILING' | 'UNVERIFIED'

export type WebhookEndpoint = {
  organizationId: string
  endpointId: string
  url: string
  // Null: the eight contract events.
  events: string[] | null
  description: string | null
  state: 'ENABLED' | 'DISABLED'
  disabledReason: DisabledReason | null
  sealedSecret: Buffer
  sealedPrevious: Buffer | null
  previousUntil: Instant | null
  failingSince: Instant | null
  // When its owner was proven. Null: never, which staging does not ask for.
  verifiedAt: Instant | null
  // How many deliveries a second it is sent at most. Null: as fast as it acknowledges.
  maxPerSecond: number | null
  sendsUntil: Instant | null
  // Of its Ed25519 signatures. Null: its secret alone signs.
  publicKey: Buffer | null
  sealedSigningKey: Buffer | null
  sealedPreviousKey: Buffer | null
  createdAt: Instant
  updatedAt: Instant
}

const COLUMNS = `organization_id as "organizationId", endpoint_id as "endpointId", url, events, description, state,
  disabled_reason as "disabledReason", sealed_secret as "sealedSecret", sealed_previous as "sealedPrevious",
  previous_until as "previousUntil", failing_since as "failingSince", verified_at as "verifiedAt",
  max_per_second as "maxPerSecond", sends_until as "sendsUntil", public_key as "publicKey", sealed_signing_key as "sealedSigningKey",
  sealed_previous_key as "sealedPreviousKey", created_at as "createdAt", updated_at as "updatedAt"`

export async function insertEndpoint(db: Queryable, endpoint: WebhookEndpoint): Promise<void> {
  await db.query({
    text: `insert into webhook_endpoints (organization_id, endpoint_id, url, events, description, state, disabled_reason,
                                          sealed_secret, max_per_second, public_key, sealed_signing_key, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
    values: [
      endpoint.organizationId,
      endpoint.endpointId,
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.state,
      endpoint.disabledReason,
      endpoint.sealedSecret,
      endpoint.maxPerSecond,
      endpoint.publicKey,
      endpoint.sealedSigningKey,
      isoInstant(endpoint.createdAt),
    ],
  })
}

export async function listEndpoints(db: Queryable, organizationId: string): Promise<WebhookEndpoint[]> {
  const result = await db.query<WebhookEndpoint>({
    text: `select ${COLUMNS}
             from webhook_endpoints
            where organization_id = $1 and deleted_at is null
            order by endpoint_id`,
    values: [organizationId],
  })
  return result.rows
}

export async function getEndpoint(
  db: Queryable,
  organizationId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> {
  const result = await db.query<WebhookEndpoint>({
    name: 'get-webhook-endpoint',
    text: `select ${COLUMNS}
             from webhook_endpoints
            where organization_id = $1 and endpoint_id = $2 and deleted_at is null`,
    values: [organizationId, endpointId],
  })
  return result.rows[0]
}

export async function lockEndpoint(
  tx: Queryable,
  organizationId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> {
  const result = await tx.query<WebhookEndpoint>({
    text: `select ${COLUMNS}
             from webhook_endpoints
            where organization_id = $1 and endpoint_id = $2 and deleted_at is null
              for update`,
    values: [organizationId, endpointId],
  })
  return result.rows[0]
}

export async function updateEndpoint(tx: Queryable, endpoint: WebhookEndpoint): Promise<void> {
  await tx.query({
    text: `update webhook_endpoints
              set url = $3, events = $4, description = $5, state = $6, disabled_reason = $7, sealed_secret = $8,
                  sealed_previous = $9, previous_until = $10, failing_since = $11, updated_at = $12, verified_at = $13,
                  max_per_second = $14, public_key = $15, sealed_signing_key = $16, sealed_previous_key = $17
            where organization_id = $1 and endpoint_id = $2`,
    values: [
      endpoint.organizationId,
      endpoint.endpointId,
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.state,
      endpoint.disabledReason,
      endpoint.sealedSecret,
      endpoint.sealedPrevious,
      isoOrNull(endpoint.previousUntil),
      isoOrNull(endpoint.failingSince),
      isoInstant(endpoint.updatedAt),
      isoOrNull(endpoint.verifiedAt),
      endpoint.maxPerSecond,
      endpoint.publicKey,
      endpoint.sealedSigningKey,
      endpoint.sealedPreviousKey,
    ],
  })
}

// Its deliveries stay readable. Nothing more is sent to it.
export async function deleteEndpoint(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `update webhook_endpoints
              set deleted_at = $3, state = 'DISABLED', disabled_reason = 'BY_MERCHANT', updated_at = $3
            where organization_id = $1 and endpoint_id = $2 and deleted_at is null`,
    values: [organizationId, endpointId, isoInstant(now)],
  })
}

// These two record the start and the end of a run of failures. Nothing is written in between.
export async function markFailing(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'note-failing-endpoint',
    text: `update webhook_endpoints set failing_since = $3
            where organization_id = $1 and endpoint_id = $2 and failing_since is null`,
    values: [organizationId, endpointId, isoInstant(now)],
  })
}

export async function markHealthy(db: Queryable, organizationId: string, endpointId: string): Promise<void> {
  await db.query({
    name: 'note-working-endpoint',
    text: `update webhook_endpoints set failing_since = null
            where organization_id = $1 and endpoint_id = $2 and failing_since is not null`,
    values: [organizationId, endpointId],
  })
}

export async function disableEndpoint(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  reason: DisabledReason,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: `update webhook_endpoints
              set state = 'DISABLED', disabled_reason = $3, updated_at = $4
            where organization_id = $1 and endpoint_id = $2 and state = 'ENABLED'`,
    values: [organizationId, endpointId, reason, isoInstant(now)],
  })
  return result.rowCount === 1
}

// Counts what a worker is about to send to an endpoint with a limit, unless another has counted meanwhile.
export async function moveSendsUntil(
  db: Queryable,
  { organizationId, endpointId }: Pick<WebhookEndpoint, 'organizationId' | 'endpointId'>,
  from: Instant | null,
  to: Instant | null,
): Promise<boolean> {
  const result = await db.query({
    name: 'move-sends-until',
    text: `update webhook_endpoints
              set sends_until = $4
            where organization_id = $1 and endpoint_id = $2 and sends_until is not distinct from $3`,
    values: [organizationId, endpointId, isoOrNull(from), isoOrNull(to)],
  })
  return result.rowCount === 1
}

// For sends that were counted and did not happen. What others have counted behind them moves forward.
export async function giveBackSends(
  db: Queryable,
  { organizationId, endpointId }: Pick<WebhookEndpoint, 'organizationId' | 'endpointId'>,
  unusedMs: number,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'give-back-sends',
    text: `update webhook_endpoints
              -- In a fixed time zone, or Citus takes it for what may differ from machine to machine.
              set sends_until = ((sends_until at time zone 'UTC') - $3::integer * interval '1 millisecond') at time zone 'UTC'
            where organization_id = $1 and endpoint_id = $2 and sends_until > $4`,
    values: [organizationId, endpointId, unusedMs, isoInstant(now)],
  })
}

// Deleted endpoints count too: otherwise whoever deletes and creates could have us ask strangers without end.
export async function hasChallenges(tx: Queryable, organizationId: string, since: Instant): Promise<boolean> {
  const result = await tx.query({
    text: `select from webhook_endpoints where organization_id = $1 and challenged_at > $2 limit 1`,
    values: [organizationId, isoInstant(since)],
  })
  return result.rowCount === 1
}

export async function markChallenged(
  tx: Queryable,
  organizationId: string,
  endpointId: string,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `update webhook_endpoints set challenged_at = $3 where organization_id = $1 and endpoint_id = $2`,
    values: [organizationId, endpointId, isoInstant(now)],
  })
}

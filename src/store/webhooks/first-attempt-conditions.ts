// Conditions on an endpoint's first-attempt batches and on its attempts, shared by several statements.

import { FIRST_ATTEMPT_BATCH_SIZE } from '../../core/webhooks/delivery.ts'

// The batch is due, and no worker holds its lease.
export const isClaimableSql = (batch: string, now: string): string =>
  `(${batch}.due_at <= ${now} and (${batch}.lease_until is null or ${batch}.lease_until <= ${now}))`

// The batch contains the event: its first attempt is due or under way. The sequence range keeps the number of batches read small.
export const containsSql = (batch: string, eventId: string, sequence: string): string =>
  `(${batch}.first_sequence between ${sequence} - ${FIRST_ATTEMPT_BATCH_SIZE} and ${sequence} and ${eventId} = any(${batch}.event_ids))`

// $1 is the organization.
export const wasAttempted = (eventId: string, endpointId: string): string =>
  `exists (select 1
             from delivery_attempts a
            where a.organization_id = $1 and a.event_id = ${eventId} and a.endpoint_id = ${endpointId})`

// Conditions that several statements put to an endpoint's batches and to what it was told.

import { FIRST_ATTEMPT_BATCH_SIZE } from '../../core/webhooks/delivery.ts'

// Its time has come, and nobody holds it.
export const isFree = (batch: string, now: string): string =>
  `(${batch}.due_at <= ${now} and (${batch}.lease_until is null or ${batch}.lease_until <= ${now}))`

// The event is in it: to be sent, or being sent, for the first time. By the number few batches are looked at.
export const holds = (batch: string, eventId: string, sequence: string): string =>
  `(${batch}.first_sequence between ${sequence} - ${FIRST_ATTEMPT_BATCH_SIZE} and ${sequence} and ${eventId} = any(${batch}.event_ids))`

// Where $1 is the organization.
export const wasTried = (eventId: string, endpointId: string): string =>
  `exists (select 1
             from delivery_attempts a
            where a.organization_id = $1 and a.event_id = ${eventId} and a.endpoint_id = ${endpointId})`

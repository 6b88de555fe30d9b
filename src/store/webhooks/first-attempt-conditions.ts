// Conditions that several statements put to an endpoint's parcels and to what it was told.

import { FIRST_ATTEMPT_BATCH_SIZE } from '../../core/webhooks/delivery.ts'

// Its time has come, and nobody holds it.
export const isFree = (parcel: string, now: string): string =>
  `(${parcel}.due_at <= ${now} and (${parcel}.lease_until is null or ${parcel}.lease_until <= ${now}))`

// The event is in it: to be sent, or being sent, for the first time. By the number few parcels are looked at.
export const holds = (parcel: string, eventId: string, sequence: string): string =>
  `(${parcel}.first_sequence between ${sequence} - ${FIRST_ATTEMPT_BATCH_SIZE} and ${sequence} and ${eventId} = any(${parcel}.event_ids))`

// Where $1 is the organization.
export const wasTried = (eventId: string, endpointId: string): string =>
  `exists (select 1
             from delivery_attempts a
            where a.organization_id = $1 and a.event_id = ${eventId} and a.endpoint_id = ${endpointId})`

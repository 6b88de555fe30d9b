// What an endpoint is sent of an event, with the people in it opened, and what is kept of its answer, sealed.

import { envelopeText } from '../core/events/event.ts'
import { isoInstant } from '../core/instant.ts'
import { showPeople } from '../core/people/shown.ts'
import type { AttemptResult } from '../core/webhooks/delivery.ts'
import { fieldsShown, sealText, type Vault } from '../flows/people/vault.ts'
import type { DeliverableEvent } from '../store/events/events.ts'

export function eventBody(vault: Vault, event: DeliverableEvent): string {
  const { eventId: id, type, resource, sequence, version, createdAt, data } = event
  const envelope = { id, event: type, resource, sequence, version, createdAt: isoInstant(createdAt) }
  return showPeople(envelopeText(envelope, data), (sealed) => fieldsShown(vault, sealed))
}

// A receiver may answer with what it was told, people included.
export function withSealedResponse(
  vault: Vault,
  { eventId }: DeliverableEvent,
  result: AttemptResult,
): AttemptResult {
  if (result.response === '') return result
  return { ...result, response: sealText(vault, eventId, result.response) }
}

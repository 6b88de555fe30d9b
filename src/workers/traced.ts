// The work of workers, each piece in the trace of the payment that it is for: whoever made the payment, and in whichever process.

import type { AttemptResult } from '../core/webhooks/delivery.ts'
import type { Needs } from '../flows/context.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'
import type { WebhookEndpoint } from '../store/webhooks/endpoints.ts'

export function traced(
  { tracer }: Needs<'tracer'>,
  name: string,
  id: string,
  act: () => Promise<void>,
): Promise<void> {
  return tracer === null ? act() : tracer.forPayment(id, name, 'internal', {}, act)
}

// In the trace of what the event tells about.
export function tracedAttempt(
  { tracer }: Needs<'tracer'>,
  { event, attempts }: ClaimedDelivery,
  { endpointId }: WebhookEndpoint,
  send: (traceparent: string | undefined) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const id = tracer === null ? undefined : SUBJECT.exec(event.data)?.[1]
  if (tracer === null || id === undefined) return send(undefined)
  const attributes = {
    'recaudo.event.id': event.eventId,
    'recaudo.endpoint.id': endpointId,
    'recaudo.attempt': attempts + 1,
  }
  return tracer.forPayment(id, `webhook ${event.type}`, 'client', attributes, async (span) => {
    const result = await send(span?.traceparent())
    span?.set({ 'http.response.status_code': result.status ?? undefined })
    if (!result.delivered) span?.fail(result.failure ?? 'STATUS')
    return result
  })
}

// What an event tells about is read with it, and begins with its id.
const SUBJECT = /^\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"/

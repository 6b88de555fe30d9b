// Sends an endpoint an event that tells of nothing, by the way every event goes. It stands in the log with a number like
// any other, but it is delivered to this endpoint only.

import { TEST_EVENT } from '../../core/events/event.ts'
import type { Refusal } from '../../core/refusal.ts'
import { insertSequencedEvent, type StoredEvent } from '../../store/events/events.ts'
import { redeliver } from '../../store/webhooks/deliveries.ts'
import { getEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { refuseDisabledEndpoint, refuseUnknownEndpoint } from '../webhooks/change-endpoint.ts'

export async function sendTestEvent(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  endpointId: string,
  remember: Idempotency<StoredEvent> | null,
): Promise<StoredEvent | Refusal> {
  const now = ctx.clock.now()
  const unnumbered = {
    organizationId,
    eventId: ctx.ids.next(),
    type: TEST_EVENT,
    resource: 'webhook' as const,
    objectId: endpointId,
    version: 1,
    data: JSON.stringify({ endpointId, message: 'This event was asked for to try the endpoint.' }),
    createdAt: now,
  }
  const event = await changeOnce(ctx, organizationId, remember, async (tx) => {
    // Not locked: the stamper locks the counter first and then, by its deliveries, the endpoint; so do we.
    const endpoint = await getEndpoint(tx, organizationId, endpointId)
    if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
    if (endpoint.state === 'DISABLED') return refuseDisabledEndpoint(endpoint)
    const numbered = await insertSequencedEvent(tx, unnumbered)
    await redeliver(tx, organizationId, numbered.eventId, [endpointId], numbered.sequence, now)
    return numbered
  })
  ctx.signals.workAdded('deliveries')
  ctx.signals.workAdded('streams', organizationId)
  return event
}

// Sends an endpoint a test event, the way every event goes. It has a sequence in the log like any other.
// No other endpoint gets it; streams do.

import { TEST_EVENT } from '../../core/events/event.ts'
import type { Refusal } from '../../core/refusal.ts'
import { insertSequencedEvent, type StoredEvent } from '../../store/events/events.ts'
import { redeliver } from '../../store/webhooks/deliveries.ts'
import { getEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseDisabledEndpoint, refuseUnknownEndpoint } from '../webhooks/change-endpoint.ts'

export async function sendTestEvent(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  endpointId: string,
  idempotency: Idempotency<StoredEvent> | null,
): Promise<StoredEvent | Refusal> {
  const now = ctx.clock.now()
  const unsequenced = {
    organizationId,
    eventId: ctx.ids.next(),
    type: TEST_EVENT,
    resource: 'webhook' as const,
    objectId: endpointId,
    version: 1,
    data: JSON.stringify({ endpointId, message: 'This event was asked for to try the endpoint.' }),
    createdAt: now,
  }
  const event = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // Not locked: the sequencer locks the counter first and then, through its deliveries, the endpoint. So do we.
    const endpoint = await getEndpoint(tx, organizationId, endpointId)
    if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
    if (endpoint.state === 'DISABLED') return refuseDisabledEndpoint(endpoint)
    const sequenced = await insertSequencedEvent(tx, unsequenced)
    await redeliver(tx, organizationId, sequenced.eventId, [endpointId], sequenced.sequence, now)
    const act = { act: 'webhook.test', before: null, after: { eventId: sequenced.eventId } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return sequenced
  })
  ctx.signals.workAdded('deliveries', organizationId)
  ctx.signals.workAdded('streams', organizationId)
  return event
}

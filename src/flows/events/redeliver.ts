// Sends one event again: to the named endpoint, or to every endpoint that wants it or was sent it before. In either
// case it also goes to the streams that ask for redeliveries.

import { matchesSubscription } from '../../core/events/event.ts'
import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { getEvent, type StoredEvent } from '../../store/events/events.ts'
import { insertRedelivery } from '../../store/events/redeliveries.ts'
import { redeliver } from '../../store/webhooks/deliveries.ts'
import { deliveriesOfEvent } from '../../store/webhooks/delivery-views.ts'
import { getEndpoint, listEndpoints } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseDisabledEndpoint, refuseUnknownEndpoint, type Scheduled } from '../webhooks/change-endpoint.ts'

export async function redeliverEvent(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  address: { organizationId: string; eventId: string },
  endpointId: string | undefined,
  // Of whoever asks. Null: all.
  granted: readonly Scope[] | null,
  idempotency: Idempotency<Scheduled> | null,
): Promise<Scheduled | Refusal> {
  const { organizationId, eventId } = address
  const event = await getEvent(ctx.db, organizationId, eventId)
  if (event === undefined) return refuseUnknownEvent(eventId)
  const refused = refuseUnreadable(granted, [event.type])
  if (refused !== undefined) return refused
  const endpointIds =
    endpointId === undefined
      ? await findReceivers(ctx, event)
      : await findSingleReceiver(ctx, event, endpointId)
  if (!Array.isArray(endpointIds)) return endpointIds
  const outcome = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const now = ctx.clock.now()
    await insertRedelivery(tx, address, now)
    if (endpointIds.length > 0) await redeliver(tx, organizationId, eventId, endpointIds, event.sequence, now)
    const act = { act: 'event.redeliver', before: null, after: { type: event.type, endpointIds } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: eventId })
    return { scheduled: endpointIds.length }
  })
  ctx.signals.workAdded('deliveries', organizationId)
  ctx.signals.workAdded('streams', organizationId)
  return outcome
}

export function refuseUnknownEvent(eventId: string): Refusal {
  return refuse('NOT_FOUND', `No event has the id ${eventId}.`)
}

async function findSingleReceiver(
  ctx: Needs<'db'>,
  { organizationId }: StoredEvent,
  endpointId: string,
): Promise<string[] | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
  return endpoint.state === 'DISABLED' ? refuseDisabledEndpoint(endpoint) : [endpoint.endpointId]
}

async function findReceivers(ctx: Needs<'db'>, event: StoredEvent): Promise<string[]> {
  const { deliveries } = await deliveriesOfEvent(ctx.db, event.organizationId, event.eventId)
  const sentBefore = new Set(deliveries.map((delivery) => delivery.endpointId))
  return (await listEndpoints(ctx.db, event.organizationId))
    .filter(({ state }) => state === 'ENABLED')
    .filter(({ endpointId, events }) => sentBefore.has(endpointId) || matchesSubscription(event.type, events))
    .map(({ endpointId }) => endpointId)
}

// Sends one event again: to the endpoint named, or to every endpoint that wants it or was sent it before; and in either
// case to whoever listens to the stream for such.

import { goesTo } from '../../core/events/event.ts'
import { DAY_MS } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { getEvent, type StoredEvent } from '../../store/events/events.ts'
import { forgetRedeliveriesBefore, insertRedelivery } from '../../store/events/redeliveries.ts'
import { redeliver } from '../../store/webhooks/deliveries.ts'
import { deliveriesOfEvent } from '../../store/webhooks/delivery-views.ts'
import { getEndpoint, listEndpoints } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Context, Remember } from '../context.ts'
import { endpointDisabled, noSuchEndpoint } from '../webhooks/change-endpoint.ts'

// Far longer than any stream takes to read them.
const REDELIVERY_KEPT_MS = DAY_MS

export type Scheduled = { readonly scheduled: number }

export async function redeliverEvent(
  ctx: Context,
  address: { organizationId: string; eventId: string },
  endpointId: string | undefined,
  remember: Remember<Scheduled> | null,
): Promise<Scheduled | Refusal> {
  const { organizationId, eventId } = address
  const event = await getEvent(ctx.db, organizationId, eventId)
  if (event === undefined) return noSuchEvent(eventId)
  const to = endpointId === undefined ? await receivers(ctx, event) : await only(ctx, event, endpointId)
  if (!Array.isArray(to)) return to
  const outcome = await changeOnce(ctx, organizationId, remember, async (tx) => {
    const now = ctx.now()
    await insertRedelivery(tx, address, now)
    await forgetRedeliveriesBefore(tx, organizationId, now - REDELIVERY_KEPT_MS)
    if (to.length > 0) await redeliver(tx, organizationId, eventId, to, event.sequence, now)
    return { scheduled: to.length }
  })
  ctx.hint('deliveries')
  ctx.hint('streams', organizationId)
  return outcome
}

export function noSuchEvent(eventId: string): Refusal {
  return refuse('NOT_FOUND', `No event has the id ${eventId}.`)
}

async function only(
  ctx: Context,
  { organizationId }: StoredEvent,
  endpointId: string,
): Promise<string[] | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined) return noSuchEndpoint(endpointId)
  return endpoint.state === 'DISABLED' ? endpointDisabled(endpoint) : [endpoint.endpointId]
}

async function receivers(ctx: Context, event: StoredEvent): Promise<string[]> {
  const { deliveries } = await deliveriesOfEvent(ctx.db, event.organizationId, event.eventId)
  const before = new Set(deliveries.map((delivery) => delivery.endpointId))
  return (await listEndpoints(ctx.db, event.organizationId))
    .filter(({ state }) => state === 'ENABLED')
    .filter(({ endpointId, events }) => before.has(endpointId) || goesTo(event.type, events))
    .map(({ endpointId }) => endpointId)
}

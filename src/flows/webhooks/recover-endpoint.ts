// Sends an endpoint what it has missed since a given time, after its receiver was down for longer than we retry. What
// was delivered is not sent again, so a second call does no harm.

import { CONTRACT_EVENTS } from '../../core/events/event.ts'
import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { Refusal } from '../../core/refusal.ts'
import { recoverDeliveries } from '../../store/webhooks/deliveries.ts'
import { getEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseDisabledEndpoint, refuseUnknownEndpoint, type Scheduled } from './change-endpoint.ts'

// Events read in one statement. A long outage is recovered in steps, each far within a statement's timeout.
const EVENTS_PER_STEP = 1_000

export async function recoverWebhookEndpoint(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  endpointId: string,
  since: Instant,
  // Of whoever asks. Null: all.
  granted: readonly Scope[] | null,
  idempotency: Idempotency<Scheduled> | null,
): Promise<Scheduled | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
  const refused = refuseUnreadable(granted, endpoint.events)
  if (refused !== undefined) return refused
  if (endpoint.state === 'DISABLED') return refuseDisabledEndpoint(endpoint)
  const types = endpoint.events ?? CONTRACT_EVENTS
  // Clamped to what the database can hold as a time.
  const from = Math.max(0, Math.min(since, ctx.clock.now()))
  let scheduled = 0
  // An event's id is made with the event or a moment later, so no wanted event has a smaller id.
  for (let after: string | undefined = firstIdAt(from); after !== undefined; ) {
    const last: string = after
    const step = await ctx.db.inTransaction((tx) =>
      recoverDeliveries(tx, endpoint, types, from, last, EVENTS_PER_STEP, ctx.clock.now()),
    )
    scheduled += step.scheduled
    after = step.lastEventId
  }
  ctx.signals.workAdded('deliveries', organizationId)
  return changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const act = { act: 'webhook.recover', before: null, after: { since: from, scheduled } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return { scheduled }
  })
}

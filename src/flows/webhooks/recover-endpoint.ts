// Sends an endpoint what it has missed since a time, after its receiver was away for longer than we try. What was delivered
// is not sent again, so asking twice does no harm.

import { CONTRACT_EVENTS } from '../../core/events/event.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Refusal } from '../../core/refusal.ts'
import { recoverDeliveries } from '../../store/webhooks/deliveries.ts'
import { getEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import type { Scheduled } from '../events/redeliver.ts'
import { refuseDisabledEndpoint, refuseUnknownEndpoint } from './change-endpoint.ts'

// Events looked at in one statement: a long absence is worked off in steps, each far within a statement's time.
const LOOK_AT_ONCE = 1_000

export async function recoverWebhookEndpoint(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  organizationId: string,
  endpointId: string,
  since: Instant,
  remember: Idempotency<Scheduled> | null,
): Promise<Scheduled | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
  if (endpoint.state === 'DISABLED') return refuseDisabledEndpoint(endpoint)
  const types = endpoint.events ?? CONTRACT_EVENTS
  // Within what the database can hold as a time, whatever was asked.
  const from = Math.max(0, Math.min(since, ctx.clock.now()))
  let scheduled = 0
  // An event's id is made when the event is, or a moment later: none of those wanted has a smaller one.
  for (let after: string | undefined = firstIdAt(from); after !== undefined; ) {
    const last: string = after
    const step = await ctx.db.inTransaction((tx) =>
      recoverDeliveries(tx, endpoint, types, from, last, LOOK_AT_ONCE, ctx.clock.now()),
    )
    scheduled += step.scheduled
    after = step.lastEventId
  }
  ctx.signals.workAdded('deliveries')
  return changeOnce(ctx, organizationId, remember, async () => ({ scheduled }))
}

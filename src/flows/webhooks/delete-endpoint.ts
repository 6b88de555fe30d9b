// A merchant gives an endpoint up. Nothing is sent to it from now on; what was sent, and what waited, stays on record.

import type { Refusal } from '../../core/refusal.ts'
import { stopDeliveries } from '../../store/webhooks/deliveries.ts'
import { deleteEndpoint } from '../../store/webhooks/endpoints.ts'
import { deleteFirstAttempts } from '../../store/webhooks/first-attempts.ts'
import type { Needs } from '../context.ts'
import { refuseUnknownEndpoint } from './change-endpoint.ts'

// An endpoint that failed for days may have very many waiting: they are ended in steps, each far within a statement's time.
const STOP_AT_ONCE = 1_000
const BATCHES_AT_ONCE = 10

export async function deleteWebhookEndpoint(
  ctx: Needs<'clock' | 'db'>,
  organizationId: string,
  endpointId: string,
): Promise<Refusal | undefined> {
  if (!(await deleteEndpoint(ctx.db, organizationId, endpointId, ctx.clock.now())))
    return refuseUnknownEndpoint(endpointId)
  const address = { organizationId, endpointId }
  const dropSome = () =>
    ctx.db.inTransaction((tx) => deleteFirstAttempts(tx, address, BATCHES_AT_ONCE, ctx.clock.now()))
  while ((await dropSome()) === BATCHES_AT_ONCE);
  const stopSome = () => ctx.db.inTransaction((tx) => stopDeliveries(tx, address, STOP_AT_ONCE))
  while ((await stopSome()) === STOP_AT_ONCE);
  return undefined
}

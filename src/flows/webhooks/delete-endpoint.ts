// A merchant deletes an endpoint. Nothing is sent to it from now on; what was sent, and what waited, stays on record.

import type { Refusal } from '../../core/refusal.ts'
import { type EndpointAddress, stopDeliveries } from '../../store/webhooks/deliveries.ts'
import { deleteEndpoint, lockEndpoint } from '../../store/webhooks/endpoints.ts'
import { deleteFirstAttempts } from '../../store/webhooks/first-attempts.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownEndpoint } from './change-endpoint.ts'

// An endpoint that failed for days may have very many deliveries waiting. They are ended in steps, each far within a
// statement's timeout.
const DELIVERIES_PER_STEP = 1_000
const BATCHES_PER_STEP = 10

export async function deleteWebhookEndpoint(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  organizationId: string,
  endpointId: string,
): Promise<Refusal | undefined> {
  const isDeleted = await ctx.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, organizationId, endpointId)
    if (endpoint === undefined) return false
    await deleteEndpoint(tx, organizationId, endpointId, ctx.clock.now())
    const act = { act: 'webhook.delete', before: endpoint, after: null } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return true
  })
  if (!isDeleted) return refuseUnknownEndpoint(endpointId)
  await endDeliveries(ctx, { organizationId, endpointId })
  return undefined
}

// Also for what turns up later: an attempt that was under way, or the rest, if the process died before it had ended all.
export async function endDeliveries(ctx: Needs<'clock' | 'db'>, address: EndpointAddress): Promise<void> {
  const deleteSomeBatches = () =>
    ctx.db.inTransaction((tx) => deleteFirstAttempts(tx, address, BATCHES_PER_STEP, ctx.clock.now()))
  while ((await deleteSomeBatches()) === BATCHES_PER_STEP);
  const stopSomeDeliveries = () =>
    ctx.db.inTransaction((tx) => stopDeliveries(tx, address, DELIVERIES_PER_STEP))
  while ((await stopSomeDeliveries()) === DELIVERIES_PER_STEP);
}

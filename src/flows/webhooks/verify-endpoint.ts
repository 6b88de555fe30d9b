// A merchant has its endpoint verified: the receiver proves that it holds the secret, and from then on events are sent to it.

import { type Refusal, refuse } from '../../core/refusal.ts'
import {
  getEndpoint,
  lockEndpoint,
  updateEndpoint,
  type WebhookEndpoint,
} from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownEndpoint } from './change-endpoint.ts'
import { proveOwnership } from './prove-ownership.ts'

export async function verifyWebhookEndpoint(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'networks' | 'signals'>,
  organizationId: string,
  endpointId: string,
  idempotency: Idempotency<WebhookEndpoint> | null,
): Promise<WebhookEndpoint | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
  const refused = await proveOwnership(ctx, endpoint, endpoint.url)
  if (refused !== undefined) return refused
  const verified = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const locked = await lockEndpoint(tx, organizationId, endpointId)
    if (locked === undefined) return refuseUnknownEndpoint(endpointId)
    // Another address was proven than the one that is stored now.
    if (locked.url !== endpoint.url)
      return refuse('ENDPOINT_NOT_VERIFIED', 'Its url was changed meanwhile. Verify it once more.')
    const now = ctx.clock.now()
    const next: WebhookEndpoint = {
      ...locked,
      verifiedAt: now,
      updatedAt: now,
      ...(locked.disabledReason === 'UNVERIFIED' && { state: 'ENABLED', disabledReason: null }),
    }
    await updateEndpoint(tx, next)
    const act = { act: 'webhook.verify', before: locked, after: next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return next
  })
  ctx.signals.workAdded('deliveries', organizationId)
  return verified
}

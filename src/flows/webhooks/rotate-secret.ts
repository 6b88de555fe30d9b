// Gives an endpoint a new secret and, where it has one, a new signing key. For a day both sign, so that the receiver can switch without losing an event. The
// secret before those two stops working at once.

import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { Refusal } from '../../core/refusal.ts'
import { lockEndpoint, updateEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownEndpoint } from './change-endpoint.ts'
import type { EndpointWithSecret } from './create-endpoint.ts'
import { newSealedSigningKey, sealWebhookSecret } from './endpoint-secrets.ts'

export const OVERLAP_MS = DAY_MS

export type RotatedSecret = EndpointWithSecret & { readonly previousUntil: Instant }

export async function rotateWebhookSecret(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  organizationId: string,
  endpointId: string,
  idempotency: Idempotency<RotatedSecret> | null,
): Promise<RotatedSecret | Refusal> {
  const now = ctx.clock.now()
  const secret = ctx.settings.webhooks.newSecret()
  const sealedSecret = sealWebhookSecret(ctx, endpointId, secret)
  return changeOnce(ctx, organizationId, idempotency && { ...idempotency, secret: true }, async (tx) => {
    const old = await lockEndpoint(tx, organizationId, endpointId)
    if (old === undefined) return refuseUnknownEndpoint(endpointId)
    const previousUntil = now + OVERLAP_MS
    const endpoint = {
      ...old,
      sealedSecret,
      sealedPrevious: old.sealedSecret,
      previousUntil,
      ...newSealedSigningKey(ctx, endpointId, old.publicKey !== null),
      sealedPreviousKey: old.sealedSigningKey,
      updatedAt: now,
    }
    await updateEndpoint(tx, endpoint)
    const act = { act: 'webhook.rotate', before: old, after: endpoint } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return { endpoint, secret, previousUntil }
  })
}

// A merchant registers a URL for its events. The secret is made here and returned once; at rest it is sealed.

import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { insertEndpoint, listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { newSealedSigningKey, sealWebhookSecret } from './endpoint-secrets.ts'

// More than anyone needs, few enough that one event makes few deliveries.
export const MAX_ENDPOINTS = 20

export type NewWebhookEndpoint = Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'maxPerSecond'> & {
  readonly ed25519: boolean
}
export type EndpointWithSecret = { readonly endpoint: WebhookEndpoint; readonly secret: string }

export async function createWebhookEndpoint(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  organizationId: string,
  { ed25519, ...request }: NewWebhookEndpoint,
  idempotency: Idempotency<EndpointWithSecret> | null,
): Promise<EndpointWithSecret | Refusal> {
  const now = ctx.clock.now()
  const endpointId = ctx.ids.next()
  const secret = ctx.settings.webhooks.newSecret()
  const isUnverified = ctx.settings.webhooks.requiresVerification
  const endpoint: WebhookEndpoint = {
    organizationId,
    endpointId,
    ...request,
    // Nothing is sent to an address before its owner is proven.
    state: isUnverified ? 'DISABLED' : 'ENABLED',
    disabledReason: isUnverified ? 'UNVERIFIED' : null,
    sealedSecret: sealWebhookSecret(ctx, endpointId, secret),
    sealedPrevious: null,
    previousUntil: null,
    failingSince: null,
    verifiedAt: null,
    sendsUntil: null,
    ...newSealedSigningKey(ctx, endpointId, ed25519),
    sealedPreviousKey: null,
    createdAt: now,
    updatedAt: now,
  }
  return changeOnce(ctx, organizationId, idempotency && { ...idempotency, secret: true }, async (tx) => {
    // The organization is locked while we count: two concurrent requests cannot both add the last endpoint.
    await lockOrganization(tx, organizationId)
    if ((await listEndpoints(tx, organizationId)).length >= MAX_ENDPOINTS) {
      return refuse('TOO_MANY_ENDPOINTS', `An organization has ${MAX_ENDPOINTS} webhook endpoints at most.`)
    }
    await insertEndpoint(tx, endpoint)
    const made = { act: 'webhook.create', before: null, after: endpoint } as const
    await recordAct(ctx, tx, { ...made, organizationId, objectId: endpointId })
    return { endpoint, secret }
  })
}

// A merchant changes, disables or enables an endpoint. What waited while it was disabled is sent once it is enabled.

import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockEndpoint, updateEndpoint, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'

// How many deliveries were put in line.
export type Scheduled = { readonly scheduled: number }

export type WebhookEndpointChanges = Partial<
  Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'state'>
>

export async function changeWebhookEndpoint(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  organizationId: string,
  endpointId: string,
  changes: WebhookEndpointChanges,
): Promise<WebhookEndpoint | Refusal> {
  const changed = await ctx.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, organizationId, endpointId)
    if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
    const next = {
      ...endpoint,
      ...changes,
      ...failureStateAfter(endpoint, changes),
      updatedAt: ctx.clock.now(),
    }
    await updateEndpoint(tx, next)
    return next
  })
  if (changes.state === 'ENABLED') ctx.signals.workAdded('deliveries')
  return changed
}

// Enabling an endpoint, or changing its URL, resets its failure state.
function failureStateAfter(
  endpoint: WebhookEndpoint,
  { url, state }: WebhookEndpointChanges,
): Partial<Pick<WebhookEndpoint, 'disabledReason' | 'failingSince'>> {
  if (state === 'ENABLED') return { disabledReason: null, failingSince: null }
  return {
    ...(state === 'DISABLED' && endpoint.state === 'ENABLED' && { disabledReason: 'BY_MERCHANT' as const }),
    ...(url !== undefined && url !== endpoint.url && { failingSince: null }),
  }
}

export function refuseUnknownEndpoint(endpointId: string): Refusal {
  return refuse('NOT_FOUND', `No webhook endpoint has the id ${endpointId}.`)
}

export function refuseDisabledEndpoint({ endpointId }: WebhookEndpoint): Refusal {
  return refuse('ENDPOINT_DISABLED', `The webhook endpoint ${endpointId} is switched off.`)
}

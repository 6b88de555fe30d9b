// A merchant changes, disables or enables an endpoint. What waited while it was disabled is sent once it is enabled. Where an
// owner must be proven, a new address is proven before anything changes: if it is not, events go on to the old one.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  getEndpoint,
  lockEndpoint,
  updateEndpoint,
  type WebhookEndpoint,
} from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { newSealedSigningKey } from './endpoint-secrets.ts'
import { proveOwnership } from './prove-ownership.ts'

// How many deliveries were put in line.
export type Scheduled = { readonly scheduled: number }

export type WebhookEndpointChanges = Partial<
  Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'state' | 'maxPerSecond'> & { ed25519: boolean }
>

type Changing = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'networks' | 'signals'>

export async function changeWebhookEndpoint(
  ctx: Changing,
  organizationId: string,
  endpointId: string,
  changes: WebhookEndpointChanges,
  // Of whoever asks. Null: all.
  granted: { readonly held: readonly Scope[] | null; readonly grantable: readonly Scope[] | null },
): Promise<WebhookEndpoint | Refusal> {
  const isProven = await proveNewAddress(ctx, organizationId, endpointId, changes.url)
  if (isRefusal(isProven)) return isProven
  const { ed25519, ...fields } = changes
  const changed = await ctx.db.inTransaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, organizationId, endpointId)
    if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
    const refused = tellsMore(fields)
      ? refuseUnreadable(
          // Enabled again it tells whom somebody else chose, what somebody else chose.
          tellsOthers(fields) ? granted.grantable : granted.held,
          { ...endpoint, ...fields }.events,
        )
      : undefined
    if (refused !== undefined) return refused
    const needsProof = changesAddress(ctx, endpoint, fields.url)
    // It was verified, or got another address, after we decided that it needs no proof.
    if (needsProof && !isProven) return refuse('ENDPOINT_NOT_VERIFIED', CHANGED_MEANWHILE)
    if (fields.state === 'ENABLED' && endpoint.disabledReason === 'UNVERIFIED')
      return refuseUnverifiedEndpoint(endpoint)
    const next = {
      ...endpoint,
      ...fields,
      ...failureStateAfter(endpoint, fields),
      ...(ed25519 !== undefined && signingKeyAfter(ctx, endpoint, ed25519)),
      updatedAt: ctx.clock.now(),
    }
    await updateEndpoint(tx, next)
    const act = { act: 'webhook.change', before: endpoint, after: next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: endpointId })
    return next
  })
  ctx.signals.workAdded(changes.state === 'ENABLED' ? 'deliveries' : 'shown', organizationId)
  return changed
}

// Whether the new address was proven. False if it needs no proof.
async function proveNewAddress(
  ctx: Changing,
  organizationId: string,
  endpointId: string,
  url: string | undefined,
): Promise<boolean | Refusal> {
  const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
  if (endpoint === undefined || url === undefined || !changesAddress(ctx, endpoint, url)) return false
  return (await proveOwnership(ctx, endpoint, url)) ?? true
}

// An endpoint that is still to be verified is verified at its new address, when its merchant asks for it.
function changesAddress(ctx: Needs<'settings'>, endpoint: WebhookEndpoint, url: string | undefined): boolean {
  const isDue = ctx.settings.webhooks.requiresVerification && endpoint.disabledReason !== 'UNVERIFIED'
  return isDue && url !== undefined && url !== endpoint.url
}

const CHANGED_MEANWHILE = 'The endpoint was changed meanwhile. Nothing was done; send the change again.'

// The key that is taken away signs no more; there is nothing to overlap with.
function signingKeyAfter(
  ctx: Changing,
  { endpointId, publicKey }: WebhookEndpoint,
  ed25519: boolean,
): Partial<WebhookEndpoint> {
  if (ed25519 === (publicKey !== null)) return {}
  return { ...newSealedSigningKey(ctx, endpointId, ed25519), sealedPreviousKey: null }
}

// Whether somebody is told after the change who was not told before.
function tellsMore(changes: WebhookEndpointChanges): boolean {
  return tellsOthers(changes) || changes.state === 'ENABLED'
}

function tellsOthers({ url, events }: WebhookEndpointChanges): boolean {
  return url !== undefined || events !== undefined
}

// Enabling an endpoint, or changing its URL, resets its failure state.
function failureStateAfter(
  endpoint: WebhookEndpoint,
  { url, state }: Omit<WebhookEndpointChanges, 'ed25519'>,
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

export function refuseDisabledEndpoint(endpoint: WebhookEndpoint): Refusal {
  const { endpointId, disabledReason } = endpoint
  if (disabledReason === 'UNVERIFIED') return refuseUnverifiedEndpoint(endpoint)
  return refuse('ENDPOINT_DISABLED', `The webhook endpoint ${endpointId} is switched off.`)
}

function refuseUnverifiedEndpoint({ endpointId }: WebhookEndpoint): Refusal {
  return refuse('ENDPOINT_NOT_VERIFIED', `The webhook endpoint ${endpointId} is not verified yet.`)
}

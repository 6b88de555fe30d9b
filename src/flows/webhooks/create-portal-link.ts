// Makes an address that shows the deliveries of some endpoints, for a merchant whose own customers receive its events. What is
// written down is who made it and for what, never the address.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { SEAL_NONCE_BYTES } from '../../core/seal.ts'
import {
  type PortalLink,
  type PortalLinkMaker,
  portalLinkEnd,
  portalScopes,
  sealPortalLink,
} from '../../core/webhooks/portal-link.ts'
import type { Queryable } from '../../store/db.ts'
import { getEndpoint } from '../../store/webhooks/endpoints.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownEndpoint } from './change-endpoint.ts'

export type NewPortalLink = Pick<PortalLink, 'endpointIds' | 'readOnly' | 'frameAncestors' | 'language'> & {
  readonly minutes: number
}
// `granted`: null for all scopes.
export type PortalGranter = PortalLinkMaker & {
  readonly organizationId: string
  readonly granted: readonly Scope[] | null
}
export type PortalLinkWithUrl = { readonly link: PortalLink; readonly url: string }

export async function createPortalLink(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  { organizationId, granted, kind, id }: PortalGranter,
  { minutes, ...request }: NewPortalLink,
  idempotency: Idempotency<PortalLinkWithUrl> | null,
): Promise<PortalLinkWithUrl | Refusal> {
  const scopes = portalScopes(granted)
  if (isRefusal(scopes)) return scopes
  const link: PortalLink = {
    linkId: ctx.ids.next(),
    organizationId,
    maker: { kind, id },
    scopes,
    ...request,
    expiresAt: portalLinkEnd(ctx.clock.wallClock(), minutes),
  }
  const { settings, ids } = ctx
  const token = sealPortalLink(settings.keys.portal, link, ids.randomBytes(SEAL_NONCE_BYTES))
  const url = `${settings.publicUrl.replace(/\/$/, '')}/console/portal/${token}`
  return changeOnce(ctx, organizationId, idempotency && { ...idempotency, secret: true }, async (tx) => {
    const refused = await refuseEndpoints(tx, link)
    if (refused !== undefined) return refused
    const made = { act: 'portallink.create', before: null, after: link } as const
    await recordAct(ctx, tx, { ...made, organizationId, objectId: link.linkId })
    return { link, url }
  })
}

async function refuseEndpoints(tx: Queryable, link: PortalLink): Promise<Refusal | undefined> {
  for (const endpointId of link.endpointIds) {
    const endpoint = await getEndpoint(tx, link.organizationId, endpointId)
    if (endpoint === undefined) return refuseUnknownEndpoint(endpointId)
    const refused = refuseUnreadable(link.scopes, endpoint.events)
    if (refused !== undefined) return refused
  }
  return undefined
}

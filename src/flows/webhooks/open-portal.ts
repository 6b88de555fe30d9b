// What somebody with a portal's address may see and do now. It ends when it expires, when whatever made it is revoked or has lost
// the right to make it, and when its endpoints are deleted.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { isScopeGranted, type Scope } from '../../core/organizations/scope.ts'
import { isRefusal } from '../../core/refusal.ts'
import { ROLE_SCOPES } from '../../core/team/role.ts'
import { openPortalLink, type PortalLink, portalScopes } from '../../core/webhooks/portal-link.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import { getOwnApiKey, getOwnClient } from '../../store/organizations/own-credentials.ts'
import { getMember } from '../../store/team/members.ts'
import { getEndpoint, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'

export type OpenPortal = {
  readonly link: PortalLink
  readonly organization: Organization
  readonly endpoints: readonly WebhookEndpoint[]
  // What the link still allows.
  readonly scopes: readonly Scope[]
  readonly makerName: string
}

// `ended`: it was a portal once. Undefined: we have not made such an address.
export async function openPortal(
  ctx: Needs<'clock' | 'db' | 'settings'>,
  token: string,
): Promise<OpenPortal | 'ended' | undefined> {
  const link = openPortalLink(ctx.settings.keys.portal, token)
  if (link === undefined) return undefined
  if (link.expiresAt <= ctx.clock.wallClock()) return 'ended'
  const { organizationId, endpointIds } = link
  const [organization, maker, found] = await Promise.all([
    getOrganization(ctx.db, organizationId),
    makerOf(ctx, link),
    Promise.all(endpointIds.map((endpointId) => getEndpoint(ctx.db, organizationId, endpointId))),
  ])
  if (organization === undefined || maker === undefined) return 'ended'
  const held = portalScopes(link.scopes.filter((scope) => isScopeGranted(maker.scopes, scope)))
  if (isRefusal(held)) return 'ended'
  // An endpoint that has been given other events since then may tell more than the maker could see.
  const endpoints = found
    .filter((endpoint) => endpoint !== undefined)
    .filter(({ events }) => refuseUnreadable(held, events) === undefined)
  if (endpoints.length === 0) return 'ended'
  const scopes = link.readOnly ? held.filter((scope) => scope !== 'webhooks:write') : held
  return { link, organization, endpoints, scopes, makerName: maker.name }
}

type Maker = { readonly name: string; readonly scopes: readonly Scope[] | null }

async function makerOf(
  { clock, db }: Needs<'clock' | 'db'>,
  { organizationId, maker }: PortalLink,
): Promise<Maker | undefined> {
  if (maker.kind === 'person') {
    const member = await getMember(db, organizationId, maker.id)
    return member && { name: member.name, scopes: ROLE_SCOPES[member.role] }
  }
  if (maker.kind === 'client') {
    const client = await getOwnClient(db, organizationId, maker.id)
    return client?.revokedAt === null ? client : undefined
  }
  const key = await getOwnApiKey(db, organizationId, maker.id)
  const isGood = key?.revokedAt === null && (key.expiresAt === null || key.expiresAt > clock.now())
  return isGood ? key : undefined
}

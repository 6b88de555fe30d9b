// An address that shows the deliveries of some webhook endpoints to whoever has it, until it expires. Everything about it is sealed
// in the address itself: nothing is kept, and nobody can read it, change it or make one.

import { isUuid } from '../ids.ts'
import { type Instant, MINUTE_MS } from '../instant.ts'
import { isScopeGranted, type Scope } from '../organizations/scope.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { openSecret, type SealingKey, sealSecret } from '../seal.ts'
import type { UserLanguage } from '../team/user.ts'

export type PortalLink = {
  readonly linkId: string
  readonly organizationId: string
  // The link ends with whatever made it.
  readonly maker: PortalLinkMaker
  // Of the scopes below, those that the maker held.
  readonly scopes: readonly Scope[]
  readonly endpointIds: readonly string[]
  // Whoever has it may look, and not send anything again.
  readonly readOnly: boolean
  // By the real clock.
  readonly expiresAt: Instant
  // The origins of the pages that may frame it. None: it cannot be framed.
  readonly frameAncestors: readonly string[]
  // Null: the browser's.
  readonly language: UserLanguage | null
}

export type PortalLinkMaker = { readonly kind: 'key' | 'client' | 'person'; readonly id: string }

export const PORTAL_LINK_MINUTES = { minimum: 1, default: 60, maximum: 24 * 60 } as const
export const MAX_FRAME_ANCESTORS = 5
export const ORIGIN_MAX_LENGTH = 200

// What a portal shows, and what it does.
const NEEDED: readonly Scope[] = ['webhooks:read', 'webhooks:write', 'events:read']
// What events tell. Which of these a portal needs depends on the events of its endpoints.
const READS: readonly Scope[] = ['payins:read', 'payouts:read', 'links:read']

// Nobody shows others what they may not see themselves. Null: all scopes.
export function portalScopes(granted: readonly Scope[] | null): readonly Scope[] | Refusal {
  const missing = NEEDED.filter((scope) => !isScopeGranted(granted, scope))
  if (missing.length > 0)
    return refuse('INSUFFICIENT_SCOPE', `What a portal shows and does needs ${missing.join(', ')} too.`)
  return [...NEEDED, ...READS].filter((scope) => isScopeGranted(granted, scope))
}

export function portalLinkEnd(now: Instant, minutes: number): Instant {
  return now + minutes * MINUTE_MS
}

// It is written into a header, so a host has none but the usual letters: no wildcard, no quote, and nothing that ends a directive.
const HOST = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/

// The origin that a text names, as browsers spell it. Undefined if it names none, or more than an origin.
export function frameOrigin(text: string, allowsHttp: boolean): string | undefined {
  const url = URL.parse(text)
  if (url === null || !(url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:')))
    return undefined
  return url.href === `${url.origin}/` && HOST.test(url.hostname) ? url.origin : undefined
}

const LABEL = 'webhook portal link'
// Longer than the longest that we make.
const MAX_TOKEN_LENGTH = 6_000

export function sealPortalLink(key: SealingKey, link: PortalLink, nonce: Buffer): string {
  return sealSecret(key, Buffer.from(JSON.stringify(link)), LABEL, nonce).toString('base64url')
}

// Undefined if we have not made it. One that has expired opens, too.
export function openPortalLink(key: SealingKey, token: string): PortalLink | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined
  const sealed = Buffer.from(token, 'base64url')
  // Several base64 spellings decode alike. We accept only the one we wrote.
  if (sealed.toString('base64url') !== token) return undefined
  const opened = openSecret(key, sealed, LABEL)
  return opened && (JSON.parse(opened.toString()) as PortalLink)
}

// The endpoint of a portal that an address names. Undefined if the portal does not show it.
export function portalEndpointId({ endpointIds }: PortalLink, named: string): string | undefined {
  return isUuid(named) ? endpointIds.find((id) => id === named.toLowerCase()) : undefined
}

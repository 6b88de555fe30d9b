// What a person has made that works without them: keys and clients whose secret they know, and endpoints that tell whom they chose.
// Nothing of it ends when they leave, because shops run on it: whoever removes them is told, and decides.

import { listOwnApiKeys, listOwnClients } from '../../store/organizations/own-credentials.ts'
import { idsMadeBy } from '../../store/team/made-by.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'
import type { MemberAddress } from './members.ts'

export const REMAINING_KINDS = ['API_KEY', 'OAUTH_CLIENT', 'WEBHOOK_ENDPOINT'] as const

// `name`: of an endpoint its address.
export type RemainingAccess = {
  readonly kind: (typeof REMAINING_KINDS)[number]
  readonly id: string
  readonly name: string
}

export async function madeBy(
  ctx: Needs<'db' | 'clock'>,
  { organizationId, userId }: MemberAddress,
): Promise<RemainingAccess[]> {
  const made = await idsMadeBy(ctx.db, organizationId, userId)
  if (made.size === 0) return []
  const now = ctx.clock.now()
  const [keys, clients, endpoints] = await Promise.all([
    listOwnApiKeys(ctx.db, organizationId, now),
    listOwnClients(ctx.db, organizationId),
    listEndpoints(ctx.db, organizationId),
  ])
  const things: RemainingAccess[] = [
    ...keys
      .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now))
      .map(({ apiKeyId: id, name }) => ({ kind: 'API_KEY' as const, id, name })),
    ...clients
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ clientId: id, name }) => ({ kind: 'OAUTH_CLIENT' as const, id, name })),
    ...endpoints.map(({ endpointId: id, url: name }) => ({ kind: 'WEBHOOK_ENDPOINT' as const, id, name })),
  ]
  return things.filter(({ id }) => made.has(id))
}

// A merchant ends a key or a client, at once and for good. It takes no right that the credential has: whoever sees a secret in the
// wrong place must be able to end it.

import type { Refusal } from '../../core/refusal.ts'
import type { ApiKey, OAuthClient } from '../../store/organizations/credentials.ts'
import { lockOwnApiKey, lockOwnClient } from '../../store/organizations/own-credentials.ts'
import type { Needs } from '../context.ts'
import { revokeClientIn, revokeKeyIn } from '../organizations/issue-credential.ts'
import { refuseUnknownClient, refuseUnknownKey } from './known.ts'

type Revoker = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

// A second time changes nothing.
export async function revokeApiKey(
  ctx: Revoker,
  organizationId: string,
  apiKeyId: string,
): Promise<ApiKey | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const key = await lockOwnApiKey(tx, organizationId, apiKeyId)
    if (key === undefined) return refuseUnknownKey(apiKeyId)
    // Once is enough, for the audit log too.
    return key.revokedAt === null ? revokeKeyIn(ctx, tx, key) : key
  })
  // Committed: whoever keeps the key in memory drops it before we answer.
  ctx.signals.workAdded('settings', organizationId)
  return outcome
}

export async function revokeClient(
  ctx: Revoker,
  organizationId: string,
  clientId: string,
): Promise<OAuthClient | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const client = await lockOwnClient(tx, organizationId, clientId)
    if (client === undefined) return refuseUnknownClient(clientId)
    return client.revokedAt === null ? revokeClientIn(ctx, tx, client) : client
  })
  ctx.signals.workAdded('settings', organizationId)
  return outcome
}

// A merchant ends a key or a client, at once and for good. It takes no right that the credential has: whoever sees a secret in the
// wrong place must be able to end it.

import type { Refusal } from '../../core/refusal.ts'
import {
  type ApiKey,
  endApiKey,
  type OAuthClient,
  revokeOAuthClient,
} from '../../store/organizations/credentials.ts'
import { lockOwnApiKey, lockOwnClient } from '../../store/organizations/own-credentials.ts'
import type { Needs } from '../context.ts'
import { refuseUnknownClient, refuseUnknownKey } from './known.ts'

type Revoker = Needs<'clock' | 'db' | 'signals'>

// A second time changes nothing.
export async function revokeApiKey(
  ctx: Revoker,
  organizationId: string,
  apiKeyId: string,
): Promise<ApiKey | Refusal> {
  const now = ctx.clock.now()
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const key = await lockOwnApiKey(tx, organizationId, apiKeyId)
    if (key === undefined) return refuseUnknownKey(apiKeyId)
    await endApiKey(tx, apiKeyId, { revokedAt: now })
    return { ...key, revokedAt: Math.min(key.revokedAt ?? now, now) }
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
  const now = ctx.clock.now()
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const client = await lockOwnClient(tx, organizationId, clientId)
    if (client === undefined) return refuseUnknownClient(clientId)
    await revokeOAuthClient(tx, clientId, now)
    return { ...client, revokedAt: Math.min(client.revokedAt ?? now, now) }
  })
  ctx.signals.workAdded('settings', organizationId)
  return outcome
}

// A merchant replaces the secret of a key or a client. The old one works until the overlap ends. A rolled key is a new key with
// the same name, rights and limits; a client stays the same one.

import { HOUR_MS, type Instant } from '../../core/instant.ts'
import type { Granter } from '../../core/organizations/grant.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { OAuthClient } from '../../store/organizations/credentials.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import {
  countWorkingApiKeys,
  lockOwnApiKey,
  lockOwnClient,
} from '../../store/organizations/own-credentials.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import {
  type IssuedApiKey,
  type RolledSecret,
  rollClientIn,
  rollKeyIn,
} from '../organizations/issue-credential.ts'
import { documentOfExisting, refuseUnapprovedCredential } from './approval.ts'
import { MAX_CREDENTIALS, refuseMore } from './create.ts'
import { refuseChange, refuseUnknownClient, refuseUnknownKey } from './known.ts'

export const OVERLAP_HOURS = { minimum: 0, default: 24, maximum: 720 } as const

type Roller = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>
type Address<Id extends string> = { readonly organizationId: string } & Readonly<Record<Id, string>>

export type RolledKey = IssuedApiKey & { readonly previousId: string; readonly previousUntil: Instant }

export async function rollKey(
  ctx: Roller,
  granter: Granter,
  { organizationId, apiKeyId }: Address<'apiKeyId'>,
  overlapHours: number,
  idempotency: Idempotency<RolledKey> | null,
): Promise<RolledKey | Refusal> {
  const now = ctx.clock.now()
  const sealed = idempotency && { ...idempotency, secret: true }
  const outcome = await changeOnce(ctx, organizationId, sealed, async (tx) => {
    await lockOrganization(tx, organizationId)
    const old = await lockOwnApiKey(tx, organizationId, apiKeyId)
    if (old === undefined) return refuseUnknownKey(apiKeyId)
    const refused = refuseChange(granter, old, now)
    if (refused !== undefined) return refused
    if ((await countWorkingApiKeys(tx, organizationId, now)) >= MAX_CREDENTIALS) return refuseMore('API keys')
    const document = documentOfExisting('apikey.roll', old, { overlapHours })
    const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
    if (waits !== undefined) return waits
    const issued = await rollKeyIn(ctx, tx, old, overlapHours * HOUR_MS)
    const until = now + overlapHours * HOUR_MS
    return { ...issued, previousId: apiKeyId, previousUntil: Math.min(until, old.expiresAt ?? until) }
  })
  // Committed: whoever keeps the old key in memory drops it before we answer.
  ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

export type RolledClient = RolledSecret & { readonly client: OAuthClient }

export async function rollClient(
  ctx: Roller,
  granter: Granter,
  { organizationId, clientId }: Address<'clientId'>,
  overlapHours: number,
  idempotency: Idempotency<RolledClient> | null,
): Promise<RolledClient | Refusal> {
  const now = ctx.clock.now()
  const sealed = idempotency && { ...idempotency, secret: true }
  const outcome = await changeOnce(ctx, organizationId, sealed, async (tx) => {
    const old = await lockOwnClient(tx, organizationId, clientId)
    if (old === undefined) return refuseUnknownClient(clientId)
    const refused = refuseChange(granter, old, now)
    if (refused !== undefined) return refused
    const document = documentOfExisting('client.roll', old, { overlapHours })
    const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
    if (waits !== undefined) return waits
    const rolled = await rollClientIn(ctx, tx, old, overlapHours * HOUR_MS)
    if (rolled === undefined) throw new Error('a locked client was changed')
    return { ...rolled, client: { ...old, previousUntil: rolled.previousUntil } }
  })
  ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

// A merchant makes an API key or an OAuth client; where the rules say so, once other people have approved it. The secret is returned once: only its digest is stored, and the answer that is
// kept for a repeated request is sealed.

import { DAY_MS } from '../../core/instant.ts'
import { type Granter, refuseLimited } from '../../core/organizations/grant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { countWorkingApiKeys, countWorkingClients } from '../../store/organizations/own-credentials.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import {
  type IssuedApiKey,
  type IssuedClient,
  issueClientIn,
  issueKeyIn,
  type NewApiKey,
  type NewOAuthClient,
} from '../organizations/issue-credential.ts'
import { refuseUnapprovedCredential } from './approval.ts'

// More than anyone needs, few enough to be looked through.
export const MAX_CREDENTIALS = 100

type Maker = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

// What it may do and for how long, counted from when it is made.
export type WantedKey = Omit<NewApiKey, 'secret' | 'expiresAt'> & { readonly expiresInDays: number | null }

export async function createApiKey(
  ctx: Maker,
  granter: Granter,
  request: WantedKey,
  idempotency: Idempotency<IssuedApiKey> | null,
): Promise<IssuedApiKey | Refusal> {
  const { organizationId, expiresInDays, ...wanted } = request
  const refused = refuseLimited(granter)
  if (refused !== undefined) return refused
  const sealed = idempotency && { ...idempotency, secret: true }
  const outcome = await changeOnce(ctx, organizationId, sealed, async (tx) => {
    // The organization is locked while we count: two concurrent requests cannot both add the last one.
    await lockOrganization(tx, organizationId)
    if ((await countWorkingApiKeys(tx, organizationId, ctx.clock.now())) >= MAX_CREDENTIALS)
      return refuseMore('API keys')
    const document = { act: 'apikey.create', ...wanted, expiresInDays } as const
    const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
    if (waits !== undefined) return waits
    const expiresAt = expiresInDays === null ? null : ctx.clock.now() + expiresInDays * DAY_MS
    const issued = await issueKeyIn(ctx, tx, { ...wanted, organizationId, expiresAt })
    if (issued === undefined) throw new Error('a random key was drawn twice')
    return issued
  })
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

export async function createOAuthClient(
  ctx: Maker,
  granter: Granter,
  request: NewOAuthClient,
  idempotency: Idempotency<IssuedClient> | null,
): Promise<IssuedClient | Refusal> {
  const { organizationId, ...wanted } = request
  const refused = refuseLimited(granter)
  if (refused !== undefined) return refused
  const sealed = idempotency && { ...idempotency, secret: true }
  const outcome = await changeOnce(ctx, organizationId, sealed, async (tx) => {
    await lockOrganization(tx, organizationId)
    if ((await countWorkingClients(tx, organizationId)) >= MAX_CREDENTIALS) return refuseMore('clients')
    const document = { act: 'client.create', ...wanted } as const
    const waits = await refuseUnapprovedCredential(ctx, tx, organizationId, document)
    return waits ?? issueClientIn(ctx, tx, request)
  })
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

export function refuseMore(what: string): Refusal {
  return refuse('TOO_MANY_CREDENTIALS', `An organization has ${MAX_CREDENTIALS} working ${what} at most.`)
}

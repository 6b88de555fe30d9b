// A merchant makes an API key or an OAuth client. The secret is returned once: only its digest is stored, and the answer that is
// kept for a repeated request is sealed.

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

// More than anyone needs, few enough to be looked through.
export const MAX_CREDENTIALS = 100

type Maker = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>

export async function createApiKey(
  ctx: Maker,
  granter: Granter,
  request: Omit<NewApiKey, 'secret'>,
  idempotency: Idempotency<IssuedApiKey> | null,
): Promise<IssuedApiKey | Refusal> {
  const { organizationId } = request
  const refused = refuseLimited(granter)
  if (refused !== undefined) return refused
  return changeOnce(ctx, organizationId, idempotency && { ...idempotency, secret: true }, async (tx) => {
    // The organization is locked while we count: two concurrent requests cannot both add the last one.
    await lockOrganization(tx, organizationId)
    if ((await countWorkingApiKeys(tx, organizationId, ctx.clock.now())) >= MAX_CREDENTIALS)
      return refuseMore('API keys')
    const issued = await issueKeyIn(ctx, tx, request)
    if (issued === undefined) throw new Error('a random key was drawn twice')
    return issued
  })
}

export async function createOAuthClient(
  ctx: Maker,
  granter: Granter,
  request: NewOAuthClient,
  idempotency: Idempotency<IssuedClient> | null,
): Promise<IssuedClient | Refusal> {
  const { organizationId } = request
  const refused = refuseLimited(granter)
  if (refused !== undefined) return refused
  return changeOnce(ctx, organizationId, idempotency && { ...idempotency, secret: true }, async (tx) => {
    await lockOrganization(tx, organizationId)
    if ((await countWorkingClients(tx, organizationId)) >= MAX_CREDENTIALS) return refuseMore('clients')
    return issueClientIn(ctx, tx, request)
  })
}

export function refuseMore(what: string): Refusal {
  return refuse('TOO_MANY_CREDENTIALS', `An organization has ${MAX_CREDENTIALS} working ${what} at most.`)
}

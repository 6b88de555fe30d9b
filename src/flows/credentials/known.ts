// Finds the credential that a merchant wants to change, and refuses what cannot be changed any more.

import type { Instant } from '../../core/instant.ts'
import { type Granter, refuseGrant, refuseLimited } from '../../core/organizations/grant.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { ApiKey } from '../../store/organizations/credentials.ts'

type Ending = Pick<ApiKey, 'revokedAt'> & Partial<Pick<ApiKey, 'expiresAt'>>

export function hasEnded({ revokedAt, expiresAt = null }: Ending, now: Instant): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now)
}

// Undefined if this granter may roll or change it.
export function refuseChange(
  granter: Granter,
  credential: Ending & { readonly scopes: readonly Scope[] | null },
  now: Instant,
): Refusal | undefined {
  const limited = refuseLimited(granter)
  if (limited !== undefined) return limited
  if (hasEnded(credential, now)) return refuse('CREDENTIAL_ENDED', 'It was revoked or has expired.')
  return refuseGrant(granter, credential)
}

export function refuseUnknownKey(apiKeyId: string): Refusal {
  return refuse('NOT_FOUND', `No API key has the id ${apiKeyId}.`)
}

export function refuseUnknownClient(clientId: string): Refusal {
  return refuse('NOT_FOUND', `No client has the id ${clientId}.`)
}

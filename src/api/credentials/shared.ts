// What operations on API keys and on OAuth clients have in common.

import { type Granter, grantProblems } from '../../core/organizations/grant.ts'
import { UNLIMITED_CREDENTIAL } from '../../core/organizations/limits.ts'
import { isScope, type Scope } from '../../core/organizations/scope.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import type { CredentialChanges as Changes } from '../../flows/credentials/change.ts'
import { MAX_CREDENTIALS } from '../../flows/credentials/create.ts'
import { OVERLAP_HOURS } from '../../flows/credentials/roll.ts'
import { grantableOf } from '../http/auth.ts'
import type { ApiRequest } from '../http/operation.ts'
import { limitsIn } from './schema.ts'

export const READ = { scope: 'credentials:read', shown: 'apiKey' } as const
export const WRITE = { scope: 'credentials:write', shown: 'apiKey' } as const

export const NOT_BEYOND_ONESELF =
  'You cannot grant a scope that you do not hold, and a key or client that has limits of its own cannot make others.'
export const AT_MOST = `At most ${MAX_CREDENTIALS} of them work at a time.`
export const CHANGE_REFUSALS = [
  'INVALID_INPUT',
  'NOT_FOUND',
  'SCOPE_NOT_HELD',
  'CREDENTIAL_LIMITED',
  'CREDENTIAL_ENDED',
  'APPROVAL_REQUIRED',
] as const

export function granterOf({ caller }: Pick<ApiRequest, 'caller'>): Granter {
  const { kind, scopes, limits } = caller
  return { kind, scopes, limits }
}

// Who gives a secret to somebody, and with it all that it may do.
export function giverOf({ caller }: Pick<ApiRequest, 'caller'>): Granter {
  return { ...granterOf({ caller }), scopes: grantableOf(caller) }
}

// The schema says what is no scope.
export function scopeRules(request: ApiRequest): FieldProblem[] {
  const { scopes = null } = request.body as { scopes?: unknown }
  if (scopes !== null && !Array.isArray(scopes)) return []
  const known = scopes?.filter((scope) => typeof scope === 'string' && isScope(scope)) ?? null
  return grantProblems(giverOf(request), known)
}

export function newCredentialIn({ caller, body }: ApiRequest) {
  const { name, scopes = null } = body as { name: string; scopes?: Scope[] | null }
  const limits = { ...UNLIMITED_CREDENTIAL, ...limitsIn(body as Record<string, unknown>) }
  return { organizationId: caller.organization.organizationId, name, scopes, limits }
}

export function changesIn(body: unknown): Changes {
  const { name } = body as { name?: string }
  return { ...(name !== undefined && { name }), ...limitsIn(body as Record<string, unknown>) }
}

export function overlapHoursIn(body: unknown): number {
  const { overlapHours = OVERLAP_HOURS.default } = (body ?? {}) as { overlapHours?: number }
  return overlapHours
}

// What a credential may do. A credential without a list of scopes may do everything its organization may.

export const SCOPES = [
  'payins:read',
  'payins:write',
  'payouts:read',
  'payouts:write',
  'refunds:write',
  'links:read',
  'links:write',
  'keys:read',
  'ledger:read',
  'reports:write',
  'suspense:write',
  'alarms:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'connections:read',
  'connections:write',
  'organization:read',
  'organization:write',
  'team:read',
  'team:write',
  'credentials:read',
  'credentials:write',
  'audit:read',
  'approvals:read',
  'approvals:write',
  'sandbox:write',
] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

export function isScopeGranted(granted: readonly Scope[] | null, needed: Scope): boolean {
  return granted === null || granted.includes(needed)
}

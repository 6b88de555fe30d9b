// How Mono is asked for an access token: client credentials as JSON, and what the token is to be used for.

import type { Use } from '../../core/connections/provider.ts'
import type { TokenRequest } from '../access-token.ts'

const GRANT_TYPE = 'client_credentials'

export function monoTokenRequest(scope: string): TokenRequest {
  return ({ clientId, clientSecret }) => ({
    method: 'POST',
    resource: '/api/v1/oauth/token',
    id: null,
    reference: '',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: GRANT_TYPE,
      scope,
    }),
    shown: { grant_type: GRANT_TYPE },
  })
}

export const ACCOUNTS_SCOPE = 'tenant_accounts:readonly'

const SCOPES: Readonly<Partial<Record<Use, string>>> = {
  BRE_B_IN: 'collections',
  BRE_B_OUT: 'outgoing_transfers target_resolutions',
}

// Only what the connection is used for: a client whose contract has no more would be granted nothing.
export function scopeFor(uses: readonly Use[]): string {
  return uses.flatMap((use) => SCOPES[use] ?? []).join(' ')
}

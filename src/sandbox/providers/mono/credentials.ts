// The account at the simulated Mono, and the access tokens it works with. Nobody's secrets: the simulator listens on this machine only.
// Names are those that a connection takes.
// A token tells its expiry and scopes and is signed, so none is stored and a token from before a restart stays valid.

import { createHmac } from 'node:crypto'
import type { Instant } from '../../../core/instant.ts'
import { type Answer, matchesSecret, readObject } from '../../http.ts'
import type { Fields } from '../input.ts'
import type { ProviderRequest } from '../provider.ts'

export const MONO = {
  clientId: 'recaudo-sandbox-client',
  clientSecret: 'recaudo-sandbox-secret-1234567890',
  webhookSecret: 'whsec_recaudo1234567890',
  accountId: 'bbtacc_2vK8sQdJ4mXw0Zr7Tn1bYc',
} as const

/** Signed with before the account changed its secret. Some notices still bear both signatures. */
export const FORMER_WEBHOOK_SECRET = 'whsec_former1234567890'

const SCOPES = ['collections', 'outgoing_transfers', 'target_resolutions', 'tenant_accounts:readonly']
// The documentation says 3600, others have measured 1800.
const LIFETIME_SECONDS = 1_800

/** A token is asked for by JSON or by a form. Whether the scope may be missing is not published: here it may not. */
export function grantToken(request: ProviderRequest, now: Instant): Answer {
  const sent = tokenRequest(request)
  if (sent === undefined) return denied(400, 'invalid_request', 'The body is neither JSON nor a form')
  const { client_id: id, client_secret: secret, grant_type: grant, scope } = sent
  if (![id, secret, grant].every((value) => typeof value === 'string' && value !== ''))
    return denied(400, 'invalid_request', 'client_id, client_secret and grant_type are required')
  if (grant !== 'client_credentials')
    return denied(400, 'unsupported_grant_type', 'Only client_credentials is supported')
  if (!matchesSecret(id as string, MONO.clientId) || !matchesSecret(secret as string, MONO.clientSecret))
    return denied(401, 'invalid_client', 'The client is unknown or its secret is wrong')
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : []
  if (scopes.length === 0 || !scopes.every((name) => SCOPES.includes(name)))
    return denied(400, 'invalid_scope', 'The scope is missing or unknown')
  const expiry = Math.floor(now / 1_000) + LIFETIME_SECONDS
  const facts = Buffer.from(JSON.stringify({ expiry, scopes })).toString('base64url')
  return {
    status: 200,
    json: {
      access_token: `${facts}.${signatureOf(facts)}`,
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      refresh_token: signatureOf(`refresh ${facts}`),
      scope: scopes.join(' '),
    },
  }
}

/** The scopes of a valid token. */
export function scopesOf(authorization: string, now: Instant): readonly string[] | undefined {
  const [, facts = '', signature = ''] = /^Bearer ([\w-]{1,1000})\.([0-9a-f]{64})$/i.exec(authorization) ?? []
  if (!matchesSecret(signature, signatureOf(facts))) return undefined
  const { expiry, scopes } = JSON.parse(Buffer.from(facts, 'base64url').toString()) as {
    expiry: number
    scopes: string[]
  }
  return expiry * 1_000 > now ? scopes : undefined
}

function tokenRequest({ header, body }: ProviderRequest): Fields | undefined {
  const type = header('content-type')
  if (/^application\/json\b/i.test(type)) return readObject(body)
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return Object.fromEntries(new URLSearchParams(body))
  return undefined
}

const denied = (status: number, error: string, description: string): Answer => ({
  status,
  json: { error, error_description: description },
})

const signatureOf = (text: string): string =>
  createHmac('sha256', MONO.clientSecret).update(text).digest('hex')

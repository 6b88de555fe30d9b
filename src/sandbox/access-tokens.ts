// OAuth 2.0 client credentials of the simulated networks. A token contains only its expiry and a signature over it, so none
// has to be stored, and a token from before a restart stays valid.

import { createHmac } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { type Answer, failure, matchesSecret, type ParsedRequest } from './http.ts'
import type { Network } from './records.ts'

export type Credentials = { clientId: string; clientSecret: string; notificationKey: string }

const LIFETIME_SECONDS = 3_600

export function grantToken(network: Network, request: ParsedRequest, own: Credentials, now: Instant): Answer {
  if (request.method !== 'POST') return failure(405, 'METHOD_NOT_ALLOWED', 'a token is asked for by POST')
  if (new URLSearchParams(request.body).get('grant_type') !== 'client_credentials')
    return { status: 400, json: { error: 'unsupported_grant_type' } }
  const [, encoded = ''] = /^Basic (.+)$/i.exec(request.authorization) ?? []
  const presented = Buffer.from(encoded, 'base64').toString('utf8')
  const { clientId, clientSecret } = own
  const plain = matchesSecret(presented, `${clientId}:${clientSecret}`)
  // RFC 6749 wants both parts form-encoded first; many clients do not.
  const formEncoded = matchesSecret(
    presented,
    `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`,
  )
  if (!plain && !formEncoded)
    return {
      status: 401,
      json: { error: 'invalid_client' },
      headers: { 'www-authenticate': 'Basic realm="sandbox"' },
    }
  const expiry = Math.floor(now / 1_000) + LIFETIME_SECONDS
  const access_token = `${expiry}.${signatureOf(network, expiry, own)}`
  return { status: 200, json: { access_token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS } }
}

export function isTokenValid(
  network: Network,
  authorization: string,
  own: Credentials,
  now: Instant,
): boolean {
  const [, expiry, signature = ''] = /^Bearer (\d{1,12})\.([0-9a-f]{64})$/i.exec(authorization) ?? []
  return Number(expiry) * 1_000 > now && matchesSecret(signature, signatureOf(network, Number(expiry), own))
}

function signatureOf(network: Network, expiry: number, { clientId, clientSecret }: Credentials): string {
  return createHmac('sha256', clientSecret).update(`${network}\n${clientId}\n${expiry}`).digest('hex')
}

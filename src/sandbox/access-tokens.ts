// How the networks know who calls: OAuth 2.0 client credentials. A token is nothing but its end and a seal over it, so
// none has to be remembered and one of before a restart still holds.

import { createHmac } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { type Answer, type Asked, failure, isSame } from './http.ts'
import type { Network } from './records.ts'

export type Credentials = { clientId: string; clientSecret: string; notificationKey: string }

const LIFETIME_SECONDS = 3_600

export function grantToken(network: Network, asked: Asked, own: Credentials, now: Instant): Answer {
  if (asked.method !== 'POST') return failure(405, 'METHOD_NOT_ALLOWED', 'a token is asked for by POST')
  if (new URLSearchParams(asked.body).get('grant_type') !== 'client_credentials')
    return { status: 400, json: { error: 'unsupported_grant_type' } }
  const [, encoded = ''] = /^Basic (.+)$/i.exec(asked.authorization) ?? []
  const presented = Buffer.from(encoded, 'base64').toString('utf8')
  const { clientId, clientSecret } = own
  const plain = isSame(presented, `${clientId}:${clientSecret}`)
  // RFC 6749 wants both parts form-encoded first; many clients do not.
  const formEncoded = isSame(presented, `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)
  if (!plain && !formEncoded)
    return {
      status: 401,
      json: { error: 'invalid_client' },
      headers: { 'www-authenticate': 'Basic realm="sandbox"' },
    }
  const end = Math.floor(now / 1_000) + LIFETIME_SECONDS
  const access_token = `${end}.${sealOf(network, end, own)}`
  return { status: 200, json: { access_token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS } }
}

export function tokenHolds(network: Network, authorization: string, own: Credentials, now: Instant): boolean {
  const [, end, seal = ''] = /^Bearer (\d{1,12})\.([0-9a-f]{64})$/i.exec(authorization) ?? []
  return Number(end) * 1_000 > now && isSame(seal, sealOf(network, Number(end), own))
}

function sealOf(network: Network, end: number, { clientId, clientSecret }: Credentials): string {
  return createHmac('sha256', clientSecret).update(`${network}\n${clientId}\n${end}`).digest('hex')
}

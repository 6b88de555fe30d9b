// The access token a network issues to us (OAuth 2.0 client credentials). Concurrent calls share one token request, and the
// token is renewed before it expires.

import type { Connection, ConnectionOptions, Sent } from './connection.ts'
import { refusesCredentials, type Unknown, unknown } from './rail.ts'

export type AccessTokens = {
  readonly get: (signal: AbortSignal) => Promise<string | Unknown>
  // The network refused this token. A newer one, obtained meanwhile, is kept.
  readonly drop: (token: string) => void
}

export type Client = { readonly clientId: string; readonly clientSecret: string }

// How a network wants to be asked for a token.
export type TokenRequest = (client: Client) => Sent

export function accessTokens(
  connection: Connection,
  client: Client,
  options: Pick<ConnectionOptions, 'monotonicMs' | 'limits'>,
  tokenRequest: TokenRequest = basicTokenRequest,
): AccessTokens {
  let current: { token: string; renewAtMs: number } | undefined
  let renewal: Promise<string | Unknown> | undefined

  const renew = async (): Promise<string | Unknown> => {
    const answer = await connection.send(tokenRequest(client), AbortSignal.timeout(options.limits.tokenMs))
    if (answer.outcome === 'unknown') return answer
    const grant = readGrant(answer.json)
    if (answer.status !== 200 || grant === undefined) return noToken(answer.status)
    // A token whose lifetime is below two margins is renewed at half of it.
    const lifetimeMs = grant.expiresInSeconds * 1_000
    const marginMs = Math.min(options.limits.tokenMarginMs, lifetimeMs / 2)
    current = { token: grant.token, renewAtMs: options.monotonicMs() + lifetimeMs - marginMs }
    return grant.token
  }

  return {
    get: (signal) => {
      if (current !== undefined && options.monotonicMs() < current.renewAtMs)
        return Promise.resolve(current.token)
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      // Other callers share the renewal, so a caller that times out does not cancel it.
      return Promise.race([renewal, whenAborted(signal)])
    },
    drop: (token) => {
      if (current?.token === token) current = undefined
    },
  }
}

// As the installation's own networks are asked.
function basicTokenRequest({ clientId, clientSecret }: Client): Sent {
  // RFC 6749 §2.3.1: both are form-encoded before they go into the Basic header.
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return {
    method: 'POST',
    resource: '/oauth/token',
    id: null,
    reference: '',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    shown: { grant_type: 'client_credentials' },
  }
}

// A client that is not known is told so by 400 or 401 (RFC 6749 §5.2).
function noToken(status: number): Unknown {
  const without = unknown('unavailable', `no access token (HTTP ${status})`)
  return status === 400 || refusesCredentials(status) ? { ...without, isLockedOut: true } : without
}

// The token goes into a header, so only characters allowed there are accepted.
const TOKEN = /^[\x21-\x7e]{1,8192}$/
const MAX_LIFETIME_SECONDS = 86_400

function readGrant(json: unknown): { token: string; expiresInSeconds: number } | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { access_token: token, expires_in: expiresIn } = json as Readonly<{ [field: string]: unknown }>
  if (typeof token !== 'string' || !TOKEN.test(token)) return undefined
  if (typeof expiresIn !== 'number' || !(expiresIn > 0)) return undefined
  return { token, expiresInSeconds: Math.min(expiresIn, MAX_LIFETIME_SECONDS) }
}

function whenAborted(signal: AbortSignal): Promise<Unknown> {
  const timedOut = unknown('timeout', 'no access token within the deadline')
  if (signal.aborted) return Promise.resolve(timedOut)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(timedOut), { once: true }))
}

// The access token a network lends us (OAuth 2.0 client credentials). However many calls wait for one, it is asked for
// once; and it is renewed before it runs out.

import type { Connection, ConnectionOptions } from './connection.ts'
import { type Unknown, unknown } from './rail.ts'

export type AccessTokens = {
  readonly get: (signal: AbortSignal) => Promise<string | Unknown>
  // The network refused this one. A newer one, got in the meantime, stays.
  readonly drop: (token: string) => void
}

export function accessTokens(
  connection: Connection,
  client: { readonly clientId: string; readonly clientSecret: string },
  around: Pick<ConnectionOptions, 'monotonicMs' | 'limits'>,
): AccessTokens {
  let held: { token: string; renewAtMs: number } | undefined
  let underWay: Promise<string | Unknown> | undefined

  const renew = async (): Promise<string | Unknown> => {
    const answer = await connection.send(tokenRequest(client), AbortSignal.timeout(around.limits.tokenMs))
    if (answer.outcome === 'unknown') return answer
    const grant = readGrant(answer.json)
    if (answer.status !== 200 || grant === undefined)
      return unknown('unavailable', `no access token (HTTP ${answer.status})`)
    // A token that lives less than two margins is renewed at half of its life.
    const livesMs = grant.expiresInSeconds * 1_000
    const margin = Math.min(around.limits.tokenMarginMs, livesMs / 2)
    held = { token: grant.token, renewAtMs: around.monotonicMs() + livesMs - margin }
    return grant.token
  }

  return {
    get: (signal) => {
      if (held !== undefined && around.monotonicMs() < held.renewAtMs) return Promise.resolve(held.token)
      underWay ??= renew().finally(() => {
        underWay = undefined
      })
      // The renewal serves others too: a caller whose time is up leaves it running.
      return Promise.race([underWay, whenAborted(signal)])
    },
    drop: (token) => {
      if (held?.token === token) held = undefined
    },
  }
}

function tokenRequest({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
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
  } as const
}

// A token goes into a header: only what may stand there is taken.
const TOKEN = /^[\x21-\x7e]{1,8192}$/
const MAX_LIFE_SECONDS = 86_400

function readGrant(json: unknown): { token: string; expiresInSeconds: number } | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { access_token: token, expires_in: expiresIn } = json as Readonly<{ [field: string]: unknown }>
  if (typeof token !== 'string' || !TOKEN.test(token)) return undefined
  if (typeof expiresIn !== 'number' || !(expiresIn > 0)) return undefined
  return { token, expiresInSeconds: Math.min(expiresIn, MAX_LIFE_SECONDS) }
}

function whenAborted(signal: AbortSignal): Promise<Unknown> {
  const late = unknown('timeout', 'no access token within the deadline')
  if (signal.aborted) return Promise.resolve(late)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(late), { once: true }))
}

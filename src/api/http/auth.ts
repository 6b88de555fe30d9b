// Authenticates API keys and access tokens. A credential is looked up by its digest: in the cache without waiting, or
// by a batched read.

import { hash, timingSafeEqual } from 'node:crypto'
import type { Actor } from '../../core/audit/actor.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { batchedStatement } from '../../store/batched-statement.ts'
import {
  type ApiKey,
  findApiKeys,
  findOAuthClients,
  type OAuthClient,
  recordLastUse,
  type WithOrganization,
} from '../../store/organizations/credentials.ts'
import type { AccessTokens, TokenClaims } from './access-token.ts'
import { createCredentialCache } from './credential-cache.ts'

// `kind` says what `credentialId` is: an API key, an OAuth client, or a person who signed in.
export type Caller = {
  readonly kind: 'key' | 'client' | 'person'
  readonly name: string
  readonly organization: Organization
  readonly scopes: readonly Scope[] | null
  readonly credentialId: string
  readonly limits: CredentialLimits
  // What they may put into a key, a client or a webhook endpoint, where that is less than they may do themselves.
  readonly grantable?: readonly Scope[]
}

export function grantableOf({
  scopes,
  grantable,
}: Pick<Caller, 'scopes' | 'grantable'>): readonly Scope[] | null {
  return grantable ?? scopes
}

export type Auth = {
  // Synchronous when the credential is cached, which is the common case.
  authenticate: (headers: AuthHeaders) => Caller | Refusal | Promise<Caller | Refusal>
  // Whether the credential was found before, so that it is no guess.
  isKnown: (headers: AuthHeaders) => boolean
  findClient: (clientId: string) => Promise<WithOrganization<OAuthClient> | undefined>
  // Records which credentials were used since the last call.
  flushLastUse: () => Promise<void>
}

type AuthHeaders = { 'x-api-key'?: string | string[] | undefined; authorization?: string | undefined }

// Longer than any credential we issue. Anything longer is refused without hashing.
const MAX_CREDENTIAL_LENGTH = 4_096
// Verified tokens by digest. The signature is checked once, the client's revocation on every request.
const MAX_VERIFIED_TOKENS = 10_000
const LOOKUP = { concurrency: 1, maxItems: 500, maxWaiting: 5_000 }

export function createAuth(ctx: Context, tokens: AccessTokens): Auth {
  const clockMs = () => performance.now()
  const loadKey = batchedStatement({
    ...LOOKUP,
    run: (digests: string[]) => findApiKeys(ctx.db, digests.map(fromHex)),
  })
  const loadClient = batchedStatement({
    ...LOOKUP,
    run: (clientIds: string[]) => findOAuthClients(ctx.db, clientIds),
  })
  const keys = createCredentialCache<WithOrganization<ApiKey>>(loadKey, clockMs)
  const clients = createCredentialCache<WithOrganization<OAuthClient>>(loadClient, clockMs)
  ctx.signals.onWork((kind, organizationId) => {
    if (kind !== 'settings') return
    const isStale = ({ organization }: WithOrganization<object>) =>
      organizationId === undefined || organization.organizationId === organizationId
    keys.drop(isStale)
    clients.drop(isStale)
  })
  const verified = new Map<string, TokenClaims>()
  const used = { apiKeyIds: new Set<string>(), clientIds: new Set<string>() }

  const callerOfKey = (key: WithOrganization<ApiKey> | undefined, digest: string): Caller | Refusal => {
    // The lookup was by digest. The constant-time comparison keeps the index and the cache from becoming a timing
    // oracle.
    if (key === undefined || !timingSafeEqual(key.digest, fromHex(digest))) return refuseKey('is not known')
    // Not compared with the clock, because the revoking node's clock may be ahead of ours.
    if (key.revokedAt !== null) return refuseKey('was revoked')
    if (key.expiresAt !== null && key.expiresAt <= ctx.clock.now()) return refuseKey('has expired')
    used.apiKeyIds.add(key.apiKeyId)
    const { organization, scopes, name } = key
    return { kind: 'key', name, organization, scopes, credentialId: key.apiKeyId, limits: key }
  }

  const byKey = (presented: string): Caller | Refusal | Promise<Caller | Refusal> => {
    if (!isShort(presented)) return refuseKey('is not known')
    const digest = sha256Hex(presented)
    const found = keys.get(digest)
    return found instanceof Promise
      ? found.then((key) => callerOfKey(key, digest))
      : callerOfKey(found, digest)
  }

  const byToken = async (token: string): Promise<Caller | Refusal> => {
    if (!isShort(token)) return refuseToken()
    const digest = sha256Hex(token)
    const claims = verified.get(digest) ?? (await tokens.verify(token))
    const isValid =
      claims !== undefined &&
      claims.expiresAtSeconds * 1_000 > ctx.clock.now() &&
      tokens.isValidKey(claims.keyId)
    if (!isValid) {
      verified.delete(digest)
      return refuseToken()
    }
    if (verified.size >= MAX_VERIFIED_TOKENS) verified.delete(verified.keys().next().value as string)
    verified.set(digest, claims)
    const client = await clients.get(claims.clientId)
    if (client === undefined || client.revokedAt !== null) return refuseToken()
    used.clientIds.add(client.clientId)
    return {
      kind: 'client',
      name: client.name,
      organization: client.organization,
      scopes: claims.scopes,
      credentialId: client.clientId,
      limits: client,
    }
  }

  const byBoth = async (key: string, token: string): Promise<Caller | Refusal> => {
    const [first, second] = await Promise.all([byKey(key), byToken(token)])
    if ('refused' in first) return first
    if ('refused' in second) return second
    if (first.organization.organizationId !== second.organization.organizationId) {
      return refuse(
        'UNAUTHORIZED',
        'The API key and the access token belong to different organizations: send one of them.',
      )
    }
    return first
  }

  return {
    authenticate: (headers) => {
      const key = headers['x-api-key']
      const token = bearerToken(headers.authorization)
      if (typeof key === 'string' && key !== '') return token === undefined ? byKey(key) : byBoth(key, token)
      if (token !== undefined) return byToken(token)
      return refuse(
        'UNAUTHORIZED',
        'Send an API key in the header x-api-key, or an access token as Authorization: Bearer.',
      )
    },
    isKnown: (headers) => {
      const key = headers['x-api-key']
      const token = bearerToken(headers.authorization)
      const isKnownKey = typeof key === 'string' && isShort(key) && keys.has(sha256Hex(key))
      return isKnownKey || (token !== undefined && isShort(token) && verified.has(sha256Hex(token)))
    },
    findClient: (clientId) => loadClient(clientId),
    flushLastUse: async () => {
      if (used.apiKeyIds.size + used.clientIds.size === 0) return
      const use = { apiKeyIds: [...used.apiKeyIds], clientIds: [...used.clientIds], at: ctx.clock.now() }
      used.apiKeyIds.clear()
      used.clientIds.clear()
      await recordLastUse(ctx.db, use)
    },
  }
}

export function actorOf(caller: Caller, address: string | null, requestId: string): Actor {
  const { kind, credentialId: id, name } = caller
  return { kind, id, name, sessionId: null, address, requestId }
}

function isShort(credential: string): boolean {
  return credential.length <= MAX_CREDENTIAL_LENGTH
}

function refuseKey(why: string): Refusal {
  return refuse('UNAUTHORIZED', `The API key ${why}.`)
}

function refuseToken(): Refusal {
  return refuse(
    'UNAUTHORIZED',
    'The access token is not valid or has expired: get a new one from POST /oauth/token.',
  )
}

function bearerToken(authorization: string | undefined): string | undefined {
  // Ignores other schemes, because a proxy in front may use its own.
  if (authorization === undefined || !/^Bearer\b/i.test(authorization)) return undefined
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
}

function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

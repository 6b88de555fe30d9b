// Issues the secrets that merchants hold. A secret is returned once and never stored: only its digest is.

import { createHash } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'
import { type CredentialLimits, limitsOf, UNLIMITED_CREDENTIAL } from '../../core/organizations/limits.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { Queryable } from '../../store/db.ts'
import {
  type ApiKey,
  endApiKey,
  insertApiKey,
  insertOAuthClient,
  type OAuthClient,
  rollOAuthClient,
} from '../../store/organizations/credentials.ts'
import type { Clock, Ids, Needs, Settings } from '../context.ts'

type Issuer = Needs<'db'> & {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'next' | 'randomBytes'>
  readonly settings: Pick<Settings, 'environment'>
}

const SECRET_BYTES = 32
const CLIENT_ID_BYTES = 12
// Long enough to distinguish keys in a list, far too short to help a guess.
const DISPLAY_CHARACTERS = 6

export type NewApiKey = {
  organizationId: string
  name: string
  scopes: Scope[] | null
  expiresAt: Instant | null
  limits?: CredentialLimits
  // The demo organization's key may be chosen, for scripts.
  secret?: string
}

export type IssuedApiKey = { secret: string; apiKey: ApiKey }

// Undefined if a chosen secret is already in use.
export function issueApiKey(ctx: Issuer, request: NewApiKey): Promise<IssuedApiKey | undefined> {
  return insertNewKey(ctx, ctx.db, request)
}

export async function insertNewKey(
  ctx: Omit<Issuer, 'db'>,
  tx: Queryable,
  request: NewApiKey,
): Promise<IssuedApiKey | undefined> {
  const prefix = ctx.settings.environment === 'production' ? 'rk_live_' : 'rk_stg_'
  const secret = request.secret ?? prefix + ctx.ids.randomBytes(SECRET_BYTES).toString('base64url')
  const apiKey: ApiKey = {
    apiKeyId: ctx.ids.next(),
    organizationId: request.organizationId,
    digest: secretDigest(secret),
    displayPrefix: `${secret.slice(0, prefix.length + DISPLAY_CHARACTERS)}…`,
    name: request.name,
    scopes: request.scopes,
    createdAt: ctx.clock.now(),
    expiresAt: request.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    ...(request.limits ?? UNLIMITED_CREDENTIAL),
  }
  return (await insertApiKey(tx, apiKey)) ? { secret, apiKey } : undefined
}

// A successor with the same name, rights and limits; the old key works until the overlap ends.
export async function rollApiKey(ctx: Issuer, old: ApiKey, overlapMs: number): Promise<IssuedApiKey> {
  const { organizationId, name, scopes, expiresAt } = old
  const issued = await issueApiKey(ctx, { organizationId, name, scopes, expiresAt, limits: limitsOf(old) })
  if (issued === undefined) throw new Error('a random key was drawn twice')
  await endApiKey(ctx.db, old.apiKeyId, { expiresAt: ctx.clock.now() + overlapMs })
  return issued
}

export type NewOAuthClient = Pick<NewApiKey, 'organizationId' | 'name' | 'scopes' | 'limits'>
export type IssuedClient = { secret: string; client: OAuthClient }

export function issueOAuthClient(ctx: Issuer, request: NewOAuthClient): Promise<IssuedClient> {
  return insertNewClient(ctx, ctx.db, request)
}

export async function insertNewClient(
  ctx: Omit<Issuer, 'db'>,
  tx: Queryable,
  request: NewOAuthClient,
): Promise<IssuedClient> {
  const secret = newClientSecret(ctx)
  const client: OAuthClient = {
    clientId: `rc_${environmentOf(ctx)}_${ctx.ids.randomBytes(CLIENT_ID_BYTES).toString('base64url')}`,
    organizationId: request.organizationId,
    secretDigest: secretDigest(secret),
    previousDigest: null,
    previousUntil: null,
    name: request.name,
    scopes: request.scopes,
    createdAt: ctx.clock.now(),
    revokedAt: null,
    lastUsedAt: null,
    ...(request.limits ?? UNLIMITED_CREDENTIAL),
  }
  await insertOAuthClient(tx, client)
  return { secret, client }
}

// A new secret for the same client; the old one works until the overlap ends. One that an earlier roll left ends now. Undefined
// if another rolled it meanwhile, or it was revoked.
export async function rollClientSecret(
  ctx: Issuer,
  old: OAuthClient,
  overlapMs: number,
): Promise<{ secret: string; previousUntil: Instant } | undefined> {
  const secret = newClientSecret(ctx)
  const previousUntil = ctx.clock.now() + overlapMs
  const isRolled = await rollOAuthClient(
    ctx.db,
    old.clientId,
    old.secretDigest,
    secretDigest(secret),
    previousUntil,
  )
  return isRolled ? { secret, previousUntil } : undefined
}

export function newClientSecret(ctx: Omit<Issuer, 'db'>): string {
  return `rs_${environmentOf(ctx)}_${ctx.ids.randomBytes(SECRET_BYTES).toString('base64url')}`
}

function environmentOf({ settings }: Pick<Issuer, 'settings'>): string {
  return settings.environment === 'production' ? 'live' : 'stg'
}

// Secrets are 256 random bits: a plain digest cannot be searched, and a slow one would only slow us.
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

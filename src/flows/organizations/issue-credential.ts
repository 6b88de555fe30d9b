// Issues, replaces and ends the secrets that merchants hold. A secret is returned once and never stored: only its digest is.

import { createHash } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'
import { type CredentialLimits, limitsOf, UNLIMITED_CREDENTIAL } from '../../core/organizations/limits.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { Queryable } from '../../store/db.ts'
import {
  type ApiKey,
  endApiKey,
  getApiKey,
  insertApiKey,
  insertOAuthClient,
  lockApiKey,
  lockOAuthClient,
  type OAuthClient,
  revokeOAuthClient,
  rollOAuthClient,
} from '../../store/organizations/credentials.ts'
import type { Clock, Ids, Needs, Settings } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { revokeInvitationsOf } from '../team/invitations.ts'

type Issuer = Needs<'actor' | 'db'> & {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'next' | 'randomBytes'>
  readonly settings: Pick<Settings, 'environment'>
}

// Within a transaction of the caller's.
type Recorded = Omit<Issuer, 'db'>
// Invitations live by real time, and end with whoever made them.
type Revoking = { readonly clock: Pick<Clock, 'wallClock'> }

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
  return ctx.db.inTransaction((tx) => issueKeyIn(ctx, tx, request))
}

export async function issueKeyIn(
  ctx: Recorded,
  tx: Queryable,
  request: NewApiKey,
): Promise<IssuedApiKey | undefined> {
  const issued = await insertNewKey(ctx, tx, request)
  if (issued === undefined) return undefined
  const { organizationId, apiKeyId: objectId } = issued.apiKey
  const act = { act: 'apikey.create', before: null, after: issued.apiKey } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
  return issued
}

async function insertNewKey(
  ctx: Recorded,
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
export function rollApiKey(ctx: Issuer, old: ApiKey, overlapMs: number): Promise<IssuedApiKey> {
  return ctx.db.inTransaction(async (tx) => {
    const before = (await lockApiKey(tx, old.apiKeyId)) ?? old
    return rollKeyIn(ctx, tx, before, overlapMs)
  })
}

// Of a key that is locked.
export async function rollKeyIn(
  ctx: Recorded,
  tx: Queryable,
  before: ApiKey,
  overlapMs: number,
): Promise<IssuedApiKey> {
  const { organizationId, apiKeyId, name, scopes, expiresAt } = before
  const request = { organizationId, name, scopes, expiresAt, limits: limitsOf(before) }
  const issued = await insertNewKey(ctx, tx, request)
  if (issued === undefined) throw new Error('a random key was drawn twice')
  await endApiKey(tx, apiKeyId, { expiresAt: ctx.clock.now() + overlapMs })
  const after = { ...(await getApiKey(tx, apiKeyId)), replacedBy: issued.apiKey.apiKeyId }
  await recordAct(ctx, tx, { organizationId, act: 'apikey.roll', objectId: apiKeyId, before, after })
  return issued
}

// At once, on every node within a second. Undefined if there is no such key.
export function revokeApiKey(ctx: Issuer & Revoking, apiKeyId: string): Promise<ApiKey | undefined> {
  return ctx.db.inTransaction(async (tx) => {
    const before = await lockApiKey(tx, apiKeyId)
    return before && revokeKeyIn(ctx, tx, before)
  })
}

// Of a key that is locked.
export async function revokeKeyIn(ctx: Recorded & Revoking, tx: Queryable, before: ApiKey): Promise<ApiKey> {
  const { organizationId, apiKeyId } = before
  await endApiKey(tx, apiKeyId, { revokedAt: ctx.clock.now() })
  await revokeInvitationsOf(ctx, tx, organizationId, apiKeyId)
  const after = (await getApiKey(tx, apiKeyId)) as ApiKey
  await recordAct(ctx, tx, { organizationId, act: 'apikey.revoke', objectId: apiKeyId, before, after })
  return after
}

export type NewOAuthClient = Pick<NewApiKey, 'organizationId' | 'name' | 'scopes' | 'limits'>
export type IssuedClient = { secret: string; client: OAuthClient }

export function issueOAuthClient(ctx: Issuer, request: NewOAuthClient): Promise<IssuedClient> {
  return ctx.db.inTransaction((tx) => issueClientIn(ctx, tx, request))
}

export async function issueClientIn(
  ctx: Recorded,
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
  const { organizationId, clientId: objectId } = client
  const act = { act: 'client.create', before: null, after: client } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
  return { secret, client }
}

export type RolledSecret = { secret: string; previousUntil: Instant }

// A new secret for the same client; the old one works until the overlap ends. One that an earlier roll left ends now. Undefined
// if another rolled it meanwhile, or it was revoked.
export function rollClientSecret(
  ctx: Issuer,
  old: OAuthClient,
  overlapMs: number,
): Promise<RolledSecret | undefined> {
  return ctx.db.inTransaction((tx) => rollClientIn(ctx, tx, old, overlapMs))
}

export async function rollClientIn(
  ctx: Recorded,
  tx: Queryable,
  old: OAuthClient,
  overlapMs: number,
): Promise<RolledSecret | undefined> {
  const secret = newClientSecret(ctx)
  const previousUntil = ctx.clock.now() + overlapMs
  const { organizationId, clientId, secretDigest: from } = old
  const to = secretDigest(secret)
  if (!(await rollOAuthClient(tx, clientId, from, to, previousUntil))) return undefined
  const after = { ...old, secretDigest: to, previousUntil }
  await recordAct(ctx, tx, { organizationId, act: 'client.roll', objectId: clientId, before: old, after })
  return { secret, previousUntil }
}

// False if there is no such client.
export function revokeClient(ctx: Issuer & Revoking, clientId: string): Promise<boolean> {
  return ctx.db.inTransaction(async (tx) => {
    const before = await lockOAuthClient(tx, clientId)
    return before !== undefined && (await revokeClientIn(ctx, tx, before)) !== undefined
  })
}

// Of a client that is locked.
export async function revokeClientIn(
  ctx: Recorded & Revoking,
  tx: Queryable,
  before: OAuthClient,
): Promise<OAuthClient> {
  const now = ctx.clock.now()
  const { organizationId, clientId } = before
  await revokeOAuthClient(tx, clientId, now)
  await revokeInvitationsOf(ctx, tx, organizationId, clientId)
  const after = { ...before, revokedAt: Math.min(before.revokedAt ?? now, now) }
  await recordAct(ctx, tx, { organizationId, act: 'client.revoke', objectId: clientId, before, after })
  return after
}

function newClientSecret(ctx: Pick<Issuer, 'ids' | 'settings'>): string {
  return `rs_${environmentOf(ctx)}_${ctx.ids.randomBytes(SECRET_BYTES).toString('base64url')}`
}

function environmentOf({ settings }: Pick<Issuer, 'settings'>): string {
  return settings.environment === 'production' ? 'live' : 'stg'
}

// Secrets are 256 random bits: a plain digest cannot be searched, and a slow one would only slow us.
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

// Schemas of API keys and OAuth clients, and how they are shown. A secret is shown once, when it is made.

import { NAME_MAX_LENGTH } from '../../core/contact.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { parseAddressRange } from '../../core/network-address.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import { SCOPES } from '../../core/organizations/scope.ts'
import { hasEnded } from '../../flows/credentials/known.ts'
import { OVERLAP_HOURS } from '../../flows/credentials/roll.ts'
import type { ApiKey, OAuthClient } from '../../store/organizations/credentials.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

const EXPIRY_DAYS = { minimum: 1, maximum: 3_650 } as const
// Those of `recaudo key limit`.
const MOST = { perSecond: 100_000, addresses: 100, payouts: 1_000_000_000 } as const

const Name = Text(NAME_MAX_LENGTH, {
  description: 'A name for yourself, such as what it is used by.',
  examples: ['Web shop'],
})
const scopes = (keywords: object) =>
  Nullable(
    Type.Array(OneOf(SCOPES), {
      ...keywords,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description:
        'What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold.',
      examples: [['payins:read', 'payins:write']],
    }),
  )
const WantedScopes = scopes({ minItems: 1 })
const Scopes = scopes({})
const LIMITS = {
  maxPerSecond: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MOST.perSecond,
      description: 'The most requests a second. Null: only the limit of the organization.',
      examples: [50],
    }),
  ),
  allowedAddresses: Nullable(
    Type.Array(Type.String({ maxLength: 43, format: 'address-range' }), {
      minItems: 1,
      maxItems: MOST.addresses,
      description: 'The only addresses and ranges that it may be used from. Null: any.',
      examples: [['203.0.113.7', '198.51.100.0/24']],
    }),
  ),
  payoutsPerDay: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MOST.payouts,
      description: 'The most payouts in a day in Bogotá. Null: only the limit of the organization.',
      examples: [200],
    }),
  ),
  payoutSumPerDayInCents: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization.',
      examples: [5_000_000_000],
    }),
  ),
}
const optional = <Fields extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]))

export const CreateApiKey = Type.Object({
  name: Name,
  scopes: Type.Optional(WantedScopes),
  expiresInDays: Type.Optional(
    Nullable(
      Type.Integer({ ...EXPIRY_DAYS, description: 'When it ends. Null: not by itself.', examples: [365] }),
    ),
  ),
  ...optional(LIMITS),
})
export const CreateOAuthClient = Type.Object({
  name: Name,
  scopes: Type.Optional(WantedScopes),
  ...optional(LIMITS),
})
export const CredentialChanges = Type.Partial(Type.Object({ name: Name, ...LIMITS }))
export const RollCredential = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({
      ...OVERLAP_HOURS,
      description: 'How long the secret before it still works. 0: it ends at once.',
      examples: [24],
    }),
  ),
})

const Secret = (example: string) =>
  Type.String({ description: 'Shown only now, never again: store it.', examples: [example] })
const shared = (what: string) => ({
  name: Name,
  scopes: Scopes,
  ...LIMITS,
  createdAt: DateTime(`When the ${what} was created.`),
  revokedAt: Nullable(DateTime('When it was revoked, or null.')),
  lastUsedAt: Nullable(DateTime('When it was last used, to about a minute, or null.')),
})

const KEY_FIELDS = {
  id: Uuid('Identifier of the key.'),
  prefix: Type.String({ description: 'How the key begins.', examples: ['rk_stg_3fK9xQ…'] }),
  status: OneOf(['ACTIVE', 'EXPIRED', 'REVOKED'] as const, {
    description: 'Only an `ACTIVE` key is accepted.',
  }),
  ...shared('key'),
  expiresAt: Nullable(DateTime('When it ends by itself, or null.')),
}
export const ApiKeyObject = Type.Object(KEY_FIELDS)
export const ApiKeyList = Type.Object({ data: Type.Array(ApiKeyObject) })
export const ApiKeyWithSecret = Type.Object({
  ...KEY_FIELDS,
  secret: Secret('rk_stg_3fK9xQv1mZ7pT2sW8yB4nC6dE0gH5jL3aR9uI1oX2kM'),
})
export const RolledApiKey = Type.Object({
  ...KEY_FIELDS,
  secret: Secret('rk_stg_3fK9xQv1mZ7pT2sW8yB4nC6dE0gH5jL3aR9uI1oX2kM'),
  previousKeyId: Uuid('The key that it replaces.'),
  previousKeyUntil: DateTime('Until then the key that it replaces works too.'),
})

const CLIENT_FIELDS = {
  id: Type.String({ description: 'The client id.', examples: ['rc_stg_9Xk2mQ7vTzLw3bNa'] }),
  status: OneOf(['ACTIVE', 'REVOKED'] as const, { description: 'Only an `ACTIVE` client gets tokens.' }),
  ...shared('client'),
  previousSecretUntil: Nullable(DateTime('Until then the secret before the present one works too, or null.')),
}
export const OAuthClientObject = Type.Object(CLIENT_FIELDS)
export const OAuthClientList = Type.Object({ data: Type.Array(OAuthClientObject) })
export const OAuthClientWithSecret = Type.Object({
  ...CLIENT_FIELDS,
  secret: Secret('rs_stg_7hG2fD9sA4kJ1lP6oI3uY8tR5eW0qZ2xC7vB4nM1bVa'),
})

export function presentApiKey(key: ApiKey, now: Instant): Record<string, unknown> {
  const status = key.revokedAt !== null ? 'REVOKED' : hasEnded(key, now) ? 'EXPIRED' : 'ACTIVE'
  return {
    id: key.apiKeyId,
    prefix: key.displayPrefix,
    status,
    ...presentShared(key),
    expiresAt: isoOrNull(key.expiresAt),
  }
}

export function presentClient(client: OAuthClient, now: Instant): Record<string, unknown> {
  const { previousUntil } = client
  return {
    id: client.clientId,
    status: client.revokedAt === null ? 'ACTIVE' : 'REVOKED',
    ...presentShared(client),
    previousSecretUntil: previousUntil !== null && previousUntil > now ? isoInstant(previousUntil) : null,
  }
}

function presentShared(credential: ApiKey | OAuthClient): Record<string, unknown> {
  const { name, scopes, maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay } = credential
  return {
    name,
    scopes,
    maxPerSecond,
    allowedAddresses,
    payoutsPerDay,
    payoutSumPerDayInCents: payoutSumPerDay === null ? null : Number(payoutSumPerDay),
    createdAt: isoInstant(credential.createdAt),
    revokedAt: isoOrNull(credential.revokedAt),
    lastUsedAt: isoOrNull(credential.lastUsedAt),
  }
}

// Only what the body names. Null takes a limit away.
export function limitsIn(body: Readonly<Record<string, unknown>>): Partial<CredentialLimits> {
  const { maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDayInCents: sum } = body
  return {
    ...(maxPerSecond !== undefined && { maxPerSecond: maxPerSecond as number | null }),
    ...(allowedAddresses !== undefined && {
      allowedAddresses:
        (allowedAddresses as string[] | null)?.map((text) => parseAddressRange(text) ?? text) ?? null,
    }),
    ...(payoutsPerDay !== undefined && { payoutsPerDay: payoutsPerDay as number | null }),
    ...(sum !== undefined && { payoutSumPerDay: sum === null ? null : BigInt(sum as number) }),
  }
}

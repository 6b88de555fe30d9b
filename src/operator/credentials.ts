// recaudo org | key | client: manages who may use this installation.

import { isPrintable, NAME_MAX_LENGTH } from '../core/contact.ts'
import { isUuid } from '../core/ids.ts'
import { DAY_MS, HOUR_MS, isoInstant, isoOrNull } from '../core/instant.ts'
import { type CredentialLimits, UNLIMITED_CREDENTIAL } from '../core/organizations/limits.ts'
import { isScope, SCOPES, type Scope } from '../core/organizations/scope.ts'
import type { Context } from '../flows/context.ts'
import { createOrganization } from '../flows/organizations/create.ts'
import {
  issueApiKey,
  issueOAuthClient,
  revokeApiKey,
  revokeClient as revokeClientFlow,
  rollApiKey,
  rollClientSecret,
} from '../flows/organizations/issue-credential.ts'
import {
  type ApiKey,
  findOAuthClients,
  getApiKey,
  listApiKeys,
  listOAuthClients,
  type OAuthClient,
} from '../store/organizations/credentials.ts'
import { listMerchants, listOrganizations } from '../store/organizations/organizations.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'
import { credentialChanges, credentialLimitRow } from './limits.ts'

export async function addOrganization(ctx: Context, flags: Flags): Promise<Row> {
  const name = nameOf(flags)
  const organization = await createOrganization(ctx, name)
  return { organizationId: organization.organizationId, name, createdAt: isoInstant(organization.createdAt) }
}

export async function showOrganizations(ctx: Context): Promise<Row[]> {
  // Merchants first. The reserved one, whose id sorts before all others, is seldom what an operator looks for.
  const [reserved, ...merchants] = await listOrganizations(ctx.db)
  return [...merchants, ...(reserved ? [reserved] : [])].map(
    ({ organizationId, name, rails, createdAt }) => ({
      organizationId,
      name,
      rails: rails.join(','),
      createdAt: isoInstant(createdAt),
    }),
  )
}

export async function createKey(ctx: Context, flags: Flags): Promise<Row> {
  const days = wholeNumber(flags, 'expires-in-days', null, 1, 3_650)
  const scopes = scopesOf(flags)
  const limits = newLimits(flags)
  const issued = await issueApiKey(ctx, {
    organizationId: await organizationOf(ctx, flags),
    name: nameOf(flags, 'unnamed'),
    scopes,
    expiresAt: days === null ? null : ctx.clock.now() + days * DAY_MS,
    limits,
  })
  if (issued === undefined) throw new Error('a random key was drawn twice')
  return { ...keyRow(issued.apiKey), apiKey: issued.secret }
}

export async function showKeys(ctx: Context, flags: Flags): Promise<Row[]> {
  return (await listApiKeys(ctx.db, await organizationOf(ctx, flags))).map(keyRow)
}

export async function rollKey(ctx: Context, flags: Flags, apiKeyId: string): Promise<Row> {
  const hours = wholeNumber(flags, 'overlap-hours', 24, 0, 720) as number
  const old = await knownKey(ctx, apiKeyId)
  // A new key inherits the old key's expiry and scopes, so a key that has ended cannot be rolled.
  if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= ctx.clock.now()))
    throw new OperatorFailure(`The API key ${apiKeyId} has ended: \`recaudo key create\` makes another.`)
  const { secret, apiKey } = await rollApiKey(ctx, old, hours * HOUR_MS)
  const rolled = (await getApiKey(ctx.db, apiKeyId)) as ApiKey
  return {
    ...keyRow(apiKey),
    apiKey: secret,
    replaces: old.apiKeyId,
    oldKeyWorksUntil: isoOrNull(rolled.expiresAt),
  }
}

export async function revokeKey(ctx: Context, _flags: Flags, apiKeyId: string): Promise<Row> {
  const { apiKeyId: id } = await knownKey(ctx, apiKeyId)
  return keyRow((await revokeApiKey(ctx, id)) as ApiKey)
}

export async function createClient(ctx: Context, flags: Flags): Promise<Row> {
  const scopes = scopesOf(flags)
  const limits = newLimits(flags)
  const organizationId = await organizationOf(ctx, flags)
  const request = { organizationId, name: nameOf(flags, 'unnamed'), scopes, limits }
  const { secret, client } = await issueOAuthClient(ctx, request)
  return { ...clientRow(client), clientSecret: secret }
}

export async function showClients(ctx: Context, flags: Flags): Promise<Row[]> {
  return (await listOAuthClients(ctx.db, await organizationOf(ctx, flags))).map(clientRow)
}

export async function rollClient(ctx: Context, flags: Flags, clientId: string): Promise<Row> {
  const hours = wholeNumber(flags, 'overlap-hours', 24, 0, 720) as number
  const [old] = await findOAuthClients(ctx.db, [clientId])
  if (old === undefined)
    throw new OperatorFailure(`No client has the id ${clientId}: \`recaudo client list\` shows them.`)
  if (old.revokedAt !== null)
    throw new OperatorFailure(`The client ${clientId} was revoked: \`recaudo client create\` makes another.`)
  const rolled = await rollClientSecret(ctx, old, hours * HOUR_MS)
  if (rolled === undefined)
    throw new OperatorFailure(
      `The client ${clientId} was changed by somebody else just now. Nothing was done.`,
    )
  return {
    ...clientRow(old),
    clientSecret: rolled.secret,
    oldSecretWorksUntil: isoInstant(rolled.previousUntil),
  }
}

export async function revokeClient(ctx: Context, _flags: Flags, clientId: string): Promise<Row> {
  if (!(await revokeClientFlow(ctx, clientId))) {
    throw new OperatorFailure(`No client has the id ${clientId}: \`recaudo client list\` shows them.`)
  }
  return { clientId, revoked: true }
}

export function keyRow(key: ApiKey): Row {
  return {
    apiKeyId: key.apiKeyId,
    organizationId: key.organizationId,
    name: key.name,
    prefix: key.displayPrefix,
    scopes: key.scopes?.join(',') ?? 'all',
    createdAt: isoInstant(key.createdAt),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    ...credentialLimitRow(key),
  }
}

export function clientRow(client: OAuthClient): Row {
  return {
    clientId: client.clientId,
    organizationId: client.organizationId,
    name: client.name,
    scopes: client.scopes?.join(',') ?? 'all',
    createdAt: isoInstant(client.createdAt),
    revokedAt: isoOrNull(client.revokedAt),
    lastUsedAt: isoOrNull(client.lastUsedAt),
    ...credentialLimitRow(client),
  }
}

export async function knownKey(ctx: Context, apiKeyId: string): Promise<ApiKey> {
  const key = isUuid(apiKeyId) ? await getApiKey(ctx.db, apiKeyId) : undefined
  if (key === undefined)
    throw new OperatorFailure(`No API key has the id ${apiKeyId}: \`recaudo key list\` shows them.`)
  return key
}

// Without --org the only organization is used. If there are several, the operator must choose one.
export async function organizationOf(ctx: Context, flags: Flags): Promise<string> {
  const organizations = await listMerchants(ctx.db)
  const wanted = text(flags, 'org')
  if (wanted === undefined) {
    const [only, ...others] = organizations
    if (only !== undefined && others.length === 0) return only.organizationId
    if (only === undefined)
      throw new OperatorFailure('There is no organization yet: `recaudo org create` makes one.')
    throw new OperatorFailure(
      `There are ${organizations.length} organizations: say which with --org (\`recaudo org list\`).`,
      USAGE_EXIT_CODE,
    )
  }
  const found = organizations.find(
    ({ organizationId, name }) => organizationId === wanted.toLowerCase() || name === wanted,
  )
  if (found === undefined)
    throw new OperatorFailure(
      `No organization has the id or name ${wanted}: \`recaudo org list\` shows them.`,
    )
  return found.organizationId
}

function scopesOf(flags: Flags): Scope[] | null {
  const scopes = text(flags, 'scopes')?.split(',')
  if (scopes === undefined) return null
  const wrong = scopes.find((scope) => !isScope(scope))
  if (wrong !== undefined)
    throw new OperatorFailure(
      `--scopes: there is no scope ${wrong}; there are ${SCOPES.join(', ')}.`,
      USAGE_EXIT_CODE,
    )
  return scopes as Scope[]
}

function newLimits(flags: Flags): CredentialLimits {
  return { ...UNLIMITED_CREDENTIAL, ...credentialChanges(flags) }
}

function required(flags: Flags, name: string): string {
  const value = text(flags, name)
  if (value === undefined) throw new OperatorFailure(`--${name} is required.`, USAGE_EXIT_CODE)
  return value
}

// Names are printed in lists, and an organization's name is shown on payers' pages.
function nameOf(flags: Flags, fallback?: string): string {
  const name = fallback === undefined ? required(flags, 'name') : (text(flags, 'name') ?? fallback)
  if (name.length <= NAME_MAX_LENGTH && isPrintable(name) && name.trim() !== '') return name
  throw new OperatorFailure(
    `--name must have 1 to ${NAME_MAX_LENGTH} characters and no control characters.`,
    USAGE_EXIT_CODE,
  )
}

function text(flags: Flags, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function wholeNumber(
  flags: Flags,
  name: string,
  fallback: number | null,
  minimum: number,
  maximum: number,
): number | null {
  const value = text(flags, name)
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
    throw new OperatorFailure(
      `--${name} must be a whole number from ${minimum} to ${maximum}.`,
      USAGE_EXIT_CODE,
    )
  }
  return number
}

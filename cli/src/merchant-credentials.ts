// recaudo api-keys | oauth-clients: what programs of the organization sign in with.

import type { ApiKey, CreateApiKey, CredentialChanges, OAuthClient } from '@recaudo/sdk/administration'
import { callOptions, openAdministration } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { readCount } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

const NONE = 'none'
const KEEP_SECRET = 'Keep it now: it is not shown again.'
const TITLES = ['id', 'name', 'status', 'scopes', 'last used', 'ends']

export async function createKey(call: Call): Promise<Shown> {
  const days = readCount(call.flags, 'expires-in-days', 1, 3_650)
  const body = { ...newIn(call.flags), ...(days !== undefined && { expiresInDays: days }) }
  const key = await (await openAdministration()).apiKeys.create(body, callOptions(call))
  return { json: key, text: () => `${keyText(key, key.secret)}\n${KEEP_SECRET}` }
}

export async function listKeys(): Promise<Shown> {
  const { data } = await (await openAdministration()).apiKeys.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['id', 'name', 'key', ...TITLES.slice(2)],
        data.map((key) => [
          key.id,
          key.name,
          key.prefix,
          key.status,
          scopesOf(key),
          shownTime(key.lastUsedAt),
          shownTime(key.expiresAt),
        ]),
      ),
  }
}

export async function updateKey({ argument, flags }: Call): Promise<Shown> {
  const changes = changesIn(flags)
  return shownKey(await (await openAdministration()).apiKeys.update(argument, changes))
}

export async function rollKey(call: Call): Promise<Shown> {
  const key = await (await openAdministration()).apiKeys.roll(
    call.argument,
    overlapIn(call.flags),
    callOptions(call),
  )
  return {
    json: key,
    text: () =>
      `${keyText(key, key.secret)}\n${KEEP_SECRET}\nThe key before works until ${shownTime(key.previousKeyUntil)}.`,
  }
}

export async function revokeKey({ argument }: Call): Promise<Shown> {
  return shownKey(await (await openAdministration()).apiKeys.revoke(argument))
}

export async function createClient(call: Call): Promise<Shown> {
  const client = await (await openAdministration()).oauthClients.create(newIn(call.flags), callOptions(call))
  return { json: client, text: () => `${clientText(client, client.secret)}\n${KEEP_SECRET}` }
}

export async function listClients(): Promise<Shown> {
  const { data } = await (await openAdministration()).oauthClients.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        TITLES.slice(0, 5),
        data.map((client) => [
          client.id,
          client.name,
          client.status,
          scopesOf(client),
          shownTime(client.lastUsedAt),
        ]),
      ),
  }
}

export async function updateClient({ argument, flags }: Call): Promise<Shown> {
  const changes = changesIn(flags)
  return shownClient(await (await openAdministration()).oauthClients.update(argument, changes))
}

export async function rollClient(call: Call): Promise<Shown> {
  const client = await (await openAdministration()).oauthClients.roll(
    call.argument,
    overlapIn(call.flags),
    callOptions(call),
  )
  return {
    json: client,
    text: () => {
      const until = shownTime(client.previousSecretUntil)
      const before = until ? `The secret before works until ${until}.` : 'The secret before has ended.'
      return `${clientText(client, client.secret)}\n${KEEP_SECRET}\n${before}`
    },
  }
}

export async function revokeClient({ argument }: Call): Promise<Shown> {
  return shownClient(await (await openAdministration()).oauthClients.revoke(argument))
}

function newIn(flags: Flags): CreateApiKey {
  const { name, scopes } = flags
  if (typeof name !== 'string') throw usageFailure('--name is required.')
  return {
    name,
    ...(typeof scopes === 'string' && { scopes: scopes.split(',') as NonNullable<ApiKey['scopes']> }),
    ...limitsIn(flags),
  }
}

function changesIn(flags: Flags): CredentialChanges {
  const { name } = flags
  const changes = { ...(typeof name === 'string' && { name }), ...limitsIn(flags) }
  if (Object.keys(changes).length === 0)
    throw usageFailure(
      'Say what to change: --name, --max-per-second, --allow-from, --payouts-per-day or --payout-sum-per-day-in-cents.',
    )
  return changes
}

function limitsIn(flags: Flags): Omit<CredentialChanges, 'name'> {
  const count = (flag: string, most: number): number | null | undefined =>
    flags[flag] === NONE ? null : readCount(flags, flag, 1, most)
  const maxPerSecond = count('max-per-second', 100_000)
  const payoutsPerDay = count('payouts-per-day', 1_000_000_000)
  const sum = count('payout-sum-per-day-in-cents', Number.MAX_SAFE_INTEGER)
  const from = flags['allow-from']
  return {
    ...(maxPerSecond !== undefined && { maxPerSecond }),
    ...(typeof from === 'string' && { allowedAddresses: from === NONE ? null : from.split(',') }),
    ...(payoutsPerDay !== undefined && { payoutsPerDay }),
    ...(sum !== undefined && { payoutSumPerDayInCents: sum }),
  }
}

function overlapIn(flags: Flags): { overlapHours?: number } {
  const hours = readCount(flags, 'overlap-hours', 0, 720)
  return hours === undefined ? {} : { overlapHours: hours }
}

function shownKey(key: ApiKey): Shown {
  return { json: key, text: () => keyText(key) }
}

function keyText(key: ApiKey, secret?: string): string {
  return fields([
    ...sharedLines(key),
    ['key', secret ?? key.prefix],
    ['ends', shownTime(key.expiresAt)],
    ['revoked', shownTime(key.revokedAt)],
  ])
}

function shownClient(client: OAuthClient): Shown {
  return { json: client, text: () => clientText(client) }
}

function clientText(client: OAuthClient, secret?: string): string {
  return fields([...sharedLines(client), ['secret', secret], ['revoked', shownTime(client.revokedAt)]])
}

function sharedLines(credential: ApiKey | OAuthClient): [string, string | null | undefined][] {
  const { payoutSumPerDayInCents: sum } = credential
  return [
    ['id', credential.id],
    ['name', credential.name],
    ['status', credential.status],
    ['scopes', scopesOf(credential)],
    ['max per second', credential.maxPerSecond?.toString()],
    ['allowed from', credential.allowedAddresses?.join(', ')],
    ['payouts a day', credential.payoutsPerDay?.toString()],
    ['paid out a day', sum === null ? null : pesos(sum)],
    ['created', shownTime(credential.createdAt)],
    ['last used', shownTime(credential.lastUsedAt)],
  ]
}

function scopesOf({ scopes }: ApiKey | OAuthClient): string {
  return scopes?.join(', ') ?? 'all'
}

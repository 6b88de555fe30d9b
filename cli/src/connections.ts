// recaudo connections: the organization's accounts at providers. Credentials can be read from a file or from standard input, so
// that they are in nobody's shell history.

import { readFileSync } from 'node:fs'
import type { Connection, ConnectionChanges, CreateConnection } from '@recaudo/sdk'
import { callOptions, openClient } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { environmentOf } from './environment.ts'
import { EXIT, usageFailure } from './failure.ts'
import { pesos, readCents } from './money.ts'
import { shownTime } from './time.ts'

const NONE = 'none'

export async function createConnection(call: Call): Promise<Shown> {
  const { name, provider, uses, environment, disabled } = call.flags
  if (typeof provider !== 'string' || typeof uses !== 'string')
    throw usageFailure('--provider and --uses are required; `recaudo connections providers` lists them.')
  const credentials = credentialsIn(call.flags) ?? {}
  const { recaudo, signIn } = await openClient()
  const body = {
    name: typeof name === 'string' ? name : provider,
    provider,
    environment: typeof environment === 'string' ? environment : await ownEnvironment(signIn.baseUrl),
    uses: uses.split(','),
    credentials,
    ...settingsIn(call.flags),
    ...(disabled === true && { enabled: false }),
  } as CreateConnection
  const connection = await recaudo.connections.create(body, callOptions(call))
  return {
    json: connection,
    text: () =>
      `${connectionText(connection)}\nEnter the notification address at the provider, then \`recaudo connections test ${connection.id}\`.`,
  }
}

// Staging takes a provider's test environment, and production its live one.
async function ownEnvironment(baseUrl: string): Promise<'test' | 'live'> {
  return (await environmentOf(baseUrl)) === 'production' ? 'live' : 'test'
}

export async function listConnections(): Promise<Shown> {
  const { recaudo } = await openClient()
  const { data } = await recaudo.connections.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['id', 'name', 'provider', 'uses', 'priority', 'from', 'to', 'status'],
        data.map((connection) => [
          connection.id,
          connection.name,
          connection.provider,
          connection.uses.join(','),
          String(connection.priority),
          pesos(connection.minimumInCents),
          pesos(connection.maximumInCents),
          statusOf(connection),
        ]),
      ),
  }
}

export async function showConnection({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownConnection(await recaudo.connections.get(argument))
}

export async function updateConnection({ argument, flags }: Call): Promise<Shown> {
  const { name, uses, enable, disable } = flags
  if (enable === true && disable === true) throw usageFailure('Say --enable or --disable, not both.')
  const credentials = credentialsIn(flags)
  const changes = {
    ...(typeof name === 'string' && { name }),
    ...(typeof uses === 'string' && { uses: uses.split(',') }),
    ...settingsIn(flags),
    ...(enable === true && { enabled: true }),
    ...(disable === true && { enabled: false }),
    ...(credentials && { credentials }),
  } as ConnectionChanges
  if (Object.keys(changes).length === 0)
    throw usageFailure(
      'Say what to change: --name, --uses, --priority, --minimum-in-cents, --maximum-in-cents, --enable, --disable or --credential.',
    )
  const { recaudo } = await openClient()
  return shownConnection(await recaudo.connections.update(argument, changes))
}

export async function deleteConnection({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const deleted = await recaudo.connections.delete(argument)
  return { json: deleted, text: () => `Deleted ${deleted.id}.` }
}

export async function testConnection(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const tested = await recaudo.connections.test(call.argument, callOptions(call))
  return {
    json: tested,
    text: () =>
      table(
        ['checked', 'problem'],
        tested.checks.map(({ what, problem }) => [what, problem ?? 'none']),
      ),
    ...(!tested.passed && { exitCode: EXIT.failed }),
  }
}

export async function listConnectionBanks({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const list = await recaudo.connections.banks(argument)
  return {
    json: list,
    text: () =>
      table(
        ['code', 'name', 'provider’s code'],
        [
          ...list.banks.map(({ code, name, providerCode }) => [code, name, providerCode]),
          ...list.unmapped.map(({ name, providerCode }) => [null, name, providerCode]),
        ],
      ),
  }
}

// What has a value of its own need not be sent.
function neededIn(
  uses: readonly string[],
  { test, live }: { test: string | null; live: string | null },
): string {
  if (uses.length === 0 || (test !== null && live !== null)) return 'optional'
  return test === null ? uses.join(',') : `${uses.join(',')} (live)`
}

export async function listProviders(): Promise<Shown> {
  const { recaudo } = await openClient()
  const { data } = await recaudo.providers.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      data
        .map(({ provider, title, uses, fields: all }) => {
          const rows = all.map(({ name, neededFor, defaults, isSecret, description }) => [
            `  ${name}`,
            neededIn(neededFor, defaults),
            isSecret ? 'secret' : 'shown',
            description,
          ])
          return `${title} (${provider}): ${uses.join(', ')}\n${table(['  credential', 'needed for', '', ''], rows)}`
        })
        .join('\n\n'),
  }
}

function settingsIn(flags: Flags): Partial<ConnectionChanges> {
  const { priority } = flags
  if (typeof priority === 'string' && !/^\d{1,4}$/.test(priority))
    throw usageFailure(`--priority takes a whole number from 0 to 1000, not ${priority}.`)
  return {
    ...(typeof priority === 'string' && { priority: Number(priority) }),
    ...limitIn(flags, 'minimum-in-cents', 'minimumInCents'),
    ...limitIn(flags, 'maximum-in-cents', 'maximumInCents'),
  }
}

function limitIn<Field extends 'minimumInCents' | 'maximumInCents'>(
  flags: Flags,
  flag: string,
  field: Field,
): { [Name in Field]?: number | null } {
  const text = flags[flag]
  if (typeof text !== 'string') return {}
  const cents = text === NONE ? null : readCents(text)
  if (cents === undefined)
    throw usageFailure(
      `--${flag} takes a whole number of cents, such as 5000000 for $ 50.000,00, or none; not ${text}.`,
    )
  return { [field]: cents } as { [Name in Field]?: number | null }
}

// No message repeats what was given: it may be a secret.
function credentialsIn({ credential }: Flags): Record<string, string> | undefined {
  if (!Array.isArray(credential)) return undefined
  let lines: string[] | undefined
  const nextLine = (name: string): string => {
    lines ??= readFileSync(0, 'utf8').split(/\r?\n/)
    const line = lines.shift()
    if (line === undefined || line === '')
      throw usageFailure(`Standard input has no line for the credential ${name}.`)
    return line
  }
  return Object.fromEntries(
    (credential as string[]).map((text) => {
      const [, name, value] = /^([A-Za-z]{1,40})=(.+)$/s.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw usageFailure(
          '--credential takes name=value, name=@file, or name=- for a line of standard input.',
        )
      if (value === '-') return [name, nextLine(name)]
      return [name, value.startsWith('@') ? readSecretFile(name, value.slice(1)) : value]
    }),
  )
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw usageFailure(`--credential ${name}: ${(error as Error).message}.`)
  }
}

function shownConnection(connection: Connection): Shown {
  return { json: connection, text: () => connectionText(connection) }
}

function connectionText(connection: Connection): string {
  return fields([
    ['id', connection.id],
    ['name', connection.name],
    ['provider', `${connection.provider} (${connection.environment})`],
    ['uses', connection.uses.join(', ')],
    ['priority', String(connection.priority)],
    ['from', pesos(connection.minimumInCents)],
    ['to', pesos(connection.maximumInCents)],
    ['status', statusOf(connection)],
    ...connection.credentials.map(({ name, isSet, value }): [string, string | null] => [
      name,
      value ?? (isSet ? 'set' : null),
    ]),
    ['notifications', connection.notificationUrl],
    ['earlier credentials until', shownTime(connection.previousCredentialsUntil)],
    ['created', shownTime(connection.createdAt)],
  ])
}

function statusOf({ enabled }: Connection): string {
  return enabled ? 'ENABLED' : 'DISABLED'
}

// The operator's command line: which commands there are, what flags each takes, and how results are printed.

import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import type { Context } from '../flows/context.ts'
import type { Db } from '../store/db.ts'
import * as credentials from './credentials.ts'
import { migrateDatabase, openForCommand } from './database.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import * as money from './money.ts'
import { secretsKeyOf } from './secrets-key.ts'
import * as webhooks from './webhooks.ts'

type FlagSpec = Readonly<Record<string, { type: 'string' | 'boolean'; help: string }>>

type Command = {
  help: string
  flags: FlagSpec
  // The name of the one argument after the command, where it takes one.
  argument?: string
  run: (config: Config, flags: credentials.Flags, argument: string) => Promise<unknown>
}

const ORG = {
  org: { type: 'string', help: 'id or name of the organization (not needed if there is one only)' },
} as const
const NAME = { name: { type: 'string', help: 'a name to tell it by' } } as const
const GRANT = {
  ...ORG,
  ...NAME,
  scopes: { type: 'string', help: 'scopes separated by commas (default: all)' },
} as const

// A command counts nothing.
const SILENT = { observeBatch: () => {}, countAttempt: () => {} }

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    help: 'run the service: everything, or only the parts named',
    flags: {
      api: { type: 'boolean', help: 'answer requests' },
      workers: { type: 'boolean', help: 'do background work' },
    },
    // The server's many parts are loaded only where they are run: every other command starts at once.
    run: async (config, flags) => {
      const { start } = await import('./start.ts')
      const all = flags.api === undefined && flags.workers === undefined
      return start(config, {
        api: all || flags.api === true,
        workers: all || flags.workers === true,
        sandbox: all,
      })
    },
  },
  migrate: {
    help: 'bring the database to this version’s schema',
    flags: {},
    run: (config) => withDatabase(config, async (_db, applied) => ({ applied })),
  },
  'org create': command('make an organization', NAME, credentials.createOrganization),
  'org list': command('list organizations', {}, credentials.showOrganizations),
  'key create': command(
    'make an API key; it is shown once',
    { ...GRANT, 'expires-in-days': { type: 'string', help: 'end the key after so many days' } },
    credentials.createKey,
  ),
  'key list': command('list an organization’s API keys', ORG, credentials.showKeys),
  'key roll': command(
    'replace an API key; the old one works on for a while',
    { 'overlap-hours': { type: 'string', help: 'how long the old key works on (default 24)' } },
    credentials.rollKey,
    'api-key-id',
  ),
  'key revoke': command('end an API key at once', {}, credentials.revokeKey, 'api-key-id'),
  'client create': command('make an OAuth client; its secret is shown once', GRANT, credentials.createClient),
  'client list': command('list an organization’s OAuth clients', ORG, credentials.showClients),
  'client revoke': command(
    'end an OAuth client and its tokens at once',
    {},
    credentials.revokeClient,
    'client-id',
  ),
  'suspense list': command(
    'list money that belongs to no open payin',
    { all: { type: 'boolean', help: 'also what was returned or attached' } },
    money.showSuspense,
  ),
  'suspense return': command(
    'send money in suspense back to its payer',
    {},
    money.giveSuspenseBack,
    'suspense-id',
  ),
  'suspense attach': command(
    'give money in suspense to the merchant it was meant for',
    { payin: { type: 'string', help: 'the payin it was meant for' } },
    money.attachSuspenseTo,
    'suspense-id',
  ),
  'ledger verify': command('recompute the books and prove them', {}, money.verifyBooks),
  'alarm list': command('list what a person must look at', {}, money.showAlarms),
  'alarm resolve': command('mark an alarm as looked at', {}, money.resolve, 'alarm-id'),
  'exchange list': command(
    'show what went over the wire about a payin or payout',
    {},
    money.showExchanges,
    'id',
  ),
  'webhooks list': command(
    'list webhook endpoints',
    { org: { type: 'string', help: 'only those of this organization, by id or name' } },
    webhooks.showEndpoints,
  ),
  'webhooks backlog': command('show endpoints that events wait for', {}, webhooks.showBacklog),
  'webhooks enable': command(
    'switch a webhook endpoint on again',
    {},
    webhooks.enableEndpoint,
    'endpoint-id',
  ),
  'webhooks recover': command(
    'send an endpoint what it missed',
    { since: { type: 'string', help: 'from when on, such as 2026-11-15T08:00:00-05:00' } },
    webhooks.recoverEndpoint,
    'endpoint-id',
  ),
  sandbox: {
    help: 'run the simulated networks alone (staging)',
    flags: {},
    run: async (config) => (await import('./start.ts')).runSandbox(config),
  },
}

function command(
  help: string,
  flags: FlagSpec,
  run: (ctx: Context, flags: credentials.Flags, argument: string) => Promise<unknown>,
  argument?: string,
): Command {
  return {
    help,
    flags,
    ...(argument !== undefined && { argument }),
    run: (config, given, value) =>
      withDatabase(config, (db) =>
        run(createContext(config, db, secretsKeyOf(config), SILENT), given, value),
      ),
  }
}

async function withDatabase<Result>(
  config: Config,
  run: (db: Db, applied: string[]) => Promise<Result>,
): Promise<Result> {
  const database = await openForCommand(config)
  try {
    return await run(database.db, await migrateDatabase(database))
  } finally {
    await database.close()
  }
}

export async function runCommand(argv: readonly string[]): Promise<void> {
  const [first = 'help', second] = argv
  if (first === 'help' || asksForHelp(first)) {
    process.stdout.write(usage(Object.keys(COMMANDS)))
    return
  }
  const name = [`${first} ${second}`, first].find((candidate) => Object.hasOwn(COMMANDS, candidate))
  const chosen = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || chosen === undefined) {
    const family = Object.keys(COMMANDS).filter((candidate) => candidate.startsWith(`${first} `))
    if (family.length > 0 && asksForHelp(second)) {
      process.stdout.write(usage(family))
      return
    }
    throw new OperatorFailure(
      `There is no command "${argv.slice(0, 2).join(' ')}".\n\n${usage(family.length > 0 ? family : Object.keys(COMMANDS))}`,
      USAGE_EXIT_CODE,
    )
  }
  const { flags, argument } = parse(name, chosen, argv.slice(name.split(' ').length))
  if (flags.help === true) {
    process.stdout.write(usageOf(name, chosen))
    return
  }
  const result = await chosen.run(readConfig(), flags, argument)
  if (result !== undefined) print(result, flags.json === true)
}

function parse(
  name: string,
  chosen: Command,
  args: string[],
): { flags: credentials.Flags; argument: string } {
  const options = {
    ...Object.fromEntries(Object.entries(chosen.flags).map(([flag, { type }]) => [flag, { type }])),
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
  }
  let parsed: { values: credentials.Flags; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true }) as typeof parsed
  } catch (error) {
    throw new OperatorFailure(`${(error as Error).message}\n\n${usageOf(name, chosen)}`, USAGE_EXIT_CODE)
  }
  const { values: flags, positionals } = parsed
  const expected = chosen.argument === undefined ? 0 : 1
  if (flags.help !== true && positionals.length !== expected) {
    const wanted = chosen.argument === undefined ? 'no argument' : `one argument, <${chosen.argument}>`
    throw new OperatorFailure(`recaudo ${name} takes ${wanted}.\n\n${usageOf(name, chosen)}`, USAGE_EXIT_CODE)
  }
  return { flags, argument: positionals[0] ?? '' }
}

function asksForHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

function usage(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { help, argument } = COMMANDS[name] as Command
    return [`  recaudo ${name}${argument === undefined ? '' : ` <${argument}>`}`, help]
  })
  return `Recaudo: collect and send money over Bre-B and PSE.\n\n${columns(rows)}\n\nEvery command takes --json and --help. Settings come from the environment: see README.md.\n`
}

function usageOf(name: string, { help, flags, argument }: Command): string {
  const rows = [...Object.entries(flags), ['json', { type: 'boolean', help: 'print JSON' }] as const].map(
    ([flag, spec]) => [`  --${flag}${spec.type === 'string' ? ' <value>' : ''}`, spec.help],
  )
  return `recaudo ${name}${argument === undefined ? '' : ` <${argument}>`}: ${help}\n${columns(rows)}\n`
}

// One object as lines of name and value, many as a table.
function print(result: unknown, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else if (Array.isArray(result)) process.stdout.write(`${table(result as Record<string, unknown>[])}\n`)
  else
    process.stdout.write(
      `${columns(Object.entries(result as object).map(([key, value]) => [key, shown(value)]))}\n`,
    )
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows
  if (first === undefined) return 'none'
  return columns([Object.keys(first), ...rows.map((row) => Object.values(row).map(shown))])
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === null ? '–' : String(value)
}

function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

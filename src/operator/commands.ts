// The operator's command line: what each command takes and does, and how results are printed. The list of commands, by
// group, is in command-help.json. bin/recaudo.mjs reads that file too and shows them beside the merchant's commands.

import { type Config, type EnvironmentVariables, readConfig } from '../config.ts'
import { operatorNamed } from '../core/audit/actor.ts'
import type { Context } from '../flows/context.ts'
import { verifyApprovalsCommand } from './approvals/commands.ts'
import { showAudit, verifyAudit } from './audit/commands.ts'
import { HELD_FLAGS, HOLD_FLAGS, RELEASE_FLAGS, RESTORE_FLAGS, VERIFY_FLAGS } from './backups/flags.ts'
import * as limits from './change-limits.ts'
import * as charges from './charges.ts'
import * as credentials from './credentials.ts'
import * as customers from './customers.ts'
import {
  assertMigrated,
  distributeDatabase,
  migrateDatabase,
  type OpenDatabase,
  openForCommand,
  openToMigrate,
} from './database.ts'
import { type Diagnosis, diagnosisText } from './doctor/diagnosis.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import { type Flags, parseFlags } from './flags.ts'
import * as money from './ledger.ts'
import { operatorName } from './operator-name.ts'
import { print } from './print.ts'
import { readProcesses } from './processes/process-count.ts'
import * as reconciliation from './reconciliation.ts'
import { rotateSecrets } from './secrets.ts'
import { secretsKeysOf } from './secrets-key.ts'
import * as users from './team/users.ts'
import { type CommandName, type FlagSpec, usage, usageOf } from './usage.ts'
import * as webhooks from './webhooks.ts'

type Command = {
  flags: FlagSpec
  run: (config: Config, flags: Flags, argument: string) => Promise<unknown>
  // How the result is printed, where it is neither one thing nor a list, and the exit code that says what it is.
  show?: (result: never) => { text: string; exitCode: number }
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

const PERSON = {
  ...ORG,
  document: { type: 'string', help: 'their document, such as CO_CC:1000000001' },
  email: { type: 'string', help: 'their e-mail address' },
} as const

const DAY = {
  day: { type: 'string', help: 'the day in Bogotá, such as 2026-11-14' },
  rail: { type: 'string', help: 'only this rail: BRE_B or PSE' },
} as const

// Commands record no metrics.
const NO_METRICS = { observeBatch: () => {} }

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  start: {
    flags: {
      api: { type: 'boolean', help: 'answer requests' },
      workers: { type: 'boolean', help: 'do background work' },
      processes: { type: 'string', help: 'how many processes: a number, or auto for one a core (default 1)' },
    },
    // The server's modules are loaded on demand, so that every other command starts fast.
    run: async (config, flags) => {
      const all = flags.api === undefined && flags.workers === undefined
      const parts = {
        api: all || flags.api === true,
        workers: all || flags.workers === true,
        sandbox: all,
      }
      const processes = readProcesses(flags.processes as string | undefined)
      if (processes === 1) return (await import('./start.ts')).start(config, parts)
      return (await import('./processes/many.ts')).startMany(config, parts, processes)
    },
  },
  migrate: {
    flags: {
      plan: {
        type: 'boolean',
        help: 'change nothing: show each statement, its locks, whom they stop and about for how long',
      },
      grant: { type: 'string', help: 'the role that the service runs as: it gets the rights it needs' },
    },
    run: (config, { plan, grant }) =>
      withDatabase(config, plan === true ? openForCommand : openToMigrate, async (database) => {
        if (plan === true) return (await import('./migration-plan.ts')).showPlan(database.db)
        const applied = await migrateDatabase(database)
        return typeof grant === 'string'
          ? { applied, ...(await (await import('./service-role.ts')).grantRole(database.db, grant)) }
          : { applied }
      }),
  },
  partitions: command({}, async (ctx, flags) =>
    (await import('./service-role.ts')).keepAllPartitions(ctx, flags),
  ),
  'doctor --operator': {
    flags: {
      processes: { type: 'string', help: 'how many processes use the database in all (default 1)' },
    },
    run: async (config, flags) => (await import('./doctor/doctor.ts')).diagnose(config, flags),
    show: (diagnosis: Diagnosis) => ({ text: diagnosisText(diagnosis), exitCode: diagnosis.ok ? 0 : 1 }),
  },
  distribute: {
    flags: {},
    run: (config) => withDatabase(config, openForCommand, distributeDatabase),
  },
  'data list': {
    flags: {},
    run: async () => (await import('../embedded/leftovers.ts')).listKeptElsewhere(),
  },
  'data clean': {
    flags: { yes: { type: 'boolean', help: 'remove; without it, what would be removed is listed' } },
    run: async (_, { yes }) => (await import('../embedded/leftovers.ts')).cleanLeftovers(yes === true),
  },
  'backup create': backup({}, 'createBackup'),
  'backup verify': backup(VERIFY_FLAGS, 'verifyBackup'),
  'backup restore': backup(RESTORE_FLAGS, 'restoreBackup'),
  'backup held': command(HELD_FLAGS, async (ctx, flags) =>
    (await import('./backups/held.ts')).showHeld(ctx, flags),
  ),
  'backup release': command(RELEASE_FLAGS, async (ctx, flags, subject) =>
    (await import('./backups/held.ts')).releaseHeld(ctx, flags, subject),
  ),
  'backup hold': command(HOLD_FLAGS, async (ctx, flags) =>
    (await import('./backups/held.ts')).holdNow(ctx, flags),
  ),
  'org create': command(NAME, credentials.addOrganization),
  'org list': command({}, credentials.showOrganizations),
  'org limits': command(
    {
      ...ORG,
      ...limits.PAYOUT_LIMITS,
      'quiet-hours': { type: 'string', help: 'hours in Bogotá without payouts, such as 22-06, or none' },
    },
    limits.organizationLimits,
  ),
  'org charges': command({ ...ORG, ...charges.CHARGE_FLAGS }, charges.organizationCharges),
  'key create': command(
    {
      ...GRANT,
      ...limits.CREDENTIAL_LIMITS,
      'expires-in-days': { type: 'string', help: 'end the key after so many days' },
    },
    credentials.createKey,
  ),
  'key list': command(ORG, credentials.showKeys),
  'key update': command(limits.CREDENTIAL_LIMITS, limits.updateKey),
  'key roll': command(
    { 'overlap-hours': { type: 'string', help: 'how long the old key keeps working (default 24)' } },
    credentials.rollKey,
  ),
  'key revoke': command({}, credentials.revokeKey),
  'client create': command({ ...GRANT, ...limits.CREDENTIAL_LIMITS }, credentials.createClient),
  'client list': command(ORG, credentials.showClients),
  'client roll': command(
    { 'overlap-hours': { type: 'string', help: 'how long the old secret keeps working (default 24)' } },
    credentials.rollClient,
  ),
  'client update': command(limits.CREDENTIAL_LIMITS, limits.updateClient),
  'client revoke': command({}, credentials.revokeClient),
  'signing-key list': command({}, async (ctx) => (await import('./signing-keys.ts')).showSigningKeys(ctx)),
  'signing-key rotate': command(
    { now: { type: 'boolean', help: 'a key has leaked: end all tokens that the old ones signed' } },
    async (ctx, flags) => (await import('./signing-keys.ts')).rotateSigningKeys(ctx, flags),
  ),
  'suspense list': command(
    { all: { type: 'boolean', help: 'also what was returned, attached or counted' } },
    money.showSuspense,
  ),
  'suspense return': command({}, money.returnSuspenseItem),
  'suspense attach': command(
    { payin: { type: 'string', help: 'the payin it was meant for' } },
    money.attachSuspenseItem,
  ),
  'suspense release': command({}, money.releaseSuspenseItem),
  'ledger verify': command({}, money.verifyLedgerCommand),
  'closes verify': command(ORG, money.verifyClosesCommand),
  'alarm list': command({}, money.showAlarms),
  'alarm resolve': command({}, money.resolveAlarmCommand),
  'exchange list': command({}, money.showExchanges),
  reconcile: command(DAY, reconciliation.reconcileDay),
  'reconcile list': command({}, reconciliation.showRuns),
  'reconcile findings': command(DAY, reconciliation.showFindings),
  'audit verify': command(
    {
      org: { type: 'string', help: 'only this organization, by id or name, or `installation`' },
      noted: {
        type: 'string',
        help: 'with --org: a head that was printed before, which must still be there',
      },
    },
    verifyAudit,
  ),
  'audit overview': command(
    { org: { type: 'string', help: 'an organization, by id or name (default: the installation)' } },
    showAudit,
  ),
  'approvals verify': command(
    { org: { type: 'string', help: 'only this organization, by id or name' } },
    verifyApprovalsCommand,
  ),
  'webhooks overview': command(
    { org: { type: 'string', help: 'only those of this organization, by id or name' } },
    webhooks.showEndpoints,
  ),
  'webhooks backlog': command({}, webhooks.showBacklog),
  'webhooks enable': command({}, webhooks.enableEndpoint),
  'webhooks recover': command(
    { since: { type: 'string', help: 'from when on, such as 2026-11-15T08:00:00-05:00' } },
    webhooks.recoverEndpoint,
  ),
  'user invite': command({ ...ORG, ...users.INVITED }, users.inviteUser),
  'user list': command(
    { org: { type: 'string', help: 'only its members, by id or name of the organization' } },
    users.showUsers,
  ),
  'user sign-in-link': command({}, users.makeSignInLink),
  'user remove': command(ORG, users.removeUser),
  'user reset': command({}, users.letIn),
  'customer find': command(PERSON, customers.findCustomer),
  'customer erase': command(
    {
      ...PERSON,
      yes: { type: 'boolean', help: 'erase; without it, what would be erased is listed' },
      by: { type: 'string', help: 'who asks for it, for the record (default: you)' },
    },
    customers.eraseCustomer,
  ),
  'customer erasures': command(ORG, customers.showErasures),
  'customer seal': command({}, customers.sealCustomers),
  'secrets rotate': command({}, rotateSecrets),
  sandbox: {
    flags: {
      provider: {
        type: 'string',
        help: 'run this simulated provider instead: wompi, wompi-payouts, mono or placetopay',
      },
      port: { type: 'string', help: 'with --provider: where it listens (default 4010)' },
      'notify-url': { type: 'string', help: 'with --provider: where its notices go, on this machine' },
    },
    run: async (config, flags) => (await import('./start.ts')).runSandbox(config, flags),
  },
}

function command(
  flags: FlagSpec,
  run: (ctx: Context, flags: Flags, argument: string) => Promise<unknown>,
): Command {
  return {
    flags,
    run: (config, given, value) =>
      withDatabase(config, openForCommand, async (database) => {
        await assertMigrated(database)
        // What is refused before, such as a wrong setting, is said without it, in half the time.
        const { createContext } = await import('../context.ts')
        const ctx = createContext(config, database.db, secretsKeysOf(config), NO_METRICS)
        return run({ ...ctx, actor: operatorNamed(operatorName()) }, given, value)
      }),
  }
}

// Opens its databases by itself, and migrates none that it reads.
function backup(flags: FlagSpec, verb: 'createBackup' | 'verifyBackup' | 'restoreBackup'): Command {
  return {
    flags,
    run: async (config, given, directory) =>
      (await import('./backups/commands.ts'))[verb](config, given, directory),
  }
}

async function withDatabase<Result>(
  config: Config,
  open: (config: Config) => Promise<OpenDatabase>,
  run: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await open(config)
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

// Returns the exit code. `variables` are those of the process, unless a test gives others.
export async function runOperatorCommand(
  argv: readonly string[],
  variables?: EnvironmentVariables,
): Promise<number> {
  const [first = 'help', second] = argv
  if (first === 'help' || asksForHelp(first)) {
    process.stdout.write(usage())
    return 0
  }
  // A flag that makes it another command may stand anywhere.
  const flag = argv.find((word) => word.startsWith('--') && isCommand(`${first} ${word}`))
  const name = [`${first} ${flag ?? second}`, first].find(isCommand)
  if (name === undefined) {
    const hasFamily = Object.keys(COMMANDS).some((candidate) => candidate.startsWith(`${first} `))
    const listed = usage(hasFamily ? first : undefined)
    if (hasFamily && asksForHelp(second)) {
      process.stdout.write(listed)
      return 0
    }
    const typed = argv.slice(0, 2).join(' ')
    throw new OperatorFailure(`There is no command "${typed}".\n\n${listed}`, USAGE_EXIT_CODE)
  }
  const rest = argv.filter((word) => word !== flag)
  const { flags, argument } = parseFlags(
    name,
    COMMANDS[name].flags,
    rest.slice(flag === undefined ? name.split(' ').length : 1),
  )
  if (flags.help === true) {
    process.stdout.write(usageOf(name, COMMANDS[name].flags))
    return 0
  }
  const { run, show } = COMMANDS[name]
  const result = await run(readConfig(variables), flags, argument)
  if (result === undefined) return 0
  const shown = show?.(result as never)
  if (shown === undefined || flags.json === true) print(result, flags.json === true)
  else process.stdout.write(`${shown.text}\n`)
  return shown?.exitCode ?? 0
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

function asksForHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

// Finds the command, parses its flags, runs it and prints its result. Returns the exit code.

import { parseArgs } from 'node:util'
import type { Command, Flags } from './command.ts'
import { COMMANDS } from './command-table.ts'
import { EXIT, type ExitCode, operatorsFailure, usageFailure } from './failure.ts'
import { report } from './report.ts'
import { closestWord } from './suggestion.ts'
import { print, printJson } from './terminal.ts'
import { type OtherCommands, overview, usageOf } from './usage.ts'

// The operator's commands are implemented in the server's folder. Only their names are known here, and a test compares them.
export const OPERATOR_WORDS = [
  'backup',
  'data',
  'start',
  'migrate',
  'partitions',
  'distribute',
  'sandbox',
  'org',
  'key',
  'client',
  'signing-key',
  'secrets',
  'user',
  'customer',
  'suspense',
  'ledger',
  'reconcile',
  'closes',
  'alarm',
  'exchange',
]
export const OPERATOR_WEBHOOK_WORDS = ['overview', 'backlog', 'enable', 'recover']
export const OPERATOR_AUDIT_WORDS = ['verify', 'overview']
export const OPERATOR_APPROVAL_WORDS = ['verify']

export async function run(argv: readonly string[], others: OtherCommands = {}): Promise<number> {
  // The reader closed the pipe, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done)
    throw error
  })
  const isJson = argv.includes('--json')
  try {
    return await runCommand(argv, others, isJson)
  } catch (error) {
    return report(error, isJson)
  }
}

async function runCommand(
  argv: readonly string[],
  others: OtherCommands,
  isJson: boolean,
): Promise<ExitCode> {
  const [first = 'help', second] = argv
  if (first === 'help' || asksForHelp(first)) return show(overview(others))
  if (first === '--version') return show(await ownVersion())
  const name = [`${first} ${second}`, first].find((candidate) => Object.hasOwn(COMMANDS, candidate))
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || command === undefined) {
    const family = allNames(others).filter((candidate) => candidate.startsWith(`${first} `))
    if (family.length > 0 && asksForHelp(second)) return show(overview(others, first))
    throw unknownCommand(argv, others, family)
  }
  const { flags, argument } = parse(name, command, argv.slice(name.split(' ').length))
  if (flags.help === true) return show(usageOf(name, command))
  const shown = await (await command.load())({ flags, argument, isJson })
  if (shown !== undefined) {
    if (isJson) printJson(shown.json)
    else print(shown.text())
  }
  return shown?.exitCode ?? EXIT.done
}

function show(text: string): ExitCode {
  print(text)
  return EXIT.done
}

function unknownCommand(argv: readonly string[], others: OtherCommands, family: readonly string[]): Error {
  const [first = '', second] = argv
  const typed = [first, second].filter((word) => word !== undefined && !word.startsWith('-')).join(' ')
  if (
    Object.keys(others).length === 0 &&
    (OPERATOR_WORDS.includes(first) ||
      (first === 'webhooks' && OPERATOR_WEBHOOK_WORDS.includes(second ?? '')) ||
      (first === 'audit' && OPERATOR_AUDIT_WORDS.includes(second ?? '')) ||
      (first === 'approvals' && OPERATOR_APPROVAL_WORDS.includes(second ?? '')))
  )
    return operatorsFailure(typed)
  const names = allNames(others)
  const guess =
    closestWord(typed, names) ??
    (family.length > 0 ? undefined : closestWord(first, [...new Set(names.map(firstWord))]))
  // Without the list of commands, because a guess would be lost above it.
  return usageFailure(
    guess === undefined
      ? `There is no command "${typed}".\n\n${overview(others, family.length > 0 ? first : undefined)}`
      : `There is no command "${typed}". Did you mean \`recaudo ${guess}\`? \`recaudo --help\` lists them all.`,
  )
}

function allNames(others: OtherCommands): string[] {
  return [...Object.keys(COMMANDS), ...Object.values(others).flatMap((commands) => Object.keys(commands))]
}

function firstWord(name: string): string {
  return name.split(' ')[0] as string
}

function parse(name: string, command: Command, args: string[]): { flags: Flags; argument: string } {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, { value, isRepeatable = false }]) => [
      flag,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeatable },
    ]),
  )
  let parsed: { values: Flags; positionals: string[] }
  try {
    parsed = parseArgs({
      args,
      options: { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    }) as typeof parsed
  } catch (error) {
    throw usageFailure(`${flagProblem(error as Error, command)}\n\n${usageOf(name, command)}`)
  }
  const { values: flags, positionals } = parsed
  if (flags.help !== true) checkArgument(name, command, positionals)
  return { flags, argument: positionals[0] ?? '' }
}

function flagProblem({ message }: Error, command: Command): string {
  const [, flag] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  if (flag === undefined) return message
  const guess = closestWord(flag, [...Object.keys(command.flags), 'json', 'help'])
  return `There is no flag --${flag}.${guess === undefined ? '' : ` Did you mean --${guess}?`}`
}

function checkArgument(name: string, command: Command, positionals: readonly string[]): void {
  const { argument } = command
  const least = argument === undefined || argument.isOptional ? 0 : 1
  const most = argument === undefined ? 0 : 1
  if (positionals.length >= least && positionals.length <= most) return
  const wanted =
    argument === undefined
      ? 'no argument'
      : `${least === 0 ? 'at most one argument' : 'one argument'}, <${argument.name}>`
  throw usageFailure(`recaudo ${name} takes ${wanted}.\n\n${usageOf(name, command)}`)
}

function asksForHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

async function ownVersion(): Promise<string> {
  const { readFileSync } = await import('node:fs')
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

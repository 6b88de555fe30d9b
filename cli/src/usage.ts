// Help from the command table: all commands by group, those that share a first word, or one command with its flags.

import { align } from './columns.ts'
import { type Command, GROUPS } from './command.ts'
import { COMMANDS } from './command-table.ts'
import { bold } from './terminal.ts'

// Commands implemented elsewhere, by group and name: in the server's folder, the operator's commands.
export type OtherCommands = Readonly<
  Record<string, Readonly<Record<string, { readonly help: string; readonly argument?: string }>>>
>

export function overview(others: OtherCommands, family?: string): string {
  const isShown = (name: string): boolean => family === undefined || name.split(' ')[0] === family
  const groups = [
    ...Object.entries(others).map(([title, commands]) => ({
      title,
      rows: Object.entries(commands)
        .filter(([name]) => isShown(name))
        .map(([name, { help, argument }]) => [line(name, argument?.replace(/\S+/g, '<$&>')), help]),
    })),
    ...GROUPS.map((title) => ({
      title,
      rows: Object.entries(COMMANDS)
        .filter(([name, command]) => command.group === title && isShown(name))
        .map(([name, command]) => [line(name, argumentOf(command)), command.help]),
    })),
  ].filter(({ rows }) => rows.length > 0)
  const lines = align(groups.flatMap(({ rows }) => rows)).split('\n')
  const shown = groups.map(({ title, rows }) => `${bold(title)}\n${lines.splice(0, rows.length).join('\n')}`)
  return `Recaudo: collect and send money over Bre-B and PSE.\n\n${shown.join('\n\n')}\n\n${FOOT}`
}

export function usageOf(name: string, command: Command): string {
  const { help, flags, example } = command
  const rows = [...Object.entries(flags), ['json', { help: 'print JSON' }] as const].map(([flag, spec]) => [
    `  --${flag}${'value' in spec && spec.value !== undefined ? ` ${spec.value}` : ''}`,
    spec.help,
  ])
  const shown = example === undefined ? '' : `\n\nFor example:\n  ${example}`
  return `recaudo ${[name, argumentOf(command)].filter(Boolean).join(' ')}: ${help}\n${align(rows)}${shown}`
}

const FOOT = `Every command takes --json and --help. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not signed in, 4 server not reachable.`

function line(name: string, argument: string | undefined): string {
  return `  recaudo ${[name, argument].filter(Boolean).join(' ')}`
}

function argumentOf({ argument }: Command): string | undefined {
  if (argument === undefined) return undefined
  return argument.isOptional ? `[${argument.name}]` : `<${argument.name}>`
}

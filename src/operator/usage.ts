// The help of the operator's commands: all of them by group, those that share a first word, or one with its flags.

import HELP from './command-help.json' with { type: 'json' }
import { columns } from './print.ts'

export type FlagSpec = Readonly<Record<string, { type: 'string' | 'boolean'; help: string }>>

type Groups = typeof HELP
export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

// `argument` names the command's argument, or its two arguments with a space between.
type Help = { help: string; argument?: string }

const HELP_OF: Readonly<Record<string, Help>> = Object.assign({}, ...Object.values(HELP))

export function argumentsOf(name: string): string[] {
  return HELP_OF[name]?.argument?.split(' ') ?? []
}

// All commands by group, or only those that share a first word.
export function usage(family?: string): string {
  const groups = Object.entries<Record<string, Help>>(HELP)
    .map(([title, commands]) => ({
      title,
      rows: Object.entries(commands)
        .filter(([name]) => family === undefined || name.startsWith(`${family} `))
        .map(([name, { help }]) => [`  ${invocationOf(name)}`, help]),
    }))
    .filter(({ rows }) => rows.length > 0)
  const lines = columns(groups.flatMap(({ rows }) => rows)).split('\n')
  const shown = groups.map(({ title, rows }) => `${title}\n${lines.splice(0, rows.length).join('\n')}`)
  return `Recaudo: collect and send money over Bre-B and PSE.\n\n${shown.join('\n\n')}\n\nEvery command takes --json and --help. Settings come from the environment: see README.md.\n`
}

export function usageOf(name: string, own: FlagSpec): string {
  const flags = [...Object.entries(own), ['json', { type: 'boolean', help: 'print JSON' }] as const]
  const rows = flags.map(([flag, spec]) => [
    `  --${flag}${spec.type === 'string' ? ' <value>' : ''}`,
    spec.help,
  ])
  return `${invocationOf(name)}: ${HELP_OF[name]?.help}\n${columns(rows)}\n`
}

function invocationOf(name: string): string {
  return ['recaudo', name, ...argumentsOf(name).map((argument) => `<${argument}>`)].join(' ')
}

// What was typed after a command, and what a command returns of one thing.

import { parseArgs } from 'node:util'
import type { Instant } from '../core/instant.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import { argumentsOf, type FlagSpec, usageOf } from './usage.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>
export type Row = Record<string, unknown>

export function parseFlags(name: string, spec: FlagSpec, args: string[]): { flags: Flags; argument: string } {
  const options = {
    ...Object.fromEntries(Object.entries(spec).map(([flag, { type }]) => [flag, { type }])),
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
  }
  let parsed: { values: Flags; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true }) as typeof parsed
  } catch (error) {
    throw new OperatorFailure(`${(error as Error).message}\n\n${usageOf(name, spec)}`, USAGE_EXIT_CODE)
  }
  const { values: flags, positionals } = parsed
  // Whoever means all names none.
  const names = flags.all === true ? [] : argumentsOf(name)
  if (flags.help !== true && positionals.length !== names.length) {
    const wanted = WANTED[names.length] ?? ''
    const named = names.map((argument) => `<${argument}>`).join(' and ')
    throw new OperatorFailure(
      `recaudo ${name}${flags.all === true ? ' --all' : ''} takes ${[wanted, named].filter(Boolean).join(', ')}.\n\n${usageOf(name, spec)}`,
      USAGE_EXIT_CODE,
    )
  }
  return { flags, argument: positionals.join(' ') }
}

const WANTED = ['no argument', 'one argument', 'two arguments']

// The zone is required, because the operator and the server may be in different time zones.
export function timeOf(flags: Flags, flag: string): Instant {
  const given = flags[flag]
  const text = typeof given === 'string' ? given : ''
  const time = /(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new OperatorFailure(
      `--${flag} must be a time with its zone, such as 2026-11-15T08:00:00-05:00.`,
      USAGE_EXIT_CODE,
    )
  return time
}

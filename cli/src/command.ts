// What a command is: its help, its arguments and flags, and how to load its code, which happens only when it runs.

import type { ExitCode } from './failure.ts'

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export type Call = { readonly flags: Flags; readonly argument: string; readonly isJson: boolean }

// The result of a command, in both output formats.
export type Shown = {
  readonly json: unknown
  readonly text: () => string
  // Set only if the command did not succeed.
  readonly exitCode?: ExitCode
}
export type Run = (call: Call) => Promise<Shown | undefined>

export type Flag = {
  readonly help: string
  // The placeholder for its value in help. A flag without one is boolean.
  readonly value?: string
  readonly values?: readonly string[]
  // May be given several times. Its value is a list then.
  readonly isRepeatable?: true
}

export type Command = {
  readonly group: (typeof GROUPS)[number]
  readonly help: string
  readonly argument?: {
    readonly name: string
    readonly values?: readonly string[]
    readonly isOptional?: true
  }
  readonly flags: Readonly<Record<string, Flag>>
  readonly example?: string
  readonly load: () => Promise<Run>
}

export type CommandTable = Readonly<Record<string, Command>>

export const GROUPS = [
  'Collect and send',
  'Events and webhooks',
  'Connections',
  'Credentials',
  'Team',
  'Approvals',
  'Audit',
  'Reports',
  'Sandbox',
  'Set-up',
] as const

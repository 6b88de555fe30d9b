// What a command is: its help, what it takes, and where it is done. What it does is loaded only when it is run.

import type { ExitCode } from './failure.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>

export type Call = { readonly flags: Flags; readonly argument: string; readonly isJson: boolean }

// What a command has to show, in either way.
export type Shown = {
  readonly json: unknown
  readonly text: () => string
  // Where it is not the good end.
  readonly exitCode?: ExitCode
}
export type Run = (call: Call) => Promise<Shown | undefined>

export type Flag = {
  readonly help: string
  // What stands for its value; a flag without one is on or off.
  readonly value?: string
  readonly values?: readonly string[]
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

export const GROUPS = ['Collect and send', 'Events and webhooks', 'Sandbox', 'Set-up'] as const

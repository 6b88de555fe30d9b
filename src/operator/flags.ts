// What was typed after a command, and what a command prints of one thing.

export type Flags = Readonly<Record<string, string | boolean | undefined>>
export type Row = Record<string, unknown>

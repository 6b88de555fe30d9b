// Every command. Help, completion and parsing read this table.

import type { Command } from './command.ts'
import { EVENT_COMMANDS } from './commands-events.ts'
import { MONEY_COMMANDS } from './commands-money.ts'

export const COMMANDS: Readonly<Record<string, Command>> = { ...MONEY_COMMANDS, ...EVENT_COMMANDS }

// Every command. Help, completion and parsing read this table. It hands itself to completion, which therefore need not
// import it.

import type { CommandTable } from './command.ts'
import { APPROVAL_COMMANDS } from './commands-approvals.ts'
import { AUDIT_COMMANDS } from './commands-audit.ts'
import { BATCH_COMMANDS } from './commands-batches.ts'
import { CONNECTION_COMMANDS } from './commands-connections.ts'
import { CREDENTIAL_COMMANDS } from './commands-credentials.ts'
import { EVENT_COMMANDS } from './commands-events.ts'
import { MONEY_COMMANDS } from './commands-money.ts'
import { REFUND_COMMANDS } from './commands-refunds.ts'
import { REPORT_COMMANDS } from './commands-reports.ts'
import { SUSPENSE_COMMANDS } from './commands-suspense.ts'
import { TEAM_COMMANDS } from './commands-team.ts'

export const COMMANDS: CommandTable = {
  ...MONEY_COMMANDS,
  ...BATCH_COMMANDS,
  ...REFUND_COMMANDS,
  ...SUSPENSE_COMMANDS,
  ...EVENT_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...TEAM_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...AUDIT_COMMANDS,
  ...REPORT_COMMANDS,
  completion: {
    group: 'Set-up',
    help: 'print completion for a shell',
    argument: { name: 'shell', values: ['bash', 'zsh'] },
    flags: {},
    example: 'eval "$(recaudo completion bash)"',
    load: async () => {
      const { completion } = await import('./completion.ts')
      return (call) => completion(call, COMMANDS)
    },
  },
}

// The commands about approvals. None decides: people do that, in the console.

import type { CommandTable } from './command.ts'
import { ID, LIST_TIMES } from './commands-money.ts'

const KINDS = [
  'payout',
  'payout-batch',
  'refund',
  'suspense-return',
  'connection',
  'credential',
  'approval-rule',
]

const approvals = () => import('./approvals.ts')

export const APPROVAL_COMMANDS: CommandTable = {
  'approvals list': {
    group: 'Approvals',
    help: 'list what waits for people, and what they decided; a key never decides',
    flags: {
      status: {
        value: 'STATUS',
        values: ['WAITING', 'APPROVED', 'REFUSED', 'LAPSED', 'VOIDED'],
        help: 'only with this status',
      },
      kind: { value: 'KIND', values: KINDS, help: 'only of this kind' },
      subject: { value: 'ID', help: 'only about the payout or other object with this id' },
      ...LIST_TIMES,
    },
    example: 'recaudo approvals list --status WAITING',
    load: async () => (await approvals()).listApprovals,
  },
  'approvals get': {
    group: 'Approvals',
    help: 'show exactly what is approved, and who decided; people decide in the console',
    argument: ID,
    flags: {},
    load: async () => (await approvals()).getApproval,
  },
  'approvals rules': {
    group: 'Approvals',
    help: 'show how many people must approve what',
    flags: {},
    load: async () => (await approvals()).showRules,
  },
  'approvals set-rules': {
    group: 'Approvals',
    help: 'replace all rules; that may itself wait until people approve it',
    flags: {
      rule: {
        value: 'KIND=FROM:PEOPLE,…',
        isRepeatable: true,
        help: 'from so many cents on, so many people (0, 1 or 2), such as payout=500000000:1,900000000:2; without an amount just the people, such as credential=1',
      },
      data: { value: 'JSON', help: 'the whole body as JSON, @file or - for standard input' },
    },
    example: 'recaudo approvals set-rules --rule payout=500000000:1,900000000:2 --rule approval-rule=1',
    load: async () => (await approvals()).setRules,
  },
}

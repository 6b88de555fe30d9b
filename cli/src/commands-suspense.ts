// The commands about what a person must decide: money in suspense, and alarms.

import type { CommandTable } from './command.ts'

const ID = { name: 'id' } as const
const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
const TIMES = {
  'created-from': { value: 'TIME', help: 'only from this time on, such as 2026-11-15T08:00:00-05:00' },
  'created-to': { value: 'TIME', help: 'only before this time' },
  limit: { value: 'N', help: 'how many at most (default 10)' },
} as const

const ALARM_KINDS = [
  ...[
    'payin-contradiction',
    'payout-contradiction',
    'payin-unresolved',
    'payout-unresolved',
    'refund-unresolved',
  ],
  ...[
    'orphan-notice',
    'reconciliation',
    'statement-late',
    'balance-below-minimum',
    'batch-altered',
    'connection-refused',
    'address-refused',
  ],
  ...['failed-sign-ins', 'many-refusals', 'many-missed-lookups'],
]

const unmatched = () => import('./suspense.ts')
const alarms = () => import('./alarms.ts')

export const SUSPENSE_COMMANDS: CommandTable = {
  'unmatched list': {
    group: 'Collect and send',
    help: 'list money in suspense: it fits no open payin',
    flags: {
      state: {
        value: 'STATE',
        values: ['OPEN', 'RETURNING', 'RETURNED', 'ATTACHED', 'CHARGED_BACK', 'COUNTED'],
        help: 'only in this state',
      },
      reason: {
        value: 'REASON',
        values: ['LATE', 'AMOUNT_MISMATCH', 'SECOND_PAYMENT', 'UNKNOWN_PAYIN', 'UNATTRIBUTED'],
        help: 'only for this reason',
      },
      rail: { value: 'RAIL', values: ['BRE_B', 'PSE'], help: 'only over this rail' },
      ...TIMES,
    },
    load: async () => (await unmatched()).listUnmatched,
  },
  'unmatched get': {
    group: 'Collect and send',
    help: 'show it, with the payins that it may be meant for',
    argument: ID,
    flags: {},
    load: async () => (await unmatched()).getUnmatched,
  },
  'unmatched return': {
    group: 'Collect and send',
    help: 'send it back to whoever sent it; while it is RETURNING, run it again',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await unmatched()).returnUnmatched,
  },
  'unmatched attach': {
    group: 'Collect and send',
    help: 'say which payin it was meant for, and keep it',
    argument: ID,
    flags: { payin: { value: 'ID', help: 'the payin' }, ...IDEMPOTENCY },
    load: async () => (await unmatched()).attachUnmatched,
  },
  'unmatched note': {
    group: 'Collect and send',
    help: 'write a note on it for your staff',
    argument: ID,
    flags: { note: { value: 'TEXT', help: 'the note; none takes it away' } },
    load: async () => (await unmatched()).noteUnmatched,
  },
  'alarms list': {
    group: 'Collect and send',
    help: 'list problems that only a person can solve',
    flags: {
      status: { value: 'STATUS', values: ['OPEN', 'RESOLVED'], help: 'only open or only resolved ones' },
      kind: { value: 'KIND', values: ALARM_KINDS, help: 'only this kind, such as payout-unresolved' },
      ...TIMES,
    },
    load: async () => (await alarms()).listAlarms,
  },
  'alarms take': {
    group: 'Collect and send',
    help: 'say that you look after an alarm',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await alarms()).takeAlarm,
  },
  'alarms resolve': {
    group: 'Collect and send',
    help: 'resolve an alarm, with a word about what it was',
    argument: ID,
    flags: { word: { value: 'TEXT', help: 'what it was and what was done' }, ...IDEMPOTENCY },
    load: async () => (await alarms()).resolveAlarm,
  },
}

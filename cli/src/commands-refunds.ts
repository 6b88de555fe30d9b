// The commands to give money back.

import type { CommandTable } from './command.ts'
import { AMOUNT, DATA, ID, IDEMPOTENCY, LIST_TIMES } from './commands-money.ts'

const REFUND_REASONS = [
  'FRAUD',
  'NOT_REQUESTED',
  'NOT_RECEIVED',
  'NOT_AS_ORDERED',
  'DEFECTIVE',
  'WITHDRAWAL',
  'OTHER',
]

const refunds = () => import('./refunds.ts')

export const REFUND_COMMANDS: CommandTable = {
  'refunds create': {
    group: 'Collect and send',
    help: 'give a payin back, in full or in part',
    argument: { name: 'payin' },
    flags: {
      'amount-in-cents': {
        ...AMOUNT,
        help: 'the amount in cents of a peso; all that is left if you leave it out',
      },
      reason: { value: 'REASON', values: REFUND_REASONS, help: 'why; it decides the legal deadline' },
      way: {
        value: 'WAY',
        values: ['RAIL', 'KEY', 'CLAIM'],
        help: 'how; the first that is possible if you leave it out',
      },
      key: { value: 'KEY', help: 'a Bre-B key that the payer told you' },
      ...DATA,
    },
    example: 'recaudo refunds create PAYIN_ID --amount-in-cents 2000000 --reason NOT_RECEIVED',
    load: async () => (await refunds()).createRefund,
  },
  'refunds list': {
    group: 'Collect and send',
    help: 'list refunds, newest first',
    flags: {
      status: {
        value: 'STATUS',
        values: ['PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'],
        help: 'only with this status',
      },
      reason: { value: 'REASON', values: REFUND_REASONS, help: 'only for this reason' },
      payin: { value: 'ID', help: 'only of this payin' },
      ...LIST_TIMES,
    },
    load: async () => (await refunds()).listRefunds,
  },
  'refunds get': {
    group: 'Collect and send',
    help: 'show a refund',
    argument: ID,
    flags: {},
    load: async () => (await refunds()).getRefund,
  },
  'refunds cancel': {
    group: 'Collect and send',
    help: 'cancel a refund while nothing was sent',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await refunds()).cancelRefund,
  },
}

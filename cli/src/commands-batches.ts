// The commands to pay many from a file.

import type { CommandTable } from './command.ts'

const GROUP = 'Collect and send'
const ID = { name: 'id' } as const
const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
const LIMIT = { limit: { value: 'N', help: 'how many at most (default 10)' } } as const

const batches = () => import('./payout-batches.ts')

export const BATCH_COMMANDS: CommandTable = {
  'payout-batches create': {
    group: GROUP,
    help: 'hand in a file of payouts, CSV or XLSX; nothing is sent',
    argument: { name: 'file' },
    flags: {
      repeat: { help: 'the same file was handed in before, and its people are to be paid once more' },
      ...IDEMPOTENCY,
    },
    example: 'recaudo payout-batches create nomina.csv',
    load: async () => (await batches()).createBatch,
  },
  'payout-batches list': {
    group: GROUP,
    help: 'list batches of payouts, newest first',
    flags: {
      status: {
        value: 'STATUS',
        values: ['CHECKING', 'DRAFT', 'WAITING', 'PROCESSING', 'COMPLETED', 'CANCELED'],
        help: 'only with this status',
      },
      ...LIMIT,
    },
    load: async () => (await batches()).listBatches,
  },
  'payout-batches show': {
    group: GROUP,
    help: 'show a batch and what its rows add up to',
    argument: ID,
    flags: {},
    load: async () => (await batches()).showBatch,
  },
  'payout-batches rows': {
    group: GROUP,
    help: 'list the rows of a batch, with what is wrong with each',
    argument: ID,
    flags: {
      only: {
        value: 'KIND',
        values: ['errors', 'warnings'],
        help: 'only rows with errors, or with warnings',
      },
      ...LIMIT,
    },
    load: async () => (await batches()).listRows,
  },
  'payout-batches leave-out': {
    group: GROUP,
    help: 'leave all rows with errors out',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await batches()).leaveOutErrors,
  },
  'payout-batches submit': {
    group: GROUP,
    help: 'set its money aside and pay every row once',
    argument: ID,
    flags: {
      'accept-warnings': { help: 'pay rows with warnings as they are' },
      ...IDEMPOTENCY,
    },
    load: async () => (await batches()).submitBatch,
  },
  'payout-batches cancel': {
    group: GROUP,
    help: 'cancel a batch whose payouts are not made yet',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await batches()).cancelBatch,
  },
  'payout-batches retry': {
    group: GROUP,
    help: 'make a new batch of the rows that failed',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await batches()).retryBatch,
  },
  'payout-batches result': {
    group: GROUP,
    help: 'save what became of every row as a CSV',
    argument: ID,
    flags: { out: { value: 'FILE', help: 'where to (default lote-ID.csv)' } },
    load: async () => (await batches()).saveResult,
  },
  'payout-batches template': {
    group: GROUP,
    help: 'save the template of a file',
    argument: { name: 'file' },
    flags: {},
    example: 'recaudo payout-batches template pagos.csv',
    load: async () => (await batches()).saveTemplate,
  },
}

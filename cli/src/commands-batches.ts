// The commands to pay many from a file, and the book of whose key is which.

import type { CommandTable } from './command.ts'
import { ID, IDEMPOTENCY } from './commands-money.ts'

const GROUP = 'Collect and send'
const LIMIT = { limit: { value: 'N', help: 'how many at most (default 10)' } } as const
const DOCUMENT = {
  'document-type': {
    value: 'TYPE',
    values: ['CC', 'CE', 'NIT', 'RFC', 'PASSPORT'],
    help: 'document type: CC, CE, NIT, RFC, PASSPORT',
  },
  'document-number': { value: 'NUMBER', help: 'document number' },
} as const

const batches = () => import('./payout-batches.ts')
const beneficiaries = () => import('./beneficiaries.ts')

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
  'payout-batches correct': {
    group: GROUP,
    help: 'correct a row of a batch, leave it out, or take it back in',
    argument: ID,
    flags: {
      row: { value: 'N', help: 'number of the row, as a spreadsheet counts' },
      key: { value: 'KEY', help: 'the Bre-B key; none takes it from the beneficiary book' },
      amount: { value: 'PESOS', help: 'the amount in pesos, as in a file: 1.250.000 or 1250000,50' },
      reference: { value: 'REFERENCE', help: 'your own reference' },
      name: { value: 'NAME', help: 'full name of whoever is paid' },
      ...DOCUMENT,
      email: { value: 'EMAIL', help: 'e-mail address; or none' },
      'leave-out': { help: 'do not pay the row' },
      'take-in': { help: 'pay the row after all' },
    },
    example: 'recaudo payout-batches correct BATCH_ID --row 3 --amount 1.250.000',
    load: async () => (await batches()).correctRow,
  },
  'payout-batches check': {
    group: GROUP,
    help: 'look up the keys that were not looked up, or too long ago',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await batches()).checkBatch,
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
  'beneficiaries write': {
    group: GROUP,
    help: 'write whose key is which into the beneficiary book',
    flags: {
      ...DOCUMENT,
      name: { value: 'NAME', help: 'full name' },
      key: { value: 'KEY', help: 'their Bre-B key; it is looked up and held against the document' },
      email: { value: 'EMAIL', help: 'e-mail address' },
    },
    example:
      'recaudo beneficiaries write --document-type CC --document-number 1000000001 --name "Ana Gómez" --key 1000000001',
    load: async () => (await beneficiaries()).writeEntry,
  },
  'beneficiaries list': {
    group: GROUP,
    help: 'list the beneficiary book, newest first',
    flags: LIMIT,
    load: async () => (await beneficiaries()).listEntries,
  },
  'beneficiaries get': {
    group: GROUP,
    help: 'show an entry of the beneficiary book',
    argument: ID,
    flags: {},
    load: async () => (await beneficiaries()).getEntry,
  },
  'beneficiaries delete': {
    group: GROUP,
    help: 'delete an entry of the beneficiary book',
    argument: ID,
    flags: {},
    load: async () => (await beneficiaries()).deleteEntry,
  },
}

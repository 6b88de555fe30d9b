// The commands for the accountant's reports.

import type { CommandTable } from './command.ts'

const COLUMNS = [
  'confirmed',
  'settled',
  'attached',
  'refunded',
  'chargedBack',
  'paidOut',
  'payoutsReturned',
  'deposited',
  'withdrawn',
  'fees',
  'feeTax',
  'withheld',
  'suspenseIn',
  'suspenseOut',
] as const

const COLUMN = {
  column: { value: 'COLUMN', values: COLUMNS, help: 'only what this column counts, such as fees' },
} as const

const reports = () => import('./reports.ts')

export const REPORT_COMMANDS: CommandTable = {
  'report days': {
    group: 'Reports',
    help: 'show days in Bogotá: balances, what moved, whether they are closed',
    flags: {
      from: { value: 'DAY', help: 'the first day, such as 2026-11-01' },
      to: { value: 'DAY', help: 'the last day (default today)' },
    },
    example: 'recaudo report days --from 2026-11-01',
    load: async () => (await reports()).listDays,
  },
  'report day': {
    group: 'Reports',
    help: 'show one day, with its digest if it is closed',
    argument: { name: 'day' },
    flags: {},
    load: async () => (await reports()).showDay,
  },
  'report close': {
    group: 'Reports',
    help: 'close a day that has ended, before it is closed by itself',
    argument: { name: 'day' },
    flags: {},
    load: async () => (await reports()).closeDay,
  },
  'report movements': {
    group: 'Reports',
    help: 'list the movements of a day, newest first',
    argument: { name: 'day' },
    flags: { ...COLUMN, limit: { value: 'N', help: 'how many at most (default 10)' } },
    load: async () => (await reports()).listMovements,
  },
  'report month': {
    group: 'Reports',
    help: 'show the statement of a month',
    argument: { name: 'month' },
    flags: {},
    load: async () => (await reports()).showMonth,
  },
  'report download': {
    group: 'Reports',
    help: 'download a day’s movements, or a month’s days, as CSV or XLSX',
    argument: { name: 'day-or-month' },
    flags: {
      format: { value: 'FORMAT', values: ['csv', 'xlsx'], help: 'csv (default) or xlsx' },
      language: { value: 'LANGUAGE', values: ['es', 'en'], help: 'es (default) or en' },
      out: { value: 'FILE', help: 'write here instead of to the output' },
      ...COLUMN,
    },
    example: 'recaudo report download 2026-11-14 --format xlsx --out movimientos.xlsx',
    load: async () => (await reports()).downloadReport,
  },
  'report charges': {
    group: 'Reports',
    help: 'show what payins cost',
    flags: {},
    load: async () => (await reports()).showCharges,
  },
}

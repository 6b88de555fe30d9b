// How an organization's accountant wants the reports: under which account of the chart of accounts (PUC) each column is booked in the
// organization's own books, and whether the tax on movements is estimated.

import { CLOSE_COLUMN_NAMES, type CloseColumn } from './close-columns.ts'

// The balance has an account too: what we hold for the organization.
export const PUC_ENTRIES = ['balance', ...CLOSE_COLUMN_NAMES, 'movementTax'] as const
export type PucEntry = 'balance' | CloseColumn | 'movementTax'

export type Accounting = {
  readonly pucAccounts: Readonly<Partial<Record<PucEntry, string>>>
  readonly estimatesMovementTax: boolean
}

export const NO_ACCOUNTING: Accounting = { pucAccounts: {}, estimatesMovementTax: false }

// A class, group, account, subaccount or auxiliary: 1 digit, or an even number of them.
export const PUC_PATTERN = '^([0-9]|([0-9]{2}){1,6})$'

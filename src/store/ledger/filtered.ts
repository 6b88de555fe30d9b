// Movements of money by what a person filters them by.

import { ACCOUNT_PAIRS, type Account, type Transfer } from '../../core/ledger/bookings.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds, ListCase } from '../keyset-list.ts'
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfers.ts'

export type TransferView = IdBounds & {
  account?: Account
  booking?: string
  minInCents?: bigint
  maxInCents?: bigint
}

export const filteredTransfers = boundedList<TransferView, TransferRow, Transfer>({
  table: 'ledger_transfers',
  idColumn: 'transfer_id',
  columns: TRANSFER_COLUMNS,
  cases: ({ account }): ListCase[] => {
    if (account === undefined) return [{}]
    return ACCOUNT_PAIRS.filter((pair) => pair.includes(account)).map(([debit, credit]) => ({
      key: [
        ['debit_account', debit],
        ['credit_account', credit],
      ],
    }))
  },
  rest: ({ booking, minInCents, maxInCents }) => [
    ['booking', '=', booking],
    ['amount_cents', '>=', minInCents],
    ['amount_cents', '<=', maxInCents],
  ],
  read: toTransfer,
  groupedBy: 'booking',
  summed: 'amount_cents',
})

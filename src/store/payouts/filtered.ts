// Payouts by everything that a person filters them by.

import type { Payout, PayoutStatus } from '../../core/payouts/payout.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds } from '../keyset-list.ts'
import { PAYOUT_COLUMNS, type PayoutRow, toPayout } from './payouts.ts'

export type PayoutView = IdBounds & {
  status?: PayoutStatus
  reason?: string
  text?: string
  minInCents?: bigint
  maxInCents?: bigint
}

export const filteredPayouts = boundedList<PayoutView, PayoutRow, Payout>({
  table: 'payouts',
  idColumn: 'payout_id',
  columns: PAYOUT_COLUMNS,
  cases: ({ status }) => [{ key: status === undefined ? [] : [['status', status]] }],
  rest: ({ reason, text, minInCents, maxInCents }) => [
    ['error_code', '=', reason],
    ['reference', 'contains', text],
    ['amount_cents', '>=', minInCents],
    ['amount_cents', '<=', maxInCents],
  ],
  read: toPayout,
  groupedBy: 'status',
  summed: 'amount_cents',
})

// Payins by everything that a person filters them by.

import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { PAYIN_STATUSES, type PayinStatus } from '../../core/payins/payin.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds, ListCase } from '../keyset-list.ts'
import { LISTED_PAYIN_COLUMNS, type ListedPayin, type PayinRow, toListedPayin } from './payin-row.ts'

export type PayinView = IdBounds & {
  status?: PayinStatus
  rail?: Rail
  paymentLinkId?: string
  reason?: string
  bank?: string
  settlement?: string
  // Part of the reference.
  text?: string
  minInCents?: bigint
  maxInCents?: bigint
}

export const filteredPayins = boundedList<PayinView, PayinRow, ListedPayin>({
  table: 'payins',
  idColumn: 'payin_id',
  columns: LISTED_PAYIN_COLUMNS,
  cases: ({ status, rail, paymentLinkId }): ListCase[] => {
    if (paymentLinkId !== undefined)
      return [
        {
          also: [
            ['payment_link_id', paymentLinkId],
            ['status', status],
            ['rail', rail],
          ],
        },
      ]
    if (status === undefined && rail === undefined) return [{}]
    return (status === undefined ? PAYIN_STATUSES : [status]).flatMap((oneStatus) =>
      (rail === undefined ? RAILS : [rail]).map((oneRail) => ({
        key: [
          ['status', oneStatus],
          ['rail', oneRail],
        ],
      })),
    )
  },
  rest: ({ reason, bank, settlement, text, minInCents, maxInCents }) => [
    ['error_code', '=', reason],
    ['bank', '=', bank],
    ['settlement_status', '=', settlement],
    ['reference', 'contains', text],
    ['amount_cents', '>=', minInCents],
    ['amount_cents', '<=', maxInCents],
  ],
  restOfTotals: ({ rail, paymentLinkId }) => [
    ['rail', '=', rail],
    ['payment_link_id', '=', paymentLinkId],
  ],
  read: toListedPayin,
  groupedBy: 'status',
  summed: 'coalesce(confirmed_amount_cents, amount_cents)',
})

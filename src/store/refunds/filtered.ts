// Refunds by everything that a person filters them by.

import type { Refund, RefundReason, RefundStage, RefundStatus } from '../../core/refunds/refund.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds } from '../keyset-list.ts'
import { REFUND_COLUMNS, type RefundRow, toRefund } from './refunds.ts'

export type RefundView = IdBounds & {
  status?: RefundStatus
  reason?: RefundReason
  stage?: RefundStage
  payinId?: string
  minInCents?: bigint
  maxInCents?: bigint
}

export const filteredRefunds = boundedList<RefundView, RefundRow, Refund>({
  table: 'refunds',
  idColumn: 'refund_id',
  columns: REFUND_COLUMNS,
  cases: ({ status }) => [{ key: status === undefined ? [] : [['status', status]] }],
  rest: ({ reason, stage, payinId, minInCents, maxInCents }) => [
    ['reason', '=', reason],
    ['stage', '=', stage],
    ['payin_id', '=', payinId],
    ['amount_cents', '>=', minInCents],
    ['amount_cents', '<=', maxInCents],
  ],
  read: toRefund,
  groupedBy: 'status',
  summed: 'amount_cents',
})

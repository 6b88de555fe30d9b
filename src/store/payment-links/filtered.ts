// Payment links by everything that a person filters them by.

import type { Rail } from '../../core/connections/rail.ts'
import {
  PAYMENT_LINK_STATUSES,
  type PaymentLink,
  type PaymentLinkStatus,
} from '../../core/payment-links/payment-link.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds, ListCase } from '../keyset-list.ts'
import { LINK_COLUMNS } from './payment-links.ts'

export type LinkView = IdBounds & {
  status?: PaymentLinkStatus
  rail?: Rail
  paymentPageId?: string
  text?: string
  minInCents?: bigint
  maxInCents?: bigint
}

export const filteredLinks = boundedList<LinkView, PaymentLink, PaymentLink>({
  table: 'payment_links',
  idColumn: 'payment_link_id',
  columns: LINK_COLUMNS,
  cases: ({ status, paymentPageId }): ListCase[] => {
    if (paymentPageId === undefined) return [{ key: status === undefined ? [] : [['status', status]] }]
    return (status === undefined ? PAYMENT_LINK_STATUSES : [status]).map((oneStatus) => ({
      key: [
        ['payment_page_id', paymentPageId],
        ['status', oneStatus],
      ],
      indexed: 'payment_page_id is not null',
    }))
  },
  rest: ({ rail, text, minInCents, maxInCents }) => [
    ['rail', '=', rail],
    ['reference', 'contains', text],
    ['amount_cents', '>=', minInCents],
    ['amount_cents', '<=', maxInCents],
  ],
  restOfTotals: ({ paymentPageId }) => [['payment_page_id', '=', paymentPageId]],
  read: (link) => link,
  groupedBy: 'status',
  summed: 'amount_cents',
})

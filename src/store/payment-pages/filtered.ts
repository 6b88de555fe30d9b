// Payment pages by everything that a person filters them by. What a page sums up is what was paid on it.

import type { PaymentPage, PaymentPageStatus } from '../../core/payment-pages/payment-page.ts'
import { boundedList } from '../bounded-list.ts'
import type { IdBounds } from '../keyset-list.ts'
import { PAGE_COLUMNS } from './payment-pages.ts'

export type PaymentPageView = IdBounds & { status?: PaymentPageStatus; text?: string }

export const filteredPages = boundedList<PaymentPageView, PaymentPage, PaymentPage>({
  table: 'payment_pages',
  idColumn: 'payment_page_id',
  columns: PAGE_COLUMNS,
  cases: ({ status }) => [{ key: status === undefined ? [] : [['status', status]] }],
  rest: ({ text }) => [['name', 'contains', text]],
  read: (page) => page,
  groupedBy: 'status',
  summed: 'paid_cents',
})

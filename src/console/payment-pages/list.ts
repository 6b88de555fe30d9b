// The list of payment pages.

import { createPaymentPageOperation } from '../../api/payment-pages/operations.ts'
import {
  PAYMENT_PAGE_STATUSES,
  type PaymentPage,
  type PaymentPageStatus,
} from '../../core/payment-pages/payment-page.ts'
import { filteredPages } from '../../store/payment-pages/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, countText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition } from '../lists/definition.ts'
import { linkSiblings } from '../payment-links/list.ts'
import { statusMark } from '../words/states.ts'
import { PAYMENT_PAGE_WORDS } from './words.ts'

const COLUMNS: readonly Column<PaymentPage>[] = [
  { name: 'name', place: 'main', cell: ({ name }) => name, value: ({ name }) => ({ text: name }) },
  {
    name: 'status',
    place: 'status',
    cell: ({ status }, { states }) => statusMark(status, states.page[status]),
    value: ({ status }, { states }) => ({ text: states.page[status] }),
  },
  {
    name: 'paid',
    place: 'money',
    cell: ({ paidInCents }, { visit }) => amountText(paidInCents, visit.language),
    value: ({ paidInCents }) => ({ cents: paidInCents }),
  },
  {
    name: 'payments',
    place: 'aside',
    cell: ({ paidPayments, maxPayments }, { visit }) =>
      `${countText(paidPayments, visit.language)}${maxPayments === null ? '' : ` / ${countText(maxPayments, visit.language)}`}`,
    value: ({ paidPayments }) => ({ number: paidPayments }),
  },
  {
    name: 'amount',
    place: 'aside',
    cell: ({ amountInCents }, { visit }) =>
      amountInCents === null
        ? PAYMENT_PAGE_WORDS[visit.language].openAmount
        : amountText(amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'reference',
    place: 'text',
    cell: ({ reference }) => reference,
    value: ({ reference }) => ({ text: reference }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

export const pagesList: ListDefinition<PaymentPage> = {
  name: 'pages',
  section: 'links',
  path: '/pages',
  scope: 'links:read',
  hasText: true,
  hasAmount: false,
  tab: {
    name: 'status',
    values: PAYMENT_PAGE_STATUSES,
    label: (states, status) => states.pagePlural[status as PaymentPageStatus],
    hasSum: true,
  },
  selects: [],
  ids: [],
  // Pages live long, and there are few.
  defaultPeriod: 'all',
  open: (db, organizationId, { tab, text, bounds }) =>
    filteredPages(db, organizationId, {
      ...bounds,
      ...(tab !== undefined && { status: tab as PaymentPageStatus }),
      ...(text !== undefined && { text }),
    }),
  idOf: ({ paymentPageId }) => paymentPageId,
  hrefOf: ({ paymentPageId }) => `/pages/${paymentPageId}`,
  columns: COLUMNS,
  alsoInFiles: [inFile('id', ({ paymentPageId }) => ({ text: paymentPageId }))],
  create: {
    path: '/pages/new',
    scope: 'links:write',
    label: ({ language }) => PAYMENT_PAGE_WORDS[language].create,
  },
  siblings: linkSiblings,
  teach: ({ language, options }) => {
    const [example] = Object.values(createPaymentPageOperation.body?.examples ?? {})
    return {
      ...PAYMENT_PAGE_WORDS[language].teach,
      curl: curlOf(createPaymentPageOperation, { body: example?.value }, options.publicUrl),
    }
  },
}

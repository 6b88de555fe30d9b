// The list of payment links.

import { createPaymentLinkOperation } from '../../api/payment-links/operations.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import {
  PAYMENT_LINK_STATUSES,
  type PaymentLink,
  type PaymentLinkStatus,
} from '../../core/payment-links/payment-link.ts'
import { filteredLinks, type LinkView } from '../../store/payment-links/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition, type ListFilters } from '../lists/definition.ts'
import { customerSeen, nameSeen } from '../people.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { LINK_WORDS } from './words.ts'

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    name: 'reference',
    place: 'main',
    cell: ({ reference }) => reference,
    value: ({ reference }) => ({ text: reference }),
  },
  {
    name: 'status',
    place: 'status',
    cell: ({ status }, { states }) =>
      statusMark(status, states.link[status], status === 'PENDING' ? 'wait' : undefined),
    value: ({ status }, { states }) => ({ text: states.link[status] }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: ({ amountInCents }, { visit }) => amountText(amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'rail',
    place: 'aside',
    cell: ({ rail }, { states, visit }) =>
      rail === null ? LINK_WORDS[visit.language].anyRail : states.rails[rail],
    value: ({ rail }, { states }) => ({ text: rail && states.rails[rail] }),
  },
  {
    name: 'payer',
    place: 'text',
    cell: ({ paymentLinkId, customer }, { eyes }) => nameSeen(customerSeen(eyes, paymentLinkId, customer)),
    value: ({ paymentLinkId, customer }, { eyes }) => ({
      text: nameSeen(customerSeen(eyes, paymentLinkId, customer)),
    }),
  },
  {
    name: 'expires',
    place: 'aside',
    cell: ({ status, expiresAt, completedAt }, { now, visit: { language } }) =>
      completedAt !== null
        ? LINK_WORDS[language].paidAt(shortTimeText(completedAt, now, language))
        : status === 'PENDING'
          ? LINK_WORDS[language].until(shortTimeText(expiresAt, now, language))
          : null,
    value: ({ expiresAt }) => ({ time: expiresAt }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

const ALSO_IN_FILES: readonly Column<PaymentLink>[] = [
  inFile('id', ({ paymentLinkId }) => ({ text: paymentLinkId })),
  inFile('result', ({ completedAt }) => ({ time: completedAt })),
]

// Links for one payment, and pages that make a link for each payer, are one section.
export function linkSiblings({ language }: Visit): readonly { path: string; label: string }[] {
  const words = LINK_WORDS[language]
  return [
    { path: '/links', label: words.links },
    { path: '/pages', label: words.pages },
  ]
}

export const linksList: ListDefinition<PaymentLink> = {
  name: 'links',
  section: 'links',
  path: '/links',
  scope: 'links:read',
  hasText: true,
  hasAmount: true,
  tab: {
    name: 'status',
    values: PAYMENT_LINK_STATUSES,
    label: (states, status) => states.linkPlural[status as PaymentLinkStatus],
    hasSum: true,
  },
  selects: [
    {
      name: 'rail',
      label: (words) => words.rail,
      any: (words) => words.allRails,
      options: ({ states }) => RAILS.map((rail) => [rail, states.rails[rail]]),
    },
  ],
  ids: [{ name: 'page', label: (words) => words.page }],
  open: (db, organizationId, filters) => filteredLinks(db, organizationId, viewOf(filters)),
  idOf: ({ paymentLinkId }) => paymentLinkId,
  hrefOf: ({ paymentLinkId }) => `/links/${paymentLinkId}`,
  columns: COLUMNS,
  alsoInFiles: ALSO_IN_FILES,
  create: { path: '/links/new', scope: 'links:write', label: ({ language }) => LINK_WORDS[language].create },
  siblings: linkSiblings,
  teach: ({ language, options }) => {
    const [example] = Object.values(createPaymentLinkOperation.body?.examples ?? {})
    return {
      ...LINK_WORDS[language].teach,
      curl: curlOf(createPaymentLinkOperation, { body: example?.value }, options.publicUrl),
    }
  },
}

function viewOf({ tab, chosen, text, minInCents, maxInCents, bounds }: ListFilters): LinkView {
  return {
    ...bounds,
    ...(tab !== undefined && { status: tab as PaymentLinkStatus }),
    ...(chosen.rail !== undefined && { rail: chosen.rail as Rail }),
    ...(chosen.page !== undefined && { paymentPageId: chosen.page }),
    ...(text !== undefined && { text }),
    ...(minInCents !== undefined && { minInCents }),
    ...(maxInCents !== undefined && { maxInCents }),
  }
}

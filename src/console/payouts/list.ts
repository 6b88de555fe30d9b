// The list of payouts.

import { createPayoutOperation } from '../../api/payouts/operations.ts'
import {
  PAYOUT_ERROR_CODES,
  PAYOUT_STATUSES,
  type Payout,
  type PayoutStatus,
} from '../../core/payouts/payout.ts'
import type { Receiver } from '../../core/people/customer.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { filteredPayouts, type PayoutView } from '../../store/payouts/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import {
  type Column,
  inFile,
  type ListDefinition,
  type ListFilters,
  type ListView,
} from '../lists/definition.ts'
import { payoutPlaces } from '../payout-batches/places.ts'
import { receiverSeen } from '../people.ts'
import { STATES, statusMark } from '../words/states.ts'
import { PAYOUT_WORDS } from './words.ts'

// Why it stands as it does. Null: it went as it should.
export function payoutReason(payout: Payout, language: UserLanguage): string | null {
  const words = PAYOUT_WORDS[language]
  if (payout.status === 'PROCESSING') return words.waits[payout.stage]
  if (payout.errorCode !== null) return STATES[language].payoutReasons[payout.errorCode]
  return payout.returnedAt === null ? null : words.returned
}

function receiverOf({ payoutId, receiver }: Payout, { eyes }: ListView): Receiver | string {
  return receiverSeen(eyes, payoutId, receiver)
}

function nameOf(payout: Payout, view: ListView): string {
  const receiver = receiverOf(payout, view)
  return typeof receiver === 'string' ? receiver : receiver.customer.name
}

function keyOf(payout: Payout, view: ListView): string {
  const receiver = receiverOf(payout, view)
  return typeof receiver === 'string' ? receiver : receiver.keyString
}

const COLUMNS: readonly Column<Payout>[] = [
  {
    name: 'reference',
    place: 'main',
    cell: ({ reference }) => reference,
    value: ({ reference }) => ({ text: reference }),
  },
  {
    name: 'status',
    place: 'status',
    cell: ({ status, returnedAt }, { states }) =>
      returnedAt === null
        ? statusMark(status, states.payout[status])
        : statusMark(status, states.returned, 'bad'),
    value: ({ status, returnedAt }, { states }) => ({
      text: returnedAt === null ? states.payout[status] : states.returned,
    }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: ({ amountInCents }, { visit }) => amountText(amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'receiver',
    place: 'text',
    cell: nameOf,
    value: (payout, view) => ({ text: nameOf(payout, view) }),
  },
  { name: 'key', place: 'aside', cell: keyOf, value: (payout, view) => ({ text: keyOf(payout, view) }) },
  {
    name: 'reason',
    place: 'text',
    cell: (payout, { visit }) => payoutReason(payout, visit.language),
    value: (payout, { visit }) => ({ text: payoutReason(payout, visit.language) }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

const ALSO_IN_FILES: readonly Column<Payout>[] = [
  inFile('id', ({ payoutId }) => ({ text: payoutId })),
  inFile('result', ({ resultAt }) => ({ time: resultAt })),
  inFile('trace', ({ traceId }) => ({ text: traceId })),
  inFile('document', (payout, view) => {
    const receiver = receiverOf(payout, view)
    return { text: typeof receiver === 'string' ? receiver : receiver.customer.idNumber }
  }),
]

export const payoutsList: ListDefinition<Payout> = {
  name: 'payouts',
  section: 'payouts',
  path: '/payouts',
  scope: 'payouts:read',
  hasText: true,
  hasAmount: true,
  tab: {
    name: 'status',
    values: PAYOUT_STATUSES,
    label: (states, status) => states.payoutPlural[status as PayoutStatus],
    hasSum: true,
  },
  selects: [
    {
      name: 'reason',
      label: (words) => words.reason,
      any: (words) => words.allReasons,
      options: ({ states }) => PAYOUT_ERROR_CODES.map((code) => [code, states.payoutReasons[code]]),
    },
  ],
  ids: [],
  open: (db, organizationId, filters) => filteredPayouts(db, organizationId, viewOf(filters)),
  idOf: ({ payoutId }) => payoutId,
  hrefOf: ({ payoutId }) => `/payouts/${payoutId}`,
  columns: COLUMNS,
  alsoInFiles: ALSO_IN_FILES,
  siblings: ({ language }) => payoutPlaces(language),
  create: {
    path: '/payouts/new',
    scope: 'payouts:write',
    label: ({ language }) => PAYOUT_WORDS[language].create,
  },
  teach: ({ language, options }) => {
    const [example] = Object.values(createPayoutOperation.body?.examples ?? {})
    return {
      ...PAYOUT_WORDS[language].teach,
      curl: curlOf(createPayoutOperation, { body: example?.value }, options.publicUrl),
    }
  },
}

function viewOf({ tab, chosen, text, minInCents, maxInCents, bounds }: ListFilters): PayoutView {
  return {
    ...bounds,
    ...(tab !== undefined && { status: tab as PayoutStatus }),
    ...(chosen.reason !== undefined && { reason: chosen.reason }),
    ...(text !== undefined && { text }),
    ...(minInCents !== undefined && { minInCents }),
    ...(maxInCents !== undefined && { maxInCents }),
  }
}

// The list of movements: what every balance is made of.

import { listTransfersOperation } from '../../api/ledger/operations.ts'
import { html } from '../../core/html.ts'
import { type Account, BOOKINGS, type Booking, type Transfer } from '../../core/ledger/bookings.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { filteredTransfers } from '../../store/ledger/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition } from '../lists/definition.ts'

const WORDS = {
  es: {
    title: 'Movimientos',
    teach: {
      title: 'Aquí verás cada movimiento de tu dinero',
      text: 'Cada cobro, pago o devolución mueve dinero de una cuenta a otra. La suma de los movimientos de una cuenta es su saldo.',
    },
  },
  en: {
    title: 'Movements',
    teach: {
      title: 'Every movement of your money shows here',
      text: 'Every payin, payout or return moves money from one account to another. An account’s balance is the sum of its movements.',
    },
  },
} as const satisfies Readonly<Record<UserLanguage, unknown>>

const SHOWN_ACCOUNTS: readonly Account[] = ['AVAILABLE', 'PENDING_SETTLEMENT', 'RESERVED', 'SUSPENSE', 'FEES']

// Where the page of what was booked is, by how its booking begins. A refund that was paid is booked as its payout.
const PLACES = [
  ['payin', '/payins'],
  ['payout', '/payouts'],
  ['refund paid', '/payouts'],
  ['refund', '/refunds'],
  ['batch', '/batches'],
  ['money in suspense', '/suspense'],
  ['suspense', '/suspense'],
] as const

function hrefOf({ booking, subjectId }: Transfer): string {
  const place = PLACES.find(([beginning]) => booking.startsWith(beginning))
  return place === undefined ? '/movements' : `${place[1]}/${subjectId}`
}

const COLUMNS: readonly Column<Transfer>[] = [
  {
    name: 'movement',
    place: 'main',
    cell: ({ booking }, { states }) => states.bookings[booking],
    value: ({ booking }, { states }) => ({ text: states.bookings[booking] }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: ({ amountInCents }, { visit }) => amountText(amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'debit',
    place: 'text',
    cell: ({ debit, credit }, { states }) => html`${states.accounts[debit]} → ${states.accounts[credit]}`,
    value: ({ debit }, { states }) => ({ text: states.accounts[debit] }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

export const movementsList: ListDefinition<Transfer> = {
  name: 'movements',
  title: ({ language }) => WORDS[language].title,
  section: 'home',
  path: '/movements',
  scope: 'ledger:read',
  hasText: false,
  hasAmount: true,
  tab: {
    name: 'account',
    values: SHOWN_ACCOUNTS,
    label: (states, account) => states.accounts[account as Account],
    hasSum: false,
    // A movement is of two accounts: rows cannot be counted by one.
    hasNoCounts: true,
  },
  selects: [
    {
      name: 'booking',
      label: (words) => words.columns.movement,
      any: (words) => words.allTypes,
      options: ({ states }) =>
        (Object.keys(BOOKINGS) as Booking[]).map((booking) => [booking, states.bookings[booking]]),
    },
  ],
  ids: [],
  open: (db, organizationId, { tab, chosen, minInCents, maxInCents, bounds }) =>
    filteredTransfers(db, organizationId, {
      ...bounds,
      ...(tab !== undefined && { account: tab as Account }),
      ...(chosen.booking !== undefined && { booking: chosen.booking }),
      ...(minInCents !== undefined && { minInCents }),
      ...(maxInCents !== undefined && { maxInCents }),
    }),
  idOf: ({ transferId }) => transferId,
  hrefOf,
  columns: COLUMNS,
  alsoInFiles: [
    inFile('credit', ({ credit }, { states }) => ({ text: states.accounts[credit] })),
    inFile('id', ({ transferId }) => ({ text: transferId })),
    inFile('about', ({ subjectId }) => ({ text: subjectId })),
  ],
  teach: ({ language, options }) => ({
    ...WORDS[language].teach,
    curl: curlOf(listTransfersOperation, {}, options.publicUrl),
  }),
}

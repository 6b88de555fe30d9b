// The list of movements: what every balance is made of.

import { listTransfersOperation } from '../../api/ledger/operations.ts'
import { html } from '../../core/html.ts'
import {
  type Account,
  BOOKINGS,
  type Booking,
  type Movement,
  type Transfer,
} from '../../core/ledger/bookings.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Totals } from '../../store/bounded-list.ts'
import { filteredTransfers } from '../../store/ledger/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition, type ListView } from '../lists/definition.ts'
import type { ListQuery } from '../lists/list-query.ts'

const WORDS = {
  es: {
    title: 'Movimientos',
    in: 'Entró',
    out: 'Salió',
    difference: 'Diferencia',
    balance: 'Saldo',
    teach: {
      title: 'Aquí verás cada movimiento de tu dinero',
      text: 'Cada cobro, pago o devolución mueve dinero de una cuenta a otra. La suma de los movimientos de una cuenta es su saldo.',
    },
  },
  en: {
    title: 'Movements',
    in: 'In',
    out: 'Out',
    difference: 'Difference',
    balance: 'Balance',
    teach: {
      title: 'Every movement of your money shows here',
      text: 'Every payin, payout or return moves money from one account to another. An account’s balance is the sum of its movements.',
    },
  },
} as const satisfies Readonly<Record<UserLanguage, unknown>>

const SHOWN_ACCOUNTS: readonly Account[] = [
  'AVAILABLE',
  'DEPOSITED',
  'PENDING_SETTLEMENT',
  'RESERVED',
  'SUSPENSE',
  'FEES',
]

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

// Of one account a movement is what came in or went out.
function signedCents({ debit, amountInCents }: Transfer, { tab }: Pick<ListView, 'tab'>): bigint {
  return debit === tab ? -amountInCents : amountInCents
}

// Of all its movements it is the account's balance.
function sums(
  { visit, tab }: ListView,
  { period, filters }: Pick<ListQuery, 'period' | 'filters'>,
  { groups, isPartial }: Totals,
): [name: string, cents: bigint][] {
  if (tab === undefined) return []
  const words = WORDS[visit.language]
  const sumOf = (side: keyof Movement): bigint =>
    groups
      .filter(({ group }) => (BOOKINGS[group as Booking] as Movement)[side] === tab)
      .reduce((all, { sum }) => all + sum, 0n)
  const [came, went] = [sumOf('credit'), sumOf('debit')]
  const { chosen, minInCents, maxInCents } = filters
  const isAll =
    period.name === 'all' &&
    !isPartial &&
    chosen.booking === undefined &&
    minInCents === undefined &&
    maxInCents === undefined
  return [
    [words.in, came],
    [words.out, went],
    [isAll ? words.balance : words.difference, came - went],
  ]
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
    cell: (row, view) => {
      const text = amountText(signedCents(row, view), view.visit.language)
      return view.tab !== undefined && row.credit === view.tab ? `+${text}` : text
    },
    value: (row, view) => ({ cents: signedCents(row, view) }),
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
  sums,
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

// The books: an organization's accounts, and which booking moves money between which two. Every way money can move is
// one row of this table; a transfer that is not in it cannot be written.

import { RAILS, type Rail } from '../connections/rail.ts'
import { instantOfId } from '../ids.ts'
import type { Instant } from '../instant.ts'

// Clearing accounts hold what the networks owe us: money in is a debit there. The others hold what we owe: to the
// organization (available, pending settlement, reserved for payouts), to unknown payers (suspense), to ourselves (fees), to the tax office
// (withheld). What is in the organization's own accounts at providers is deposited: collected over its connections, or put there. It never
// becomes available, because the installation's networks would pay it and have not received it.
export const ACCOUNTS = [
  'AVAILABLE',
  'DEPOSITED',
  'PENDING_SETTLEMENT',
  'RESERVED',
  'SUSPENSE',
  'CLEARING_BRE_B',
  'CLEARING_PSE',
  'FEES',
  'WITHHELD',
] as const
export type Account = (typeof ACCOUNTS)[number]

export type Movement = { readonly debit: Account | 'CLEARING'; readonly credit: Account | 'CLEARING' }

export const BOOKINGS = {
  // Staging only: gives a new organization something to pay out.
  'opening balance': { debit: 'CLEARING', credit: 'AVAILABLE' },
  'payin confirmed': { debit: 'CLEARING', credit: 'PENDING_SETTLEMENT' },
  // The payment was in suspense before it was known to be the payin's.
  'payin confirmed from suspense': { debit: 'SUSPENSE', credit: 'PENDING_SETTLEMENT' },
  'payin settled': { debit: 'PENDING_SETTLEMENT', credit: 'AVAILABLE' },
  // It came over a connection.
  'payin settled to deposits': { debit: 'PENDING_SETTLEMENT', credit: 'DEPOSITED' },
  // What is charged of it then, if the operator has set it (charges.ts). The tax on a fee is a booking of its own.
  'payin fee': { debit: 'AVAILABLE', credit: 'FEES' },
  'payin fee tax': { debit: 'AVAILABLE', credit: 'FEES' },
  'payin withholding': { debit: 'AVAILABLE', credit: 'WITHHELD' },
  'payin charged back before settlement': { debit: 'PENDING_SETTLEMENT', credit: 'CLEARING' },
  'payin charged back after settlement': { debit: 'AVAILABLE', credit: 'CLEARING' },
  'payin charged back from deposits': { debit: 'DEPOSITED', credit: 'CLEARING' },
  'money in suspense': { debit: 'CLEARING', credit: 'SUSPENSE' },
  'suspense returned': { debit: 'SUSPENSE', credit: 'CLEARING' },
  'suspense attached': { debit: 'SUSPENSE', credit: 'AVAILABLE' },
  'suspense attached to deposits': { debit: 'SUSPENSE', credit: 'DEPOSITED' },
  // The payment has confirmed a payin, which booked it once more: of another organization, or at the same time.
  'suspense released': { debit: 'SUSPENSE', credit: 'CLEARING' },
  // A payment charged back after all: from suspense, or from the merchant it was attached for.
  'suspense charged back': { debit: 'SUSPENSE', credit: 'CLEARING' },
  'suspense charged back after attaching': { debit: 'AVAILABLE', credit: 'CLEARING' },
  'suspense charged back from deposits': { debit: 'DEPOSITED', credit: 'CLEARING' },
  // Set aside when a refund is made, until it has ended or a payout takes it over. What goes over the rail it came by is given back; what
  // is given back by payout is booked as the payout's.
  'refund reserved': { debit: 'AVAILABLE', credit: 'RESERVED' },
  'refund released': { debit: 'RESERVED', credit: 'AVAILABLE' },
  'refund reserved from deposits': { debit: 'DEPOSITED', credit: 'RESERVED' },
  'refund released to deposits': { debit: 'RESERVED', credit: 'DEPOSITED' },
  'refund given back': { debit: 'RESERVED', credit: 'CLEARING' },
  // A merchant put money of its own into its account at a provider, or took some out.
  'connection deposit': { debit: 'CLEARING', credit: 'DEPOSITED' },
  'connection withdrawal': { debit: 'DEPOSITED', credit: 'CLEARING' },
  // Until schema 0060, what was collected over connections was available. What was left of it was moved by 0060.
  'collected money withdrawn': { debit: 'AVAILABLE', credit: 'CLEARING' },
  'collected money moved to deposits': { debit: 'AVAILABLE', credit: 'DEPOSITED' },
  'collected money moved from deposits': { debit: 'DEPOSITED', credit: 'AVAILABLE' },
  'payout reserved': { debit: 'AVAILABLE', credit: 'RESERVED' },
  'payout released': { debit: 'RESERVED', credit: 'AVAILABLE' },
  // Over a connection. What is not paid goes back there: nothing else may be paid from deposits.
  'payout reserved from deposits': { debit: 'DEPOSITED', credit: 'RESERVED' },
  'payout released to deposits': { debit: 'RESERVED', credit: 'DEPOSITED' },
  // A batch is set aside as a whole when it is submitted. Each of its payouts then takes its share, or it all comes back.
  'batch reserved': { debit: 'AVAILABLE', credit: 'RESERVED' },
  'batch released': { debit: 'RESERVED', credit: 'AVAILABLE' },
  'batch reserved from deposits': { debit: 'DEPOSITED', credit: 'RESERVED' },
  'batch released to deposits': { debit: 'RESERVED', credit: 'DEPOSITED' },
  'payout confirmed': { debit: 'RESERVED', credit: 'CLEARING' },
  // What it cost beside its amount, if the operator has set it (charges.ts). It was set aside with the amount, and stays if the money comes
  // back: the transfer was made.
  'payout fee': { debit: 'RESERVED', credit: 'FEES' },
  'payout fee tax': { debit: 'RESERVED', credit: 'FEES' },
  // By a payout.
  'refund paid': { debit: 'RESERVED', credit: 'CLEARING' },
  // The network paid, and the money came back to it.
  'payout returned': { debit: 'CLEARING', credit: 'AVAILABLE' },
  'payout returned to deposits': { debit: 'CLEARING', credit: 'DEPOSITED' },
  // The network paid after it had rejected: the money is gone, and a person must find out whose it was.
  'payout paid after rejection': { debit: 'SUSPENSE', credit: 'CLEARING' },
  'payout paid after rejection from deposits': { debit: 'DEPOSITED', credit: 'CLEARING' },
} as const satisfies Record<string, Movement>

export type Booking = keyof typeof BOOKINGS

export type Transfer = {
  readonly organizationId: string
  readonly transferId: string
  readonly booking: Booking
  readonly subjectId: string
  // A subject is booked once in each way, or once for each part. Absent: as a whole.
  readonly part?: string
  readonly debit: Account
  readonly credit: Account
  readonly amountInCents: bigint
  readonly createdAt: Instant
}

export function transfer(
  booking: Booking,
  rail: Rail,
  entry: {
    organizationId: string
    transferId: string
    subjectId: string
    part?: string
    amountInCents: bigint
  },
): Transfer {
  const { debit, credit }: Movement = BOOKINGS[booking]
  return {
    ...entry,
    booking,
    debit: accountOf(debit, rail),
    credit: accountOf(credit, rail),
    // Balances of the past, days and lists go by ids, so a transfer has no other time than its id: read a moment earlier, it would stand
    // behind the balance of its own time.
    createdAt: instantOfId(entry.transferId),
  }
}

function accountOf(account: Account | 'CLEARING', rail: Rail): Account {
  return account === 'CLEARING' ? clearingAccount(rail) : account
}

export function clearingAccount(rail: Rail): Account {
  return `CLEARING_${rail}`
}

// On either rail. A pair stands once.
export function accountPairsOf(booking: Booking): (readonly [debit: Account, credit: Account])[] {
  const { debit, credit }: Movement = BOOKINGS[booking]
  const pairs = RAILS.map((rail) => [accountOf(debit, rail), accountOf(credit, rail)] as const)
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()]
}

// Every debit account with its credit account between which some booking moves money. Each pair stands once.
export const ACCOUNT_PAIRS: readonly (readonly [debit: Account, credit: Account])[] = [
  ...new Map(
    (Object.keys(BOOKINGS) as Booking[]).flatMap((booking) =>
      accountPairsOf(booking).map((pair) => [pair.join(' '), pair]),
    ),
  ).values(),
]

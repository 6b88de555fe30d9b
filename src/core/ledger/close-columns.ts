// The columns of a day's close, and which booking is summed in which. Every booking has its row here: a new one does not compile until
// somebody has said where an accountant finds it.

import type { Account, Booking } from './bookings.ts'

// What a column does to the balance of the day: it adds, it takes away, or it tells of money that only changed its place.
export const CLOSE_COLUMNS = {
  confirmed: 1,
  settled: 0,
  attached: 1,
  refunded: -1,
  chargedBack: -1,
  paidOut: -1,
  payoutsReturned: 1,
  deposited: 1,
  withdrawn: -1,
  fees: -1,
  feeTax: -1,
  withheld: -1,
  suspenseIn: 1,
  suspenseOut: -1,
} as const satisfies Record<string, 1 | 0 | -1>

export type CloseColumn = keyof typeof CLOSE_COLUMNS
export const CLOSE_COLUMN_NAMES = Object.keys(CLOSE_COLUMNS) as CloseColumn[]

// The balance of a day: all that we hold for the organization, and what is in suspense with it. The rest is the networks', the tax
// office's and ours.
export const HELD_ACCOUNTS = [
  'AVAILABLE',
  'PENDING_SETTLEMENT',
  'RESERVED',
  'DEPOSITED',
  'SUSPENSE',
] as const satisfies readonly Account[]

export const COLUMNS_OF_BOOKING: Readonly<Record<Booking, readonly CloseColumn[]>> = {
  'opening balance': ['deposited'],
  'payin confirmed': ['confirmed'],
  'payin confirmed from suspense': ['confirmed', 'suspenseOut'],
  'payin settled': ['settled'],
  'payin settled to deposits': ['settled'],
  'payin fee': ['fees'],
  'payin fee tax': ['feeTax'],
  'payin withholding': ['withheld'],
  'payin charged back before settlement': ['chargedBack'],
  'payin charged back after settlement': ['chargedBack'],
  'payin charged back from deposits': ['chargedBack'],
  'money in suspense': ['suspenseIn'],
  'suspense returned': ['suspenseOut'],
  'suspense attached': ['attached', 'suspenseOut'],
  'suspense attached to deposits': ['attached', 'suspenseOut'],
  'suspense released': ['suspenseOut'],
  'suspense charged back': ['suspenseOut'],
  'suspense charged back after attaching': ['chargedBack'],
  'suspense charged back from deposits': ['chargedBack'],
  'connection deposit': ['deposited'],
  'connection withdrawal': ['withdrawn'],
  'collected money withdrawn': ['withdrawn'],
  'collected money moved to deposits': [],
  'collected money moved from deposits': [],
  // Money that is set aside is still the organization's.
  'payout reserved': [],
  'payout released': [],
  'payout reserved from deposits': [],
  'payout released to deposits': [],
  'batch reserved': [],
  'batch released': [],
  'batch reserved from deposits': [],
  'batch released to deposits': [],
  'refund reserved': [],
  'refund released': [],
  'refund reserved from deposits': [],
  'refund released to deposits': [],
  'refund given back': ['refunded'],
  'refund paid': ['refunded'],
  'payout confirmed': ['paidOut'],
  'payout fee': ['fees'],
  'payout fee tax': ['feeTax'],
  'payout returned': ['payoutsReturned'],
  'payout returned to deposits': ['payoutsReturned'],
  'payout paid after rejection': ['suspenseOut'],
  'payout paid after rejection from deposits': ['paidOut'],
}

// What makes up a column: the list of a day's movements can be asked for one.
export function bookingsOfColumn(column: CloseColumn): Booking[] {
  return (Object.keys(COLUMNS_OF_BOOKING) as Booking[]).filter((booking) =>
    COLUMNS_OF_BOOKING[booking].includes(column),
  )
}

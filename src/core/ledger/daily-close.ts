// A day's close: what the balance was, what each column adds to it or takes from it, and what it is at the end. It is made of the sums of
// a day's transfers by booking and accounts, and of a digest over every one of them. Once written it never changes.

import { createHash } from 'node:crypto'
import { bogotaDay, type Day, daysAfter, endOfDay } from '../bogota-day.ts'
import { type Instant, MINUTE_MS } from '../instant.ts'
import { ACCOUNTS, type Account, type Booking } from './bookings.ts'
import { CLOSE_COLUMN_NAMES, type CloseColumn, COLUMNS_OF_BOOKING, HELD_ACCOUNTS } from './close-columns.ts'

// A day is closed by itself so long after it ended. Until then somebody may ask for it.
export const CLOSES_AFTER_MS = 10 * MINUTE_MS
// Nothing is booked in the day from a moment on, and whatever was being written then is written or has failed so long after: statements
// and waiting transactions end in seconds. Only then is the day summed.
export const WRITES_END_WITHIN_MS = MINUTE_MS

export type Balances = Readonly<Record<Account, bigint>>

// Of one booking between the same two accounts.
export type BookingSum = {
  readonly booking: Booking
  readonly debit: Account
  readonly credit: Account
  readonly movements: number
  readonly amountInCents: bigint
}

export type ColumnSum = { readonly movements: number; readonly amountInCents: bigint }

export type DayFigures = {
  readonly opening: Balances
  readonly columns: Readonly<Record<CloseColumn, ColumnSum>>
  readonly closing: Balances
  readonly bookings: readonly BookingSum[]
  readonly movements: number
}

export function figuresOf(opening: Balances, bookings: readonly BookingSum[]): DayFigures {
  const closing = { ...opening }
  const columns = Object.fromEntries(
    CLOSE_COLUMN_NAMES.map((column) => [column, { movements: 0, amountInCents: 0n }]),
  ) as Record<CloseColumn, ColumnSum>
  let all = 0
  for (const { booking, debit, credit, movements, amountInCents } of bookings) {
    closing[debit] -= amountInCents
    closing[credit] += amountInCents
    all += movements
    for (const column of COLUMNS_OF_BOOKING[booking])
      columns[column] = {
        movements: columns[column].movements + movements,
        amountInCents: columns[column].amountInCents + amountInCents,
      }
  }
  return { opening, columns, closing, bookings, movements: all }
}

export const NO_MONEY: Balances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])) as Record<
  Account,
  bigint
>

export function heldInCents(balances: Balances): bigint {
  return HELD_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0n)
}

// The last day that is closed by itself by now.
export function lastDayToClose(now: Instant): Day {
  return daysAfter(bogotaDay(now - CLOSES_AFTER_MS), -1)
}

export function closesAt(day: Day): Instant {
  return endOfDay(day) + CLOSES_AFTER_MS
}

// A part of a day's transfers, in the order of their ids: those whose ids begin with the same eight characters, about a minute.
export type MovementDigest = { readonly part: string; readonly digest: Buffer }

// Over the digests of all parts, each in a line with its name.
export function movementsDigest(parts: readonly MovementDigest[]): string {
  const hash = createHash('sha256')
  for (const { part, digest } of parts) hash.update(`${part} ${digest.toString('hex')}\n`)
  return hash.digest('hex')
}

// As it is stored and digested, byte for byte. Amounts are numbers in JSON.
export function figuresText(figures: DayFigures, digestOfMovements: string): string {
  return JSON.stringify({ ...figures, movementsDigest: digestOfMovements }, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
}

export type StoredFigures = DayFigures & { readonly movementsDigest: string }

export function readFigures(text: string): StoredFigures {
  const stored = JSON.parse(text) as FiguresInJson
  const balances = (of: FiguresInJson['opening']): Balances => ({
    ...NO_MONEY,
    ...Object.fromEntries(Object.entries(of).map(([account, cents]) => [account, BigInt(cents)])),
  })
  const exact = <Sum extends { amountInCents: number }>(sum: Sum) => ({
    ...sum,
    amountInCents: BigInt(sum.amountInCents),
  })
  // A column that was added later was not there then.
  const columns = CLOSE_COLUMN_NAMES.map((column) => [
    column,
    exact(stored.columns[column] ?? { movements: 0, amountInCents: 0 }),
  ])
  return {
    ...stored,
    opening: balances(stored.opening),
    closing: balances(stored.closing),
    columns: Object.fromEntries(columns) as Record<CloseColumn, ColumnSum>,
    bookings: stored.bookings.map(exact),
  }
}

type InJson<Sum> = Omit<Sum, 'amountInCents'> & { readonly amountInCents: number }
type FiguresInJson = {
  readonly opening: Readonly<Partial<Record<Account, number>>>
  readonly closing: Readonly<Partial<Record<Account, number>>>
  readonly columns: Readonly<Partial<Record<CloseColumn, InJson<ColumnSum>>>>
  readonly bookings: readonly InJson<BookingSum>[]
  readonly movements: number
  readonly movementsDigest: string
}

export type DigestedDay = {
  readonly organizationId: string
  readonly day: Day
  readonly previousDigest: Buffer | null
  readonly figures: string
}

// Over the close before it, so that no day can be taken out or put in between.
export function closeDigest({ organizationId, day, previousDigest, figures }: DigestedDay): Buffer {
  const previous = previousDigest === null ? '-' : previousDigest.toString('hex')
  return createHash('sha256')
    .update(`recaudo close 1\n${organizationId}\n${day}\n${previous}\n${figures}\n`)
    .digest()
}

// Balances as they stood: those of the last close before an id, and what was booked since then.

import { bogotaDay, type Day, daysAfter, endOfDay } from '../../core/bogota-day.ts'
import { firstIdAt, instantOfId } from '../../core/ids.ts'
import { type Balances, figuresOf, NO_MONEY } from '../../core/ledger/daily-close.ts'
import type { Queryable } from '../db.ts'
import { FIRST_ID } from '../keyset-list.ts'
import { type DailyClose, lastCloseUntil } from './daily-closes.ts'
import { sumsOfBookings } from './day-sums.ts'

// What is booked up to an id, without it.
export async function balancesBefore(
  db: Queryable,
  organizationId: string,
  beforeId: string,
): Promise<Balances> {
  const { fromId, balances } = await lastBalances(db, organizationId, bogotaDay(instantOfId(beforeId)))
  return figuresOf(balances, await sumsOfBookings(db, organizationId, { fromId, beforeId })).closing
}

export type LastBalances = { close: DailyClose | undefined; fromId: string; balances: Balances }

// Of the last close before a day, and from which id on nothing is counted in them.
export async function lastBalances(db: Queryable, organizationId: string, day: Day): Promise<LastBalances> {
  const close = await lastCloseUntil(db, organizationId, daysAfter(day, -1))
  if (close === undefined) return { close, fromId: FIRST_ID, balances: NO_MONEY }
  return { close, fromId: firstIdAt(endOfDay(close.day)), balances: close.figures.closing }
}

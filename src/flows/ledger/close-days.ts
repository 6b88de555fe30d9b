// Closes an organization's days, one after the other. First nothing is booked in them any more: what comes late is booked in the day
// that is open (POSTED_TRANSFERS). When all that was being written then has ended, the day is summed in small parts, which need not see
// the same moment: they cannot change. Whoever dies on the way leaves nothing half done, and the next begins the day again.

import { bogotaDay, type Day, daysAfter, endOfDay, startOfDay } from '../../core/bogota-day.ts'
import { firstIdAt, instantOfId } from '../../core/ids.ts'
import { type Instant, MINUTE_MS } from '../../core/instant.ts'
import {
  type BookingSum,
  closeDigest,
  closesAt,
  figuresOf,
  figuresText,
  lastDayToClose,
  type MovementDigest,
  movementsDigest,
  WRITES_END_WITHIN_MS,
} from '../../core/ledger/daily-close.ts'
import type { Queryable } from '../../store/db.ts'
import { lastBalances } from '../../store/ledger/balance-at.ts'
import {
  type ClosingMark,
  claimClosing,
  getClosingMark,
  openDaysFrom,
  organizationsToClose,
  passDay,
} from '../../store/ledger/closing-marks.ts'
import { insertClose } from '../../store/ledger/daily-closes.ts'
import {
  digestsOfTransfers,
  type IdRange,
  idAfterTransfers,
  sumsOfBookings,
} from '../../store/ledger/day-sums.ts'
import type { Needs } from '../context.ts'

// Far longer than a large day takes. Should its worker die, another one begins it again after that.
const LEASE_MS = 10 * MINUTE_MS
const LOOKED_AT = 50
// Summed at once: a fraction of a second, so that others get their turn at the disk.
const MOVEMENTS_AT_ONCE = 20_000
const PATIENT_MS = 60_000

export type ClosedDay = { organizationId: string; day: Day; movements: number }
// Awaited between two parts of a day.
export type Rest = () => Promise<void>

// Does what is due next: stops bookings in the days that have ended, or closes one. Null if nothing is due.
export async function closeNextDue(
  ctx: Needs<'clock' | 'db'>,
  rest: Rest,
): Promise<ClosedDay | 'none closed' | null> {
  const now = ctx.clock.now()
  for (const organizationId of await organizationsToClose(ctx.db, now, LOOKED_AT)) {
    const mark = await claimClosing(ctx.db, organizationId, now, now + LEASE_MS)
    if (mark === undefined) continue
    const ended = endOfDay(lastDayToClose(now))
    if (ended > mark.openFrom) {
      await openDaysFrom(ctx.db, organizationId, ended, now + WRITES_END_WITHIN_MS)
      return 'none closed'
    }
    return closeNextDay(ctx, mark, rest)
  }
  return null
}

async function closeNextDay(
  ctx: Needs<'clock' | 'db'>,
  mark: ClosingMark,
  rest: Rest,
): Promise<ClosedDay | 'none closed'> {
  const { organizationId, openFrom, nextDay } = mark
  const { close: previous, fromId, balances } = await lastBalances(ctx.db, organizationId, nextDay)
  const first = await idAfterTransfers(ctx.db, organizationId, { fromId, beforeId: firstIdAt(openFrom) }, 0)
  const firstMoved = first === null ? bogotaDay(openFrom) : bogotaDay(instantOfId(first))
  const day = firstMoved > nextDay ? firstMoved : nextDay
  // All days that have ended are closed, and those before this one had no movement.
  if (endOfDay(day) > openFrom) {
    await passDay(ctx.db, organizationId, nextDay, day, dueAt(day, openFrom, ctx.clock.now()))
    return 'none closed'
  }
  const { bookings, parts } = await sumDay(
    ctx,
    organizationId,
    { fromId, beforeId: firstIdAt(endOfDay(day)) },
    rest,
  )
  const figures = figuresOf(balances, bookings)
  const text = figuresText(figures, movementsDigest(parts))
  const previousDigest = previous?.digest ?? null
  const digest = closeDigest({ organizationId, day, previousDigest, figures: text })
  const closedAt = ctx.clock.now()
  await ctx.db.inTransaction(async (tx) => {
    const following = daysAfter(day, 1)
    // Whoever was faster has closed the day, and with the same figures.
    if (!(await passDay(tx, organizationId, nextDay, following, dueAt(following, openFrom, closedAt)))) return
    const { movements } = figures
    await insertClose(tx, {
      organizationId,
      day,
      movements,
      figuresText: text,
      digest,
      previousDigest,
      closedAt,
    })
  })
  return { organizationId, day, movements: figures.movements }
}

// At once, if nothing is booked in the day any more.
function dueAt(day: Day, openFrom: Instant, now: Instant): Instant {
  return endOfDay(day) <= openFrom ? now : closesAt(day)
}

export type DaySums = { bookings: BookingSum[]; parts: MovementDigest[] }

// In parts that end where a digest ends.
export async function sumDay(
  ctx: Needs<'db'>,
  organizationId: string,
  { fromId, beforeId }: IdRange,
  rest: Rest,
  movementsAtOnce = MOVEMENTS_AT_ONCE,
): Promise<DaySums> {
  const sums = new Map<string, BookingSum>()
  const parts: MovementDigest[] = []
  for (let from: string = fromId; from < beforeId; ) {
    const range = await nextRange(ctx.db, organizationId, { fromId: from, beforeId }, movementsAtOnce)
    const [booked, digests] = await ctx.db.inTransaction(
      async (tx) => [
        await sumsOfBookings(tx, organizationId, range),
        await digestsOfTransfers(tx, organizationId, range),
      ],
      { timeoutMs: PATIENT_MS },
    )
    for (const sum of booked) addSum(sums, sum)
    parts.push(...digests)
    from = range.beforeId
    if (from < beforeId) await rest()
  }
  const inOrder = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { bookings: inOrder.map(([, sum]) => sum), parts }
}

function addSum(sums: Map<string, BookingSum>, sum: BookingSum): void {
  const key = `${sum.booking}|${sum.debit}|${sum.credit}`
  const { movements = 0, amountInCents = 0n } = sums.get(key) ?? {}
  sums.set(key, {
    ...sum,
    movements: movements + sum.movements,
    amountInCents: amountInCents + sum.amountInCents,
  })
}

async function nextRange(
  db: Queryable,
  organizationId: string,
  range: IdRange,
  movements: number,
): Promise<IdRange> {
  const last = await idAfterTransfers(db, organizationId, range, movements)
  if (last === null) return range
  const nextPart = (Number.parseInt(last.slice(0, 8), 16) + 1).toString(16).padStart(8, '0')
  const end = `${nextPart}-0000-0000-0000-000000000000`
  return { fromId: range.fromId, beforeId: end < range.beforeId ? end : range.beforeId }
}

export type DayState = 'OPEN' | 'CLOSING' | 'CLOSED'

export function stateOfDay(mark: ClosingMark | undefined, day: Day): DayState {
  if (mark === undefined) return 'OPEN'
  if (day < mark.nextDay) return 'CLOSED'
  return startOfDay(day) < mark.openFrom ? 'CLOSING' : 'OPEN'
}

export async function readDayState(ctx: Needs<'db'>, organizationId: string, day: Day): Promise<DayState> {
  return stateOfDay(await getClosingMark(ctx.db, organizationId), day)
}

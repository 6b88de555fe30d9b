// Proves an organization's closes: each is digested as it was written, follows the one before it, and equals the ledger to the cent, with
// every transfer of its day as it was then.

import { type Day, daysAfter, endOfDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import {
  closeDigest,
  figuresOf,
  figuresText,
  movementsDigest,
  NO_MONEY,
} from '../../core/ledger/daily-close.ts'
import { FIRST_ID } from '../../store/keyset-list.ts'
import { closesBetween, type DailyClose } from '../../store/ledger/daily-closes.ts'
import type { Needs } from '../context.ts'
import { type Rest, sumDay } from './close-days.ts'

export type ClosesProof = {
  readonly days: number
  readonly lastDay: Day | null
  readonly lastDigest: string | null
  // The first that is wrong. Those behind it are not looked at.
  readonly problem: { readonly day: Day; readonly detail: string } | null
}

const FIRST_DAY = '1970-01-01'
const DAYS_AT_ONCE = 100

export async function verifyCloses(
  ctx: Needs<'clock' | 'db'>,
  organizationId: string,
  lastDay: Day,
  rest: Rest,
): Promise<ClosesProof> {
  let previous: DailyClose | undefined
  let days = 0
  const proof = (problem: ClosesProof['problem']): ClosesProof => ({
    days,
    lastDay: previous?.day ?? null,
    lastDigest: previous?.digest.toString('hex') ?? null,
    problem,
  })
  for (let from: Day = FIRST_DAY; ; ) {
    const closes = await closesBetween(ctx.db, organizationId, from, lastDay, DAYS_AT_ONCE)
    for (const close of closes) {
      const detail = await problemOf(ctx, close, previous, rest)
      if (detail !== undefined) return proof({ day: close.day, detail })
      previous = close
      days += 1
    }
    if (previous === undefined || closes.length < DAYS_AT_ONCE) return proof(null)
    from = daysAfter(previous.day, 1)
  }
}

async function problemOf(
  ctx: Needs<'db'>,
  close: DailyClose,
  previous: DailyClose | undefined,
  rest: Rest,
): Promise<string | undefined> {
  const { organizationId, day, figuresText: figures, previousDigest } = close
  if ((previousDigest?.toString('hex') ?? '') !== (previous?.digest.toString('hex') ?? ''))
    return 'it does not follow the close before it: one was removed, changed or put in'
  if (!closeDigest({ organizationId, day, previousDigest, figures }).equals(close.digest))
    return 'its figures are not those that were digested'
  const fromId = previous === undefined ? FIRST_ID : firstIdAt(endOfDay(previous.day))
  const { bookings, parts } = await sumDay(
    ctx,
    organizationId,
    { fromId, beforeId: firstIdAt(endOfDay(day)) },
    rest,
  )
  if (movementsDigest(parts) !== close.figures.movementsDigest)
    return 'the transfers of the day are not those that were closed'
  const again = figuresOf(previous?.figures.closing ?? NO_MONEY, bookings)
  const { movementsDigest: digest, ...closed } = close.figures
  return figuresText(again, digest) === figuresText(closed, digest)
    ? undefined
    : 'its figures are not those of the ledger'
}

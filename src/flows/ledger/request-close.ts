// Somebody wants a day closed that has ended, before it is closed by itself.

import { type Day, endOfDay } from '../../core/bogota-day.ts'
import { WRITES_END_WITHIN_MS } from '../../core/ledger/daily-close.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { openDaysFrom } from '../../store/ledger/closing-marks.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { type ReportedDay, readDays } from './read-days.ts'

export async function requestClose(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  organizationId: string,
  day: Day,
  idempotency: Idempotency<ReportedDay> | null,
): Promise<ReportedDay | Refusal> {
  const now = ctx.clock.now()
  if (endOfDay(day) > now)
    return refuse('DAY_NOT_OVER', `${day} ends at midnight in Bogotá: it can be closed after that.`)
  await ctx.db.inTransaction(async (tx) => {
    // Of a day that is closed, or about to be, nothing changes.
    if (!(await openDaysFrom(tx, organizationId, endOfDay(day), now + WRITES_END_WITHIN_MS))) return
    const act = { act: 'day.close', before: null, after: { day } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: day })
  })
  // Summing a large day takes a while, and bookings wait for whoever holds the mark. To ask twice changes nothing, so the answer may
  // be recorded after the change.
  const [reported] = await readDays(ctx, organizationId, day, day)
  if (reported === undefined) throw new Error('a day that was asked for is not there')
  return changeOnce(ctx, organizationId, idempotency, async () => reported)
}

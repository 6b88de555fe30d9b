// The figures of the home page. They are read once for all who look at an organization's home at the same time, and for whoever
// comes in the moment after: the longer the reading took, the longer it serves, so that a large merchant's overview costs the
// database no more than a small one's.

import { bogotaDay, type Day, daysAfter, startOfDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { Context } from '../../flows/context.ts'
import { type Balances, readBalances } from '../../store/ledger/transfers.ts'
import { countOpenAlarms, type HeldMoney, heldMoney } from '../../store/ledger/views.ts'
import {
  type PayinEnding,
  type PayinFigure,
  type PayinFigures,
  payinEndings,
  payinFigures,
} from '../../store/payins/figures.ts'
import { countStoppedPayouts } from '../../store/payouts/next-work.ts'

export const DAYS_SHOWN = 14
// About a quarter of a second each.
const MAX_ROWS = 100_000
const LEAST_LIFE_MS = 300
const MOST_LIFE_MS = 15_000
const LIFE_PER_COST = 10
// What happened on days before today hardly changes.
const PAST_LIFE_MS = 60_000
const MAX_ORGANIZATIONS = 1_000

export type HomeFigures = {
  readonly balances: Balances
  readonly held: HeldMoney
  readonly alarms: number
  readonly stoppedPayouts: number
  readonly today: PayinFigures
  // The same day of the week before, until the same time of day.
  readonly weekBefore: readonly PayinFigure[]
  readonly past: PayinFigures
  readonly endings: readonly PayinEnding[]
}

type Kept<Value> = { readonly readAt: number; readonly until: number; readonly value: Promise<Value> }

// `freshInMs`: something has happened since they were read, and then they are read again. Otherwise 0.
export type HomeFiguresOf = (organizationId: string) => Promise<HomeFigures & { readonly freshInMs: number }>

export function createHomeFigures(ctx: Pick<Context, 'db' | 'clock' | 'signals'>): HomeFiguresOf {
  const signaledAt = new Map<string, number>()
  // What was read on a day serves on no other.
  const keyOf = (organizationId: string): string => `${organizationId} ${bogotaDay(ctx.clock.now())}`
  ctx.signals.onWork((_kind, organizationId) => {
    for (const changed of organizationId === undefined ? kept.keys() : [keyOf(organizationId)])
      if (kept.has(changed)) signaledAt.set(changed, performance.now())
  })
  const kept = new Map<string, Kept<HomeFigures>>()
  const keptPast = new Map<string, Kept<PayinFigures>>()
  const pastOf = (organizationId: string, today: Day): Promise<PayinFigures> => {
    const key = `${organizationId} ${today}`
    return fresh(
      keptPast,
      key,
      () => {
        const range = rangeOf(startOfDay(daysAfter(today, -(DAYS_SHOWN - 1))), startOfDay(today))
        return payinFigures(ctx.db, organizationId, range, MAX_ROWS)
      },
      () => PAST_LIFE_MS,
    )
  }
  const figuresOf = (organizationId: string, key: string): Promise<HomeFigures> =>
    fresh(
      kept,
      key,
      async () => {
        const now = ctx.clock.now()
        const today = bogotaDay(now)
        const begun = startOfDay(today)
        const ofToday = rangeOf(begun, null)
        const sameTime = rangeOf(begun - 7 * DAY_MS, now - 7 * DAY_MS)
        const [balances, held, alarms, stoppedPayouts, todays, before, past, endings] = await Promise.all([
          readBalances(ctx.db, organizationId),
          heldMoney(ctx.db, organizationId),
          countOpenAlarms(ctx.db, organizationId),
          countStoppedPayouts(ctx.db, organizationId),
          payinFigures(ctx.db, organizationId, ofToday, MAX_ROWS),
          payinFigures(ctx.db, organizationId, sameTime, MAX_ROWS),
          pastOf(organizationId, today),
          payinEndings(ctx.db, organizationId, ofToday, MAX_ROWS),
        ])
        return {
          balances,
          held,
          alarms,
          stoppedPayouts,
          today: todays,
          weekBefore: before.figures,
          past,
          endings,
        }
      },
      (costMs) => Math.min(MOST_LIFE_MS, Math.max(LEAST_LIFE_MS, costMs * LIFE_PER_COST)),
    )
  return async (organizationId) => {
    const key = keyOf(organizationId)
    const figures = await figuresOf(organizationId, key)
    const { readAt = 0, until = 0 } = kept.get(key) ?? {}
    const isOld = (signaledAt.get(key) ?? 0) >= readAt
    if (signaledAt.size > MAX_ORGANIZATIONS) signaledAt.clear()
    return {
      ...figures,
      freshInMs: isOld ? Math.min(MOST_LIFE_MS, Math.max(0, Math.ceil(until - performance.now()))) : 0,
    }
  }
}

function rangeOf(from: Instant, before: Instant | null): { fromId: string; beforeId: string } {
  return { fromId: firstIdAt(from), beforeId: before === null ? LAST_ID : firstIdAt(before) }
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// Whoever asks while it is being read waits for the same reading.
async function fresh<Value>(
  kept: Map<string, Kept<Value>>,
  key: string,
  read: () => Promise<Value>,
  lifeOf: (costMs: number) => number,
): Promise<Value> {
  const known = kept.get(key)
  if (known !== undefined && performance.now() < known.until) return known.value
  const startedAt = performance.now()
  const value = read()
  if (kept.size >= MAX_ORGANIZATIONS) kept.delete(kept.keys().next().value as string)
  kept.set(key, { readAt: startedAt, until: Number.POSITIVE_INFINITY, value })
  try {
    const found = await value
    const endedAt = performance.now()
    kept.set(key, { readAt: startedAt, until: endedAt + lifeOf(endedAt - startedAt), value })
    return found
  } catch (error) {
    kept.delete(key)
    throw error
  }
}

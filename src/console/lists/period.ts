// Which time a list is about: a preset, or days from the calendar, always in Bogotá. Ids contain their time, so a period is a
// range of ids.

import { bogotaDay, type Day, daysAfter, endOfDay, parseDay, startOfDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { IdBounds } from '../../store/keyset-list.ts'

export const PERIODS = [
  '24h',
  'today',
  'yesterday',
  '7d',
  '30d',
  'month',
  'last-month',
  'all',
  'days',
] as const
export type PeriodName = (typeof PERIODS)[number]

// So short that no list can take long, whatever the filters.
export const DEFAULT_PERIOD: PeriodName = '24h'

export type Period = {
  readonly name: PeriodName
  // Null: no bound on that side.
  readonly from: Instant | null
  readonly until: Instant | null
  // As they were chosen.
  readonly days: { readonly from: Day | null; readonly to: Day | null }
}

export function periodOf(query: URLSearchParams, now: Instant, usual = DEFAULT_PERIOD): Period {
  const from = parseDay(query.get('from') ?? '') ?? null
  const to = parseDay(query.get('to') ?? '') ?? null
  const named = PERIODS.find((name) => name === query.get('period'))
  const hasDays = from !== null || to !== null
  // A form sends days and a preset. Whichever was changed counts: `was` is the preset that the form was shown with.
  const isChosen = named !== undefined && named !== 'days' && (!hasDays || named !== query.get('was'))
  const name = isChosen ? named : hasDays ? 'days' : usual
  if (name === 'days')
    return {
      name,
      from: from === null ? null : startOfDay(from),
      until: to === null ? null : endOfDay(to),
      days: { from, to },
    }
  return { name, ...rangeOf(name, now), days: { from: null, to: null } }
}

function rangeOf(name: Exclude<PeriodName, 'days'>, now: Instant): Pick<Period, 'from' | 'until'> {
  const today = bogotaDay(now)
  const daysBack = (days: number): Instant => startOfDay(daysAfter(today, -days))
  switch (name) {
    case '24h':
      return { from: now - DAY_MS, until: null }
    case 'today':
      return { from: daysBack(0), until: null }
    case 'yesterday':
      return { from: daysBack(1), until: daysBack(0) }
    case '7d':
      return { from: daysBack(6), until: null }
    case '30d':
      return { from: daysBack(29), until: null }
    case 'month':
      return { from: startOfDay(firstOfMonth(today)), until: null }
    case 'last-month': {
      const end = firstOfMonth(today)
      return { from: startOfDay(firstOfMonth(daysAfter(end, -1))), until: startOfDay(end) }
    }
    case 'all':
      return { from: null, until: null }
  }
}

export function idBoundsOf({ from, until }: Pick<Period, 'from' | 'until'>): IdBounds {
  return {
    ...(from !== null && { fromId: firstIdAt(from) }),
    ...(until !== null && { beforeId: firstIdAt(until) }),
  }
}

function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`
}

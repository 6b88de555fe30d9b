// Days as they are reported: closed ones as they were written, the others summed as they stand now.

import { bogotaDay, type Day, daysAfter, endOfDay, parseDay } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { type DayFigures, figuresOf } from '../../core/ledger/daily-close.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import { lastBalances } from '../../store/ledger/balance-at.ts'
import { getClosingMark } from '../../store/ledger/closing-marks.ts'
import { closesBetween } from '../../store/ledger/daily-closes.ts'
import { sumsOfBookings } from '../../store/ledger/day-sums.ts'
import type { Needs } from '../context.ts'
import { type DayState, stateOfDay } from './close-days.ts'

const PATIENT_MS = 20_000

export type ReportedDay = {
  readonly day: Day
  readonly state: DayState
  readonly figures: DayFigures
  // Of a closed day that had movements.
  readonly proof: {
    readonly digest: string
    readonly previousDigest: string | null
    readonly movementsDigest: string
  } | null
  readonly closedAt: Instant | null
}

// Both days included; neither before the organization nor in the future.
export async function readDays(
  ctx: Needs<'db'>,
  organizationId: string,
  from: Day,
  until: Day,
): Promise<ReportedDay[]> {
  // The mark first: a day that it calls closed has its close by then, or needs none.
  const mark = await getClosingMark(ctx.db, organizationId)
  const [closes, before] = await Promise.all([
    closesBetween(ctx.db, organizationId, from, until),
    lastBalances(ctx.db, organizationId, from),
  ])
  const written = new Map(closes.map((close) => [close.day, close]))
  const days: ReportedDay[] = []
  let { balances, fromId } = before
  for (let day = from; day <= until; day = daysAfter(day, 1)) {
    const state = stateOfDay(mark, day)
    const close = written.get(day)
    const beforeId = firstIdAt(endOfDay(day))
    if (close !== undefined) {
      const { figures, digest, previousDigest, closedAt } = close
      const { movementsDigest } = figures
      const previous = previousDigest?.toString('hex') ?? null
      days.push({
        day,
        state: 'CLOSED',
        figures,
        proof: { digest: digest.toString('hex'), previousDigest: previous, movementsDigest },
        closedAt,
      })
      balances = figures.closing
    } else {
      const range = { fromId, beforeId }
      // A closed day without a close had no movement.
      const sums =
        state === 'CLOSED'
          ? []
          : await ctx.db.inTransaction((tx) => sumsOfBookings(tx, organizationId, range), {
              timeoutMs: PATIENT_MS,
            })
      const figures = figuresOf(balances, sums)
      days.push({ day, state, figures, proof: null, closedAt: null })
      balances = figures.closing
    }
    fromId = beforeId
  }
  return days
}

// What is wrong with a day that somebody asks about. Undefined: nothing.
export function dayProblem(
  path: string,
  text: string,
  organization: Pick<Organization, 'createdAt'>,
  now: Instant,
): FieldProblem | undefined {
  const day = parseDay(text)
  if (day === undefined) return { path, code: 'WRONG_FORMAT', message: 'must be a day such as 2026-11-14' }
  const today = bogotaDay(now)
  if (day > today)
    return { path, code: 'NOT_ALLOWED', message: `is in the future: today is ${today} in Bogotá` }
  const first = bogotaDay(organization.createdAt)
  if (day < first)
    return {
      path,
      code: 'NOT_ALLOWED',
      message: `is before the organization existed: its first day is ${first}`,
    }
  return undefined
}

export type Month = { readonly from: Day; readonly until: Day }

// Of a month only the days that the organization has seen. A month is written YYYY-MM.
export function monthOf(
  text: string,
  organization: Pick<Organization, 'createdAt'>,
  now: Instant,
): Month | FieldProblem {
  const path = '/month'
  const first = /^\d{4}-\d{2}$/.test(text) ? parseDay(`${text}-01`) : undefined
  if (first === undefined) return { path, code: 'WRONG_FORMAT', message: 'must be a month such as 2026-11' }
  const today = bogotaDay(now)
  if (first > today)
    return { path, code: 'NOT_ALLOWED', message: `is in the future: today is ${today} in Bogotá` }
  const last = daysAfter(`${daysAfter(first, 31).slice(0, 7)}-01`, -1)
  const born = bogotaDay(organization.createdAt)
  if (last < born)
    return {
      path,
      code: 'NOT_ALLOWED',
      message: `is before the organization existed: its first day is ${born}`,
    }
  return { from: first < born ? born : first, until: last > today ? today : last }
}

// Reconciles one day of one network: fetches its statement page by page, then compares it with the books, once. Each page is
// stored together with the cursor of the next, so whoever takes the day up after a crash goes on with the next page.

import { endOfDay, startOfDay } from '../../core/bogota-day.ts'
import {
  attributionOf,
  cursorDigest,
  matchKey,
  type StatementPage,
} from '../../core/connections/statement.ts'
import { isoInstant, MINUTE_MS } from '../../core/instant.ts'
import {
  FINDING_KINDS,
  type FindingKind,
  MIDNIGHT_MARGIN_MS,
  recheckAt,
  statementRetryAt,
} from '../../core/ledger/reconciliation.ts'
import type { ReadStatement } from '../../rails/rail.ts'
import type { Queryable } from '../../store/db.ts'
import { isDistributed } from '../../store/distribute.ts'
import * as comparison from '../../store/ledger/comparison.ts'
import * as findings from '../../store/ledger/findings.ts'
import { resolveLateAlarm } from '../../store/ledger/late-statements.ts'
import * as otherDays from '../../store/ledger/other-days.ts'
import {
  type OrganizationTotals,
  readTotals,
  writeReconciliations,
} from '../../store/ledger/reconciliations.ts'
import { spreadComparison } from '../../store/ledger/spread-comparison.ts'
import { insertLines, type NewLine } from '../../store/ledger/statement-lines.ts'
import {
  addToTotals,
  advanceRun,
  deferRun,
  failRun,
  finishRun,
  type StatementClaim,
} from '../../store/ledger/statement-runs.ts'
import type { Needs } from '../context.ts'

// A worker has a day for this long after each page, and for this long to compare it.
export const PAGE_LEASE_MS = 3 * MINUTE_MS
const COMPARISON_LEASE_MS = 15 * MINUTE_MS
const COMPARISON_LIMIT = { timeoutMs: 10 * MINUTE_MS }

export type ReconcileOutcome =
  | {
      outcome: 'compared'
      lines: number
      organizations: number
      matched: number
      found: Record<FindingKind, number>
    }
  // The network says that the day is not complete, or did not answer.
  | { outcome: 'late' | 'unanswered'; why: string }
  // Another worker has the day.
  | { outcome: 'lost' }

type Fetched = { outcome: 'complete'; lines: number } | Exclude<ReconcileOutcome, { outcome: 'compared' }>

export async function reconcile(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks' | 'signals'>,
  claim: StatementClaim,
): Promise<ReconcileOutcome> {
  const statement = ctx.networks.statement[claim.rail]
  if (statement === undefined) throw new Error(`${claim.rail} has no statement`)
  try {
    const fetched = await fetchStatement(ctx, claim, statement)
    return fetched.outcome === 'complete' ? await compare(ctx, claim, fetched.lines) : fetched
  } catch (error) {
    await rememberFailure(ctx, claim, error)
    throw error
  }
}

// Enough to see what went wrong.
const MAX_FAILURE_CHARACTERS = 500

// A day that fails each time must not fail in silence. If even this cannot be written, the lease ends, and the day is late.
async function rememberFailure(
  ctx: Needs<'clock' | 'db'>,
  claim: StatementClaim,
  error: unknown,
): Promise<void> {
  const failure = `it failed: ${error instanceof Error ? error.message : String(error)}`
  const failed = {
    failure: failure.slice(0, MAX_FAILURE_CHARACTERS),
    anewAfter: FAILURES_BEFORE_NEW_FETCH,
    dueAt: statementRetryAt(claim.attempts, ctx.clock.now()),
  }
  await failRun(ctx.db, claim, failed).catch(() => {})
}

// Forty million lines, if the network fills its pages. One that names ever more pages has no last one.
const MAX_PAGES = 20_000

async function fetchStatement(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  claim: StatementClaim,
  statement: ReadStatement,
): Promise<Fetched> {
  let lines = Number(claim.lines)
  if (claim.state === 'COMPARING') return { outcome: 'complete', lines }
  const seen = new Set(claim.seenCursors)
  const ask = (cursor: string | null) => statement(startOfDay(claim.day), endOfDay(claim.day), cursor)
  // The next page is asked for while this one is stored, so that network and database work at the same time.
  let asked: ReturnType<ReadStatement> | null = ask(claim.cursor)
  while (asked !== null) {
    const answer: Awaited<ReturnType<ReadStatement>> = await asked
    if (answer.outcome !== 'accepted')
      return postpone(ctx, claim, answer.outcome === 'unknown' ? answer.why : answer.networkCode)
    const page: StatementPage = answer.value
    if (!page.complete) return waitForNetwork(ctx, claim)
    const digest = page.nextCursor === null ? null : cursorDigest(page.nextCursor)
    if (digest !== null && seen.has(digest))
      return refusePages(ctx, claim, 'the pages lead back to one that was read')
    if (digest !== null && seen.size >= MAX_PAGES)
      return refusePages(ctx, claim, `there are more than ${MAX_PAGES} pages`)
    if (digest !== null) seen.add(digest)
    asked = page.nextCursor === null ? null : ask(page.nextCursor)
    // Awaited when this page is stored. A failure that nobody handles until then would end the process.
    asked?.catch(() => {})
    if (!(await storePage(ctx, claim, page, digest))) return { outcome: 'lost' }
    ctx.signals.crashPoint('statement-after-page')
    lines += page.lines.length + page.unreadable.length
  }
  return { outcome: 'complete', lines }
}

async function storePage(
  ctx: Needs<'clock' | 'db'>,
  claim: StatementClaim,
  page: StatementPage,
  digest: string | null,
): Promise<boolean> {
  const lines = linesOf(page)
  const leaseMs = page.nextCursor === null ? COMPARISON_LEASE_MS : PAGE_LEASE_MS
  return ctx.db.inTransaction(async (tx) => {
    const leaseUntil = ctx.clock.now() + leaseMs
    const { nextCursor } = page
    const advanced = { nextCursor, cursorDigest: digest, lines: lines.length, leaseUntil }
    const isOurs = await advanceRun(tx, claim, advanced)
    if (isOurs) await insertLines(tx, claim, lines)
    return isOurs
  })
}

function linesOf({ lines, unreadable }: StatementPage): NewLine[] {
  const read = lines.map((line): NewLine => {
    const attribution = attributionOf(line.reference, line.movement)
    return { ...line, ...attribution, matchKey: matchKey(line, attribution.subjectId), raw: null }
  })
  const unread = unreadable.map(
    ({ reference, raw, why }): NewLine => ({
      ...attributionOf(reference, null),
      matchKey: `unreadable ${raw}`,
      networkId: '',
      reference,
      amountInCents: 0n,
      occurredAt: null,
      raw: `${why}: ${raw}`,
    }),
  )
  return [...read, ...unread]
}

// After this many failures in a row the first page is asked for again: a network may have forgotten an old cursor.
const FAILURES_BEFORE_NEW_FETCH = 3

async function postpone(ctx: Needs<'clock' | 'db'>, claim: StatementClaim, why: string): Promise<Fetched> {
  const failures = claim.attempts + 1
  const state = failures % FAILURES_BEFORE_NEW_FETCH === 0 ? 'WAITING' : 'FETCHING'
  await deferRun(ctx.db, claim, {
    state,
    failure: why,
    dueAt: statementRetryAt(claim.attempts, ctx.clock.now()),
  })
  return { outcome: 'unanswered', why }
}

// What was read may be a part of the day, or all of it twice, so the next fetch begins anew.
async function refusePages(ctx: Needs<'clock' | 'db'>, claim: StatementClaim, why: string): Promise<Fetched> {
  const dueAt = statementRetryAt(claim.attempts, ctx.clock.now())
  await deferRun(ctx.db, claim, { state: 'WAITING', failure: why, dueAt })
  return { outcome: 'unanswered', why }
}

async function waitForNetwork(ctx: Needs<'clock' | 'db'>, claim: StatementClaim): Promise<Fetched> {
  const why = 'the network says that the day is not complete'
  const dueAt = statementRetryAt(claim.attempts, ctx.clock.now())
  await deferRun(ctx.db, claim, { state: 'LATE', failure: why, dueAt })
  return { outcome: 'late', why }
}

async function compare(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals'>,
  claim: StatementClaim,
  lines: number,
): Promise<ReconcileOutcome> {
  const now = ctx.clock.now()
  const compared = await ctx.db.inTransaction(async (tx) => {
    if (!(await finishRun(tx, claim, now, recheckAt(claim.day, now)))) return undefined
    const totals = await compareInSets(ctx, tx, claim, now)
    const found = countFindings(totals)
    await addToTotals(tx, claim, lines, found)
    await resolveLateAlarm(tx, claim, now)
    return { totals, found }
  }, COMPARISON_LIMIT)
  if (compared === undefined) return { outcome: 'lost' }
  const { totals, found } = compared
  ctx.signals.workAdded('notices')
  const matched = totals.reduce(
    (sum, { matchedIn, matchedOut }) => sum + matchedIn.count + matchedOut.count,
    0,
  )
  return { outcome: 'compared', lines, organizations: totals.length, matched, found }
}

function countFindings(totals: readonly OrganizationTotals[]): Record<FindingKind, number> {
  const count = (kind: FindingKind) => totals.reduce((sum, { found }) => sum + found[kind].count, 0)
  return Object.fromEntries(FINDING_KINDS.map((kind) => [kind, count(kind)])) as Record<FindingKind, number>
}

async function compareInSets(
  ctx: Needs<'ids'>,
  tx: Queryable,
  { rail, day, run }: StatementClaim,
  now: number,
): Promise<OrganizationTotals[]> {
  const [from, to] = [startOfDay(day), endOfDay(day)]
  const judged = { rail, day, run, from: from - MIDNIGHT_MARGIN_MS, to: to - MIDNIGHT_MARGIN_MS }
  const step = (await isDistributed(tx)) ? spreadComparison : { ...comparison, ...otherDays, ...findings }
  await comparison.openComparison(tx)
  await comparison.collectLines(tx, judged, [isoInstant(from), isoInstant(to)])
  await otherDays.releaseUnlisted(tx, judged, now)
  await step.giveToNetworkOnly(tx, rail)
  await comparison.collectBookings(tx, judged)
  await comparison.matchLinesWithBookings(tx)
  await step.describeLines(tx, judged)
  await step.collectOtherDays(tx, judged)
  await otherDays.takeBookingsOfOtherDays(tx, judged)
  await otherDays.markRepeated(tx, judged)
  await otherDays.takeLinesOfOtherDays(tx, judged)
  if (recheckAt(day, now) !== null) await otherDays.leaveToDayBefore(tx, judged, from)
  await otherDays.rememberTaken(tx, rail)
  await step.compareWithPayouts(tx)
  await findings.classifyDisagreements(tx, judged)
  await step.markNewFindings(tx, judged)
  await findings.writeFindings(tx, judged, now)
  await findings.raiseAlarms(tx, judged, now)
  await findings.insertNoticesOfNetworkOnly(tx, judged, now)
  await findings.insertNoticesOfTraces(tx, judged, now)
  await findings.resolveGone(tx, judged, now)
  await step.resolveListedOnOtherDay(tx, rail, now)
  await step.resolveSinceBooked(tx, rail, now)
  const totals = await readTotals(tx)
  const rows = totals.map((one) => ({ ...one, reconciliationId: ctx.ids.next() }))
  await writeReconciliations(tx, judged, rows, now)
  return totals
}

// recaudo reconcile: compares a day of the networks' own record with our books, now, and shows which days were compared.

import { bogotaDay, type Day, parseDay } from '../core/bogota-day.ts'
import { RAILS, type Rail } from '../core/connections/rail.ts'
import { isoInstant, isoOrNull } from '../core/instant.ts'
import type { FindingKind } from '../core/ledger/reconciliation.ts'
import { centsToDecimal } from '../core/money.ts'
import type { Context } from '../flows/context.ts'
import { firstDay, reconcilableRails, reconcileNow } from '../flows/ledger/reconcile-due.ts'
import { listOpenFindings, type OpenFinding } from '../store/ledger/reconciliations.ts'
import { getRun, type ListedRun, listRuns, type StatementRun } from '../store/ledger/statement-runs.ts'
import { readClockOffset } from '../store/staging-clock.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'

const LISTED_RUNS = 60
const LISTED_FINDINGS = 1_000

export async function reconcileDay(ctx: Context, flags: Flags): Promise<Row[]> {
  // In staging the day may be over only on the clock that was moved.
  if (ctx.settings.environment === 'staging') ctx.clock.setOffset(await readClockOffset(ctx.db))
  const day = await dayOf(ctx, flags.day)
  const rows: Row[] = []
  for (const rail of railsOf(ctx, flags.rail)) rows.push(await reconcileRail(ctx, rail, day))
  return rows
}

export async function showRuns(ctx: Context): Promise<Row[]> {
  return (await listRuns(ctx.db, LISTED_RUNS)).map((run) => ({
    day: run.day,
    rail: run.rail,
    ...progressOf(run),
  }))
}

export async function showFindings(ctx: Context, flags: Flags): Promise<Row[]> {
  if (ctx.settings.environment === 'staging') ctx.clock.setOffset(await readClockOffset(ctx.db))
  const day = await dayOf(ctx, flags.day)
  const rails = railsOf(ctx, flags.rail)
  return (await listOpenFindings(ctx.db, { day, rails, limit: LISTED_FINDINGS })).map(findingRow)
}

function findingRow(finding: OpenFinding): Row {
  const pesos = (cents: bigint | null) => (cents === null ? null : centsToDecimal(cents))
  return {
    organizationId: finding.organizationId,
    rail: finding.rail,
    kind: finding.kind,
    movement: finding.movement,
    networkId: finding.networkId,
    networkPesos: pesos(finding.networkAmountInCents),
    bookedPesos: pesos(finding.ourAmountInCents),
    times: finding.times,
    subjectId: finding.subjectId,
    createdAt: isoInstant(finding.createdAt),
  }
}

async function reconcileRail(ctx: Context, rail: Rail, day: Day): Promise<Row> {
  const done = await reconcileNow(ctx, rail, day)
  if (done === undefined || done.result.outcome === 'lost')
    throw new OperatorFailure(
      `Another process is reconciling ${day} of ${rail}: \`recaudo reconcile list\` shows how far it is.`,
    )
  const { result } = done
  if (result.outcome !== 'compared') {
    const run = (await getRun(ctx.db, rail, day)) as StatementRun
    throw new OperatorFailure(
      `${day} of ${rail} was not compared: ${result.why}. It is tried again at ${isoOrNull(run.dueAt)}.`,
    )
  }
  const found = (kind: FindingKind): number => result.found[kind]
  return {
    day,
    rail,
    lines: result.lines,
    organizations: result.organizations,
    matched: result.matched,
    networkOnly: found('NETWORK_ONLY'),
    oursOnly: found('OURS_ONLY'),
    amountDiffers: found('AMOUNT_DIFFERS'),
    traceDiffers: found('TRACE_DIFFERS'),
    doubled: found('DOUBLED'),
    otherDay: found('OTHER_DAY'),
    unreadable: found('UNREADABLE'),
  }
}

function progressOf(run: ListedRun): Row {
  const { state, lines, openFindings, attempts, failure, dueAt, finishedAt } = run
  return {
    state,
    lines: Number(lines),
    openFindings,
    attempts,
    finishedAt: isoOrNull(finishedAt),
    dueAt: isoOrNull(dueAt),
    failure,
  }
}

async function dayOf(ctx: Context, given: unknown): Promise<Day> {
  if (typeof given !== 'string') throw usage('--day is required, such as --day 2026-11-14.')
  const day = parseDay(given)
  if (day === undefined) throw usage(`--day must be a day such as 2026-11-14, not ${JSON.stringify(given)}.`)
  const today = bogotaDay(ctx.clock.now())
  if (day === today) throw usage(`${day} is today in Bogotá: a day is reconciled when it is over.`)
  if (day > today) throw usage(`${day} has not come yet: in Bogotá it is ${today}.`)
  const first = await firstDay(ctx)
  if (first === null) throw usage('There is no organization yet, so there is nothing to reconcile.')
  if (day < first)
    throw usage(`${day} is before ${first}, when Recaudo was set up here: nothing was paid then.`)
  return day
}

function railsOf(ctx: Context, given: unknown): readonly Rail[] {
  const rails = reconcilableRails(ctx)
  if (given === undefined) return rails
  const rail = RAILS.find((one) => one === given)
  if (rail === undefined) throw usage(`--rail must be ${RAILS.join(' or ')}, not ${JSON.stringify(given)}.`)
  if (!rails.includes(rail)) throw usage(`${rail} gives no statement, so it cannot be reconciled.`)
  return [rail]
}

function usage(message: string): OperatorFailure {
  return new OperatorFailure(message, USAGE_EXIT_CODE)
}

// recaudo suspense | ledger | alarm | exchange: resolves suspense and alarms, checks the books, and shows what the
// networks were asked and answered.

import { bogotaDay } from '../core/bogota-day.ts'
import { railReference } from '../core/connections/reference.ts'
import { isUuid } from '../core/ids.ts'
import { isoInstant } from '../core/instant.ts'
import { centsToDecimal } from '../core/money.ts'
import type { Context } from '../flows/context.ts'
import { attachSuspense, type Clearing, returnSuspense } from '../flows/ledger/clear-suspense.ts'
import { releaseByHand } from '../flows/ledger/release-by-hand.ts'
import { resolveAlarm } from '../flows/ledger/resolve-alarm.ts'
import { verifyCloses } from '../flows/ledger/verify-closes.ts'
import { listExchanges } from '../store/connections/exchanges.ts'
import { listOpenAlarms } from '../store/ledger/alarms.ts'
import { listSuspense, type SuspenseItem } from '../store/ledger/suspense.ts'
import { verifyLedger } from '../store/ledger/verify.ts'
import { listMerchants, listOrganizations } from '../store/organizations/organizations.ts'
import { organizationOf } from './credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'

export async function showSuspense(ctx: Context, flags: Flags): Promise<Row[]> {
  return (await listSuspense(ctx.db, flags.all === true)).map(suspenseRow)
}

export async function returnSuspenseItem(ctx: Context, _flags: Flags, suspenseId: string): Promise<Row> {
  return cleared(await returnSuspense(ctx, uuidOf(suspenseId)))
}

export async function attachSuspenseItem(ctx: Context, flags: Flags, suspenseId: string): Promise<Row> {
  if (typeof flags.payin !== 'string') throw new OperatorFailure('--payin is required.', USAGE_EXIT_CODE)
  return cleared(await attachSuspense(ctx, uuidOf(suspenseId), uuidOf(flags.payin)))
}

export async function releaseSuspenseItem(ctx: Context, _flags: Flags, suspenseId: string): Promise<Row> {
  return cleared(await releaseByHand(ctx, uuidOf(suspenseId)))
}

function uuidOf(id: string): string {
  if (!isUuid(id)) throw new OperatorFailure(`${id} is not an id.`, USAGE_EXIT_CODE)
  return id.toLowerCase()
}

function cleared(clearing: Clearing): Row {
  if ('problem' in clearing) throw new OperatorFailure(`Nothing was booked: ${clearing.problem}.`)
  return suspenseRow(clearing.item)
}

function suspenseRow(item: SuspenseItem): Row {
  return {
    suspenseId: item.suspenseId,
    organizationId: item.organizationId,
    payinId: item.payinId,
    rail: item.rail,
    paymentId: item.paymentId,
    pesos: centsToDecimal(item.amountInCents),
    chargedBackPesos: centsToDecimal(item.chargedBackInCents),
    reason: item.reason,
    state: item.state,
    attachedTo: item.attachedTo,
    createdAt: isoInstant(item.createdAt),
  }
}

// Exits with an error if a check fails, so that a nightly script needs only the exit code.
export async function verifyLedgerCommand(ctx: Context): Promise<Row> {
  const findings = await verifyLedger(ctx.db)
  const [first] = findings
  if (first !== undefined) {
    const lines = findings.map(
      ({ organizationId, check, detail }) => `  ${organizationId}: not so that ${check}: ${detail}`,
    )
    throw new OperatorFailure(`The books do not hold:\n${lines.join('\n')}`)
  }
  return { booksHold: true, organizations: (await listMerchants(ctx.db)).length }
}

// Exits with an error if a close does not hold, so that a nightly script needs only the exit code.
export async function verifyClosesCommand(ctx: Context, flags: Flags): Promise<Row[]> {
  const organizationIds =
    typeof flags.org === 'string'
      ? [await organizationOf(ctx, flags)]
      : (await listOrganizations(ctx.db)).map(({ organizationId }) => organizationId)
  const today = bogotaDay(ctx.clock.now())
  const rows: Row[] = []
  const problems: string[] = []
  for (const organizationId of organizationIds) {
    const { problem, ...proof } = await verifyCloses(ctx, organizationId, today, async () => {})
    if (problem !== null) problems.push(`  ${organizationId}, ${problem.day}: ${problem.detail}.`)
    rows.push({ organizationId, ...proof })
  }
  if (problems.length > 0) throw new OperatorFailure(`The closes do not hold:\n${problems.join('\n')}`)
  return rows
}

export async function showAlarms(ctx: Context): Promise<Row[]> {
  return (await listOpenAlarms(ctx.db)).map((alarm) => ({ ...alarm, createdAt: isoInstant(alarm.createdAt) }))
}

export async function resolveAlarmCommand(ctx: Context, _flags: Flags, alarmId: string): Promise<Row> {
  if (!(await resolveAlarm(ctx, uuidOf(alarmId)))) {
    throw new OperatorFailure(`No open alarm has the id ${alarmId}: \`recaudo alarm list\` shows them.`)
  }
  return { alarmId, resolved: true }
}

export async function showExchanges(ctx: Context, _flags: Flags, id: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const { organizationId } of await listOrganizations(ctx.db)) {
    for (const kind of ['payin', 'payout', 'return'] as const) {
      const exchanges = await listExchanges(
        ctx.db,
        organizationId,
        railReference(kind, organizationId, uuidOf(id)),
      )
      rows.push(
        ...exchanges.map(({ at, operation, status, tookMs, failure, request, response }) => ({
          at: isoInstant(at),
          operation,
          status,
          tookMs,
          failure,
          request,
          response,
        })),
      )
    }
  }
  return rows
}

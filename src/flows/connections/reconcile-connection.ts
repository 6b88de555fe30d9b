// Compares a day of a connection with its provider's own list, where the provider has one. A payment that only the provider lists is
// asked about, which books it; one that only we have, or of another amount, a person must look at.

import { bogotaDay, type Day, daysAfter, endOfDay, startOfDay } from '../../core/bogota-day.ts'
import { PROVIDER_DESCRIPTIONS, PROVIDERS } from '../../core/connections/provider.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { parseRailReference } from '../../core/connections/reference.ts'
import type { StatementLine } from '../../core/connections/statement.ts'
import { HOUR_MS, type Instant } from '../../core/instant.ts'
import { lastClosedDay } from '../../core/ledger/reconciliation.ts'
import type { ReadStatement } from '../../rails/rail.ts'
import {
  type BookedPayment,
  bookedAmount,
  bookedPayins,
  bookedPayouts,
  type ConnectionDays,
  claimConnectionDay,
  connectionsToReconcile,
  finishConnectionDay,
} from '../../store/connections/connection-days.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'
import { receiveHint } from './receive-hint.ts'

export type ConnectionReconciled = {
  readonly connectionId: string
  readonly day: Day
  readonly outcome: 'compared' | 'unanswered'
  readonly lines: number
  // Payments that we asked about, because only the provider lists them.
  readonly asked: number
  readonly alarms: number
}

type Listed = StatementLine & { readonly rail: Rail }
type Ctx = Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'signals'>

const LISTING = PROVIDERS.filter((provider) => PROVIDER_DESCRIPTIONS[provider].lists.length > 0)
// A worker has a day for this long, and one that could not be compared is tried again after it.
const LEASE_MS = HOUR_MS
const CANDIDATES = 10
// The provider's clock and ours see a payment at different times, and the day ends between them.
const MIDNIGHT_MARGIN_MS = HOUR_MS
const MAX_PAGES = 10_000

// The oldest day that is due, of any connection. Undefined if none is.
export async function reconcileNextConnection(ctx: Ctx): Promise<ConnectionReconciled | undefined> {
  const now = ctx.clock.now()
  const last = lastClosedDay(now)
  for (const candidate of await connectionsToReconcile(ctx.db, LISTING, last, now, CANDIDATES)) {
    const until = now + LEASE_MS
    if (!(await claimConnectionDay(ctx.db, candidate, until))) continue
    const { reconciledDay, createdAt } = candidate
    const day = reconciledDay === null ? bogotaDay(createdAt) : daysAfter(reconciledDay, 1)
    const result = await reconcileDay(ctx, candidate, day)
    if (result.outcome === 'compared') await finishConnectionDay(ctx.db, candidate, until, day, now)
    return result
  }
  return undefined
}

async function reconcileDay(ctx: Ctx, connection: ConnectionDays, day: Day): Promise<ConnectionReconciled> {
  const { connectionId } = connection
  const rails = await ctx.networks.connected(connection)
  const from = startOfDay(day)
  const to = endOfDay(day)
  const lines: Listed[] = []
  for (const rail of RAILS) {
    const statement = rails?.statement[rail]
    const read = statement && (await readAll(statement, from - MIDNIGHT_MARGIN_MS, to + MIDNIGHT_MARGIN_MS))
    if (rails === undefined || (statement !== undefined && read === undefined))
      return { connectionId, day, outcome: 'unanswered', lines: 0, asked: 0, alarms: 0 }
    lines.push(...(read ?? []).map((line) => ({ ...line, rail })))
  }
  const asked = await askAboutUnknown(ctx, connection, lines)
  const shown = PROVIDER_DESCRIPTIONS[connection.provider].lists
  let alarms = 0
  if (shown.includes('credit')) {
    const booked = await bookedPayins(ctx.db, connection, from, to)
    alarms += await raiseMissing(ctx, connection, 'payin', booked, lines, day)
  }
  if (shown.includes('debit')) {
    const booked = await bookedPayouts(ctx.db, connection, from, to)
    alarms += await raiseMissing(ctx, connection, 'payout', booked, lines, day)
  }
  return { connectionId, day, outcome: 'compared', lines: lines.length, asked, alarms }
}

// Undefined: the provider did not answer, or a line cannot be read. Then the day says nothing.
async function readAll(
  statement: ReadStatement,
  from: Instant,
  to: Instant,
): Promise<StatementLine[] | undefined> {
  const lines: StatementLine[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer: Awaited<ReturnType<ReadStatement>> = await statement(from, to, cursor)
    if (answer.outcome !== 'accepted' || !answer.value.complete || answer.value.unreadable.length > 0)
      return undefined
    lines.push(...answer.value.lines)
    cursor = answer.value.nextCursor
    if (cursor === null) return lines
  }
  return undefined
}

async function askAboutUnknown(
  ctx: Ctx,
  { organizationId, connectionId }: ConnectionDays,
  lines: readonly Listed[],
): Promise<number> {
  let asked = 0
  for (const { rail, movement, networkId, reference, providerId, amountInCents } of lines) {
    const named = parseRailReference(reference)
    // Sales that the merchant made elsewhere with the same account.
    const isOurs = named?.organizationId === organizationId
    if (!isOurs && providerId === undefined) continue
    if (movement !== 'credit' && movement !== 'debit') continue
    if (
      movement === 'credit' &&
      (await bookedAmount(ctx.db, organizationId, rail, networkId)) === amountInCents
    )
      continue
    if (movement === 'debit' && isOurs && (await isConfirmed(ctx, organizationId, named.id))) continue
    const kind = movement === 'credit' ? 'payin' : 'payout'
    asked += await receiveHint(
      ctx,
      { organizationId, connectionId },
      { ask: [isOurs ? { kind, reference } : { kind, providerId: providerId as string }], kind: LISTED },
    )
  }
  return asked
}

const LISTED = 'listed by the provider'

async function isConfirmed(
  ctx: Needs<'batched'>,
  organizationId: string,
  payoutId: string,
): Promise<boolean> {
  return (await ctx.batched.getPayout({ organizationId, payoutId }))?.status === 'CONFIRMED'
}

async function raiseMissing(
  ctx: Ctx,
  { organizationId, connectionId }: ConnectionDays,
  kind: 'payin' | 'payout',
  booked: readonly BookedPayment[],
  lines: readonly StatementLine[],
  day: Day,
): Promise<number> {
  const listed = new Map(
    lines.map(({ networkId, reference, amountInCents }) => [
      kind === 'payin' ? networkId : (parseRailReference(reference)?.id ?? ''),
      amountInCents,
    ]),
  )
  let alarms = 0
  for (const { id, networkId, amountInCents } of booked) {
    const inList = listed.get(kind === 'payin' ? networkId : id)
    if (inList === amountInCents) continue
    const what = inList === undefined ? 'does not show it' : `shows it with ${inList} cents`
    const detail = `we booked ${amountInCents} cents (${networkId}), and connection ${connectionId}’s list of ${day} ${what}`
    const alarm = { alarmId: ctx.ids.next(), kind: `${kind}-contradiction`, detail } as const
    await insertAlarm(ctx.db, organizationId, id, alarm, ctx.clock.now())
    alarms += 1
  }
  return alarms
}

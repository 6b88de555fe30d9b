// A world in which days pass, with the networks' statements and what came of them.

import pino from 'pino'
import { bogotaDay, type Day, daysAfter, endOfDay, startOfDay } from '../../../src/core/bogota-day.ts'
import type { Rail } from '../../../src/core/connections/rail.ts'
import type { StatementLine, UnreadableLine } from '../../../src/core/connections/statement.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import type { Context } from '../../../src/flows/context.ts'
import { type Reconciled, reconcileNextDue, reconcileNow } from '../../../src/flows/ledger/reconcile-due.ts'
import { type ReadStatement, unknown } from '../../../src/rails/rail.ts'
import type { FaultPlan } from '../../../src/sandbox/faults.ts'
import type { LogEntry } from '../../../src/sandbox/records.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { createWorld, type World, type WorldOptions } from '../../world.ts'

// Opens at ten in the morning in Bogotá, far from midnight.
export async function openDay(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld(options)
  const tomorrow = daysAfter(today(world), 1)
  await passUntil(world, startOfDay(tomorrow) + 10 * HOUR_MS)
  return world
}

export const today = (world: World): Day => bogotaDay(world.ctx.clock.now())

export async function passUntil(world: World, instant: number): Promise<void> {
  await world.passTime(instant - world.ctx.clock.now())
}

// Past midnight, and past the time in which a closed day is left alone.
export async function endDay(world: World): Promise<Day> {
  const day = today(world)
  await passUntil(world, endOfDay(day) + HOUR_MS)
  return day
}

export async function setFaults(world: World, plan: Partial<FaultPlan>): Promise<void> {
  const response = await fetch(`${world.sandbox.controlUrl}/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${world.config.breb.clientSecret}` },
    body: JSON.stringify({ plan }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

// Reconciles all days that are due, as the workers would.
export async function reconcileAll(ctx: Context): Promise<Reconciled[]> {
  const done: Reconciled[] = []
  for (;;) {
    const one = await reconcileNextDue(ctx)
    if (one === undefined) return done
    done.push(one)
  }
}

export async function compareNow(
  world: World,
  day: Day,
  rail: Rail = 'BRE_B',
  statement = world.ctx.networks.statement[rail],
) {
  const networks = { ...world.ctx.networks, statement: { [rail]: statement } }
  const done = await reconcileNow({ ...world.ctx, networks }, rail, day)
  if (done?.result.outcome !== 'compared') throw new Error(`not compared: ${JSON.stringify(done?.result)}`)
  return done.result
}

// The line of a movement, as its network lists it.
export function lineOf(entry: LogEntry | undefined, changes: Partial<StatementLine> = {}): StatementLine {
  if (entry === undefined) throw new Error('nothing moved')
  const { movement, reference, amountInCents, traceId, at } = entry
  return { movement, reference, networkId: traceId, amountInCents, occurredAt: at, ...changes }
}

// A statement of these lines, in one page.
export function listing(
  lines: readonly StatementLine[],
  unreadable: readonly UnreadableLine[] = [],
): ReadStatement {
  return async () => ({
    outcome: 'accepted',
    value: { lines, unreadable, nextCursor: null, complete: true },
  })
}

// The networks answer no question about a payin, and notify nobody: only a statement tells what they know.
export function silentNetworks(world: World): Context {
  const silent = async () => unknown('timeout', 'silent')
  const { BRE_B, PSE } = world.ctx.networks.payins
  return {
    ...world.ctx,
    networks: {
      ...world.ctx.networks,
      payins: {
        BRE_B: { ...BRE_B, query: silent, cancel: silent },
        PSE: { ...PSE, query: silent, cancel: silent },
      },
      payouts: { ...world.ctx.networks.payouts, query: silent },
    },
  }
}

export async function passTimeSilently(world: World, ms: number): Promise<void> {
  const ctx = silentNetworks(world)
  const log = pino({ level: 'silent' })
  await runAllDue(ctx, log)
  world.advance(ms)
  await world.sandbox.advance(ms)
  await runAllDue(ctx, log)
}

export async function alarms(world: World): Promise<string[]> {
  return (await listOpenAlarms(world.db))
    .filter(({ kind }) => kind === 'reconciliation')
    .map(({ detail }) => detail)
}

export type FindingRow = {
  organization_id: string
  kind: string
  movement: string | null
  state: string
  network_cents: bigint | null
  our_cents: bigint | null
  times: number
}

export async function findings(world: World): Promise<FindingRow[]> {
  const result = await world.db.query<FindingRow>({
    text: `select organization_id, kind, movement, state, network_cents, our_cents, times
             from reconciliation_findings order by organization_id, kind, line_key`,
  })
  return result.rows
}

// Everything that reconciling writes, without times and ids that are new each time.
export async function booksAndInbox(world: World): Promise<unknown> {
  const { rows } = await world.db.query({
    text: `select (select count(*) from ledger_transfers) as transfers, (select count(*) from rail_notices) as notices,
                  (select count(*) from alarms) as alarms, (select count(*) from suspense_items) as suspense,
                  (select sum(times) from statement_lines) as lines, (select count(*) from reconciliations) as reconciliations,
                  (select string_agg(concat_ws(' ', kind, line_key, state, network_cents, our_cents, times), ',' order by kind, line_key)
                     from reconciliation_findings) as findings`,
  })
  return rows[0]
}

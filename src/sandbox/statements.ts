// The networks' statements: what their log says moved, page by page, by the wire format of each. The faults of a line are drawn
// from its movement, so that the same line is wrong however often it is asked for.

import { bogotaDay } from '../core/bogota-day.ts'
import { DAY_MS, type Instant, isoInstant } from '../core/instant.ts'
import { centsToDecimal } from '../core/money.ts'
import type * as Breb from '../rails/breb/wire.ts'
import type * as Pse from '../rails/pse/wire.ts'
import { type Answer, asInstant, failure } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import type { LogEntry, Network } from './records.ts'

export function getStatement(context: NetworkContext, network: Network, query: URLSearchParams): Answer {
  const { faults, storage, clock } = context
  const [from, to] = [asInstant(query.get('from')), asInstant(query.get('to'))]
  const offset = wholeNumber(query.get('cursor') ?? '0')
  const limit = wholeNumber(query.get('limit') ?? String(faults.plan.pageLines))
  if (from === undefined || to === undefined || to <= from || offset === undefined || !limit) return malformed
  const entries = linesOf(context, network, storage.movements(network, from, to))
  const end = offset + Math.min(limit, Math.max(1, faults.plan.pageLines))
  const page = entries.slice(offset, end)
  const cut = isCut(context, network, from, offset)
  const json: Breb.Statement | Pse.Statement = {
    count: page.length,
    entries: (cut ? page.slice(0, Math.floor(page.length / 2)) : page) as Breb.StatementEntry[],
    nextCursor: end < entries.length ? String(end) : null,
    complete: to <= clock.now() && !faults.strikes('statementLate', network, bogotaDay(from)),
  }
  return { status: 200, json }
}

const malformed = failure(400, 'INVALID_REQUEST', 'from, to, cursor and limit are not what the wire asks for')

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

// Drawn anew for each request: a cut page may be whole the next time.
function isCut(
  { faults, storage }: NetworkContext,
  network: Network,
  from: Instant,
  offset: number,
): boolean {
  if (faults.plan.pageCut === 0) return false
  const step = `page of ${bogotaDay(from)} from ${offset}`
  return faults.strikes('pageCut', network, `${step} ${storage.countStep(network, step)}`)
}

type Line = Breb.StatementEntry | Pse.StatementEntry

function linesOf(context: NetworkContext, network: Network, movements: readonly LogEntry[]): Line[] {
  const { faults } = context
  if (faults.areOff()) return movements.map((movement) => entryOf(network, movement))
  const order = (line: Line) => faults.number(line.reference, `order ${line.type}`)
  const lines = movements.flatMap((movement) => faultyLines(context, network, movement))
  return faults.strikes('statementReordered', network, 'lines')
    ? lines.toSorted((one, other) => order(one) - order(other))
    : lines
}

function faultyLines({ faults }: NetworkContext, network: Network, movement: LogEntry): Line[] {
  const step = `line ${movement.movement} ${movement.traceId}`
  const occurs = (fault: Parameters<typeof faults.strikes>[0]) =>
    faults.strikes(fault, movement.reference, step)
  if (occurs('lineMissing')) return []
  const changed: LogEntry = {
    ...movement,
    ...(occurs('lineOtherAmount') && { amountInCents: movement.amountInCents + 100n }),
    ...(occurs('lineOtherDay') && { at: movement.at - DAY_MS }),
    ...(occurs('lineUnknownReference') && { reference: `UNKNOWN-${movement.traceId}` }),
  }
  const entry = entryOf(network, changed)
  const line: Line = occurs('lineUnknownCurrency') ? { ...entry, currency: 'USD' } : entry
  return occurs('lineDoubled') ? [line, line] : [line]
}

function entryOf(network: Network, movement: LogEntry): Line {
  const common = {
    reference: movement.reference,
    amount: centsToDecimal(movement.amountInCents),
    currency: 'COP',
    occurredAt: isoInstant(movement.at),
  }
  const type = movement.movement.toUpperCase() as Breb.StatementEntry['type']
  if (network === 'pse') return { ...common, type: type as Pse.StatementEntry['type'], cus: movement.traceId }
  const isPayment = type === 'CREDIT' || type === 'CHARGEBACK'
  return {
    ...common,
    type,
    paymentId: isPayment ? movement.traceId : null,
    endToEndId: isPayment ? null : movement.traceId,
  }
}

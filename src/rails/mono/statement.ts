// What came in by Mono's own list: successful attempts to pay, of all collections. The list cannot be asked for a day, and its pages
// move while they are read: what comes meanwhile is put before the rest, so that an attempt may be listed twice and none is left out.
// An attempt names its collection, which we know by its id. What went out is not compared: a payout is confirmed by its own transfer.

import type { StatementLine } from '../../core/connections/statement.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { paymentIdOf } from '../provider.ts'
import type { ReadStatement } from '../rail.ts'
import { instantOf, unreadable } from '../wire-format.ts'
import { readPageOf } from './pages.ts'
import { type Attempt, COLLECTIONS, readAttempt } from './wire.ts'

const PAGE_SIZE = 500

export function monoStatement(gateway: Gateway, limits: Limits): ReadStatement {
  return async (from, to, cursor) => {
    const pageNumber = cursor === null ? 1 : Number(cursor)
    const call = {
      resource: COLLECTIONS,
      id: null,
      part: '/attempts',
      query: { state: 'successful' },
      reference: '',
      deadlineMs: limits.statementMs,
      names: ['attempts'],
      pageSize: PAGE_SIZE,
    }
    const page = await readPageOf(gateway, call, pageNumber, readDatedAttempt)
    if (page.outcome === 'unknown') return page
    const lines: StatementLine[] = []
    for (const attempt of page.entries) {
      if (attempt.state !== 'successful') return unreadable('the list holds what was not asked for')
      if (attempt.occurredAt >= from && attempt.occurredAt < to) lines.push(lineOf(attempt))
    }
    const isLast = pageNumber >= page.pages || isBefore(from, page.entries)
    const nextCursor = isLast ? null : String(pageNumber + 1)
    return { outcome: 'accepted', value: { lines, unreadable: [], nextCursor, complete: true } }
  }
}

type DatedAttempt = Attempt & { readonly occurredAt: number }

function readDatedAttempt(entry: unknown): DatedAttempt | undefined {
  const attempt = readAttempt(entry)
  const occurredAt = attempt && instantOf(attempt.inserted_at)
  return attempt === undefined || occurredAt === undefined ? undefined : { ...attempt, occurredAt }
}

function lineOf({ id, collection_id: providerId, amount, occurredAt }: DatedAttempt): StatementLine {
  return {
    movement: 'credit',
    reference: '',
    providerId,
    networkId: paymentIdOf('mono', id),
    amountInCents: BigInt(amount.amount),
    occurredAt,
  }
}

// The newest come first, so nothing of the day is left. A page in another order says nothing about the next.
function isBefore(from: number, entries: readonly DatedAttempt[]): boolean {
  const times = entries.map(({ occurredAt }) => occurredAt)
  const isDescending = times.every((time, index) => index === 0 || time <= (times[index - 1] as number))
  return isDescending && times.length > 0 && (times.at(-1) as number) < from
}

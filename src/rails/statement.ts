// Asks for a page of a network's statement, and reads it. The page is read strictly, because a cut one must not pass for a short
// one. A line that cannot be read is kept beside the others, because it is about money all the same.

import type { Movement, StatementLine, UnreadableLine } from '../core/connections/statement.ts'
import { DAY_MS, type Instant, isoInstant } from '../core/instant.ts'
import { Type } from '../core/json-schema.ts'
import type { Gateway } from './gateway.ts'
import type { Limits } from './limits.ts'
import type { ReadStatement } from './rail.ts'
import {
  AmountText,
  centsOf,
  instantOf,
  MomentText,
  NetworkText,
  orNull,
  reader,
  undecided,
  unreadable,
} from './wire-format.ts'

// A network's id of the movement, from the fields of its own format; undefined if it is missing or malformed.
export type ReadNetworkId = (entry: unknown, movement: Movement) => string | undefined

export function statementReader(
  gateway: Gateway,
  limits: Limits,
  movements: Readonly<Record<string, Movement>>,
  readNetworkId: ReadNetworkId,
): ReadStatement {
  return async (from, to, cursor) => {
    const reply = await gateway.ask({
      method: 'GET',
      resource: '/statements',
      id: null,
      query: {
        from: isoInstant(from),
        to: isoInstant(to),
        limit: String(limits.statementLines),
        ...(cursor !== null && { cursor }),
      },
      deadlineMs: limits.statementMs,
      mayAskAgain: true,
    })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return undecided(reply)
    const page = readPage(reply.body)
    if (page === undefined) return unreadable('the answer is not a page of a statement')
    const { count, entries, nextCursor, complete } = page
    if (count !== entries.length) return unreadable(`the page has ${entries.length} entries of ${count}`)
    if (nextCursor !== null && nextCursor === cursor) return unreadable('the page names itself as the next')
    const lines: StatementLine[] = []
    const unread: UnreadableLine[] = []
    for (const entry of entries) {
      const line = readLine(entry, to, movements, readNetworkId)
      if ('raw' in line) unread.push(line)
      else lines.push(line)
    }
    return { outcome: 'accepted', value: { lines, unreadable: unread, nextCursor, complete } }
  }
}

function readLine(
  entry: unknown,
  to: Instant,
  movements: Readonly<Record<string, Movement>>,
  readNetworkId: ReadNetworkId,
): StatementLine | UnreadableLine {
  const { type, reference, amount, currency, occurredAt } = (entry ?? {}) as Record<string, unknown>
  const text = referenceText(reference)
  const unread = (why: string): UnreadableLine => ({ reference: text, raw: rawText(entry), why })
  if (typeof type !== 'string' || !Object.hasOwn(movements, type)) return unread('the movement is unknown')
  const movement = movements[type] as Movement
  if (currency !== 'COP') return unread('the currency is unknown')
  const cents = readAmount(amount)
  if (cents === undefined) return unread('the amount cannot be read')
  const instant = instantOf(readMoment(occurredAt) ?? '')
  if (instant === undefined || instant < EARLIEST || instant > to + MAX_AHEAD_MS)
    return unread('the time cannot be read')
  const networkId = readNetworkId(entry, movement)
  if (networkId === undefined) return unread('the network gives no id')
  return { movement, reference: text, networkId, amountInCents: centsOf(cents), occurredAt: instant }
}

// Before the networks existed, or long after the day. Such a time is a fault of the network's, and a database may not hold it.
const EARLIEST = Date.UTC(2000, 0)
const MAX_AHEAD_MS = 366 * DAY_MS

// Enough to recognize a line.
const MAX_RAW_CHARACTERS = 500

function rawText(entry: unknown): string {
  return (JSON.stringify(entry) ?? '').slice(0, MAX_RAW_CHARACTERS)
}

const readPage = reader(
  Type.Object({
    count: Type.Integer({ minimum: 0 }),
    entries: Type.Array(Type.Unknown()),
    nextCursor: orNull(Type.String({ minLength: 1, maxLength: 512, pattern: '^[\\x21-\\x7e]+$' })),
    complete: Type.Boolean(),
  }),
)

const readAmount = reader(AmountText)
const readMoment = reader(MomentText)

// Any text that a database can hold. A line without a reference, or with another one, names nobody, and is about money all the
// same. What a database cannot hold is replaced, so no such text becomes a reference of ours.
const REFERENCE = /^[^\p{Cc}\p{Cs}]{1,200}$/u

function referenceText(value: unknown): string {
  if (typeof value === 'string' && REFERENCE.test(value)) return value
  const text = typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? '')
  return [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '?')].slice(0, MAX_REFERENCE_CHARACTERS).join('')
}

const MAX_REFERENCE_CHARACTERS = 200

export const networkIdOf = reader(NetworkText)

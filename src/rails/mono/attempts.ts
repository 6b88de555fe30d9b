// Who paid a collection. An attempt to pay it is a payment if it was successful, with the amount that came.

import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { paymentIdOf } from '../provider.ts'
import type { RailPayment, Unknown } from '../rail.ts'
import { instantOf, unreadable } from '../wire-format.ts'
import { readList } from './pages.ts'
import { type Attempt, COLLECTIONS, type Collection, readAttempt } from './wire.ts'

const PAGE_SIZE = 500
// Whoever knows the key can attempt to pay, so Mono is asked for successful attempts alone.
const MAX_PAGES = 10

export type Paid = { readonly outcome: 'paid'; readonly payments: readonly [RailPayment, ...RailPayment[]] }

export function hasMoney({ state, successful_attempts: payments, paid_amount: paid }: Collection): boolean {
  return state === 'minimum_paid' || state === 'paid' || payments > 0 || (paid?.amount ?? 0) > 0
}

export async function readPayments(
  gateway: Gateway,
  limits: Limits,
  collection: Collection,
  reference: string,
): Promise<Paid | Unknown> {
  const { id, successful_attempts: expectedCount, paid_amount: expectedSum } = collection
  const listed = await readList(
    gateway,
    {
      resource: COLLECTIONS,
      id,
      part: '/attempts',
      query: { state: 'successful' },
      reference,
      deadlineMs: limits.queryMs,
      names: ['attempts'],
      pageSize: PAGE_SIZE,
      maxPages: MAX_PAGES,
    },
    (entry) => readAttemptOf(id, entry),
  )
  if (listed.outcome === 'unknown') return listed
  // An attempt that comes while pages are read moves the others to the next page, where they are listed again.
  const byId = new Map(listed.entries.map((attempt) => [attempt.id, attempt]))
  const [first, ...others] = [...byId.values()]
    .filter(({ state }) => state === 'successful')
    .sort(byTime)
    .map((attempt) => ({
      paymentId: paymentIdOf('mono', attempt.id),
      amountInCents: BigInt(attempt.amount.amount),
    }))
  if (first === undefined) return unreadable('the collection is paid, and lists no payment')
  const payments = [first, ...others] as const
  const sum = payments.reduce((total, { amountInCents }) => total + amountInCents, 0n)
  // More may have come since the collection was read, but not less.
  if (payments.length < expectedCount || sum < BigInt(expectedSum?.amount ?? 0))
    return unreadable('the collection was paid more than its attempts say')
  return { outcome: 'paid', payments }
}

function readAttemptOf(collectionId: string, entry: unknown): Attempt | undefined {
  const attempt = readAttempt(entry)
  if (attempt?.collection_id !== collectionId) return undefined
  return instantOf(attempt.inserted_at) === undefined ? undefined : attempt
}

// The first payment decides a payin, and Mono lists the newest first.
function byTime(one: Attempt, other: Attempt): number {
  const apart = Date.parse(one.inserted_at) - Date.parse(other.inserted_at)
  return apart === 0 ? one.id.localeCompare(other.id) : apart
}

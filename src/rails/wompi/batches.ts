// Asks Wompi for a batch: by its id, or by our reference. Wompi does not say that the search sees batches that pay to keys. A search
// that finds nothing is believed while Wompi keeps the idempotency key, which refuses an order that came before. After that it is
// believed only if the search has found another batch of ours.

import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import { parseRailReference } from '../../core/connections/reference.ts'
import { instantOfId } from '../../core/ids.ts'
import { HOUR_MS, type Instant } from '../../core/instant.ts'
import { uuidText } from '../../core/uuid-token.ts'
import type { Call, Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { shortReference } from '../provider.ts'
import { type Unknown, unknown } from '../rail.ts'
import { undecided, unreadable } from '../wire-format.ts'
import { type Batch, type BatchTransaction, readBatch, readBatches, readBatchTransactions } from './wire.ts'

// What the answer must be about.
export type Sought = { readonly reference: string; readonly amountInCents: bigint }
export type Found = { readonly outcome: 'found'; readonly batch: Batch }
// The search answered well, and holds nothing.
export type Nothing = { readonly outcome: 'nothing' }
// The only payout of a batch; null if the batch has none yet.
export type FoundPayout = { readonly outcome: 'found'; readonly payout: BatchTransaction | null }

export type Batches = {
  readonly byId: (id: string, sought: Sought) => Promise<Found | Unknown>
  readonly search: (sought: Sought) => Promise<Found | Nothing | Unknown>
  readonly payoutOf: (batch: Batch, sought: Sought) => Promise<FoundPayout | Unknown>
  // Wompi has a batch for this order.
  readonly seen: (sought: Sought) => void
  // Whether a search that holds nothing proves that the order never arrived.
  readonly provesAbsence: (sought: Sought) => Promise<boolean>
}

// Our reference as Wompi takes it, in the batch, in its payout, and as the idempotency key: letters, digits and dashes, 40 at most.
export function batchReference(reference: string): string {
  return uuidText(Buffer.from(shortReference(reference), 'hex'))
}

// An hour less than Wompi keeps an idempotency key.
const KEY_SURELY_KEPT_MS = PROVIDER_DESCRIPTIONS.wompi.knowsOrdersForMs - HOUR_MS

export function wompiBatches(gateway: Gateway, limits: Limits, now: () => Instant): Batches {
  let lastSeen: Sought | undefined
  let searchFinds = false

  const ask = ({ reference }: Sought, at: Pick<Call, 'resource' | 'id' | 'part' | 'query'>) =>
    gateway.ask({ method: 'GET', ...at, reference, deadlineMs: limits.queryMs, mayAskAgain: true })

  const search: Batches['search'] = async (sought) => {
    const reference = batchReference(sought.reference)
    const reply = await ask(sought, { resource: '/v1/payouts', id: null, query: { reference } })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return undecided(reply)
    const page = readBatches(reply.body)
    if (page === undefined) return unreadable('the answer is not a list of batches')
    const { total, records } = page
    if (total !== records.length) return unreadable('the list of batches is not whole')
    // A list of others' was not searched.
    if (records.some((batch) => batch.reference !== reference)) return notTheOne()
    const [batch, second] = records
    if (batch === undefined) return { outcome: 'nothing' }
    searchFinds = true
    if (second !== undefined)
      return unknown('undecided', `there are ${records.length} batches with one reference`)
    return isSought(batch, sought) ? { outcome: 'found', batch } : notTheOne()
  }

  return {
    search,

    byId: async (id, sought) => {
      const reply = await ask(sought, { resource: '/v2/payouts', id })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') return undecided(reply)
      const batch = readBatch(reply.body)
      return batch?.id === id && isSought(batch, sought) ? { outcome: 'found', batch } : notTheOne()
    },

    payoutOf: async (batch, sought) => {
      const reply = await ask(sought, { resource: '/v2/payouts', id: batch.id, part: '/transactions' })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') return undecided(reply)
      const page = readBatchTransactions(reply.body)
      if (page === undefined || page.total !== page.records.length || page.total > 1) return notTheOne()
      const [payout = null] = page.records
      return payout === null || isPayoutOf(batch, payout, sought) ? { outcome: 'found', payout } : notTheOne()
    },

    seen: ({ reference, amountInCents }) => {
      lastSeen = { reference, amountInCents }
    },

    provesAbsence: async ({ reference }) => {
      const madeAt = instantOfId(parseRailReference(reference)?.id ?? '')
      if (now() - madeAt < KEY_SURELY_KEPT_MS) return true
      if (!searchFinds && lastSeen !== undefined) await search(lastSeen)
      return searchFinds
    },
  }
}

function isSought(batch: Batch, { reference, amountInCents }: Sought): boolean {
  return batch.reference === batchReference(reference) && BigInt(batch.amountInCents) === amountInCents
}

function isPayoutOf(batch: Batch, payout: BatchTransaction, { amountInCents }: Sought): boolean {
  return (
    (payout.payoutId ?? batch.id) === batch.id &&
    (payout.reference ?? batch.reference) === batch.reference &&
    BigInt(payout.amountInCents) === amountInCents
  )
}

function notTheOne(): Unknown {
  return unreadable('the answer is not the payout that was asked for')
}

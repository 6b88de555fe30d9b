// Money coming in over Mono: a collection under a key of its own, which Mono registers after it took the order. Successful attempts to
// pay count, whatever the collection's state: a payer may be faster than its end.

import { parseBrebKey } from '../../core/directory/breb-key.ts'
import { isoInstant } from '../../core/instant.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import {
  type Accepted,
  type OpenedPayin,
  type PayinOrder,
  type PayinRail,
  type PaymentHandle,
  type RailAnswer,
  type RailPayinStatus,
  type Unknown,
  unknown,
} from '../rail.ts'
import { ORDER_REFUSED, opened, refusedOrder, undecided, unreadable } from '../wire-format.ts'
import { hasMoney, readPayments } from './attempts.ts'
import { discardedBy, NOT_SERVED, type PayinEnd } from './codes.ts'
import { searchByReference } from './pages.ts'
import {
  COLLECTIONS,
  type Collection,
  type CollectionRequest,
  moneyOf,
  readCollection,
  readCollectionBatch,
} from './wire.ts'

type SubmitAnswer = RailAnswer<OpenedPayin, PayinErrorCode>
type StatusAnswer = Accepted<RailPayinStatus> | Unknown
type Found = { readonly outcome: 'found'; readonly collection: Collection | null }

export function monoPayins(gateway: Gateway, limits: Limits, accountId: string): PayinRail {
  const search = async (reference: string): Promise<Found | Unknown> => {
    const call = { resource: COLLECTIONS, reference, deadlineMs: limits.queryMs, names: ['collections'] }
    const listed = await searchByReference(gateway, call, readCollection)
    if (listed.outcome === 'unknown') return listed
    const [first, ...others] = listed.entries
    if (others.length > 0)
      return unknown('undecided', `Mono has ${others.length + 1} collections under one reference`)
    return { outcome: 'found', collection: first ?? null }
  }

  const read = async (reference: string, id: string): Promise<Found | Unknown> => {
    const reply = await gateway.ask({
      method: 'GET',
      resource: COLLECTIONS,
      id,
      reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })
    if (reply.outcome === 'unknown') return reply
    // Mono has given us this id, so even "not found" says nothing about the payment.
    if (reply.outcome === 'refused') return undecided(reply)
    const collection = readCollection(reply.body)
    if (collection?.id !== id) return unreadable('the answer is not the collection that was asked for')
    return { outcome: 'found', collection }
  }

  const query = async ({ reference, providerId, amountInCents }: PaymentHandle): Promise<StatusAnswer> => {
    const found = await (providerId === null ? search(reference) : read(reference, providerId))
    if (found.outcome === 'unknown') return found
    const { collection } = found
    if (collection === null) return NOT_FOUND
    if (!isFor(collection, reference, amountInCents))
      return unreadable('the collection is not the one that was ordered')
    if (!hasMoney(collection)) return unpaidStatus(collection)
    const paid = await readPayments(gateway, limits, collection, reference)
    if (paid.outcome === 'unknown') return paid
    return accepted({
      state: 'paid',
      payments: paid.payments,
      networkCode: collection.state_reason ?? collection.state,
    })
  }

  // An order that came before may have been taken, whatever Mono answers to this one.
  const unlessItExists = async (order: PayinOrder, refusal: SubmitAnswer): Promise<SubmitAnswer> => {
    const found = await search(order.reference)
    if (found.outcome === 'unknown') return found
    return found.collection === null ? refusal : taken(order, found.collection)
  }

  return {
    submit: async (order) => {
      const reply = await gateway.ask({
        method: 'POST',
        resource: COLLECTIONS,
        id: null,
        reference: order.reference,
        body: collectionRequest(order, accountId),
        deadlineMs: limits.submitMs,
        // Mono shows the existing collection if one comes twice under a reference.
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return unlessItExists(order, refusedOrder(reply, undefined, NOT_SERVED.reason, ORDER_REFUSED))
      const batch = readCollectionBatch(reply.body)
      const made = [...(batch?.created ?? []), ...(batch?.duplicated ?? [])]
      const rejected = batch?.rejected ?? []
      if (made.length + rejected.length !== 1)
        return unreadable('the answer is not about the one collection that was ordered')
      const [rejection] = rejected
      if (rejection === undefined) return taken(order, readCollection(made[0]))
      if (rejection.external_id !== order.reference)
        return unreadable('the rejection is of another collection than the one that was ordered')
      return unlessItExists(order, {
        outcome: 'rejected',
        reason: NOT_SERVED.reason,
        networkCode: rejection.error_code,
      })
    },

    query,

    // Mono withdraws the key later. Until then the collection is open, and somebody may pay it.
    cancel: async (payment) => {
      const found = payment.providerId === null ? await search(payment.reference) : undefined
      if (found?.outcome === 'unknown') return found
      const id = payment.providerId ?? found?.collection?.id
      if (id === undefined) return NOT_FOUND
      const reply = await gateway.ask({
        method: 'DELETE',
        resource: COLLECTIONS,
        id,
        reference: payment.reference,
        deadlineMs: limits.queryMs,
        mayBeEmpty: true,
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused' && !CANNOT_BE_DELETED.includes(reply.code)) return undecided(reply)
      return query({ ...payment, providerId: id })
    },

    returnPayment: null,
  }
}

const CANNOT_BE_DELETED: readonly string[] = ['collection_invalid_state', 'has_payments']

const NOT_FOUND: Accepted<RailPayinStatus> = accepted({
  state: 'ended',
  how: 'not-found',
  reason: 'EXPIRED',
  networkCode: 'collection_not_found',
})

function accepted(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}

// What became of an order, by the collection that Mono made of it now or before. One that is already paid or ended was taken, and the
// query returns the rest.
function taken(order: PayinOrder, collection: Collection | undefined): SubmitAnswer {
  if (collection === undefined || !isFor(collection, order.reference, order.amountInCents))
    return unreadable('the answer is not the collection that was ordered')
  if (collection.state === 'failed' && !hasMoney(collection))
    return {
      outcome: 'rejected',
      reason: NOT_SERVED.reason,
      networkCode: collection.state_reason ?? collection.state,
    }
  return openedBy(collection, sourceOf(order).keyString)
}

function unpaidStatus(collection: Collection): StatusAnswer {
  const { state, state_reason: reason } = collection
  const ended = (end: PayinEnd): StatusAnswer =>
    accepted({ state: 'ended', ...end, networkCode: reason ?? state })
  if (state === 'discarded') return ended(discardedBy(reason))
  if (state === 'failed') return ended(NOT_SERVED)
  const answer = openedBy(collection, collection.custom_key_value ?? null)
  return answer.outcome === 'unknown' ? answer : accepted({ state: 'open', opened: answer.value })
}

// Nobody can pay before the key is registered. A key other than the one that we named is shown to nobody: payers were told ours.
function openedBy({ id, state, keys }: Collection, named: string | null): Accepted<OpenedPayin> | Unknown {
  const active = state === 'ready' ? keys.filter((key) => key.state === 'active') : []
  if (active.length === 0) return opened({ providerId: id, isReady: false })
  const chosen = active.find(({ value }) => named === null || isSameKey(value, named))
  const keyString = chosen && parseBrebKey(chosen.value)?.keyString
  if (keyString === undefined) return unreadable('the key is not the one that was asked for')
  return opened({ providerId: id, keyString })
}

// Mono's examples show a name for a key without the sign that begins it.
function isSameKey(one: string, other: string): boolean {
  const bare = (key: string): string => key.replace(/^@/, '').toUpperCase()
  return bare(one) === bare(other)
}

function isFor(collection: Collection, reference: string, amountInCents: bigint): boolean {
  const { external_id, total_minimum_amount: least, total_maximum_amount: most } = collection
  const isAmount = (shown: Collection['paid_amount'] | undefined): boolean =>
    shown === undefined || (shown !== null && BigInt(shown.amount) === amountInCents)
  return external_id === reference && isAmount(least) && isAmount(most)
}

function sourceOf({ source }: PayinOrder) {
  if (source.rail !== 'BRE_B') throw new Error(`a ${source.rail} order was handed to Mono`)
  return source
}

function collectionRequest(order: PayinOrder, accountId: string): CollectionRequest {
  const { keyString } = sourceOf(order)
  const amount = moneyOf(order.amountInCents)
  return {
    tenant_account_id: accountId,
    collections: [
      {
        external_id: order.reference,
        usage_mode: 'single_use',
        ...(keyString !== null && { custom_key_value: keyString }),
        expires_at: isoInstant(order.expiresAt),
        total_minimum_amount: amount,
        total_maximum_amount: amount,
      },
    ],
  }
}

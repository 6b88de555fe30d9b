// What happens to a collection by itself: its key is registered, it expires, and its key is withdrawn.

import type { Instant } from '../../../core/instant.ts'
import { drawnHex } from '../../faults.ts'
import type { ProviderContext } from '../provider.ts'
import { type Collection, changeCollection, collectionOfKey, isFinal } from './collection.ts'

type Task = (context: ProviderContext, collection: Collection, at: Instant) => void

export const COLLECTION_TASKS: Readonly<Record<string, Task>> = { register, expire, withdraw, prune }

function register(context: ProviderContext, collection: Collection, at: Instant): void {
  if (collection.state !== 'created') return
  const { id, externalId, customKey, fate } = collection
  const drawn = drawnHex(context.faults.seed, 'mono key', externalId).slice(0, 10).toUpperCase()
  const value = customKey ?? `@MONO${drawn}`
  const isTaken = collectionOfKey(context, value) !== undefined
  const reason = isTaken ? 'key_already_registered' : fate
  if (reason === 'key_already_registered' || reason === 'key_registration_failed') {
    changeCollection(context, collection, { state: 'failed', stateReason: reason }, at, 'failed')
    return
  }
  context.storage.put('key', value, '', id)
  const endingBy = collection.endingBy ?? reason
  if (reason !== null) context.later(at + context.delayMs, 'withdraw', id)
  const changes = { state: 'ready', key: { value, state: 'active' }, endingBy } as const
  changeCollection(context, collection, changes, at, 'ready')
}

// One that has reached its minimum keeps its state; from now on its attempts are rejected.
function expire(context: ProviderContext, collection: Collection, at: Instant): void {
  const { expiresAt, state, id } = collection
  if (expiresAt === null || expiresAt > at || isFinal(collection)) return
  context.later(at + context.delayMs, 'prune', id)
  if (state === 'minimum_paid') changeCollection(context, collection, { isPruning: true }, at)
  else
    changeCollection(
      context,
      collection,
      { state: 'discarded', stateReason: 'expired', isPruning: true },
      at,
      'discarded',
    )
}

function withdraw(context: ProviderContext, collection: Collection, at: Instant): void {
  const { state, endingBy, successfulAttempts } = collection
  const isUnpaid = (state === 'created' || state === 'ready') && successfulAttempts === 0
  if (endingBy === null || isFinal(collection)) return
  if (!isUnpaid) {
    changeCollection(context, collection, { endingBy: null, isPruning: false }, at)
    return
  }
  const ended = { state: 'discarded', stateReason: endingBy } as const
  const changes = { ...keyWithdrawn(context, collection, at), ...ended }
  changeCollection(context, collection, changes, at, 'discarded')
}

function prune(context: ProviderContext, collection: Collection, at: Instant): void {
  if (collection.keyPrunedAt === null)
    changeCollection(context, collection, keyWithdrawn(context, collection, at), at)
}

function keyWithdrawn(
  context: ProviderContext,
  { key }: Collection,
  at: Instant,
): Pick<Collection, 'key' | 'keyPrunedAt' | 'isPruning'> {
  if (key === null) return { key, keyPrunedAt: null, isPruning: false }
  context.storage.put('key', key.value, '', null)
  return { key: { ...key, state: 'canceled' }, keyPrunedAt: at, isPruning: false }
}

// A collection at Mono: a request for money under a key of its own. It is born without the key, which is registered later and withdrawn
// after its end.

import { type Instant, isoInstant, isoOrNull } from '../../../core/instant.ts'
import type { ProviderContext } from '../provider.ts'
import { tell } from './events.ts'
import { money } from './fields.ts'

/** The last three are final. */
export type CollectionState = 'created' | 'ready' | 'minimum_paid' | 'paid' | 'discarded' | 'failed'
export type DiscardReason = 'expired' | 'inactivity' | 'deleted' | 'key_canceled'
export type FailureReason = 'key_already_registered' | 'key_registration_failed'
export type IdentityDocument = { readonly document_type: string; readonly document_number: string }

export type Collection = {
  readonly id: string
  readonly externalId: string
  readonly isSingleUse: boolean
  readonly customKey: string | null
  readonly merchantName: string
  /** What decides its fate in the sandbox, if a word asks for one. */
  readonly fate: DiscardReason | FailureReason | null
  readonly expectedPayers: readonly IdentityDocument[]
  readonly expiresAt: Instant | null
  readonly totalMinimum: number | null
  readonly totalMaximum: number | null
  readonly attemptMinimum: number | null
  readonly attemptMaximum: number | null
  readonly enabled: boolean
  readonly state: CollectionState
  readonly stateReason: string | null
  readonly key: { readonly value: string; readonly state: 'active' | 'canceled' } | null
  readonly paid: number
  readonly successfulAttempts: number
  readonly failedAttempts: number
  /** Why its key is being withdrawn while it is still unpaid. */
  readonly endingBy: DiscardReason | null
  readonly isPruning: boolean
  readonly keyPrunedAt: Instant | null
  readonly insertedAt: Instant
  readonly updatedAt: Instant
}

export const isFinal = ({ state }: Collection): boolean =>
  state === 'paid' || state === 'discarded' || state === 'failed'

/** Only what Mono says that a collection shows: of what was asked for, the external id and the expiry. */
export function presentCollection(collection: Collection): Record<string, unknown> {
  const { key } = collection
  return {
    id: collection.id,
    external_id: collection.externalId,
    enabled: collection.enabled,
    state: collection.state,
    state_reason: collection.stateReason,
    keys:
      key === null
        ? []
        : [{ name: collection.merchantName, type: 'alphanumeric', value: key.value, state: key.state }],
    paid_amount: money(collection.paid),
    successful_attempts: collection.successfulAttempts,
    failed_attempts: collection.failedAttempts,
    expires_at: isoOrNull(collection.expiresAt),
    key_pruned_at: isoOrNull(collection.keyPrunedAt),
    // Its values are not published.
    prune_status: collection.keyPrunedAt !== null ? 'pruned' : collection.isPruning ? 'pending' : null,
    inserted_at: isoInstant(collection.insertedAt),
    updated_at: isoInstant(collection.updatedAt),
  }
}

/** Stores the changed collection and, if the change is an event, tells it. */
export function changeCollection(
  context: ProviderContext,
  collection: Collection,
  changes: Partial<Collection>,
  at: Instant,
  event?: CollectionState | 'updated',
): Collection {
  const changed: Collection = { ...collection, ...changes, updatedAt: at }
  context.storage.put('collection', changed.id, changed.externalId, changed)
  if (event !== undefined)
    tell(context, changed.externalId, `collection.${event}`, presentCollection(changed), at)
  return changed
}

/**
 * Moves a collection as far as what was paid carries it. One that reaches its minimum and its maximum at once is told as both, in the
 * published order.
 */
export function progress(context: ProviderContext, collection: Collection, at: Instant): Collection {
  const { paid, totalMinimum, totalMaximum, isSingleUse, successfulAttempts } = collection
  let reached = collection
  if (reached.state === 'ready' && totalMinimum !== null && paid >= totalMinimum)
    reached = changeCollection(context, reached, { state: 'minimum_paid' }, at, 'minimum_paid')
  const isComplete = isSingleUse ? successfulAttempts > 0 : totalMaximum !== null && paid >= totalMaximum
  if (!isComplete || isFinal(reached)) return reached
  const changes = { state: 'paid', isPruning: true } as const
  context.later(at + context.delayMs, 'prune', reached.id)
  return changeCollection(context, reached, changes, at, 'paid')
}

/** The collection whose key this is, while the key works. */
export function collectionOfKey({ storage }: ProviderContext, value: string): Collection | undefined {
  const id = storage.get<string | null>('key', value.toUpperCase()) ?? ''
  return storage.get<Collection>('collection', id)
}

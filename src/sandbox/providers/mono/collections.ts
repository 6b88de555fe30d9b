// Collections: created in batches, read, changed and deleted. The external id is the idempotency key: asked for again, the existing
// collection is shown, whatever else was sent.

import type { Instant } from '../../../core/instant.ts'
import { type Answer, readObject } from '../../http.ts'
import { type Fields, isWhole } from '../input.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import {
  type Collection,
  changeCollection,
  type DiscardReason,
  type FailureReason,
  type IdentityDocument,
  isFinal,
  presentCollection,
  progress,
} from './collection.ts'
import { MONO } from './credentials.ts'
import { invalid, notAuthorized, notJson, type Problem, refused } from './errors.ts'
import { isIdOf, moneyOrNull, problem, problemsIn, problemsInEach, type Rules, rule } from './fields.ts'
import { newId } from './ids.ts'
import { pageOf } from './pages.ts'

const MAX_BATCH = 1_000
const TEN_YEARS_SECONDS = 10 * 366 * 86_400
// Mono's documentation has no words that make a registration fail or a collection end. These are the simulator's own.
const FATES: Readonly<Record<string, DiscardReason | FailureReason>> = {
  col_key_already_registered: 'key_already_registered',
  col_key_registration_failed: 'key_registration_failed',
  col_inactivity: 'inactivity',
  col_key_canceled: 'key_canceled',
}
export const COLLECTION_TEST_WORDS = Object.keys(FATES)

const CHANGEABLE: Rules = {
  enabled: rule.oneOf(true, false),
  expires_at: rule.instant,
  total_minimum_amount: rule.money,
  total_maximum_amount: rule.money,
}
const { enabled: _enabled, ...ALSO_NEW } = CHANGEABLE
const NEW: Rules = {
  ...ALSO_NEW,
  external_id: rule.text(255),
  usage_mode: rule.oneOf('single_use', 'multiple_use'),
  custom_key_value: {
    isRight: (value) => typeof value === 'string' && /^@[A-Z0-9]{5,20}$/.test(value),
    says: '@ and 5 to 20 capital letters or digits',
  },
  custom_merchant_name: rule.text(255),
  nickname: rule.text(255),
  reference: rule.text(255),
  metadata: rule.object,
  expected_payers: rule.documents,
  // The unit is not published: here it is seconds.
  expires_in: { isRight: (value) => isWhole(value, 1, TEN_YEARS_SECONDS), says: 'seconds' },
  minimum_attempt_amount: rule.money,
  maximum_attempt_amount: rule.money,
}

/** A field that cannot be read refuses the whole batch. What only contradicts itself is rejected alone. */
export function createCollections(context: ProviderContext, { body }: ProviderRequest): Answer {
  const sent = readObject(body)
  if (sent === undefined) return notJson(context)
  const rules = { tenant_account_id: rule.id('bbtacc'), collections: rule.list(MAX_BATCH) }
  const problems = problemsIn(sent, rules, Object.keys(rules))
  const list = Array.isArray(sent.collections) ? (sent.collections as Fields[]) : []
  const all = [...problems, ...problemsInEach(list.slice(0, MAX_BATCH), '/collections', problemsOfNew)]
  if (all.length > 0) return invalid(context, all)
  if (sent.tenant_account_id !== MONO.accountId) return notAuthorized(context)

  const created: unknown[] = []
  const duplicated: unknown[] = []
  const rejected: unknown[] = []
  const now = context.clock.now()
  for (const one of list) {
    const [existing] = context.storage.under<Collection>('collection', one.external_id as string)
    const rejection = rejectionOf(expiryOf(one, now), one, now)
    if (existing !== undefined) duplicated.push(presentCollection(existing))
    else if (rejection !== undefined) rejected.push({ external_id: one.external_id, ...rejection })
    else created.push(presentCollection(createCollection(context, one, now)))
  }
  return { status: created.length > 0 ? 201 : 200, json: { created, duplicated, rejected } }
}

function problemsOfNew(one: Fields, path: string): readonly Problem[] {
  const isBoth = one.expires_at !== undefined && one.expires_in !== undefined
  return [
    ...problemsIn(one, NEW, ['external_id', 'usage_mode'], path),
    ...(isBoth
      ? [problem('invalid_parameter', 'expires_at or expires_in, not both', `${path}/expires_in`)]
      : []),
  ]
}

function expiryOf({ expires_at: at, expires_in: seconds }: Fields, now: Instant): Instant | null {
  if (seconds !== undefined) return now + (seconds as number) * 1_000
  return at === undefined ? null : Date.parse(at as string)
}

// The codes are not published.
function rejectionOf(
  expiresAt: Instant | null,
  one: Fields,
  now: Instant,
): { error_code: string; message: string } | undefined {
  if (expiresAt !== null && expiresAt <= now)
    return { error_code: 'invalid_expiration', message: 'The expiration is in the past' }
  const total = [moneyOrNull(one.total_minimum_amount), moneyOrNull(one.total_maximum_amount)] as const
  const attempt = [moneyOrNull(one.minimum_attempt_amount), moneyOrNull(one.maximum_attempt_amount)] as const
  if (one.usage_mode === 'single_use' && attempt.some((amount) => amount !== null))
    return { error_code: 'invalid_attempt_amount', message: 'Only multiple_use limits its attempts' }
  if ([total, attempt].some((limits) => isUpsideDown(...limits)))
    return { error_code: 'invalid_amount_range', message: 'The minimum exceeds the maximum' }
  return undefined
}

const isUpsideDown = (least: number | null, most: number | null): boolean =>
  least !== null && most !== null && least > most

function createCollection(context: ProviderContext, one: Fields, now: Instant): Collection {
  const externalId = one.external_id as string
  const words = [one.nickname, one.reference, one.custom_merchant_name].join(' ').split(/\W+/)
  const fate = words.map((word) => (Object.hasOwn(FATES, word) ? FATES[word] : undefined)).find(Boolean)
  const collection: Collection = {
    id: newId(context, 'bbcol', externalId),
    externalId,
    isSingleUse: one.usage_mode === 'single_use',
    customKey: (one.custom_key_value as string | undefined) ?? null,
    merchantName: (one.custom_merchant_name as string | undefined) ?? 'Comercio de pruebas',
    fate: fate ?? null,
    expectedPayers: (one.expected_payers as IdentityDocument[] | undefined) ?? [],
    expiresAt: expiryOf(one, now),
    totalMinimum: moneyOrNull(one.total_minimum_amount),
    totalMaximum: moneyOrNull(one.total_maximum_amount),
    attemptMinimum: moneyOrNull(one.minimum_attempt_amount),
    attemptMaximum: moneyOrNull(one.maximum_attempt_amount),
    enabled: true,
    state: 'created',
    stateReason: null,
    key: null,
    paid: 0,
    successfulAttempts: 0,
    failedAttempts: 0,
    endingBy: null,
    isPruning: false,
    keyPrunedAt: null,
    insertedAt: now,
    updatedAt: now,
  }
  context.later(now + context.delayMs, 'register', collection.id)
  if (collection.expiresAt !== null) context.later(collection.expiresAt, 'expire', collection.id)
  return changeCollection(context, collection, {}, now, 'created')
}

export function listCollections(context: ProviderContext, request: ProviderRequest): Answer {
  const externalId = request.query.get('external_id')
  const { storage } = context
  const found =
    externalId === null
      ? storage.list<Collection>('collection', 0, storage.count('collection'))
      : storage.under<Collection>('collection', externalId)
  return pageOf(context, request, 'collections', found.map(presentCollection))
}

export function readCollection(context: ProviderContext, id: string): Answer {
  const collection = context.storage.get<Collection>('collection', id)
  return collection === undefined
    ? noCollection(context, id)
    : { status: 200, json: presentCollection(collection) }
}

/** The documentation has both statuses. Here a text that is no id is a bad request. */
export function noCollection(context: ProviderContext, id: string): Answer {
  const status = isIdOf('bbcol', id) ? 404 : 400
  return refused(context, status, 'collection_not_found', 'There is no such collection', '/id')
}

const invalidState = (context: ProviderContext, { state }: Collection): Answer =>
  refused(context, 409, 'collection_invalid_state', `The collection is ${state}`)

export function updateCollection(context: ProviderContext, id: string, { body }: ProviderRequest): Answer {
  const collection = context.storage.get<Collection>('collection', id)
  if (collection === undefined) return noCollection(context, id)
  const sent = readObject(body)
  if (sent === undefined) return notJson(context)
  const problems = problemsIn(sent, CHANGEABLE, [])
  if (problems.length > 0) return invalid(context, problems)
  if (isFinal(collection)) return invalidState(context, collection)
  const now = context.clock.now()
  const changes: Partial<Collection> = {
    ...(sent.enabled !== undefined && { enabled: sent.enabled as boolean }),
    ...(sent.expires_at !== undefined && { expiresAt: expiryOf(sent, now) }),
    ...(sent.total_minimum_amount !== undefined && { totalMinimum: moneyOrNull(sent.total_minimum_amount) }),
    ...(sent.total_maximum_amount !== undefined && { totalMaximum: moneyOrNull(sent.total_maximum_amount) }),
  }
  const { expiresAt, totalMinimum, totalMaximum, paid } = { ...collection, ...changes }
  const wrong: readonly (readonly [field: string, isWrong: boolean])[] = [
    ['expires_at', changes.expiresAt !== undefined && (expiresAt ?? 0) <= now],
    ['total_maximum_amount', isUpsideDown(totalMinimum, totalMaximum) || isUpsideDown(paid, totalMaximum)],
  ]
  const contradictions = wrong
    .filter(([, isWrong]) => isWrong)
    .map(([field]) => problem('invalid_parameter', `${field} is out of range`, `/${field}`))
  if (contradictions.length > 0) return invalid(context, contradictions)
  if (changes.expiresAt) context.later(changes.expiresAt, 'expire', id)
  const changed = changeCollection(context, collection, changes, now, 'updated')
  return { status: 200, json: presentCollection(progress(context, changed, now)) }
}

/** Until the key is withdrawn, a payer may still pay. Then the collection ends paid and not discarded. */
export function deleteCollection(context: ProviderContext, id: string): Answer {
  const collection = context.storage.get<Collection>('collection', id)
  if (collection === undefined) return noCollection(context, id)
  if (collection.successfulAttempts > 0)
    return refused(context, 409, 'has_payments', 'The collection has payments')
  if (isFinal(collection) || collection.endingBy === 'deleted') return invalidState(context, collection)
  const now = context.clock.now()
  changeCollection(context, collection, { endingBy: 'deleted', isPruning: true }, now)
  context.later(now + context.delayMs, 'withdraw', id)
  return { status: 200 }
}

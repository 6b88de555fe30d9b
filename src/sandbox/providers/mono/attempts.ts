// Attempts to pay a collection. In the sandbox whoever tests is the payer: an attempt is asked for, and its outcome comes later.

import { bogotaDay } from '../../../core/bogota-day.ts'
import { type Instant, isoInstant } from '../../../core/instant.ts'
import { drawnHex } from '../../faults.ts'
import { type Answer, readObject } from '../../http.ts'
import { fieldsOf } from '../input.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { type Collection, changeCollection, collectionOfKey, progress } from './collection.ts'
import { noCollection } from './collections.ts'
import { invalid, notJson, refused } from './errors.ts'
import { tell } from './events.ts'
import { type Money, money, problem, problemsIn, type Rules, rule } from './fields.ts'
import { newId } from './ids.ts'
import { pageOf } from './pages.ts'
import { type Account, accountBehind, digits, type Person, personBehind } from './people.ts'

const STATES = ['created', 'successful', 'rejected', 'failed'] as const
export const ATTEMPT_ERRORS = ['tx_unknown', 'tx_provider_unavailable', 'tx_breb_timeout', 'tx_risk_control']

export type Attempt = {
  readonly id: string
  readonly collectionId: string
  readonly amount: number
  readonly endToEndId: string
  readonly keyValue: string
  readonly payer: Person
  readonly payerAccount: Account
  readonly error: string | null
  readonly state: (typeof STATES)[number]
  readonly stateReason: string | null
  readonly insertedAt: Instant
  readonly updatedAt: Instant
}

const SENT: Rules = {
  amount: rule.money,
  creditor_key_value: rule.keyValue,
  creditor_key_type: rule.oneOf('alphanumeric'),
  payer: rule.person,
  payment_id: rule.text(36),
  error: rule.oneOf(...ATTEMPT_ERRORS),
}

/** A key that is not registered, or no longer, is not found, as at the payer's bank. */
export function payInSandbox(context: ProviderContext, { body }: ProviderRequest): Answer {
  const sent = readObject(body)
  if (sent === undefined) return notJson(context)
  const problems = problemsIn(sent, SENT, ['amount', 'creditor_key_value'])
  if (problems.length > 0) return invalid(context, problems)
  const collection = collectionOfKey(context, sent.creditor_key_value as string)
  if (collection?.key === undefined || collection.key === null)
    return refused(context, 404, 'key_not_found', 'The key is not registered', '/creditor_key_value')
  const now = context.clock.now()
  const id = newId(context, 'bbcolat', collection.id)
  const attempt: Attempt = {
    id,
    collectionId: collection.id,
    amount: (sent.amount as Money).amount,
    endToEndId: endToEndId(context, id, now),
    keyValue: collection.key.value,
    payer: { ...personBehind(context, id), ...fieldsOf(sent.payer) },
    payerAccount: accountBehind(context, id),
    error: (sent.error as string | undefined) ?? null,
    state: 'created',
    stateReason: null,
    insertedAt: now,
    updatedAt: now,
  }
  save(context, attempt)
  // Faster than a deletion: whoever pays right after one may still succeed.
  context.later(now + Math.floor(context.delayMs / 2), 'attempt', id)
  return { status: 201, json: presentAttempt(attempt) }
}

/** The day, the NIT of the participant, its network and 15 digits. */
function endToEndId({ faults }: ProviderContext, id: string, now: Instant): string {
  const drawn = digits(drawnHex(faults.seed, 'mono end to end', id), 15)
  return `${bogotaDay(now).replaceAll('-', '')}900406150CRB${drawn}`
}

export function endAttempt(context: ProviderContext, id: string, at: Instant): void {
  const attempt = context.storage.get<Attempt>('attempt', id)
  const collection = context.storage.get<Collection>('collection', attempt?.collectionId ?? '')
  if (attempt === undefined || collection === undefined) return
  const rejection = rejectionOf(collection, attempt, at)
  const error = attempt.error?.replace('tx_', '') ?? null
  const state = rejection !== null ? 'rejected' : error !== null ? 'failed' : 'successful'
  save(context, { ...attempt, state, stateReason: rejection ?? error, updatedAt: at })
  const { paid, successfulAttempts, failedAttempts } = collection
  const isPaid = state === 'successful'
  const changed = changeCollection(
    context,
    collection,
    isPaid
      ? { paid: paid + attempt.amount, successfulAttempts: successfulAttempts + 1 }
      : { failedAttempts: failedAttempts + 1 },
    at,
  )
  // What this event contains is not published, except that it is about the attempt. Whoever wants more has to read it.
  const type = isPaid ? 'attempt_successful' : 'attempt_unsuccessful'
  tell(context, collection.externalId, `collection.${type}`, { id, collection_id: collection.id }, at)
  if (isPaid) progress(context, changed, at)
}

/** By Mono's rules, as of the outcome. Expired, disabled and amount are documented; how they are written, and the others, are not. */
function rejectionOf(collection: Collection, { amount, payer }: Attempt, at: Instant): string | null {
  const { state, stateReason, isSingleUse, expiresAt, expectedPayers, paid } = collection
  if ((state === 'discarded' && stateReason === 'expired') || (expiresAt !== null && expiresAt <= at))
    return 'expired'
  if (state !== 'ready' && state !== 'minimum_paid') return 'collection_invalid_state'
  if (!collection.enabled) return 'disabled'
  const isExpected = expectedPayers.some(
    (one) => one.document_type === payer.document_type && one.document_number === payer.document_number,
  )
  if (expectedPayers.length > 0 && !isExpected) return 'unexpected_payer'
  const least = isSingleUse ? collection.totalMinimum : collection.attemptMinimum
  const most = Math.min(
    collection.attemptMaximum ?? Number.POSITIVE_INFINITY,
    (collection.totalMaximum ?? Number.POSITIVE_INFINITY) - paid,
  )
  return amount < (least ?? 0) || amount > most ? 'amount' : null
}

export function listAttemptsOf(context: ProviderContext, id: string, request: ProviderRequest): Answer {
  if (context.storage.get('collection', id) === undefined) return noCollection(context, id)
  const found = context.storage.under<Attempt>('attempt', id)
  return pageOf(context, request, 'attempts', found.map(presentAttempt))
}

export function listAttempts(context: ProviderContext, request: ProviderRequest): Answer {
  const { query } = request
  const { storage } = context
  const state = query.get('state')
  if (state !== null && !(STATES as readonly string[]).includes(state))
    return invalid(context, [
      problem('invalid_parameter', `state must be one of ${STATES.join(', ')}`, '/state'),
    ])
  const collectionId = query.get('collection_id')
  const all =
    collectionId === null
      ? storage.list<Attempt>('attempt', 0, storage.count('attempt'))
      : storage.under<Attempt>('attempt', collectionId)
  const asked = (name: string, value: string) => (query.get(name) ?? value) === value
  const found = all.filter(
    (one) =>
      asked('state', one.state) && asked('key_value', one.keyValue) && asked('end_to_end_id', one.endToEndId),
  )
  return pageOf(context, request, 'attempts', found.map(presentAttempt))
}

function presentAttempt(attempt: Attempt): Record<string, unknown> {
  return {
    id: attempt.id,
    collection_id: attempt.collectionId,
    amount: money(attempt.amount),
    end_to_end_id: attempt.endToEndId,
    key_type: 'alphanumeric',
    key_value: attempt.keyValue,
    payer: attempt.payer,
    payer_account: attempt.payerAccount,
    state: attempt.state,
    state_reason: attempt.stateReason,
    inserted_at: isoInstant(attempt.insertedAt),
    updated_at: isoInstant(attempt.updatedAt),
  }
}

function save({ storage }: ProviderContext, attempt: Attempt): void {
  storage.put('attempt', attempt.id, attempt.collectionId, attempt)
}

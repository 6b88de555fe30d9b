// Outgoing transfers. A batch is accepted and rejected one by one; a rejected transfer is not kept. What was accepted goes from state to
// state, each told in a notice. No idempotency is published: the same external id sent twice pays twice, unless both name one target.

import { maximumInCents } from '../../../core/connections/rail.ts'
import { type Instant, isoInstant } from '../../../core/instant.ts'
import { type Answer, readObject } from '../../http.ts'
import { type Fields, fieldsOf } from '../input.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { MONO } from './credentials.ts'
import { invalid, notAuthorized, notJson, type Problem, refused } from './errors.ts'
import { tell } from './events.ts'
import { isIdOf, type Money, money, problem, problemsIn, problemsInEach, type Rules, rule } from './fields.ts'
import { newId } from './ids.ts'
import { RETURNING_KEY, readKey, UNAVAILABLE_KEY } from './keys.ts'
import { pageOf } from './pages.ts'
import { personBehind } from './people.ts'
import type { Target } from './targets.ts'

type Step = { readonly state: string; readonly reason: string | null }

type Transfer = {
  readonly id: string
  readonly externalId: string
  readonly amount: number
  readonly description: string | null
  /** Everything it will go through, decided at the start. */
  readonly steps: readonly Step[]
  readonly at: number
  readonly insertedAt: Instant
  readonly updatedAt: Instant
}

// The size of a batch is published for collections only.
const MAX_BATCH = 1_000
const SENT: Rules = {
  tenant_account_id: rule.id('bbtacc'),
  description: rule.text(255),
  transfers: rule.list(MAX_BATCH),
}
const ONE: Rules = {
  external_id: rule.text(255),
  amount: rule.money,
  description: rule.text(255),
  target_id: rule.id('bbtgt'),
  query: rule.object,
  payment_id: rule.text(36),
  expected_creditor: rule.document,
}
const QUERY: Rules = { format: rule.oneOf('plain_key'), value: rule.keyValue }

/** Words in a description, as documented, and the reason with which a transfer then fails. */
export const FAILING_TRANSFER_WORDS = [
  'tx_unknown',
  'tx_amount_exceeds_balance_limit',
  'tx_creditor_account_not_found',
  'tx_invalid_creditor_account',
  'tx_risk_control',
  'tx_breb_timeout',
] as const

const BEFORE_SENDING = ['processing', 'target_resolved', 'held']
const SENT_AND_PAID = [...BEFORE_SENDING, 'sent_to_breb_provider', 'successful']
const step = (state: string, reason: string | null = null): Step => ({ state, reason })
const throughSteps = (...states: readonly string[]): Step[] => states.map((state) => step(state))
const RETURNED = throughSteps(...SENT_AND_PAID, 'reversed')
// The documentation has no words for these states and reasons. These are the simulator's own.
const OWN_WORDS: Readonly<Record<string, readonly Step[]>> = {
  tx_insufficient_funds: [
    ...throughSteps('processing', 'target_resolved'),
    step('failed', 'insufficient_funds'),
  ],
  tx_internal_error: [...throughSteps('processing'), step('failed', 'internal_error')],
  tx_canceled: throughSteps(...BEFORE_SENDING, 'canceled'),
  tx_reversed: RETURNED,
  tx_reapplied: throughSteps(...SENT_AND_PAID, 'reversed', 'reapplied'),
}
export const OTHER_TRANSFER_WORDS = Object.keys(OWN_WORDS)

export function createTransfers(context: ProviderContext, { body }: ProviderRequest): Answer {
  const sent = readObject(body)
  if (sent === undefined) return notJson(context)
  const problems = problemsIn(sent, SENT, ['tenant_account_id', 'transfers'])
  const list = Array.isArray(sent.transfers) ? (sent.transfers as Fields[]) : []
  const all = [...problems, ...problemsInEach(list.slice(0, MAX_BATCH), '/transfers', problemsOfOne)]
  if (all.length > 0) return invalid(context, all)
  if (sent.tenant_account_id !== MONO.accountId) return notAuthorized(context)

  const accepted: unknown[] = []
  const rejected: unknown[] = []
  for (const one of list) {
    const reason = rejectionOf(context, one)
    if (reason !== undefined) rejected.push({ external_id: one.external_id, reason })
    else accepted.push(presentTransfer(accept(context, one, sent.description as string | undefined)))
  }
  // The reference and a guide name the accepted ones differently. Here one answer in four has the guide's name.
  const isAsInGuide = context.faults.number(String(list[0]?.external_id), 'mono guide') < 0.25
  return {
    status: accepted.length > 0 ? 202 : 200,
    json: { [isAsInGuide ? 'transfers' : 'accepted_transfers']: accepted, rejected_transfers: rejected },
  }
}

function problemsOfOne(one: Fields, path: string): readonly Problem[] {
  const isOneOfBoth = (one.target_id === undefined) !== (one.query === undefined)
  const queried = fieldsOf(one.query)
  return [
    ...problemsIn(one, ONE, ['external_id'], path),
    ...(isOneOfBoth ? [] : [problem('invalid_parameter', 'target_id or query is required', path)]),
    ...(one.query === undefined ? [] : problemsIn(queried, QUERY, ['format', 'value'], `${path}/query`)),
  ]
}

// target_amount_mismatch is documented too. Only a QR with an amount can cause it, and this simulator reads none.
function rejectionOf({ storage, clock }: ProviderContext, one: Fields): string | undefined {
  const amount = (one.amount as Money | undefined)?.amount
  if (one.target_id !== undefined) {
    if (storage.get('target', one.target_id as string) === undefined) return 'target_not_found'
    if (storage.get('used-target', one.target_id as string) !== undefined) return 'target_already_exists'
  }
  if (amount === undefined) return 'amount_not_provided'
  // The maximum is not published: here it is that of Bre-B.
  return amount > maximumInCents('BRE_B', clock.now(), 0n) ? 'amount_exceeds_max_limit' : undefined
}

function accept(context: ProviderContext, one: Fields, ofBatch: string | undefined): Transfer {
  const { storage, clock } = context
  const externalId = one.external_id as string
  const targetId = one.target_id as string | undefined
  const target = targetId === undefined ? undefined : storage.get<Target>('target', targetId)
  const key = target?.key_value ?? (fieldsOf(one.query).value as string)
  const description = (one.description as string | undefined) ?? ofBatch ?? null
  const now = clock.now()
  const transfer: Transfer = {
    id: newId(context, 'bbot', externalId),
    externalId,
    amount: (one.amount as Money).amount,
    description,
    steps: [
      step('created'),
      ...stepsOf(context, key, [one.description, ofBatch].join(' '), one.expected_creditor),
    ],
    at: 0,
    insertedAt: now,
    updatedAt: now,
  }
  if (targetId !== undefined) storage.put('used-target', targetId, '', true)
  save(context, transfer)
  scheduleNext(context, transfer)
  return transfer
}

function stepsOf(
  context: ProviderContext,
  key: string,
  description: string,
  expected: unknown,
): readonly Step[] {
  const read = readKey(key)
  if ('failure' in read) return [step('processing'), step('failed', read.failure)]
  const creditor = personBehind(context, key)
  const { document_type: type, document_number: number } = fieldsOf(expected)
  if (expected !== undefined && (type !== creditor.document_type || number !== creditor.document_number))
    return [...throughSteps('processing', 'target_resolved'), step('failed', 'target_creditor_mismatch')]
  const failedSending = (reason: string) => [
    ...throughSteps(...BEFORE_SENDING, 'sent_to_breb_provider'),
    step('failed', reason),
  ]
  if (key === UNAVAILABLE_KEY) return failedSending('provider_unavailable')
  if (key.toUpperCase() === RETURNING_KEY) return RETURNED
  for (const word of description.split(/\W+/)) {
    if ((FAILING_TRANSFER_WORDS as readonly string[]).includes(word))
      return failedSending(word.replace('tx_', ''))
    if (Object.hasOwn(OWN_WORDS, word)) return OWN_WORDS[word] as readonly Step[]
  }
  return throughSteps(...SENT_AND_PAID)
}

export function continueTransfer(context: ProviderContext, id: string, at: Instant): void {
  const transfer = context.storage.get<Transfer>('transfer', id)
  if (transfer === undefined || transfer.at + 1 >= transfer.steps.length) return
  const moved = { ...transfer, at: transfer.at + 1, updatedAt: at }
  save(context, moved)
  scheduleNext(context, moved)
}

// The outcome comes after the delay, the states before it in equal parts of it, and a return later by one more delay each.
function scheduleNext(context: ProviderContext, { id, steps, at, insertedAt }: Transfer): void {
  const outcome = steps.findIndex(({ state }) => ['successful', 'failed', 'canceled'].includes(state))
  const next = at + 1
  if (next >= steps.length) return
  const delays = next <= outcome ? next / outcome : 1 + next - outcome
  context.later(insertedAt + Math.floor(context.delayMs * delays), 'transfer', id)
}

export function readTransfer(context: ProviderContext, id: string): Answer {
  const transfer = context.storage.get<Transfer>('transfer', id)
  if (transfer !== undefined) return { status: 200, json: presentTransfer(transfer) }
  const status = isIdOf('bbot', id) ? 404 : 400
  return refused(context, status, 'outgoing_transfer_not_found', 'There is no such transfer', '/id')
}

/** What the list is called is not published. */
export function listTransfers(context: ProviderContext, request: ProviderRequest): Answer {
  const { storage } = context
  const externalId = request.query.get('external_id')
  const found =
    externalId === null
      ? storage.list<Transfer>('transfer', 0, storage.count('transfer'))
      : storage.under<Transfer>('transfer', externalId)
  return pageOf(context, request, 'transfers', found.map(presentTransfer))
}

function presentTransfer({ steps, at, ...transfer }: Transfer): Record<string, unknown> {
  return {
    id: transfer.id,
    external_id: transfer.externalId,
    amount: money(transfer.amount),
    description: transfer.description,
    state: steps[at]?.state,
    state_reason: steps[at]?.reason,
    inserted_at: isoInstant(transfer.insertedAt),
    updated_at: isoInstant(transfer.updatedAt),
  }
}

function save(context: ProviderContext, transfer: Transfer): void {
  context.storage.put('transfer', transfer.id, transfer.externalId, transfer)
  const shown = presentTransfer(transfer)
  tell(context, transfer.externalId, `outgoing_transfer.${shown.state}`, shown, transfer.updatedAt)
}

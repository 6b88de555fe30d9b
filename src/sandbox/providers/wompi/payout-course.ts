// What becomes of a batch of payouts over time, and of the money for it. Every change of a status is told in an event.

import { DAY_MS, type Instant } from '../../../core/instant.ts'
import type { ProviderContext } from '../provider.ts'
import { WOMPI_PAYOUTS } from './credentials.ts'
import {
  type Batch,
  type BatchStatus,
  batchEvent,
  hasEnded,
  type Payout,
  type PayoutStatus,
  payoutEvent,
} from './payout-batch.ts'

// Nothing published brings these about: people decide, in Wompi's dashboard, or its control of fraud (AFE). So here the description
// of the first payout does, if it is the state's own name. A batch that waits is released the next day.
const COURSES = {
  PENDING_APPROVAL: { waitsAs: 'PENDING_APPROVAL', endsAs: null },
  NOT_APPROVED: { waitsAs: 'PENDING_APPROVAL', endsAs: 'NOT_APPROVED' },
  AFE_ON_HOLD: { waitsAs: 'AFE_ON_HOLD', endsAs: null },
  AFE_REJECTED: { waitsAs: 'AFE_ON_HOLD', endsAs: 'AFE_REJECTED' },
} as const
type Course = (typeof COURSES)[keyof typeof COURSES]
export const COURSE_TEST_WORDS = Object.keys(COURSES)

const isCourse = (word: string): word is keyof typeof COURSES => Object.hasOwn(COURSES, word)

/** A new batch goes its way, after the payouts that failed at once were told. */
export function begin(context: ProviderContext, batch: Batch, word: string): void {
  const now = batch.createdAt
  const payouts = payoutsOf(context, batch.id)
  for (const payout of payouts.filter(hasEnded)) tellPayout(context, payout, now)
  if (payouts.every(hasEnded)) closeBatch(context, batch, now)
  else if (isCourse(word)) wait(context, batch, COURSES[word])
  else start(context, batch, now)
}

function wait(context: ProviderContext, { id, createdAt }: Batch, course: Course): void {
  const waitsFrom = createdAt + context.delayMs
  context.later(waitsFrom, course.waitsAs, id)
  if (course.endsAs === null) context.later(waitsFrom + DAY_MS, 'release', id)
  else context.later(waitsFrom + context.delayMs, course.endsAs, id)
}

// That payouts to keys pass through files is not said, nor that they do not: one in four does.
const BY_FILE: readonly PayoutStatus[] = ['PROCESSING', 'READY_TO_FILE', 'ADDED_TO_FILE']
const DIRECT: readonly PayoutStatus[] = ['PROCESSING']

function start(context: ProviderContext, batch: Batch, at: Instant): void {
  payoutsOf(context, batch.id).forEach((payout, index) => {
    if (hasEnded(payout)) return
    const isByFile = context.faults.number(batch.reference, `wompi-payouts file ${index}`) < 0.25
    const steps = [...(isByFile ? BY_FILE : DIRECT), 'end']
    steps.forEach((step, nth) => {
      context.later(at + Math.floor((context.delayMs * (nth + 1)) / steps.length), step, payout.id)
    })
  })
}

export function runTask(context: ProviderContext, name: string, id: string, at: Instant): void {
  const batch = context.storage.get<Batch>('payout', id)
  const payout = context.storage.get<Payout>('payout-transaction', id)
  if (batch !== undefined) changeBatch(context, batch, name, at)
  else if (payout !== undefined) changePayout(context, payout, name, at)
}

function changeBatch(context: ProviderContext, batch: Batch, name: string, at: Instant): void {
  const ending = name === 'NOT_APPROVED' ? 'CANCELLED' : name === 'AFE_REJECTED' ? 'REJECTED' : null
  if (ending !== null)
    for (const payout of payoutsOf(context, batch.id).filter((one) => !hasEnded(one)))
      savePayout(context, { ...payout, status: ending }, at)
  saveBatch(context, batch, name === 'release' ? 'PENDING' : (name as BatchStatus), at)
  if (name === 'release') start(context, batch, at)
}

function changePayout(context: ProviderContext, payout: Payout, name: string, at: Instant): void {
  const { endsWith } = payout
  const ended = { status: endsWith === null ? 'APPROVED' : 'FAILED', failure: endsWith } as const
  savePayout(context, { ...payout, ...(name === 'end' ? ended : { status: name as PayoutStatus }) }, at)
  const batch = context.storage.get<Batch>('payout', payout.payoutId)
  if (batch !== undefined && payoutsOf(context, batch.id).every(hasEnded)) closeBatch(context, batch, at)
}

function closeBatch(context: ProviderContext, batch: Batch, at: Instant): void {
  const statuses = payoutsOf(context, batch.id).map(({ status }) => status === 'APPROVED')
  const paid = statuses.every(Boolean) ? 'TOTAL_PAYMENT' : 'PARTIAL_PAYMENT'
  saveBatch(context, batch, statuses.some(Boolean) ? paid : 'REJECTED', at)
}

// What did not reach the receiver is in the account again.
function savePayout(context: ProviderContext, payout: Payout, at: Instant): void {
  const changed = { ...payout, updatedAt: at }
  putPayout(context, changed)
  if (hasEnded(changed) && changed.status !== 'APPROVED') addToBalance(context, changed.amountInCents)
  tellPayout(context, changed, at)
}

function saveBatch(context: ProviderContext, batch: Batch, status: BatchStatus, at: Instant): void {
  const changed = { ...batch, status, updatedAt: at }
  putBatch(context, changed)
  context.notify({ reference: batch.reference, body: batchEvent(changed, at), at })
}

function tellPayout(context: ProviderContext, payout: Payout, at: Instant): void {
  context.notify({ reference: payout.batchReference, body: payoutEvent(payout, at), at })
}

export const putBatch = ({ storage }: ProviderContext, batch: Batch): void =>
  storage.put('payout', batch.id, batch.reference, batch)

export const putPayout = ({ storage }: ProviderContext, payout: Payout): void =>
  storage.put('payout-transaction', payout.id, payout.payoutId, payout)

export const payoutsOf = ({ storage }: ProviderContext, batchId: string): Payout[] =>
  storage.under<Payout>('payout-transaction', batchId)

const OPENING_CENTS = 10_000_000_000

export const balanceOf = ({ storage }: ProviderContext): number =>
  storage.get<number>('balance', WOMPI_PAYOUTS.payoutsAccountId) ?? OPENING_CENTS

export function addToBalance(context: ProviderContext, cents: number): void {
  context.storage.put('balance', WOMPI_PAYOUTS.payoutsAccountId, '', balanceOf(context) + cents)
}

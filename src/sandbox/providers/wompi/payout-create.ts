// A new batch of payouts at Wompi. Only the idempotency key keeps a caller from paying twice, and only for a day: then the same request
// pays again. Whether a refused request uses its key up is not published, nor whether a reference may come twice: here a refused request
// does use it up, and a reference may, so that no caller comes to rely on the opposite.

import { DAY_MS, HOUR_MS, type Instant } from '../../../core/instant.ts'
import { type Answer, readObject } from '../../http.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { WOMPI_PAYOUTS } from './credentials.ts'
import { findKey } from './keys.ts'
import {
  drawnUuid,
  made,
  notFound,
  otherRefusal,
  REFUSALS,
  type RefusalCode,
  refusal,
} from './payout-answers.ts'
import { type Batch, hasEnded, type Payout, type PayoutFailure } from './payout-batch.ts'
import { addToBalance, balanceOf, begin, payoutsOf, putBatch, putPayout } from './payout-course.ts'
import { batchProblems, type SentBatch, type SentPayout } from './payout-input.ts'

const IDEMPOTENCY_KEY = /^[A-Za-z0-9-]{1,64}$/
const KEY_LASTS_MS = DAY_MS
const MAX_CENTS_A_DAY = 150_000_000_000
const MAX_BATCHES_A_DAY = 3_800
// The least amount is not published: we take that of Wompi's payments. A payout below it is accepted first.
const MIN_CENTS = 150_000

const BELOW_MINIMUM: PayoutFailure = {
  code: 'MOL-5021',
  description: 'El monto es inferior al mínimo permitido',
}
const ACCOUNT_INACTIVE: PayoutFailure = { code: 'C01', description: 'La cuenta está inactiva' }

export function createBatch(context: ProviderContext, request: ProviderRequest): Answer {
  const key = request.header('idempotency-key')
  if (!IDEMPOTENCY_KEY.test(key)) return otherRefusal(400, 'idempotency-key no es válido')
  if (!takeIdempotencyKey(context, key)) return refusal('KEY_USED')
  const body = readObject(request.body)
  if (body === undefined) return otherRefusal(400, 'El cuerpo no es un JSON válido')
  const problems = batchProblems(body)
  if (problems.length > 0) return otherRefusal(400, `Campos no válidos: ${problems.join(', ')}`)
  const sent = body as unknown as SentBatch
  if (sent.accountId !== WOMPI_PAYOUTS.payoutsAccountId) return notFound()
  const total = sent.transactions.reduce((sum, { amount }) => sum + amount, 0)
  if (total > balanceOf(context)) return refusal('BALANCE')
  if (!countToday(context, total)) return refusal('DAILY_LIMIT')
  return made(context, request, newBatch(context, sent, total))
}

function takeIdempotencyKey({ storage, clock }: ProviderContext, key: string): boolean {
  const takenAt = storage.get<Instant>('idempotency-key', key)
  if (takenAt !== undefined && clock.now() - takenAt < KEY_LASTS_MS) return false
  storage.put('idempotency-key', key, '', clock.now())
  return true
}

// The day is Colombia's. What is refused does not count towards it; what fails later does.
function countToday({ storage, clock }: ProviderContext, total: number): boolean {
  const day = String(Math.floor((clock.now() - 5 * HOUR_MS) / DAY_MS))
  const sofar = storage.get<{ cents: number; batches: number }>('day', day) ?? { cents: 0, batches: 0 }
  const after = { cents: sofar.cents + total, batches: sofar.batches + 1 }
  if (after.cents > MAX_CENTS_A_DAY || after.batches > MAX_BATCHES_A_DAY) return false
  storage.put('day', day, '', after)
  return true
}

function newBatch(context: ProviderContext, sent: SentBatch, total: number): Record<string, unknown> {
  const { storage, faults, clock } = context
  const { reference, accountId, paymentType, transactions } = sent
  const now = clock.now()
  const id = drawnUuid(faults.seed, 'payout', reference, String(storage.countStep(reference, 'payout')))
  const batch: Batch = {
    id,
    reference,
    accountId,
    paymentType,
    status: 'PENDING',
    amountInCents: total,
    createdAt: now,
    updatedAt: now,
  }
  putBatch(context, batch)
  transactions.forEach((one, index) => {
    const payout = newPayout(context, batch, one, index, sent.transactionStatus)
    putPayout(context, payout)
    if (!hasEnded(payout)) addToBalance(context, -payout.amountInCents)
  })
  const failed = payoutsOf(context, id).filter(hasEnded).length
  begin(context, batch, transactions[0]?.description ?? '')
  return { payoutId: id, transactions: transactions.length, success: transactions.length - failed, failed }
}

// What the sandbox says of a key at a lookup, it says of a payout to it: at once if the key is at fault, within an answer that accepts
// the batch, and later if the directory is. (Published is only what it says at a lookup.)
const AT_ONCE: readonly RefusalCode[] = ['KEY_FORMAT', 'KEY_UNKNOWN', 'KEY_INACTIVE']

function newPayout(
  { faults }: ProviderContext,
  { id: payoutId, reference: batchReference, createdAt }: Batch,
  sent: SentPayout,
  index: number,
  wanted: SentBatch['transactionStatus'],
): Payout {
  const found = findKey(sent.key)
  const refused = typeof found === 'string' ? found : null
  const failsAtOnce = refused !== null && AT_ONCE.includes(refused)
  const endsWith = refused !== null ? failureOf(refused) : outcomeOf(sent.amount, wanted)
  return {
    id: drawnUuid(faults.seed, 'transaction', payoutId, String(index)),
    payoutId,
    batchReference,
    reference: sent.reference ?? null,
    description: sent.description ?? null,
    amountInCents: sent.amount,
    status: failsAtOnce ? 'FAILED' : 'PENDING',
    failure: failsAtOnce ? endsWith : null,
    payee: {
      key: sent.key,
      keyType: typeof found === 'string' ? null : found.type,
      name: sent.name,
      email: sent.email,
      legalIdType: sent.legalIdType ?? null,
      legalId: sent.legalId ?? null,
      keyResolutionId:
        refused === null ? drawnUuid(faults.seed, 'resolution', payoutId, String(index)) : null,
    },
    endsWith,
    createdAt,
    updatedAt: createdAt,
  }
}

function failureOf(refused: RefusalCode): PayoutFailure {
  const { code, message } = REFUSALS[refused]
  return { code, description: message }
}

function outcomeOf(amount: number, wanted: SentBatch['transactionStatus']): PayoutFailure | null {
  if (amount < MIN_CENTS) return BELOW_MINIMUM
  return wanted === 'FAILED' ? ACCOUNT_INACTIVE : null
}

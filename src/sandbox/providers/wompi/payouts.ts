// The simulated Wompi: payouts to Bre-B keys. Written from Wompi's documentation (docs.wompi.co) and from public code. The paths of /v1
// are those by which a caller finds what it has lost, and its balance; that they show batches of /v2 is taken for granted here. How they
// list what they find is not published: they list as /v2 does.

import { HOUR_MS, MINUTE_MS } from '../../../core/instant.ts'
import { type Answer, readObject } from '../../http.ts'
import { isWhole } from '../input.ts'
import type { Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { WOMPI_PAYOUTS } from './credentials.ts'
import { findKey, KEY_TYPES, presentKey, REFUSED, REGISTERED } from './keys.ts'
import { made, notFound, otherRefusal, REFUSALS, read, refusal } from './payout-answers.ts'
import { type Batch, presentBatch, presentPayout } from './payout-batch.ts'
import { addToBalance, balanceOf, COURSE_TEST_WORDS, payoutsOf, runTask } from './payout-course.ts'
import { createBatch } from './payout-create.ts'

const MAX_PAGE = 100
const DEFAULT_PAGE = 10

export const wompiPayouts: Provider = {
  name: 'wompi-payouts',
  credentials: WOMPI_PAYOUTS,
  testData: [
    ...[...REGISTERED].map(([key, { type }]) => [`key ${key}`, `resolves as ${type}`] as const),
    ...[...REFUSED].map(([key, why]) => [`key ${key}`, REFUSALS[why].code] as const),
    ['transactionStatus', 'APPROVED or FAILED'],
    ...COURSE_TEST_WORDS.map(
      (word) => [`description ${word}`, 'the simulator’s own: the batch gets there'] as const,
    ),
  ],
  subjectOf: ({ body, query, segments }) => {
    const reference = readObject(body)?.reference
    return typeof reference === 'string'
      ? reference
      : (query.get('reference') ?? segments[4] ?? segments[2] ?? '')
  },
  isPage: () => false,
  broken: (status) => otherRefusal(status, 'Servicio no disponible'),
  notices: {
    // Three repetitions are published, their times are not: we take those of Wompi's payments.
    retryAfterMs: [30 * MINUTE_MS, 3 * HOUR_MS, 24 * HOUR_MS],
    headers: (body) => ({
      'x-event-checksum': (JSON.parse(body) as { signature: { checksum: string } }).signature.checksum,
    }),
  },
  answer,
  runTask,
}

function answer(context: ProviderContext, request: ProviderRequest): Answer | undefined {
  const { method, segments } = request
  const [version, resource, name, part, key] = segments
  if (version !== 'v1' && version !== 'v2') return undefined
  if (
    request.header('x-api-key') !== WOMPI_PAYOUTS.payoutsApiKey ||
    request.header('user-principal-id') !== WOMPI_PAYOUTS.payoutsUserPrincipalId
  )
    return otherRefusal(401, 'Las credenciales no son válidas')
  switch (`${method} ${version} ${resource} ${segments.length}`) {
    case 'POST v2 payouts 2':
      return createBatch(context, request)
    case 'GET v2 payouts 3':
      return readBatch(context, request, name ?? '')
    case 'GET v2 payouts 4':
      return part === 'transactions' ? readPayouts(context, request, batchOf(context, name ?? '')) : undefined
    case 'GET v2 breb 5':
      return name === 'keys' && part === 'resolve' ? resolveKey(context, request, key ?? '') : undefined
    case 'GET v1 payouts 2':
      return findBatches(context, request)
    case 'GET v1 transactions 3':
      // Of several batches with this reference, the last.
      return readPayouts(context, request, batchesUnder(context, name ?? '').at(-1))
    case 'GET v1 accounts 2':
      return read(context, request, [presentAccount(context)])
    case 'POST v1 accounts 3':
      return name === 'balance-recharge' ? recharge(context, request) : undefined
    default:
      return undefined
  }
}

function resolveKey(context: ProviderContext, request: ProviderRequest, key: string): Answer {
  const { faults, storage } = context
  const type = request.query.get('keyType') ?? ''
  if (!(KEY_TYPES as readonly string[]).includes(type)) return otherRefusal(400, 'keyType no es válido')
  if (!faults.areOff()) {
    const nth = storage.countStep(key, 'wompi-payouts resolve')
    if (faults.strikes('directoryAway', key, `resolve ${nth}`)) return refusal('KEY_UNAVAILABLE')
  }
  const found = findKey(key)
  if (typeof found === 'string') return refusal(found)
  // A key is registered under one type.
  return found.type === type ? read(context, request, presentKey(key, found)) : refusal('KEY_UNKNOWN')
}

function readBatch(context: ProviderContext, request: ProviderRequest, id: string): Answer {
  const batch = batchOf(context, id)
  return batch === undefined ? notFound() : read(context, request, presentBatch(batch))
}

function readPayouts(context: ProviderContext, request: ProviderRequest, batch: Batch | undefined): Answer {
  return batch === undefined
    ? notFound()
    : page(context, request, payoutsOf(context, batch.id).map(presentPayout))
}

function findBatches(context: ProviderContext, request: ProviderRequest): Answer {
  const reference = request.query.get('reference') ?? ''
  if (reference === '') return otherRefusal(400, 'reference es requerido')
  return page(context, request, batchesUnder(context, reference).map(presentBatch))
}

function batchOf(context: ProviderContext, id: string): Batch | undefined {
  const batch = context.storage.get<Batch>('payout', id)
  return batch === undefined || isHidden(context, batch.reference) ? undefined : batch
}

const batchesUnder = (context: ProviderContext, reference: string): Batch[] =>
  isHidden(context, reference) ? [] : context.storage.under<Batch>('payout', reference)

// The fault plan may keep a batch from being seen for its first queries.
const isHidden = ({ faults, storage }: ProviderContext, reference: string): boolean =>
  !faults.areOff() && faults.hidesFromQuery(reference, storage.countStep(reference, 'wompi-payouts query'))

// Pages count from 1. The greatest and the usual length of a page are not published.
function page(context: ProviderContext, request: ProviderRequest, all: readonly unknown[]): Answer {
  const limit = wholeIn(request, 'limit', DEFAULT_PAGE)
  const number = wholeIn(request, 'page', 1)
  if (!isWhole(limit, 1, MAX_PAGE) || !isWhole(number, 1))
    return otherRefusal(400, 'limit o page no es válido')
  return read(context, request, {
    page: number,
    limit,
    total: all.length,
    pages: Math.ceil(all.length / limit),
    records: all.slice((number - 1) * limit, number * limit),
  })
}

function wholeIn({ query }: ProviderRequest, name: string, usual: number): number {
  const text = query.get(name)
  if (text === null) return usual
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

const presentAccount = (context: ProviderContext) => ({
  id: WOMPI_PAYOUTS.payoutsAccountId,
  name: 'Cuenta de pruebas',
  status: 'ACTIVE',
  currency: 'COP',
  balanceInCents: balanceOf(context),
})

function recharge(context: ProviderContext, request: ProviderRequest): Answer {
  const { accountId, amountInCents } = readObject(request.body) ?? {}
  if (
    typeof accountId !== 'string' ||
    !isWhole(amountInCents, 1, Number.MAX_SAFE_INTEGER - balanceOf(context))
  )
    return otherRefusal(400, 'accountId o amountInCents no es válido')
  if (accountId !== WOMPI_PAYOUTS.payoutsAccountId) return notFound()
  addToBalance(context, amountInCents)
  return made(context, request, { accountId, balanceInCents: balanceOf(context) })
}

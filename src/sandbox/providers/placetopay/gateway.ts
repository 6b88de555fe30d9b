// The simulated PlacetoPay Gateway: PSE payments. Written from PlacetoPay's documentation (docs.placetopay.dev). Where it is silent, this
// is the stricter or the stranger: a reference may be used again and is then another payment, an idempotence key answers with the text
// of its first answer whatever has changed since or is asked now, and nothing can be given back.

import type { Instant } from '../../../core/instant.ts'
import { drawnHex } from '../../faults.ts'
import { type Answer, readObject } from '../../http.ts'
import { type Fields, fieldsOf } from '../input.ts'
import type { Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { authFailure } from './auth.ts'
import { awaitsPayer, bankPage, noPage } from './bank-page.ts'
import { INACTIVE_SITES, PLACETOPAY } from './credentials.ts'
import {
  DOCUMENT_TYPES,
  problemsOfAction,
  problemsOfInformation,
  problemsOfProcess,
  problemsOfQuery,
  problemsOfSearch,
  redirectionOf,
} from './fields.ts'
import {
  APPROVED_STEP,
  BANKS,
  type Bank,
  DOCUMENT_THAT_FAILS,
  DOCUMENTS,
  FAILED_STEP,
  isOpen,
  PENDING_STEP,
  REJECTED_STEP,
  type Step,
  TEST_DATA,
} from './outcomes.ts'
import {
  type Amount,
  notification,
  presentStatus,
  presentTransaction,
  type Transaction,
} from './transaction.ts'

const SERVICE_CODE = '1001'
const PAGES = 'redirection'

export const placetopay: Provider = {
  name: 'placetopay',
  credentials: PLACETOPAY,
  testData: [
    ...TEST_DATA,
    ...Object.entries(INACTIVE_SITES).map(
      ([login, code]) => [`login ${login}`, `Authentication failed ${code}`] as const,
    ),
  ],
  subjectOf: ({ body }) => {
    const sent = readObject(body)
    const named = fieldsOf(sent?.payment).reference ?? sent?.reference ?? sent?.internalReference
    return typeof named === 'string' || typeof named === 'number' ? String(named) : ''
  },
  isPage: ({ segments }) => segments[1] === PAGES,
  broken: (status) => ({
    status,
    json: { status: { status: 'FAILED', reason: status, message: 'Servicio no disponible' } },
  }),
  notices: {
    // Repetitions are unpublished. The same house's WebCheckout sends each notification once, and so does this.
    retryAfterMs: [],
    // The signature is in the body.
    headers: () => ({}),
    namedBy: 'notificationURL',
  },
  answer,
  runTask: (context, _name, id, at) => {
    const transaction = context.storage.get<Transaction>('transaction', id)
    const [next, ...steps] = transaction?.steps ?? []
    if (transaction !== undefined && next !== undefined)
      takeStep(context, { ...transaction, steps }, next, at)
  },
}

const ROUTES: Readonly<
  Record<
    string,
    { problemsOf: (sent: Fields) => string[]; act: (context: ProviderContext, sent: Fields) => Answer }
  >
> = {
  information: { problemsOf: problemsOfInformation, act: information },
  process: { problemsOf: problemsOfProcess, act: createPayment },
  query: { problemsOf: problemsOfQuery, act: query },
  search: { problemsOf: problemsOfSearch, act: search },
  transaction: { problemsOf: problemsOfAction, act: change },
}

function answer(context: ProviderContext, request: ProviderRequest): Answer | undefined {
  const [gateway, name = '', token = '', more] = request.segments
  if (gateway !== 'gateway' || more !== undefined) return undefined
  if (name === PAGES) return visit(context, token, request)
  const route = Object.hasOwn(ROUTES, name) && token === '' ? ROUTES[name] : undefined
  if (route === undefined || request.method !== 'POST') return undefined
  // What is not JSON has no auth in it: the answer is that of a request without.
  const isJson = /^application\/json\b/i.test(request.header('content-type'))
  const sent = (isJson ? readObject(request.body) : undefined) ?? {}
  const failure = authFailure(context, sent.auth)
  if (failure !== undefined) return failure
  const problems = route.problemsOf(sent)
  return problems.length > 0 ? refused(context, problems) : route.act(context, sent)
}

// The answer to wrong fields is unpublished. This one has the format of the answer to a wrong auth.
const refused = ({ clock }: ProviderContext, problems: readonly string[]): Answer => ({
  status: 400,
  json: {
    status: presentStatus(
      { status: 'FAILED', reason: 400, message: `Datos inválidos: ${problems.join(', ')}` },
      clock.now(),
    ),
  },
})

// A refusal inside a 200. What PSE's reasons mean is unpublished; XN is one of those that occur.
const failed = ({ clock }: ProviderContext, message: string): Answer => ({
  status: 200,
  json: { status: presentStatus({ status: 'FAILED', reason: 'XN', message }, clock.now()) },
})

const ok = ({ clock }: ProviderContext) =>
  presentStatus(
    { status: 'OK', reason: '00', message: 'La petición se ha procesado correctamente' },
    clock.now(),
  )

function information(context: ProviderContext): Answer {
  return {
    status: 200,
    json: {
      status: ok(context),
      provider: 'ACH',
      serviceCode: SERVICE_CODE,
      requireRedirection: true,
      bankList: BANKS.map(({ code, description }) => ({ code, description })),
      allowedDocumentTypes: DOCUMENT_TYPES,
    },
  }
}

type FirstAnswer = { readonly internalReference: number; readonly json: unknown }

function createPayment(context: ProviderContext, sent: Fields): Answer {
  const { storage, clock, delayMs } = context
  const key = sent.idempotenceKey as string | undefined
  const earlier = key === undefined ? undefined : storage.get<FirstAnswer>('idempotence', key)
  if (earlier !== undefined && isInForce(context, earlier.internalReference))
    return { status: 208, json: earlier.json }
  const transaction = newTransaction(context, sent)
  const { internalReference } = transaction
  save(context, transaction)
  storage.put('page', tokenOf(transaction), '', internalReference)
  if (transaction.steps.length > 0) context.later(clock.now() + delayMs, 'step', String(internalReference))
  const json = presentTransaction(transaction)
  if (key !== undefined)
    storage.put('idempotence', key, '', { internalReference, json } satisfies FirstAnswer)
  return { status: 200, json }
}

function isInForce(context: ProviderContext, internalReference: number): boolean {
  const status = find(context, internalReference)?.step.status
  return status !== undefined && (isOpen(status) || status === 'APPROVED')
}

function newTransaction(context: ProviderContext, sent: Fields): Transaction {
  const payment = fieldsOf(sent.payment)
  const { returnURL, additional } = redirectionOf(sent)
  const reference = payment.reference as string
  const amount = payment.amount as Amount
  const document = fieldsOf(sent.payer).document as string
  const bank = BANKS.find(({ code }) => code === fieldsOf(additional).bankCode) as Bank
  const internalReference = newInternalReference(context, reference)
  const failsAtOnce = document === DOCUMENT_THAT_FAILS
  return {
    internalReference,
    reference,
    description: payment.description as string,
    amount: {
      currency: amount.currency,
      total: amount.total,
      ...(amount.taxes !== undefined && { taxes: amount.taxes }),
    },
    bankName: bank.description,
    step: failsAtOnce ? FAILED_STEP : PENDING_STEP,
    changedAt: context.clock.now(),
    steps: failsAtOnce ? [] : (Object.hasOwn(DOCUMENTS, document) && DOCUMENTS[document]) || bank.steps,
    authorization: null,
    receipt: null,
    processUrl: `${context.publicUrl}/gateway/${PAGES}/${drawn(context, 'page', internalReference).slice(0, 32)}`,
    returnUrl: returnURL as string,
    notificationUrl: (sent.notificationURL as string | undefined) ?? null,
  }
}

// Ten digits, drawn by the reference and how often it was used, and by nothing that differs from run to run.
function newInternalReference(context: ProviderContext, reference: string): number {
  for (let use = context.storage.countStep(reference, 'placetopay transaction'); ; use += 1) {
    const digits = Number.parseInt(drawn(context, reference, use).slice(0, 12), 16) % 1_000_000_000
    if (find(context, 1_000_000_000 + digits) === undefined) return 1_000_000_000 + digits
  }
}

const drawn = ({ faults }: ProviderContext, what: string, number: number): string =>
  drawnHex(faults.seed, 'placetopay', what, String(number))

const drawnDigits = (context: ProviderContext, what: string, number: number, count: number): string =>
  String(Number.parseInt(drawn(context, what, number).slice(0, 12), 16) % 10 ** count).padStart(count, '0')

function query(context: ProviderContext, { internalReference }: Fields): Answer {
  const transaction = find(context, internalReference as number)
  return transaction === undefined
    ? failed(context, 'No existe la transacción')
    : { status: 200, json: presentTransaction(transaction) }
}

function search(context: ProviderContext, { reference, amount }: Fields): Answer {
  const { total } = fieldsOf(amount)
  const found = context.storage
    .under<Transaction>('transaction', reference as string)
    .filter((transaction) => transaction.amount.total === total)
  return { status: 200, json: { status: ok(context), transactions: found.map(presentTransaction) } }
}

// Whether PSE money can be given back is not promised, and a pending payment cannot be cancelled.
function change(context: ProviderContext, { internalReference }: Fields): Answer {
  return find(context, internalReference as number) === undefined
    ? failed(context, 'No existe la transacción')
    : failed(context, 'El medio de pago no permite esta operación')
}

function takeStep(context: ProviderContext, transaction: Transaction, step: Step, at: Instant): void {
  const { internalReference, reference, steps, notificationUrl } = transaction
  const changed: Transaction = {
    ...transaction,
    step,
    changedAt: at,
    ...(step.status === 'APPROVED' && {
      authorization: drawnDigits(context, 'authorization', internalReference, 6),
      receipt: drawnDigits(context, 'receipt', internalReference, 12),
    }),
  }
  save(context, changed)
  // Which changes are told is unpublished. Here all are.
  context.notify({ reference, body: notification(changed), at, url: notificationUrl ?? undefined })
  if (steps.length > 0) context.later(at + context.delayMs, 'step', String(internalReference))
}

// The payer's browser at the bank.
function visit(context: ProviderContext, token: string, { method, body }: ProviderRequest): Answer {
  const internalReference = context.storage.get<number>('page', token)
  const transaction = internalReference === undefined ? undefined : find(context, internalReference)
  if (transaction === undefined) return noPage()
  const decision = method === 'POST' ? new URLSearchParams(body).get('decision') : null
  if (awaitsPayer(transaction) && (decision === 'approve' || decision === 'reject'))
    takeStep(
      context,
      transaction,
      decision === 'approve' ? APPROVED_STEP : REJECTED_STEP,
      context.clock.now(),
    )
  return bankPage(find(context, transaction.internalReference) as Transaction)
}

const find = ({ storage }: ProviderContext, internalReference: number): Transaction | undefined =>
  storage.get<Transaction>('transaction', String(internalReference))

const tokenOf = ({ processUrl }: Transaction): string => processUrl.slice(processUrl.lastIndexOf('/') + 1)

function save({ storage }: ProviderContext, transaction: Transaction): void {
  storage.put('transaction', String(transaction.internalReference), transaction.reference, transaction)
}

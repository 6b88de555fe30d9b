// The simulated Wompi: PSE payments. Written from Wompi's documentation (docs.wompi.co) and from what others have measured. Where those
// differ, it is the stricter: a transaction is read with the private key only, and its description has 30 characters at most.

import { createHmac } from 'node:crypto'
import { html } from '../../../core/html.ts'
import { HOUR_MS, isoInstant, MINUTE_MS } from '../../../core/instant.ts'
import { drawnHex } from '../../faults.ts'
import { type Answer, isWebAddress, readObject } from '../../http.ts'
import { fieldsOf, isEmailLike, isText, isWhole, textOf } from '../input.ts'
import type { Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { WOMPI } from './credentials.ts'
import {
  integritySignature,
  presentTransaction,
  type Transaction,
  type TransactionStatus,
  ticketOf,
  transactionEvent,
} from './transaction.ts'

const BANKS = [
  { code: '1', name: 'Banco que aprueba', status: 'APPROVED', message: null },
  { code: '2', name: 'Banco que declina', status: 'DECLINED', message: 'La transacción fue declinada' },
  { code: '3', name: 'Banco que simula un error', status: 'ERROR', message: 'Error inesperado' },
] as const
const MIN_CENTS = 150_000
const MAX_REFERENCE = 255
const MAX_DESCRIPTION = 30
const DOCUMENT_TYPES = ['CC', 'CE', 'NIT', 'PP', 'TI', 'DNI', 'RG', 'OTHER']

export const wompi: Provider = {
  name: 'wompi',
  credentials: WOMPI,
  testData: BANKS.map(({ code, status }) => [`bank ${code}`, status]),
  subjectOf: ({ body, query, segments }) =>
    textOf(readObject(body)?.reference ?? query.get('reference') ?? segments[2]),
  isPage: ({ segments }) => segments[1] === 'terms' || segments[2] === 'redirect',
  broken: (status) => ({
    status,
    json: { error: { type: 'SERVICE_ERROR', reason: 'Servicio no disponible' } },
  }),
  notices: {
    retryAfterMs: [30 * MINUTE_MS, 3 * HOUR_MS, 24 * HOUR_MS],
    headers: (body) => ({ 'x-event-checksum': checksumIn(body) }),
  },
  answer,
  runTask: (context, name, id, at) => {
    const transaction = context.storage.get<Transaction>('transaction', id)
    if (transaction === undefined || transaction.status !== 'PENDING') return
    const withPage = { ...transaction, pageUrl: pageUrlOf(context, id) }
    if (name === 'page') return save(context, withPage)
    const bank = BANKS.find(({ code }) => code === transaction.paymentMethod.financial_institution_code)
    const ended: Transaction = {
      ...withPage,
      status: (bank?.status ?? 'ERROR') as TransactionStatus,
      statusMessage: bank?.message ?? null,
      finalizedAt: at,
    }
    save(context, ended)
    context.notify({ reference: ended.reference, body: transactionEvent(ended, at), at })
  },
}

function answer(context: ProviderContext, request: ProviderRequest): Answer | undefined {
  const [version, resource, name] = request.segments
  if (version !== 'v1') return undefined
  const route = `${request.method} ${resource}`
  if (route === 'GET merchants') return name === WOMPI.publicKey ? merchant(context) : notFound()
  if (route === 'GET terms') return terms
  if (route === 'GET pse' && name === 'redirect')
    return redirect(context, request.query.get('ticket_id') ?? '')
  const key = /^Bearer (.+)$/.exec(request.authorization)?.[1]
  if (key !== WOMPI.publicKey && key !== WOMPI.privateKey) return unauthorized
  if (route === 'GET pse' && name === 'financial_institutions') return banks
  if (route === 'POST transactions' && name === undefined) return createTransaction(context, request.body)
  if (route !== 'GET transactions') return undefined
  if (name !== undefined) return key === WOMPI.privateKey ? readTransaction(context, name) : notFound()
  if (key !== WOMPI.privateKey) return unauthorized
  const found = context.storage.under<Transaction>('transaction', request.query.get('reference') ?? '')
  return { status: 200, json: { data: found.map(presentTransaction), meta: { total_results: found.length } } }
}

const unauthorized: Answer = {
  status: 401,
  json: {
    error: {
      type: 'INVALID_ACCESS_TOKEN',
      reason: 'La llave proporcionada no corresponde a este ambiente',
    },
  },
}
const notFound = (): Answer => ({
  status: 404,
  json: { error: { type: 'NOT_FOUND_ERROR', reason: 'La entidad solicitada no existe' } },
})
const banks: Answer = {
  status: 200,
  json: {
    data: BANKS.map(({ code, name }) => ({
      financial_institution_code: code,
      financial_institution_name: name,
    })),
    meta: {},
  },
}

const terms: Answer = {
  status: 200,
  page: html`<!doctype html><title>Términos de prueba</title><p>Términos de prueba.`,
}

// The two texts that a payer has to accept, each with a token that one transaction uses up.
const TERMS = {
  presigned_acceptance: { type: 'END_USER_POLICY', path: 'terminos-y-condiciones' },
  presigned_personal_data_auth: { type: 'PERSONAL_DATA_AUTH', path: 'autorizacion-datos-personales' },
} as const
type Terms = keyof typeof TERMS

function merchant(context: ProviderContext): Answer {
  const shown = (terms: Terms) => ({
    acceptance_token: newToken(context, terms),
    permalink: `${context.publicUrl}/v1/terms/${TERMS[terms].path}.pdf`,
    type: TERMS[terms].type,
  })
  return {
    status: 200,
    json: {
      data: {
        id: 1292,
        name: 'Comercio de pruebas',
        active: true,
        accepted_payment_methods: ['PSE'],
        accepted_currencies: ['COP'],
        presigned_acceptance: shown('presigned_acceptance'),
        presigned_personal_data_auth: shown('presigned_personal_data_auth'),
      },
      meta: {},
    },
  }
}

function newToken(context: ProviderContext, terms: Terms): string {
  const number = context.storage.countStep('wompi', 'terms')
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256' })}.${part({ contract_id: number, terms, created_at: context.clock.now() })}`
  return `${text}.${tokenSignature(text)}`
}

const tokenSignature = (text: string): string =>
  createHmac('sha256', WOMPI.integritySecret).update(text).digest('base64url')

function tokenProblem(context: ProviderContext, token: unknown, terms: Terms): string | undefined {
  if (!isText(token, 2_048)) return 'No está presente'
  const [head = '', facts = '', signature] = token.split('.')
  if (signature !== tokenSignature(`${head}.${facts}`)) return 'No es válido'
  const { terms: of } = JSON.parse(Buffer.from(facts, 'base64url').toString()) as { terms: string }
  if (of !== terms) return 'No es válido'
  return context.storage.get('used-token', token) === undefined ? undefined : 'Ya fue usado'
}

function createTransaction(context: ProviderContext, body: string): Answer {
  const sent = readObject(body)
  if (sent === undefined) return refused({ body: ['No es un JSON válido'] })
  const problems = problemsOf(context, sent)
  if (Object.keys(problems).length > 0) return refused(problems)
  const reference = sent.reference as string
  const amountInCents = sent.amount_in_cents as number
  const { storage, clock, faults, delayMs } = context
  for (const token of [sent.acceptance_token, sent.accept_personal_auth])
    storage.put('used-token', token as string, '', true)
  const now = clock.now()
  const tail = Number.parseInt(drawnHex(faults.seed, 'wompi', reference).slice(0, 8), 16) % 90_000
  const transaction: Transaction = {
    id: `1292-${Math.floor(now / 1_000)}-${10_000 + tail}`,
    createdAt: now,
    finalizedAt: null,
    status: 'PENDING',
    statusMessage: null,
    reference,
    amountInCents,
    customerEmail: sent.customer_email as string,
    customerData: sent.customer_data,
    redirectUrl: (sent.redirect_url as string | undefined) ?? null,
    paymentMethod: fieldsOf(sent.payment_method),
    pageUrl: null,
  }
  save(context, transaction)
  // Often the page is there only when the outcome is.
  const pageShare = faults.number(reference, 'wompi page')
  if (pageShare < 0.5) context.later(now + Math.floor(delayMs * pageShare), 'page', transaction.id)
  context.later(now + delayMs, 'end', transaction.id)
  return { status: 201, json: { data: presentTransaction(transaction), meta: {} } }
}

function problemsOf(
  context: ProviderContext,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const problems: Record<string, unknown> = {}
  const say = (field: string, problem: string) => {
    problems[field] = [problem]
  }
  const { reference, amount_in_cents: amount, currency, expiration_time: expiration } = sent
  for (const [field, terms] of [
    ['acceptance_token', 'presigned_acceptance'],
    ['accept_personal_auth', 'presigned_personal_data_auth'],
  ] as const) {
    const problem = tokenProblem(context, sent[field], terms)
    if (problem !== undefined) say(field, problem)
  }
  if (!isText(reference, MAX_REFERENCE)) say('reference', 'No está presente')
  else if (context.storage.under('transaction', reference).length > 0)
    say('reference', 'La referencia ya ha sido usada')
  if (!isWhole(amount, 1)) say('amount_in_cents', 'Debe ser un número entero')
  else if (amount < MIN_CENTS) say('amount_in_cents', `El monto mínimo es ${MIN_CENTS}`)
  if (currency !== 'COP') say('currency', 'Debe ser COP')
  if (!isEmailLike(sent.customer_email)) say('customer_email', 'Formato inválido')
  if (expiration !== undefined && !(Date.parse(textOf(expiration)) > context.clock.now()))
    say('expiration_time', 'Debe ser una fecha futura')
  if (sent.redirect_url !== undefined && !isWebAddress(sent.redirect_url))
    say('redirect_url', 'Formato inválido')
  const expected = integritySignature(
    textOf(reference),
    amount as number,
    textOf(currency),
    expiration as string | undefined,
    WOMPI.integritySecret,
  )
  if (sent.signature !== expected) say('signature', 'La firma es inválida')
  const { full_name: fullName, phone_number: phone } = fieldsOf(sent.customer_data)
  if (!isText(fullName, 255) || !/^57\d{10}$/.test(textOf(phone)))
    problems.customer_data = { full_name: ['Es requerido'], phone_number: ['Es requerido'] }
  const method = methodProblems(fieldsOf(sent.payment_method))
  if (Object.keys(method).length > 0) problems.payment_method = method
  return problems
}

function methodProblems(method: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const rules: readonly (readonly [field: string, isRight: boolean])[] = [
    ['type', method.type === 'PSE'],
    ['user_type', method.user_type === 0 || method.user_type === 1],
    ['user_legal_id_type', DOCUMENT_TYPES.includes(textOf(method.user_legal_id_type))],
    ['user_legal_id', isText(method.user_legal_id, 20)],
    ['financial_institution_code', BANKS.some(({ code }) => code === method.financial_institution_code)],
    ['payment_description', isText(method.payment_description, MAX_DESCRIPTION)],
  ]
  return Object.fromEntries(
    rules.filter(([, isRight]) => !isRight).map(([field]) => [field, ['No es válido']]),
  )
}

const refused = (messages: Record<string, unknown>): Answer => ({
  status: 422,
  json: { error: { type: 'INPUT_VALIDATION_ERROR', messages } },
})

function readTransaction(context: ProviderContext, id: string): Answer {
  const transaction = context.storage.get<Transaction>('transaction', id)
  return transaction === undefined
    ? notFound()
    : { status: 200, json: { data: presentTransaction(transaction), meta: {} } }
}

// The payer's browser: from here to the bank and back, at once.
function redirect(context: ProviderContext, ticket: string): Answer {
  const [transaction] = context.storage.under<Transaction>('ticket', ticket)
  if (transaction === undefined) return notFound()
  const back = transaction.redirectUrl === null ? null : new URL(transaction.redirectUrl)
  back?.searchParams.set('id', transaction.id)
  return back === null
    ? { status: 200, json: { data: { id: transaction.id, seen_at: isoInstant(context.clock.now()) } } }
    : { status: 302, headers: { location: back.href } }
}

function save({ storage }: ProviderContext, transaction: Transaction): void {
  storage.put('transaction', transaction.id, transaction.reference, transaction)
  storage.put('ticket', transaction.id, ticketOf(transaction.id), transaction)
}

const pageUrlOf = ({ publicUrl }: ProviderContext, id: string): string =>
  `${publicUrl}/v1/pse/redirect?ticket_id=${ticketOf(id)}`

function checksumIn(body: string): string {
  return (JSON.parse(body) as { signature: { checksum: string } }).signature.checksum
}

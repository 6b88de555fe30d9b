// Money coming in over PSE. The bank's page is not in the first answer: a later read has it, at times together with the outcome. Wompi
// takes a reference once, and has neither cancelation nor return. A transaction in ERROR may have been debited, so it never counts as
// ended.

import { isoInstant } from '../../core/instant.ts'
import { centsToNumber } from '../../core/money.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Gateway, Reply } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { paymentIdOf } from '../provider.ts'
import {
  type Accepted,
  type OpenedPayin,
  type PayinOrder,
  type PayinRail,
  type RailAnswer,
  type RailPayinStatus,
  type Rejected,
  type Unknown,
  unknown,
} from '../rail.ts'
import { isSafePageUrl, ORDER_REFUSED, opened, refusedOrder, unreadable } from '../wire-format.ts'
import { bearer, type PaymentsAccount } from './account.ts'
import { type AskBanks, institutionOf } from './banks.ts'
import { documentNumber, documentType, payinMeaning } from './codes.ts'
import { integritySignature } from './signature.ts'
import { type AskTerms, type CurrentTerms, type TermsProblem, termsProblem } from './terms.ts'
import { soughtIn, type Transactions } from './transactions.ts'
import { saysReferenceUsed, type Transaction, type TransactionRequest } from './wire.ts'

type Submitted = RailAnswer<OpenedPayin, PayinErrorCode>

export function wompiPayins(
  gateway: Gateway,
  limits: Limits,
  account: PaymentsAccount,
  transactions: Transactions,
  askBanks: AskBanks,
  askTerms: AskTerms,
): PayinRail {
  const create = (order: PayinOrder, body: TransactionRequest): Promise<Reply> =>
    gateway.ask({
      method: 'POST',
      resource: '/transactions',
      id: null,
      headers: bearer(account.publicKey),
      reference: order.reference,
      body,
      deadlineMs: limits.submitMs,
      // A second one would be refused, and the first would be left without its answer.
      mayAskAgain: false,
    })

  // An earlier order of this payin may have arrived, although its answer was lost. Then it is the order that counts.
  const unlessMade = async (order: PayinOrder, otherwise: Rejected<PayinErrorCode> | Unknown) => {
    const found = await transactions.search(order)
    if (found.outcome === 'nothing') return otherwise
    return found.outcome === 'unknown' ? found : submitted(found.transaction, account.url)
  }

  const query: PayinRail['query'] = async (payment) => {
    const { providerId } = payment
    const found =
      providerId === null ? await transactions.search(payment) : await transactions.byId(providerId, payment)
    if (found.outcome === 'unknown') return found
    if (found.outcome === 'nothing')
      return acceptedStatus({
        state: 'ended',
        how: 'not-found',
        reason: 'EXPIRED',
        networkCode: 'NOT_FOUND',
      })
    return statusOf(found.transaction, account.url)
  }

  return {
    submit: async (order): Promise<Submitted> => {
      const { source, customer, reference } = order
      if (source.rail !== 'PSE') throw new Error(`a ${source.rail} order was handed to Wompi`)
      if (customer === null) return rejected('RAIL_ERROR', 'PAYER_MISSING')
      const [terms, institution] = await Promise.all([
        askTerms(reference),
        institutionOf(source.bank, customer.idNumber, account.environment, () => askBanks(reference)),
      ])
      if (terms.outcome === 'unknown') return terms
      const problem = termsProblem(terms.value, order.acceptedTerms)
      if (problem !== undefined) return unlessMade(order, notAccepted(problem))
      if (institution === undefined) return unlessMade(order, rejected('BANK_UNAVAILABLE', 'BANK_NOT_LISTED'))
      const reply = await create(
        order,
        transactionRequest(
          order,
          customer,
          institution,
          source.personType === 'BUSINESS',
          terms.value,
          account,
        ),
      )
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'answered') {
        const found = soughtIn(reply.body, order)
        return found.outcome === 'unknown' ? found : submitted(found.transaction, account.url)
      }
      const refused = saysReferenceUsed(reply.body)
        ? unknown('undecided', 'the reference was used, and is not found')
        : refusedOrder<PayinErrorCode>(reply, undefined, 'RAIL_ERROR', ORDER_REFUSED)
      return unlessMade(order, refused)
    },

    query,
    // A payment that was begun ends by itself.
    cancel: query,
    returnPayment: null,
  }
}

function notAccepted(problem: TermsProblem): Rejected<PayinErrorCode> {
  return { ...rejected('RAIL_ERROR', problem), ...(problem === 'TERMS_CHANGED' && { hasNewTerms: true }) }
}

function submitted(transaction: Transaction, baseUrl: string): Submitted {
  const meaning = payinMeaning(transaction.status)
  if (meaning === undefined) return undecidedStatus(transaction)
  if (meaning === 'declined') return rejected('BANK_DECLINED', transaction.status)
  return openedPayin(transaction, baseUrl)
}

function statusOf(transaction: Transaction, baseUrl: string): Accepted<RailPayinStatus> | Unknown {
  const { id, status, amount_in_cents: cents } = transaction
  switch (payinMeaning(status)) {
    case 'open': {
      const answer = openedPayin(transaction, baseUrl)
      return answer.outcome === 'unknown' ? answer : acceptedStatus({ state: 'open', opened: answer.value })
    }
    case 'paid':
      return acceptedStatus({
        state: 'paid',
        payments: [{ amountInCents: BigInt(cents), paymentId: paymentIdOf('wompi', id) }],
        networkCode: status,
      })
    case 'declined':
      return acceptedStatus({
        state: 'ended',
        how: 'declined',
        reason: 'BANK_DECLINED',
        networkCode: status,
      })
    default:
      return undecidedStatus(transaction)
  }
}

function openedPayin(
  { id, payment_method: method }: Transaction,
  baseUrl: string,
): Accepted<OpenedPayin> | Unknown {
  const pageUrl = method?.extra?.async_payment_url ?? null
  if (pageUrl !== null && !isSafePageUrl(pageUrl, baseUrl))
    return unreadable('the bank’s page has no address a payer may be sent to')
  return opened({ providerId: id, traceId: paymentIdOf('wompi', id), pageUrl, isReady: pageUrl !== null })
}

function undecidedStatus({ status }: Transaction): Unknown {
  return unknown('undecided', `the transaction is in ${status}, which does not say whether it was debited`)
}

function acceptedStatus(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}

function rejected(reason: PayinErrorCode, networkCode: string): Rejected<PayinErrorCode> {
  return { outcome: 'rejected', reason, networkCode }
}

function transactionRequest(
  order: PayinOrder,
  customer: Customer,
  institution: string,
  isCompany: boolean,
  { conditions, personalData }: CurrentTerms,
  { integritySecret }: PaymentsAccount,
): TransactionRequest {
  const { reference, device } = order
  const amountInCents = centsToNumber(order.amountInCents)
  const expirationTime = isoInstant(order.expiresAt)
  const charged = { reference, amountInCents, currency: 'COP', expirationTime } as const
  return {
    acceptance_token: conditions.token,
    accept_personal_auth: personalData.token,
    amount_in_cents: amountInCents,
    currency: charged.currency,
    signature: integritySignature(charged, integritySecret),
    customer_email: customer.email,
    reference,
    redirect_url: order.returnUrl,
    expiration_time: expirationTime,
    ...(device !== null && { ip: device.ipAddress }),
    customer_data: {
      full_name: customer.name,
      // The country's code, without the plus sign.
      phone_number: customer.phone.replace(/^\+/, ''),
    },
    payment_method: {
      type: 'PSE',
      user_type: isCompany ? 1 : 0,
      user_legal_id_type: documentType(customer.idType) ?? 'OTHER',
      user_legal_id: documentNumber(customer.idNumber),
      financial_institution_code: institution,
      payment_description: description(order.merchantName),
    },
  }
}

const MAX_DESCRIPTION_CHARACTERS = 30

// Banks show it in systems that know no accents.
function description(merchantName: string): string {
  const plain = merchantName
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9 .-]/g, ' ')
  return `Pago a ${plain}`.replace(/ +/g, ' ').slice(0, MAX_DESCRIPTION_CHARACTERS).trim()
}

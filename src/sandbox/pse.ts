// The simulated PSE gateway: sessions that a payer completes at a bank, and returns. The amount is fixed when the session is
// created, and a bank refuses any other.

import { createHmac } from 'node:crypto'
import { findPseBank } from '../core/directory/pse-bank.ts'
import { centsToDecimal } from '../core/money.ts'
import {
  CREATE_CODES,
  type Return,
  type ReturnRequest,
  type Session,
  type SessionRequest,
  type SessionStatus,
} from '../rails/pse/wire.ts'
import { drawnHex } from './faults.ts'
import {
  type Answer,
  asCents,
  asInstant,
  asObject,
  asText,
  failure,
  isWebAddress,
  notFound,
  readObject,
} from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { begin, close } from './outcomes.ts'
import type { Payment } from './records.ts'
import { malformed, newPayment, returnPayment, reused } from './requests.ts'

/** The base URL of the banks' pages, and the key that makes their addresses impossible to guess. */
export type Bank = { readonly publicUrl: string; readonly pageKey: string }

export function putSession(context: NetworkContext, bank: Bank, reference: string, body: string): Answer {
  const request = readSessionRequest(body)
  if (request === undefined) return malformed
  const known = context.storage.payment('session', reference)
  if (known !== undefined)
    return known.request === JSON.stringify(request) ? { status: 200, json: sessionOf(bank, known) } : reused
  const amountInCents = asCents(request.amount)
  if (amountInCents === undefined) return failure(422, 'FAIL_INVALIDAMOUNT', CREATE_CODES.FAIL_INVALIDAMOUNT)
  if (findPseBank(request.bank, true)?.achCode !== request.achCode)
    return failure(422, 'FAIL_BANKNOTEXISTSORDISABLED', CREATE_CODES.FAIL_BANKNOTEXISTSORDISABLED)
  const payment = newPayment('session', reference, request, context.clock.now(), {
    amountInCents,
    idNumber: request.payer?.idNumber,
    traceId: freeCus(context, reference),
    pageToken: createHmac('sha256', bank.pageKey).update(reference).digest('base64url').slice(0, 32),
    expiresAt: asInstant(request.expiresAt) as number,
  })
  begin(context, payment)
  return { status: 201, json: sessionOf(bank, payment) }
}

export function getSession(context: NetworkContext, bank: Bank, reference: string): Answer {
  const session = context.storage.payment('session', reference)
  return session === undefined ? notFound() : { status: 200, json: sessionOf(bank, session) }
}

export function deleteSession(context: NetworkContext, bank: Bank, reference: string): Answer {
  const session = context.storage.payment('session', reference)
  if (session === undefined) return notFound()
  return { status: 200, json: sessionOf(bank, close(context, session)) }
}

export function putReturn(context: NetworkContext, reference: string, body: string): Answer {
  const request = readReturnRequest(body)
  if (request === undefined) return malformed
  const amountInCents = asCents(request.amount) as bigint
  const order = { reference, paymentId: request.cus, amountInCents, traceId: request.cus }
  const answer = returnPayment(context, 'session', order)
  if ('refusal' in answer) return answer.refusal
  const json: Return = { reference, status: 'COMPLETED' }
  return { status: answer.isNew ? 201 : 200, json }
}

function sessionOf(bank: Bank, payment: Payment): Session {
  return {
    reference: payment.reference,
    cus: payment.traceId as string,
    status: statusOf(payment),
    amount: centsToDecimal(payment.amountInCents),
    bankUrl: `${bank.publicUrl}/bank/${payment.pageToken}`,
    causeCode: payment.code,
  }
}

function statusOf({ state, opened }: Payment): SessionStatus {
  if (state === 'open') return opened ? 'PENDING' : 'CREATED'
  if (state === 'paid') return 'OK'
  return state === 'expired' ? 'EXPIRED' : 'NOT_AUTHORIZED'
}

// A CUS is a number that people read from a receipt, so it is too short to be unique by chance.
function freeCus(context: NetworkContext, reference: string): string {
  const drawn = Number.parseInt(drawnHex(context.faults.seed, 'cus', reference).slice(0, 12), 16)
  let cus = 1_000_000_000 + (drawn % 9_000_000_000)
  while (context.storage.traceIdIsTaken(String(cus))) cus += 1
  return String(cus)
}

function readSessionRequest(body: string): SessionRequest | undefined {
  const fields = readObject(body) ?? {}
  const { bank, achCode, personType, amount, currency, description, returnUrl, expiresAt } = fields
  const texts = [bank, amount, description, returnUrl].map(asText)
  if (achCode !== null && asText(achCode) === undefined) return undefined
  const payer = fields.payer === null ? null : readPayer(fields.payer)
  if (texts.includes(undefined) || payer === undefined || asInstant(expiresAt) === undefined) return undefined
  if (personType !== 'person' && personType !== 'company') return undefined
  if (currency !== 'COP' || !isWebAddress(returnUrl)) return undefined
  return {
    bank: bank as string,
    achCode: achCode as string | null,
    personType,
    amount: amount as string,
    currency,
    description: description as string,
    returnUrl: returnUrl as string,
    expiresAt: expiresAt as string,
    payer,
  }
}

function readPayer(value: unknown): SessionRequest['payer'] | undefined {
  const { idType, idNumber, name, email, phone } = asObject(value) ?? {}
  if ([idType, idNumber, name, email, phone].map(asText).includes(undefined)) return undefined
  return { idType, idNumber, name, email, phone } as SessionRequest['payer']
}

function readReturnRequest(body: string): ReturnRequest | undefined {
  const { cus, amount, currency } = readObject(body) ?? {}
  if (asText(cus) === undefined || asCents(amount) === undefined || currency !== 'COP') return undefined
  return { cus: cus as string, amount: amount as string, currency }
}

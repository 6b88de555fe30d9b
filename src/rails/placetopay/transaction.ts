// Reads what the gateway says of a transaction. Numbers come as numbers or as text, and what is empty may come as null or as an
// empty list.

import { Type } from '../../core/json-schema.ts'
import type { ReadRefusalCode, Refused } from '../gateway.ts'
import { fromShortReference } from '../provider.ts'
import { type Unknown, unknown } from '../rail.ts'
import { orNull, reader, undecided, unreadable } from '../wire-format.ts'
import { centsOfPesos } from './amount.ts'
import { AUTHENTICATION_FAILED, isPaymentType, networkCodeOf, type Standing, standingOf } from './codes.ts'

export type Transaction = {
  // Null: the gateway has not given it a number.
  readonly internalReference: string | null
  readonly reference: string
  readonly amountInCents: bigint
  readonly state: string
  readonly standing: Standing
  // False: a refund or the like.
  readonly isPayment: boolean
  readonly networkCode: string
  // The number by which banks know the payment.
  readonly cus: string | null
  // Null: the gateway names no page. It is not checked here.
  readonly pageUrl: string | null
}

// Undefined unless the body is a transaction in pesos. The reference is ours if it is one of ours.
export function readTransaction(organizationId: string, body: unknown): Transaction | undefined {
  const read = readBody(body)
  if (read === undefined) return undefined
  const { status, internalReference = null, amount, type } = read
  const standing = standingOf(status.status)
  const amountInCents = centsOfPesos(amount.total)
  const id = internalReference === null ? null : readInternalReference(internalReference)
  const page = memberOf(read.redirection, 'processURL') ?? null
  if (standing === undefined || amountInCents === undefined || id === undefined) return undefined
  if (amount.currency !== 'COP' || (page !== null && typeof page !== 'string')) return undefined
  return {
    internalReference: id,
    reference: fromShortReference('payin', organizationId, read.reference) ?? '',
    amountInCents,
    state: status.status,
    standing,
    isPayment: isPaymentType(type),
    networkCode: networkCodeOf(status),
    cus: plainText(memberOf(read.additional, 'trazabilyCode')),
    pageUrl: page,
  }
}

// What a search found. Undefined unless every line of it is a transaction, and none comes twice.
export function readFound(organizationId: string, body: unknown): readonly Transaction[] | undefined {
  const lines = readSearch(body)?.transactions
  const found = lines?.map((line) => readTransaction(organizationId, line)).filter((one) => one !== undefined)
  if (found === undefined || found.length !== lines?.length) return undefined
  const ids = found.map(({ internalReference }) => internalReference)
  return new Set(ids).size === ids.length ? found : undefined
}

// A whole number above zero, also as text. Undefined if it is anything else.
export function readInternalReference(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  const isNumber = typeof text === 'string' && /^[1-9][0-9]{0,15}$/.test(text)
  return isNumber && Number.isSafeInteger(Number(text)) ? text : undefined
}

const Status = Type.Object({ status: Type.String(), reason: Type.Optional(Type.Unknown()) })

const readBody = reader(
  Type.Object({
    status: Status,
    internalReference: Type.Optional(orNull(Type.Union([Type.Integer(), Type.String()]))),
    reference: Type.String(),
    amount: Type.Object({ currency: Type.String(), total: Type.Union([Type.Number(), Type.String()]) }),
    type: Type.Optional(orNull(Type.String())),
    additional: Type.Optional(Type.Unknown()),
    redirection: Type.Optional(Type.Unknown()),
  }),
)

const readSearch = reader(
  Type.Object({
    status: Type.Object({ status: Type.Literal('OK') }),
    transactions: Type.Array(Type.Unknown()),
  }),
)

export const readStatus = reader(Type.Object({ status: Status }))

// The code of a 4xx that refuses what was asked. Other statuses are about the caller, the rate or the server: no answer at all.
export const readRefusal: ReadRefusalCode = (json, httpStatus) => {
  if (httpStatus < 400 || httpStatus >= 500 || [401, 403, 408, 429].includes(httpStatus)) return undefined
  const status = readStatus(json)?.status
  return status !== undefined && isFailure(status.status) ? networkCodeOf(status) : undefined
}

// An answer that is not what was asked for. It may still say that it failed.
export function otherAnswer(body: unknown, what: string): Unknown {
  const status = readStatus(body)?.status
  if (status === undefined || !isFailure(status.status)) return unreadable(what)
  const code = networkCodeOf(status)
  if (code === AUTHENTICATION_FAILED) return notAuthenticated()
  return unknown('undecided', `the gateway answered ${status.status} ${code}, which settles nothing`)
}

// A question without an answer says nothing about the payment.
export function unsettled(reply: Refused | Unknown): Unknown {
  if (reply.outcome === 'unknown') return reply
  return reply.code === AUTHENTICATION_FAILED ? notAuthenticated() : undecided(reply)
}

function notAuthenticated(): Unknown {
  return unknown('unavailable', 'the gateway does not accept our credentials')
}

// Whether a refusal names a transaction. If so, one may exist.
export function namesTransaction(body: unknown): boolean {
  return [memberOf(body, 'internalReference'), memberOf(body, 'transactions')].some(
    (member) => member !== undefined && member !== null,
  )
}

function isFailure(state: string): boolean {
  return state === 'FAILED' || state === 'ERROR'
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function plainText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(text) ? text : null
}

// Finds what is wrong in a request, field by field. The documentation marks few fields as optional: the rest is required here. Limits
// that it does not give are ours: of a mobile number, a passport, a user agent and a notification address.

import { isIP } from 'node:net'
import { isWebAddress } from '../../http.ts'
import { type Fields, fieldsOf, isEmailLike, isText } from '../input.ts'
import { BANKS } from './outcomes.ts'

const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  CC: /^[1-9][0-9]{3,9}$/,
  CE: /^([a-zA-Z]{1,5})?[1-9][0-9]{3,7}$/,
  TI: /^[1-9][0-9]{4,11}$/,
  NIT: /^[1-9]\d{6,9}$/,
  RUT: /^[1-9]\d{6,9}$/,
  PPN: /^[a-zA-Z0-9]{4,16}$/,
}
export const DOCUMENT_TYPES = Object.keys(DOCUMENTS)
export const TRANSACTION_ACTIONS: readonly unknown[] = ['reverse', 'refund', 'void']
const MAX_REFERENCE = 32
const MAX_KEY = 32
const MAX_URL = 250
const MAX_TOTAL = 1_000_000_000_000

type Rule = readonly [field: string, isRight: boolean]

export const problemsOfInformation = (sent: Fields): string[] =>
  broken([['locale', isLocale(sent.locale)], ...paymentRules(sent), ...redirectionRules(sent)])

export const problemsOfProcess = (sent: Fields): string[] =>
  broken([
    ['locale', isLocale(sent.locale)],
    ...payerRules(fieldsOf(sent.payer)),
    ...paymentRules(sent),
    ...redirectionRules(sent),
    ...bankRules(sent),
    ['idempotenceKey', isAbsent(sent.idempotenceKey) || isLine(sent.idempotenceKey, MAX_KEY)],
    ['notificationURL', isAbsent(sent.notificationURL) || isAddress(sent.notificationURL)],
    ['ipAddress', isText(sent.ipAddress, 45) && isIP(sent.ipAddress) !== 0],
    ['userAgent', isText(sent.userAgent, 1_024)],
  ])

export const problemsOfQuery = (sent: Fields): string[] =>
  broken([['internalReference', Number.isSafeInteger(sent.internalReference)]])

export const problemsOfSearch = (sent: Fields): string[] =>
  broken([['reference', isLine(sent.reference, MAX_REFERENCE)], ...amountRules('amount', sent.amount)])

export const problemsOfAction = (sent: Fields): string[] =>
  broken([
    ['internalReference', Number.isSafeInteger(sent.internalReference)],
    ['authorization', isText(sent.authorization, 32)],
    ['action', TRANSACTION_ACTIONS.includes(sent.action)],
  ])

export function redirectionOf(sent: Fields): Fields {
  return fieldsOf(fieldsOf(sent.instrument).redirection)
}

function payerRules(payer: Fields): Rule[] {
  const { documentType, document } = payer
  const pattern = DOCUMENT_TYPES.includes(documentType as string)
    ? DOCUMENTS[documentType as string]
    : undefined
  return [
    ['payer.documentType', pattern !== undefined],
    ['payer.document', isText(document, 32) && (pattern === undefined || pattern.test(document))],
    ['payer.name', isLine(payer.name, 60)],
    ['payer.surname', isLine(payer.surname, 60)],
    ['payer.email', isEmailLike(payer.email) && payer.email.length <= 80],
    ['payer.mobile', isText(payer.mobile, 30) && /^\+?[0-9 ]+$/.test(payer.mobile)],
  ]
}

function paymentRules(sent: Fields): Rule[] {
  const payment = fieldsOf(sent.payment)
  return [
    ['payment.reference', isLine(payment.reference, MAX_REFERENCE)],
    ['payment.description', isText(payment.description, 250)],
    ...amountRules('payment.amount', payment.amount),
  ]
}

function amountRules(path: string, value: unknown): Rule[] {
  const { currency, total, taxes } = fieldsOf(value)
  return [
    [`${path}.currency`, currency === 'COP'],
    [`${path}.total`, isTotal(total)],
    [`${path}.taxes`, isAbsent(taxes) || (Array.isArray(taxes) && taxes.every(isTax))],
  ]
}

function redirectionRules(sent: Fields): Rule[] {
  const { paymentMethod, returnURL } = redirectionOf(sent)
  return [
    ['instrument.redirection.paymentMethod', paymentMethod === '_PSE_'],
    ['instrument.redirection.returnURL', isAddress(returnURL)],
  ]
}

function bankRules(sent: Fields): Rule[] {
  const { bankCode, userType } = fieldsOf(redirectionOf(sent).additional)
  return [
    ['instrument.redirection.additional.bankCode', BANKS.some(({ code }) => code === bankCode)],
    ['instrument.redirection.additional.userType', userType === 'person' || userType === 'company'],
  ]
}

const broken = (rules: readonly Rule[]): string[] =>
  rules.filter(([, isRight]) => !isRight).map(([field]) => field)

const isAbsent = (value: unknown): boolean => value === undefined
// What a tax is made of is unpublished, apart from words and numbers.
const isTax = (value: unknown): boolean => {
  const values = Object.values(fieldsOf(value))
  return values.length > 0 && values.every((one) => typeof one === 'string' || typeof one === 'number')
}
const isLine = (value: unknown, maxLength: number): value is string =>
  isText(value, maxLength) && value.trim() !== '' && !/\p{Cc}/u.test(value)
const isLocale = (value: unknown): boolean => typeof value === 'string' && /^[a-z]{2}_[A-Z]{2}$/.test(value)
const isAddress = (value: unknown): boolean => isText(value, MAX_URL) && isWebAddress(value)
// A decimal number of pesos, with cents at most. The text of 0.1 + 0.2 has more.
const isTotal = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && value <= MAX_TOTAL && /^\d+(\.\d\d?)?$/.test(String(value))

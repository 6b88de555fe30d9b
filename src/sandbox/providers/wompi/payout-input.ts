// What a caller asks for in a new batch of payouts: the fields that are wrong, by name. Where lengths are not published, they are
// generous. Fields that nobody knows are ignored.

import { type Fields, fieldsOf, isEmailLike, isText, isWhole } from '../input.ts'

const PAYMENT_TYPES = ['PAYROLL', 'PROVIDERS', 'OTHER']
const SANDBOX_OUTCOMES = ['APPROVED', 'FAILED']
const DOCUMENT_TYPES = ['CC', 'CE', 'NIT', 'PP', 'TI', 'DNI']
const PERSON_TYPES = ['NATURAL', 'JURIDICA']
// No underscore. The documentation says this of references: we take it to hold for the batch and for each payout in it.
const REFERENCE = /^[A-Za-z0-9-]{1,40}$/
const DOCUMENT = /^[A-Za-z0-9-]{1,20}$/
const PHONE = /^\+?\d{7,15}$/

export type SentPayout = {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly amount: number
  readonly legalIdType?: string
  readonly legalId?: string
  readonly personType?: string
  readonly phone?: string
  readonly description?: string
  readonly reference?: string
}

export type SentBatch = {
  readonly reference: string
  readonly accountId: string
  readonly paymentType: string
  readonly transactionStatus?: 'APPROVED' | 'FAILED'
  readonly transactions: readonly SentPayout[]
}

const fits = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
const isOneOf = (value: unknown, known: readonly string[]): boolean =>
  typeof value === 'string' && known.includes(value)
// A field that may be missing may not be null.
const isAbsentOr = (value: unknown, isRight: boolean): boolean => value === undefined || isRight

export function batchProblems(sent: Fields): string[] {
  const { transactions } = sent
  const isList = Array.isArray(transactions) && transactions.length > 0
  return [
    ...wrong([
      ['reference', fits(sent.reference, REFERENCE)],
      ['accountId', isText(sent.accountId, 64)],
      ['paymentType', isOneOf(sent.paymentType, PAYMENT_TYPES)],
      [
        'transactionStatus',
        isAbsentOr(sent.transactionStatus, isOneOf(sent.transactionStatus, SANDBOX_OUTCOMES)),
      ],
      ['transactions', isList],
    ]),
    ...(isList
      ? transactions.flatMap((one, at) => payoutProblems(fieldsOf(one), `transactions.${at}.`))
      : []),
  ]
}

function payoutProblems(sent: Fields, path: string): string[] {
  const hasDocument = sent.legalId !== undefined || sent.legalIdType !== undefined
  return wrong([
    ['key', isText(sent.key, 92)],
    ['name', isText(sent.name, 255)],
    ['email', isEmailLike(sent.email)],
    ['amount', isWhole(sent.amount, 1)],
    ['legalIdType', !hasDocument || isOneOf(sent.legalIdType, DOCUMENT_TYPES)],
    ['legalId', !hasDocument || fits(sent.legalId, DOCUMENT)],
    ['personType', isAbsentOr(sent.personType, isOneOf(sent.personType, PERSON_TYPES))],
    ['phone', isAbsentOr(sent.phone, fits(sent.phone, PHONE))],
    ['description', isAbsentOr(sent.description, isText(sent.description, 255))],
    ['reference', isAbsentOr(sent.reference, fits(sent.reference, REFERENCE))],
  ]).map((field) => path + field)
}

const wrong = (rules: readonly (readonly [field: string, isRight: boolean])[]): string[] =>
  rules.filter(([, isRight]) => !isRight).map(([field]) => field)

// Answers of Mono's that settle nothing, for the operations of the shared contract.

import type { ProviderRails } from '../../../src/rails/rail.ts'
import type { Operation } from '../conformance/operations.ts'
import type { Answer, Asked } from '../fake-network.ts'
import { page, refusal } from './answers.ts'

export type Answers = Operation<ProviderRails>['answers']

export const ok = (json: unknown): Answer => ({ status: 200, json })
// Answers that are not about what was asked.
export const strange = (cases: Readonly<Record<string, unknown>>): Answers =>
  Object.fromEntries(Object.entries(cases).map(([what, json]) => [what, [ok(json), 'unreadable'] as const]))
export const each = (cases: Readonly<Record<string, object>>, make: (changes: object) => unknown) =>
  strange(Object.fromEntries(Object.entries(cases).map(([what, changes]) => [what, make(changes)])))

const STRANGE_MONEY = {
  'a number as text': { amount: '2490000', currency: 'COP' },
  'another currency': { amount: 2_490_000, currency: 'USD' },
  'no currency': { amount: 2_490_000 },
  'parts of a cent': { amount: 2_490_000.5, currency: 'COP' },
  'a negative amount': { amount: -1, currency: 'COP' },
  'an amount beyond what is exact': { amount: 2 ** 53, currency: 'COP' },
}
export const withMoney = (field: string) =>
  Object.fromEntries(Object.entries(STRANGE_MONEY).map(([what, amount]) => [what, { [field]: amount }]))
// What says nothing about a payment, whoever asks.
export const REFUSED_QUESTIONS: Answers = {
  'an error with 200': [ok(refusal('validation_error')), 'unreadable'],
  'a refused question': [{ status: 400, json: refusal('validation_error') }, 'undecided'],
  'nothing found': [{ status: 404, json: refusal('collection_not_found') }, 'undecided'],
  'a conflict': [{ status: 409, json: refusal('conflict') }, 'undecided'],
  'an error of Mono’s own': [{ status: 500, json: refusal('internal_error') }, 'unavailable'],
  'too many requests, in words': [{ status: 429, json: refusal('rate_limited') }, 'unavailable'],
  'a scope that is off': [{ status: 403, json: refusal('not_authorized') }, 'unavailable'],
}
// An order that was refused, where a search finds nothing.
export const REFUSED_ORDERS: Answers = {
  ...REFUSED_QUESTIONS,
  'a refused question': [
    { status: 400, json: refusal('validation_error') },
    { rejected: 'RAIL_ERROR', networkCode: 'validation_error' },
  ],
  'a refusal with 422': [
    { status: 422, json: refusal('unprocessable') },
    { rejected: 'RAIL_ERROR', networkCode: 'unprocessable' },
  ],
}

export const isPost = ({ method }: Asked) => method === 'POST'
// An order, and a search that finds nothing.
export const ordered =
  (answer: Answer, list: string) =>
  ({ method }: Asked): Answer =>
    method === 'POST' ? answer : ok(page(list, []))

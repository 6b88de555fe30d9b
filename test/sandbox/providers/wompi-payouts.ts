// What the tests of Wompi's simulated payouts have in common: a batch to send, and how its answers are read.

import assert from 'node:assert/strict'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import type { Simulated } from './simulated.ts'

export const {
  payoutsApiKey: apiKey,
  payoutsUserPrincipalId: userPrincipalId,
  payoutsEventsSecret: eventsSecret,
  payoutsAccountId: accountId,
} = wompiPayouts.credentials as Record<string, string>
export const CREDENTIAL_HEADERS = { 'x-api-key': apiKey ?? '', 'user-principal-id': userPrincipalId ?? '' }
export const OUTCOME_DELAY_MS = 2_000
export const OPENING_BALANCE_CENTS = 10_000_000_000

export const ONE_PAYOUT = { key: '@elias123', name: 'Ana Gómez', email: 'ana@example.com', amount: 2_490_000 }
export const batch = (changes: Record<string, unknown> = {}, one: Record<string, unknown> = {}) => ({
  reference: 'order-1',
  accountId,
  paymentType: 'OTHER',
  transactions: [{ ...ONE_PAYOUT, ...one }],
  ...changes,
})

let keysUsed = 0
export const create = (simulated: Simulated, body: unknown, key?: string) => {
  keysUsed += 1
  const idempotencyKey = key ?? `key-${keysUsed}`
  return simulated.call('POST', '/v2/payouts', body, {
    ...CREDENTIAL_HEADERS,
    'idempotency-key': idempotencyKey,
  })
}
export const get = (simulated: Simulated, path: string) =>
  simulated.call('GET', path, undefined, CREDENTIAL_HEADERS)
// Some reads come in an envelope and some do not.
export const read = async (simulated: Simulated, path: string) => {
  const { status, json, text } = await get(simulated, path)
  assert.equal(status, 200, text)
  return json.meta?.trace_id === undefined ? json : json.data
}
export const payouts = async (simulated: Simulated, id: string) =>
  (await read(simulated, `/v2/payouts/${id}/transactions`)).records
export const balance = async (simulated: Simulated) =>
  (await read(simulated, '/v1/accounts'))[0].balanceInCents as number
export const statusesTold = ({ received }: Simulated) =>
  received.map(({ body }) => {
    const { event, data } = JSON.parse(body)
    return `${event.split('.')[0]} ${(data.payout ?? data.transaction).status}`
  })

// Payouts over Mono, against the simulated Mono. Lost answers, and orders that come twice, are in the shared contract.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory, RailPayoutStatus } from '../../../src/rails/rail.ts'
import { type Mono, OUTCOME_DELAY_MS, pesos, simulateMono } from '../../sandbox/providers/mono-caller.ts'
import {
  AMOUNT,
  acceptedValue,
  assertUnknown,
  customer,
  handle,
  lookUpUntilAnswered,
  openAt,
  PAYOUT,
  PERSONAL,
  payoutOrder,
  recorded,
  referenceOf,
} from './opened.ts'

const at = (mono: Mono) => openAt(mono.url, { now: mono.now })
const transfersOf = async (mono: Mono) => (await mono.read('/outgoing_transfers?page_size=500')).transfers
// A transfer as the adapter would have made it, with a word that decides its fate.
const ordered = (mono: Mono, description: string) =>
  mono.transfer({ external_id: PAYOUT, amount: pesos(24_900), description })
const stateOf = ({ providerId: _, ...status }: RailPayoutStatus) => status

test('a payout is processing until Mono says that it was successful', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  const submitted = acceptedValue(await rails.payout.submit(payoutOrder()))
  const [{ id }] = await transfersOf(mono)
  assert.deepEqual(submitted, { providerId: id, state: 'processing' })
  const seen = new Set<string>()
  for (let quarter = 0; quarter < 4; quarter += 1) {
    assert.deepEqual(acceptedValue(await rails.payout.query(handle(PAYOUT, id))), submitted)
    seen.add((await transfersOf(mono))[0].state)
    await mono.advance(OUTCOME_DELAY_MS / 5)
  }
  assert.ok(seen.size >= 3, [...seen].join())
  await mono.advance(OUTCOME_DELAY_MS)
  for (const providerId of [id, null])
    assert.deepEqual(acceptedValue(await rails.payout.query(handle(PAYOUT, providerId))), {
      providerId: id,
      state: 'completed',
      traceId: `mono:${id}`,
      amountInCents: AMOUNT,
    })
  // Whatever Mono was asked, the evidence of the payout has it. A token is nobody's.
  const others = rails.exchanges.filter(({ reference }) => reference !== PAYOUT)
  assert.deepEqual(new Set(others.map(({ operation }) => operation)), new Set(['POST /api/v1/oauth/token']))
})

test('an answer in the words of the guide is read as well', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  for (let ordinal = 1; ordinal <= 12; ordinal += 1) {
    const reference = referenceOf('payout', ordinal)
    assert.equal(acceptedValue(await rails.payout.submit(payoutOrder({ reference }))).state, 'processing')
  }
  const words = rails.exchanges.map(({ response }) => Object.keys(JSON.parse(response))[0])
  assert.ok(words.includes('transfers') && words.includes('accepted_transfers'), words.join())
})

test('a transfer that failed rejects the payout with our word for the reason', async () => {
  const reasons: Record<string, string> = {
    tx_unknown: 'RAIL_ERROR',
    tx_internal_error: 'RAIL_ERROR',
    tx_amount_exceeds_balance_limit: 'RECEIVER_LIMIT_EXCEEDED',
    tx_creditor_account_not_found: 'RECEIVER_ACCOUNT_INVALID',
    tx_invalid_creditor_account: 'RECEIVER_ACCOUNT_INVALID',
    tx_risk_control: 'RISK_REJECTED',
    tx_breb_timeout: 'PARTICIPANT_UNAVAILABLE',
    tx_insufficient_funds: 'INSUFFICIENT_FUNDS',
  }
  for (const [word, reason] of Object.entries(reasons)) {
    await using mono = await simulateMono()
    await using rails = at(mono)
    await ordered(mono, word)
    await mono.advance(OUTCOME_DELAY_MS)
    const status = acceptedValue(await rails.payout.query(handle(PAYOUT)))
    assert.deepEqual(stateOf(status), { state: 'rejected', reason, networkCode: word.replace('tx_', '') })
  }
})

test('a key that cannot be paid rejects the payout', async () => {
  const keys: Record<string, readonly [string, string]> = {
    'sandbox@key_not_found.err': ['KEY_NOT_FOUND', 'key_not_found'],
    'sandbox@key_suspended.err': ['KEY_SUSPENDED', 'key_suspended'],
    'sandbox@key_invalid_key_format.err': ['KEY_INVALID', 'invalid_key_format'],
    'sandbox@tx_provider_unavailable.err': ['PARTICIPANT_UNAVAILABLE', 'provider_unavailable'],
  }
  for (const [keyString, [reason, networkCode]] of Object.entries(keys)) {
    await using mono = await simulateMono()
    await using rails = at(mono)
    await rails.payout.submit(payoutOrder({ keyString, keyType: 'EMAIL' }))
    await mono.advance(OUTCOME_DELAY_MS)
    const status = acceptedValue(await rails.payout.query(handle(PAYOUT)))
    assert.deepEqual(stateOf(status), { state: 'rejected', reason, networkCode })
  }
})

test('a key of somebody with another document is not paid', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  await rails.payout.submit(payoutOrder({ customer }))
  await mono.advance(OUTCOME_DELAY_MS)
  const status = acceptedValue(await rails.payout.query(handle(PAYOUT)))
  assert.deepEqual(stateOf(status), {
    state: 'rejected',
    reason: 'RECEIVER_ID_MISMATCH',
    networkCode: 'target_creditor_mismatch',
  })
})

test('a key of whoever has the document is paid', async () => {
  await using mono = await simulateMono({ seed: 3 })
  await using rails = at(mono)
  const found = await lookUpUntilAnswered(rails.directory as Directory, '3001234567', 'PHONE')
  const { holder } = acceptedValue(found)
  const receiver = { ...customer, idType: holder.idType as string, idNumber: holder.idNumber as string }
  await rails.payout.submit(payoutOrder({ customer: receiver }))
  await mono.advance(OUTCOME_DELAY_MS)
  assert.equal(acceptedValue(await rails.payout.query(handle(PAYOUT))).state, 'completed')
})

test('a canceled transfer cancels, a reversed one returns, and one that was applied again completes the payout', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  const { id } = await ordered(mono, 'tx_reapplied')
  const statesAfter = async (ms: number) => {
    await mono.advance(ms)
    return acceptedValue(await rails.payout.query(handle(PAYOUT, id)))
  }
  const traceId = `mono:${id}`
  const completed = { providerId: id, state: 'completed', traceId, amountInCents: AMOUNT }
  assert.deepEqual(await statesAfter(OUTCOME_DELAY_MS), completed)
  assert.deepEqual(await statesAfter(OUTCOME_DELAY_MS), {
    providerId: id,
    state: 'returned',
    traceId,
    networkCode: 'reversed',
  })
  assert.deepEqual(await statesAfter(OUTCOME_DELAY_MS), completed)

  await using other = await simulateMono()
  await using otherRails = at(other)
  await ordered(other, 'tx_canceled')
  await other.advance(OUTCOME_DELAY_MS)
  assert.deepEqual(stateOf(acceptedValue(await otherRails.payout.query(handle(PAYOUT)))), {
    state: 'canceled',
    reason: 'RAIL_ERROR',
    networkCode: 'canceled',
  })
})

test('a transfer that Mono does not take is rejected, and the search that confirms it is asked once', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  assert.deepEqual(await rails.payout.submit(payoutOrder({ amountInCents: 9_000_000_000_000n })), {
    outcome: 'rejected',
    reason: 'AMOUNT_ABOVE_MAXIMUM',
    networkCode: 'amount_exceeds_max_limit',
  })
  assert.deepEqual(recorded(rails), ['POST /api/v1/outgoing_transfers', 'GET /api/v1/outgoing_transfers'])
})

test('a rejection does not end a payout that was taken before', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  const { id } = await ordered(mono, 'Pago')
  // Mono refuses what came now. Only a search says that an earlier order was taken.
  const answer = await rails.payout.submit(payoutOrder({ keyString: 'a key with spaces' }))
  assert.deepEqual(acceptedValue(answer), { providerId: id, state: 'processing' })
})

test('a payout that Mono has no record of is absent', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  assert.deepEqual(acceptedValue(await rails.payout.query(handle(PAYOUT))), { state: 'absent' })
  assertUnknown(await rails.payout.query(handle(PAYOUT, `bbot_${'x'.repeat(22)}`)), 'undecided')
})

test('an order that may be on its way is sent again only after two minutes', async () => {
  await using rails = openAt('http://127.0.0.1:9')
  assert.equal(rails.payout.resendAfterMs, 120_000)
})

test('several transfers under one reference settle nothing, whatever their states', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  await ordered(mono, 'Pago')
  await ordered(mono, 'tx_risk_control')
  await mono.advance(OUTCOME_DELAY_MS)
  const answer = await rails.payout.query(handle(PAYOUT))
  assertUnknown(answer, 'undecided')
  assert.ok(answer.outcome === 'unknown' && /successful, failed/.test(answer.why), 'the states are said')
})

test('a transfer of another amount or another reference is not the payout', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  const { id } = await mono.transfer({ external_id: PAYOUT, amount: pesos(24_901) })
  assertUnknown(await rails.payout.query(handle(PAYOUT)), 'unreadable')
  assertUnknown(await rails.payout.query(handle(PAYOUT, id)), 'unreadable')
  const other = await mono.transfer({ external_id: 'the merchant’s own', amount: pesos(24_900) })
  assertUnknown(await rails.payout.query(handle(PAYOUT, other.id)), 'unreadable')
})

test('what is recorded names our reference, and nobody’s data', async () => {
  await using mono = await simulateMono()
  await using rails = at(mono)
  await rails.payout.submit(payoutOrder({ customer }))
  await rails.payout.query(handle(PAYOUT))
  await rails.directory?.lookUp('3001234567', 'PHONE')
  for (const exchange of rails.exchanges) {
    const isOurs = exchange.operation.endsWith('/outgoing_transfers')
    assert.equal(exchange.reference, isOurs ? PAYOUT : '')
    for (const secret of PERSONAL) assert.ok(!JSON.stringify(exchange).includes(secret), exchange.operation)
  }
})

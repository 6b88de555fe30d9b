// Payins over Mono, against the simulated Mono. Lost answers are in the shared contract.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RailPayinStatus } from '../../../src/rails/rail.ts'
import { type Mono, OUTCOME_DELAY_MS, pesos, simulateMono } from '../../sandbox/providers/mono-caller.ts'
import {
  AMOUNT,
  acceptedValue,
  assertUnknown,
  handle,
  OUR_KEY,
  openAt,
  PAYIN,
  PERSONAL,
  payinOrder,
  recorded,
} from './opened.ts'

const noKey = payinOrder({ source: { rail: 'BRE_B', keyString: null } })

async function submitted(mono: Mono, order = payinOrder()) {
  const rails = openAt(mono.url, { now: mono.now })
  const answer = await rails.payin.submit(order)
  assert.ok(answer.outcome === 'accepted', JSON.stringify(answer))
  const id = answer.value.providerId as string
  return Object.assign(rails, { id, opened: answer.value })
}

const paidAmounts = (status: RailPayinStatus): bigint[] => {
  assert.ok(status.state === 'paid', JSON.stringify(status.state))
  return status.payments.map(({ amountInCents }) => amountInCents)
}
const attemptIds = async (mono: Mono, id: string): Promise<string[]> =>
  (await mono.read(`/collections/${id}/attempts`)).attempts.map((attempt: { id: string }) => attempt.id)

test('a payin becomes ready when its key is registered, and is paid by the attempt that succeeded', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  const nothing = { keyString: null, qrPayload: null, pageUrl: null, isReady: false }
  assert.match(rails.id, /^bbcol_[\w-]{22}$/)
  assert.deepEqual(rails.opened, { providerId: rails.id, traceId: null, instructions: nothing })
  const waiting = await rails.payin.query(handle(PAYIN, rails.id))
  assert.deepEqual(acceptedValue(waiting), { state: 'open', opened: rails.opened })

  await mono.advance(OUTCOME_DELAY_MS)
  for (const id of [rails.id, null])
    assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, id))), {
      state: 'open',
      opened: { ...rails.opened, instructions: { ...nothing, keyString: OUR_KEY, isReady: true } },
    })

  await mono.pay(OUR_KEY)
  assert.equal(acceptedValue(await rails.payin.query(handle(PAYIN, rails.id))).state, 'open')
  await mono.advance(OUTCOME_DELAY_MS)
  const [attemptId] = await attemptIds(mono, rails.id)
  for (const id of [rails.id, null])
    assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, id))), {
      state: 'paid',
      payments: [{ paymentId: `mono:${attemptId}`, amountInCents: AMOUNT }],
      networkCode: 'paid',
    })
})

test('a key that Mono names is learned when it is registered', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono, noKey)
  await mono.advance(OUTCOME_DELAY_MS)
  const status = acceptedValue(await rails.payin.query(handle(PAYIN, rails.id)))
  assert.ok(status.state === 'open')
  assert.match(status.opened?.instructions.keyString ?? '', /^@MONO[0-9A-F]{10}$/)
  assert.equal(status.opened?.instructions.isReady, true)
})

test('an order sent twice is one collection, and the second answer knows its key', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(OUTCOME_DELAY_MS)
  const again = acceptedValue(await rails.payin.submit(payinOrder()))
  assert.equal(again.providerId, rails.id)
  assert.equal(again.instructions.keyString, OUR_KEY)
  assert.equal((await mono.read('/collections')).pagination.total_entries, 1)
})

test('a reference that Mono knows with another key is not taken for ours', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono, noKey)
  await mono.advance(OUTCOME_DELAY_MS)
  const again = await rails.payin.submit(payinOrder())
  assertUnknown(again, 'unreadable')
})

test('a reference that no collection has is not found', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  for (const ask of [rails.payin.query, rails.payin.cancel])
    assert.deepEqual(acceptedValue(await ask(handle(PAYIN))), {
      state: 'ended',
      how: 'not-found',
      reason: 'EXPIRED',
      networkCode: 'collection_not_found',
    })
  for (const ask of [rails.payin.query, rails.payin.cancel]) {
    const answer = await ask(handle(PAYIN, `bbcol_${'x'.repeat(22)}`))
    assertUnknown(answer, 'undecided')
  }
})

test('an id of another payin’s collection answers for nobody', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  const { id } = await mono.collect({ external_id: 'the merchant’s own sale' })
  const answer = await rails.payin.query(handle(PAYIN, id))
  assertUnknown(answer, 'unreadable')
})

test('an order that Mono rejects is refused if no earlier one was taken', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  const late = payinOrder({ expiresAt: mono.now() - 1_000 })
  assert.deepEqual(await rails.payin.submit(late), {
    outcome: 'rejected',
    reason: 'RAIL_ERROR',
    networkCode: 'invalid_expiration',
  })
  assert.deepEqual(recorded(rails), ['POST /api/v1/collections', 'GET /api/v1/collections'])
})

test('an order with a field that Mono does not take is refused with its code', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  const answer = await rails.payin.submit(payinOrder({ source: { rail: 'BRE_B', keyString: 'no key' } }))
  assert.deepEqual(answer, { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'invalid_parameter' })
})

test('an account of somebody else ends no payin', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { credentials: { accountId: `bbtacc_${'x'.repeat(22)}` } })
  const answer = await rails.payin.submit(payinOrder())
  assertUnknown(answer, 'unavailable')
})

test('a collection whose key cannot be registered ends the payin with RAIL_ERROR', async () => {
  for (const reason of ['key_already_registered', 'key_registration_failed']) {
    await using mono = await simulateMono()
    await using rails = openAt(mono.url, { now: mono.now })
    const { id } = await mono.collect({ external_id: PAYIN, nickname: `col_${reason}` })
    await mono.advance(OUTCOME_DELAY_MS)
    const ended = { state: 'ended', how: 'declined', reason: 'RAIL_ERROR', networkCode: reason }
    assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, id))), ended)
    assert.deepEqual(await rails.payin.submit(noKey), {
      outcome: 'rejected',
      reason: 'RAIL_ERROR',
      networkCode: reason,
    })
  }
})

test('a discarded collection ends as its reason says', async () => {
  const expired = ['expired', 'EXPIRED']
  const nicknames: Record<string, string[]> = { col_inactivity: expired, col_key_canceled: expired }
  for (const [nickname, [how, reason]] of Object.entries(nicknames)) {
    await using mono = await simulateMono()
    await using rails = openAt(mono.url, { now: mono.now })
    const { id } = await mono.collect({ external_id: PAYIN, nickname })
    await mono.advance(3 * OUTCOME_DELAY_MS)
    assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, id))), {
      state: 'ended',
      how,
      reason,
      networkCode: nickname.replace('col_', ''),
    })
  }
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(900_000)
  assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, rails.id))), {
    state: 'ended',
    how: 'expired',
    reason: 'EXPIRED',
    networkCode: 'expired',
  })
})

test('a canceled payin stays open until Mono has withdrawn the key', async () => {
  for (const isIdKnown of [true, false]) {
    await using mono = await simulateMono()
    await using rails = await submitted(mono)
    await mono.advance(OUTCOME_DELAY_MS)
    const payment = handle(PAYIN, isIdKnown ? rails.id : null)
    for (const _ of ['first', 'again'])
      assert.equal(acceptedValue(await rails.payin.cancel(payment)).state, 'open')
    await mono.advance(OUTCOME_DELAY_MS)
    const canceled = {
      state: 'ended',
      how: 'canceled',
      reason: 'CANCELED_BY_MERCHANT',
      networkCode: 'deleted',
    }
    assert.deepEqual(acceptedValue(await rails.payin.query(payment)), canceled)
    assert.deepEqual(acceptedValue(await rails.payin.cancel(payment)), canceled)
  }
})

test('a payer who is faster than a cancelation has paid', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(OUTCOME_DELAY_MS)
  await rails.payin.cancel(handle(PAYIN, rails.id))
  await mono.pay(OUR_KEY)
  await mono.advance(OUTCOME_DELAY_MS)
  assert.deepEqual(paidAmounts(acceptedValue(await rails.payin.query(handle(PAYIN, rails.id)))), [AMOUNT])
  assert.deepEqual(paidAmounts(acceptedValue(await rails.payin.cancel(handle(PAYIN, rails.id)))), [AMOUNT])
})

test('a paid payin that is canceled is answered with its payment', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(OUTCOME_DELAY_MS)
  await mono.pay(OUR_KEY)
  await mono.advance(OUTCOME_DELAY_MS)
  assert.deepEqual(paidAmounts(acceptedValue(await rails.payin.cancel(handle(PAYIN)))), [AMOUNT])
})

test('every payment of a collection counts with the amount that came, the first one first', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  // Somebody else asked for it: several may pay, and any amount.
  const { id } = await mono.collect({
    external_id: PAYIN,
    usage_mode: 'multiple_use',
    total_minimum_amount: pesos(1_000),
    total_maximum_amount: pesos(1_000_000),
  })
  await mono.advance(OUTCOME_DELAY_MS)
  const key = (await mono.read(`/collections/${id}`)).keys[0].value
  await mono.pay(key, { amount: pesos(300), error: 'tx_risk_control' })
  for (const amount of [700, 5_000, 24_900]) {
    await mono.pay(key, { amount: pesos(amount) })
    await mono.advance(OUTCOME_DELAY_MS)
  }
  const status = acceptedValue(await rails.payin.query(handle(PAYIN, id)))
  assert.deepEqual(paidAmounts(status), [70_000n, 500_000n, 2_490_000n])
  assert.ok(status.state === 'paid' && status.networkCode === 'minimum_paid')
})

test('a failed or rejected attempt leaves the payin open', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(OUTCOME_DELAY_MS)
  await mono.pay(OUR_KEY, { error: 'tx_risk_control' })
  await mono.pay(OUR_KEY, { amount: pesos(1) })
  await mono.advance(OUTCOME_DELAY_MS)
  assert.equal(acceptedValue(await rails.payin.query(handle(PAYIN, rails.id))).state, 'open')
})

test('what is recorded names our reference, and nobody’s data', async () => {
  await using mono = await simulateMono()
  await using rails = await submitted(mono)
  await mono.advance(OUTCOME_DELAY_MS)
  await mono.pay(OUR_KEY, {
    payer: { full_name: 'Canaria del Campo', document_type: 'CC', document_number: '1012345678' },
  })
  await mono.advance(OUTCOME_DELAY_MS)
  await rails.payin.query(handle(PAYIN))
  await rails.payin.cancel(handle(PAYIN, rails.id))
  assert.deepEqual(recorded(rails), [
    'POST /api/v1/collections',
    'GET /api/v1/collections',
    'GET /api/v1/collections/attempts',
    'DELETE /api/v1/collections',
    'GET /api/v1/collections',
    'GET /api/v1/collections/attempts',
  ])
  for (const exchange of rails.exchanges) {
    const isToken = exchange.operation === 'POST /api/v1/oauth/token'
    assert.equal(exchange.reference, isToken ? '' : PAYIN)
    for (const secret of PERSONAL) assert.ok(!JSON.stringify(exchange).includes(secret), exchange.operation)
  }
})

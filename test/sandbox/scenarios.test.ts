// The scenarios that a document number selects, on each network, after the delay.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  collection,
  DELAY_MS,
  type Harness,
  newReference,
  session,
  startHarness,
  transfer,
} from './harness.ts'

const CHARGEBACK_MS = 11 * DELAY_MS

async function collected(harness: Harness, idNumber: string | null) {
  const reference = newReference()
  const put = await harness.breb('PUT', `/collections/${reference}`, collection(idNumber))
  assert.equal(put.status, 201)
  assert.equal(put.json.status, 'READY')
  await harness.sandbox.advance(DELAY_MS)
  const { json } = await harness.breb('GET', `/collections/${reference}`)
  return { reference, json, types: harness.types(reference), movements: movementsOf(harness, reference) }
}

async function paidAtBank(harness: Harness, idNumber: string | null) {
  const reference = newReference()
  const put = await harness.pse('PUT', `/sessions/${reference}`, session(idNumber))
  assert.equal(put.status, 201)
  assert.equal(put.json.status, 'CREATED')
  await harness.sandbox.advance(DELAY_MS)
  const { json } = await harness.pse('GET', `/sessions/${reference}`)
  return { reference, json, types: harness.types(reference), movements: movementsOf(harness, reference) }
}

async function transferred(harness: Harness, idNumber: string) {
  const reference = newReference()
  const put = await harness.breb('PUT', `/transfers/${reference}`, transfer(idNumber))
  assert.equal(put.status, 202)
  assert.deepEqual(put.json, {
    reference,
    status: 'PROCESSING',
    amount: '20000.00',
    endToEndId: null,
    reasonCode: null,
  })
  await harness.sandbox.advance(DELAY_MS)
  const { json } = await harness.breb('GET', `/transfers/${reference}`)
  return { reference, json, types: harness.types(reference), movements: movementsOf(harness, reference) }
}

function movementsOf(harness: Harness, reference: string): string[] {
  return harness.sandbox
    .log()
    .filter((entry) => entry.reference === reference)
    .map(({ movement, amountInCents }) => `${movement} ${amountInCents}`)
}

describe('a collection', () => {
  for (const idNumber of ['1000000001', '52123456', null])
    it(`is paid when the payer is ${idNumber ?? 'not named'}`, async () => {
      await using harness = await startHarness()
      const { json, types, movements, reference } = await collected(harness, idNumber)
      assert.equal(json.status, 'PAID')
      assert.equal(json.payments.length, 1)
      assert.equal(json.payments[0].amount, '50000.00')
      assert.equal(json.payments[0].paidAt, '2026-03-02T15:00:05.000Z')
      assert.deepEqual(types, ['collection.paid'])
      assert.deepEqual(movements, ['credit 5000000'])
      const notice = harness.listener.received[0]?.notice
      assert.deepEqual(notice, {
        id: harness.listener.received[0]?.noticeId,
        type: 'collection.paid',
        reference,
        occurredAt: '2026-03-02T15:00:05.000Z',
        paymentId: json.payments[0].paymentId,
        amount: '50000.00',
        endToEndId: null,
        reasonCode: null,
      })
    })

  it('is rejected for 1000000003', async () => {
    await using harness = await startHarness()
    const { json, types, movements } = await collected(harness, '1000000003')
    assert.deepEqual([json.status, json.reasonCode, json.payments], ['REJECTED', 'B106', []])
    assert.deepEqual(types, ['collection.rejected'])
    assert.equal(harness.listener.received[0]?.notice.reasonCode, 'B106')
    assert.deepEqual(movements, [])
  })

  it('is canceled for 1000000005', async () => {
    await using harness = await startHarness()
    const { json, types } = await collected(harness, '1000000005')
    assert.deepEqual([json.status, json.reasonCode], ['CANCELED', 'CANCELED_BY_PAYER'])
    assert.deepEqual(types, ['collection.canceled'])
  })

  it('stays open for 1000000007 until it expires, and no notice is sent', async () => {
    await using harness = await startHarness()
    const { json, reference } = await collected(harness, '1000000007')
    assert.equal(json.status, 'READY')
    await harness.sandbox.advance(3_600_000)
    const later = await harness.breb('GET', `/collections/${reference}`)
    assert.equal(later.json.status, 'EXPIRED')
    assert.deepEqual(harness.types(reference), [])
  })

  it('is paid once and notified three times, under one id, for 1000000011', async () => {
    await using harness = await startHarness()
    const { json, types, movements } = await collected(harness, '1000000011')
    assert.equal(json.payments.length, 1)
    assert.deepEqual(types, ['collection.paid', 'collection.paid', 'collection.paid'])
    assert.equal(new Set(harness.listener.received.map(({ noticeId }) => noticeId)).size, 1)
    assert.deepEqual(movements, ['credit 5000000'])
  })

  it('gets half of its amount for 1000000013', async () => {
    await using harness = await startHarness()
    const { json, movements } = await collected(harness, '1000000013')
    assert.deepEqual([json.status, json.amount, json.payments[0].amount], ['PAID', '50000.00', '25000.00'])
    assert.equal(harness.listener.received[0]?.notice.amount, '25000.00')
    assert.deepEqual(movements, ['credit 2500000'])
  })

  it('is paid without a notice for 1000000015: only a query shows it', async () => {
    await using harness = await startHarness()
    const { json, types, movements } = await collected(harness, '1000000015')
    assert.equal(json.status, 'PAID')
    assert.deepEqual(types, [])
    assert.deepEqual(movements, ['credit 5000000'])
  })

  it('is paid and later charged back for 1000000017', async () => {
    await using harness = await startHarness()
    const { reference, types, json } = await collected(harness, '1000000017')
    assert.deepEqual(types, ['collection.paid'])
    await harness.sandbox.advance(CHARGEBACK_MS)
    assert.deepEqual(harness.types(reference), ['collection.paid', 'collection.chargeback'])
    assert.deepEqual(movementsOf(harness, reference), ['credit 5000000', 'chargeback 5000000'])
    assert.equal(harness.listener.received[1]?.notice.paymentId, json.payments[0].paymentId)
  })
})

describe('a session', () => {
  const cases = [
    { idNumber: '1000000001', status: 'OK', cause: null, types: ['session.ok'] },
    { idNumber: null, status: 'OK', cause: null, types: ['session.ok'] },
    { idNumber: '1000000003', status: 'NOT_AUTHORIZED', cause: '00011', types: ['session.not_authorized'] },
    { idNumber: '1000000005', status: 'NOT_AUTHORIZED', cause: '00001', types: ['session.not_authorized'] },
    { idNumber: '1000000007', status: 'CREATED', cause: null, types: [] },
    { idNumber: '1000000011', status: 'OK', cause: null, types: ['session.ok', 'session.ok', 'session.ok'] },
    // The amount of a session cannot change: the bank refuses inconsistent data.
    { idNumber: '1000000013', status: 'NOT_AUTHORIZED', cause: '00012', types: ['session.not_authorized'] },
    { idNumber: '1000000015', status: 'OK', cause: null, types: [] },
  ]
  for (const { idNumber, status, cause, types } of cases)
    it(`of ${idNumber ?? 'nobody'} is ${status} ${cause ?? ''}`, async () => {
      await using harness = await startHarness()
      const seen = await paidAtBank(harness, idNumber)
      assert.deepEqual([seen.json.status, seen.json.causeCode], [status, cause])
      assert.deepEqual(seen.types, types)
      assert.deepEqual(seen.movements, status === 'OK' ? ['credit 8000000'] : [])
      for (const { network, notice } of harness.listener.received) {
        assert.equal(network, 'pse')
        assert.deepEqual([notice.cus, notice.amount, notice.causeCode], [seen.json.cus, '80000.00', cause])
      }
    })

  it('of 1000000017 is charged back later', async () => {
    await using harness = await startHarness()
    const { reference } = await paidAtBank(harness, '1000000017')
    await harness.sandbox.advance(CHARGEBACK_MS)
    assert.deepEqual(harness.types(reference), ['session.ok', 'session.chargeback'])
    assert.deepEqual(movementsOf(harness, reference), ['credit 8000000', 'chargeback 8000000'])
  })

  it('that nobody pays expires, and a notice says so', async () => {
    await using harness = await startHarness()
    const { reference } = await paidAtBank(harness, '1000000007')
    await harness.sandbox.advance(3_600_000)
    assert.equal((await harness.pse('GET', `/sessions/${reference}`)).json.status, 'EXPIRED')
    assert.deepEqual(harness.types(reference), ['session.expired'])
    assert.equal(harness.listener.received[0]?.notice.occurredAt, '2026-03-02T15:15:00.000Z')
  })
})

describe('a transfer', () => {
  const completed = { status: 'COMPLETED', reason: null, movements: ['debit 2000000'] }
  const cases = [
    { idNumber: '1000000001', ...completed, types: ['transfer.completed'] },
    { idNumber: '71234567', ...completed, types: ['transfer.completed'] },
    {
      idNumber: '1000000003',
      status: 'REJECTED',
      reason: 'B106',
      movements: [],
      types: ['transfer.rejected'],
    },
    {
      idNumber: '1000000005',
      status: 'REJECTED',
      reason: 'CANCELED',
      movements: [],
      types: ['transfer.rejected'],
    },
    { idNumber: '1000000007', status: 'PROCESSING', reason: null, movements: [], types: [] },
    {
      idNumber: '1000000011',
      ...completed,
      types: ['transfer.completed', 'transfer.completed', 'transfer.completed'],
    },
    {
      idNumber: '1000000013',
      status: 'REJECTED',
      reason: 'B107',
      movements: [],
      types: ['transfer.rejected'],
    },
    { idNumber: '1000000015', ...completed, types: [] },
    { idNumber: '1000000017', ...completed, types: ['transfer.completed'] },
  ]
  for (const { idNumber, status, reason, movements, types } of cases)
    it(`to ${idNumber} is ${status} ${reason ?? ''}`, async () => {
      await using harness = await startHarness()
      const seen = await transferred(harness, idNumber)
      await harness.sandbox.advance(CHARGEBACK_MS)
      assert.deepEqual([seen.json.status, seen.json.reasonCode], [status, reason])
      assert.deepEqual(seen.movements, movements)
      assert.deepEqual(harness.types(seen.reference), types)
      assert.equal(seen.json.endToEndId !== null, status === 'COMPLETED')
      for (const { notice } of harness.listener.received)
        assert.equal(notice.endToEndId, seen.json.endToEndId)
    })

  it('to the key of an open collection pays it', async () => {
    await using harness = await startHarness()
    const payin = newReference()
    await harness.breb('PUT', `/collections/${payin}`, collection('1000000007', { key: '@RCOWNKEY' }))
    const payout = newReference()
    const order = transfer('1000000001', { key: '@RCOWNKEY', keyType: 'O' })
    await harness.breb('PUT', `/transfers/${payout}`, order)
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(movementsOf(harness, payout), ['debit 2000000'])
    assert.deepEqual(movementsOf(harness, payin), ['credit 2000000'])
    assert.deepEqual(harness.types(payin), ['collection.paid'])
  })
})

// The control API: what a tester may decide, how the clock moves, and what survives a restart.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import {
  CREDENTIALS,
  caller,
  collection,
  DELAY_MS,
  type Harness,
  START,
  session,
  startHarness,
  transfer,
  until,
} from './harness.ts'

const open = '1000000007'

async function openThreePayments(harness: Harness): Promise<void> {
  await harness.breb('PUT', '/collections/P1', collection(open))
  await harness.pse('PUT', '/sessions/P2', session(open))
  await harness.breb('PUT', '/transfers/O1', transfer(open))
}

describe('simulating', () => {
  it('decides what was left open', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    for (const reference of ['P1', 'P2', 'O1']) {
      const { status, json } = await harness.simulate(reference, { outcome: 'confirmed' })
      assert.deepEqual([status, json], [200, { done: true }])
    }
    assert.equal((await harness.breb('GET', '/collections/P1')).json.status, 'PAID')
    assert.equal((await harness.pse('GET', '/sessions/P2')).json.status, 'OK')
    assert.equal((await harness.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
    await until(() => harness.listener.received.length === 3)
  })

  it('takes our error code and translates it to the network’s code', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    await harness.simulate('P1', { outcome: 'declined', errorCode: 'INSUFFICIENT_FUNDS' })
    await harness.simulate('P2', { outcome: 'declined', errorCode: 'AUTHENTICATION_FAILED' })
    await harness.simulate('O1', { outcome: 'declined', errorCode: 'KEY_SUSPENDED' })
    assert.equal((await harness.breb('GET', '/collections/P1')).json.reasonCode, 'INSUFFICIENT_FUNDS')
    assert.equal((await harness.pse('GET', '/sessions/P2')).json.causeCode, '00016')
    assert.equal((await harness.breb('GET', '/transfers/O1')).json.reasonCode, 'DIFE-0005')
  })

  it('refuses an error code that this kind of payment cannot have with the outcome', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    const impossible: [reference: string, outcome: string, errorCode: unknown][] = [
      ...['INSUFFICIENT_FUNDS', 'CANCELED_BY_MERCHANT', 'constructor', 7].map(
        (errorCode): [string, string, unknown] => ['O1', 'declined', errorCode],
      ),
      ['O1', 'canceled', 'KEY_NOT_FOUND'],
      ['O1', 'confirmed', 'RAIL_ERROR'],
      ['P1', 'declined', 'CANCELED_BY_PAYER'],
      ['P1', 'canceled', 'INSUFFICIENT_FUNDS'],
      ['P1', 'canceled', 'EXPIRED'],
      ['P2', 'declined', 'EXPIRED'],
      ['P2', 'chargeback', 'BANK_DECLINED'],
    ]
    for (const [reference, outcome, errorCode] of impossible) {
      const { status, json } = await harness.simulate(reference, { outcome, errorCode })
      assert.deepEqual(
        [status, json.code],
        [400, 'ERROR_CODE_INVALID'],
        `${reference} ${outcome} ${errorCode}`,
      )
    }
  })

  it('lets a Bre-B payer pay another amount, and nobody else', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    const order = { outcome: 'confirmed', amountInCents: 123 }
    assert.equal((await harness.simulate('P1', order)).status, 200)
    assert.equal((await harness.breb('GET', '/collections/P1')).json.payments[0].amount, '1.23')
    for (const reference of ['P2', 'O1']) {
      const { status, json } = await harness.simulate(reference, order)
      assert.deepEqual([status, json.code], [409, 'AMOUNT_FIXED'])
    }
    for (const amountInCents of [0, -1, 1.5, '5', 1_211_000_001]) {
      await harness.breb('PUT', '/collections/P5', collection(open, { key: '@RCFIVE' }))
      assert.equal((await harness.simulate('P5', { outcome: 'confirmed', amountInCents })).status, 400)
    }
  })

  it('pays late what was closed, has expired, was canceled or refused', async () => {
    await using harness = await startHarness()
    for (const reference of ['P1', 'P2', 'P3', 'P4'])
      await harness.breb('PUT', `/collections/${reference}`, collection(open))
    await harness.pse('PUT', '/sessions/P5', session(open))
    await harness.breb('DELETE', '/collections/P1')
    await harness.simulate('P2', { outcome: 'canceled' })
    await harness.simulate('P3', { outcome: 'declined' })
    await harness.sandbox.advance(3_600_000)
    assert.equal((await harness.breb('GET', '/collections/P4')).json.status, 'EXPIRED')
    assert.equal((await harness.pse('GET', '/sessions/P5')).json.status, 'EXPIRED')
    for (const reference of ['P1', 'P2', 'P3', 'P4', 'P5']) {
      assert.equal((await harness.simulate(reference, { outcome: 'confirmed' })).status, 200)
      assert.equal((await harness.simulate(reference, { outcome: 'confirmed' })).status, 409)
    }
    const paid = await harness.breb('GET', '/collections/P1')
    assert.deepEqual([paid.json.status, paid.json.payments.length], ['PAID', 1])
    await harness.sandbox.advance(0)
    assert.deepEqual(harness.types('P1'), ['collection.paid'])
    assert.deepEqual(harness.types('P3'), ['collection.rejected', 'collection.paid'])
    assert.deepEqual(harness.types('P5'), ['session.expired', 'session.ok'])
    assert.equal(harness.sandbox.log().length, 5)
  })

  it('refuses every other outcome after the end', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    for (const reference of ['P1', 'P2', 'O1']) await harness.simulate(reference, { outcome: 'declined' })
    const refused = [
      ['P1', 'declined'],
      ['P1', 'canceled'],
      ['P1', 'chargeback'],
      ['P2', 'canceled'],
      ['O1', 'confirmed'],
      ['O1', 'declined'],
      ['O1', 'canceled'],
    ] as const
    for (const [reference, outcome] of refused)
      assert.equal((await harness.simulate(reference, { outcome })).status, 409, `${reference} ${outcome}`)
    for (const outcome of ['chargeback', 'paid', undefined])
      assert.equal((await harness.simulate('O1', { outcome })).status, 400)
    assert.equal((await harness.simulate('P9', { outcome: 'confirmed' })).status, 404)
  })

  it('charges back what was paid, once', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    assert.equal((await harness.simulate('P1', { outcome: 'chargeback' })).status, 409)
    await harness.simulate('P1', { outcome: 'confirmed' })
    assert.equal((await harness.simulate('P1', { outcome: 'chargeback' })).status, 200)
    assert.equal((await harness.simulate('P1', { outcome: 'chargeback' })).status, 409)
    await harness.sandbox.advance(0)
    assert.deepEqual(harness.types('P1'), ['collection.paid', 'collection.chargeback'])
  })

  it('requires the control bearer', async () => {
    await using harness = await startHarness()
    await openThreePayments(harness)
    const stranger = caller(harness.sandbox.controlUrl, CREDENTIALS.pse.clientSecret)
    for (const [method, path] of [
      ['POST', '/payments/P1/simulate'],
      ['POST', '/clock/advance'],
      ['GET', '/log'],
      ['PUT', '/faults'],
    ] as const)
      assert.equal((await stranger(method, path, method === 'GET' ? undefined : {})).status, 401)
    assert.equal((await harness.control('GET', '/nothing')).status, 404)
  })
})

describe('the clock', () => {
  it('runs everything in order of its time, and dated by it, however far it jumps', async () => {
    await using harness = await startHarness()
    await harness.breb('PUT', '/collections/P1', collection('1000000017'))
    await harness.control('POST', '/clock/advance', { seconds: 1 })
    await harness.pse('PUT', '/sessions/P2', session('1000000017'))
    await harness.control('POST', '/clock/advance', { seconds: 1 })
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.pse('PUT', '/sessions/P3', session(open))
    const { json } = await harness.control('POST', '/clock/advance', { seconds: 3_600 })
    assert.deepEqual(json, { now: '2026-03-02T16:00:02.000Z', movedByMs: 3_602_000 })
    assert.deepEqual(
      harness.sandbox.log().map(({ at, movement, reference }) => [at - START, movement, reference]),
      [
        [5_000, 'credit', 'P1'],
        [6_000, 'credit', 'P2'],
        [7_000, 'debit', 'O1'],
        [55_000, 'chargeback', 'P1'],
        [56_000, 'chargeback', 'P2'],
      ],
    )
    assert.deepEqual(harness.types('P1'), ['collection.paid', 'collection.chargeback'])
    assert.deepEqual(harness.types('P3'), ['session.expired'])
    const occurred = harness.listener.received.map(({ notice }) => notice.occurredAt)
    assert.equal(occurred.length, 6)
    assert.ok(occurred.includes('2026-03-02T15:00:55.000Z'))
    // Signed when they were sent. Otherwise the service would reject them as old.
    assert.ok(harness.listener.received.every(({ noticeId }) => noticeId !== undefined))
  })

  it('only goes forward, and reports its time', async () => {
    await using harness = await startHarness()
    for (const seconds of [-1, '5', null, 1e12])
      assert.equal((await harness.control('POST', '/clock/advance', { seconds })).status, 400)
    const { json } = await harness.control('GET', '/clock')
    assert.deepEqual(json, { now: '2026-03-02T15:00:00.000Z', movedByMs: 0 })
  })

  it('also runs by itself', async () => {
    await using harness = await startHarness({ now: Date.now, delayMs: 20 })
    await harness.breb('PUT', '/transfers/O1', transfer())
    await until(() => harness.types('O1').length === 1)
    assert.equal(harness.sandbox.log().length, 1)
  })
})

it('the log reports every movement over HTTP too', async () => {
  await using harness = await startHarness()
  await harness.breb('PUT', '/transfers/O1', transfer())
  await harness.sandbox.advance(DELAY_MS)
  const { json } = await harness.control('GET', '/log')
  const { traceId, ...entry } = json.entries[0]
  assert.equal(json.entries.length, 1)
  assert.match(traceId, /^E2E/)
  assert.deepEqual(entry, {
    at: '2026-03-02T15:00:05.000Z',
    movement: 'debit',
    network: 'breb',
    reference: 'O1',
    amountInCents: 2_000_000,
  })
})

describe('a restart', () => {
  it('keeps pending work, unsent notices and the clock', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'networks', 'sandbox.sqlite')
    try {
      const body = transfer()
      {
        await using harness = await startHarness({ storageFile })
        await harness.breb('PUT', '/collections/P1', collection('1000000011'))
        await harness.sandbox.advance(1_000)
        await harness.breb('PUT', '/transfers/O1', body)
        harness.listener.answers.push(500, 500, 500)
        await harness.sandbox.advance(DELAY_MS - 1_000)
        assert.equal(harness.listener.received.length, 3)
        assert.equal(harness.sandbox.log().length, 1)
      }
      await using harness = await startHarness({ storageFile })
      assert.equal(harness.sandbox.now(), START + DELAY_MS)
      assert.equal((await harness.breb('GET', '/collections/P1')).json.status, 'PAID')
      assert.equal((await harness.breb('PUT', '/transfers/O1', body)).json.status, 'PROCESSING')
      await harness.sandbox.advance(1_000)
      assert.deepEqual(harness.types('P1'), ['collection.paid', 'collection.paid', 'collection.paid'])
      assert.deepEqual(harness.types('O1'), ['transfer.completed'])
      assert.deepEqual(
        harness.sandbox.log().map(({ reference }) => reference),
        ['P1', 'O1'],
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('on the tables of another build starts empty', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'sandbox.sqlite')
    try {
      const db = new DatabaseSync(storageFile)
      db.exec('create table payments (reference text); create table deliveries (pending integer)')
      db.close()
      await using harness = await startHarness({ storageFile })
      assert.equal((await harness.breb('PUT', '/transfers/O1', transfer())).status, 202)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('does what fell due while it was down', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'sandbox.sqlite')
    try {
      {
        await using harness = await startHarness({ storageFile })
        await harness.breb('PUT', '/transfers/O1', transfer())
      }
      await using harness = await startHarness({ storageFile, now: () => START + 3_600_000 })
      await until(() => harness.types('O1').length === 1)
      assert.equal(harness.sandbox.log()[0]?.at, START + DELAY_MS)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

// The lever behind the scenery: what a tester may decide, how the clock moves, and what survives a restart.

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

async function three(stage: Harness): Promise<void> {
  await stage.breb('PUT', '/collections/P1', collection(open))
  await stage.pse('PUT', '/sessions/P2', session(open))
  await stage.breb('PUT', '/transfers/O1', transfer(open))
}

describe('simulating', () => {
  it('decides what was left open', async () => {
    await using stage = await startHarness()
    await three(stage)
    for (const reference of ['P1', 'P2', 'O1']) {
      const { status, json } = await stage.simulate(reference, { outcome: 'confirmed' })
      assert.deepEqual([status, json], [200, { done: true }])
    }
    assert.equal((await stage.breb('GET', '/collections/P1')).json.status, 'PAID')
    assert.equal((await stage.pse('GET', '/sessions/P2')).json.status, 'OK')
    assert.equal((await stage.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
    await until(() => stage.listener.heard.length === 3)
  })

  it('takes our error code and says it in the network’s words', async () => {
    await using stage = await startHarness()
    await three(stage)
    await stage.simulate('P1', { outcome: 'declined', errorCode: 'INSUFFICIENT_FUNDS' })
    await stage.simulate('P2', { outcome: 'declined', errorCode: 'AUTHENTICATION_FAILED' })
    await stage.simulate('O1', { outcome: 'declined', errorCode: 'KEY_SUSPENDED' })
    assert.equal((await stage.breb('GET', '/collections/P1')).json.reasonCode, 'INSUFFICIENT_FUNDS')
    assert.equal((await stage.pse('GET', '/sessions/P2')).json.causeCode, '00016')
    assert.equal((await stage.breb('GET', '/transfers/O1')).json.reasonCode, 'DIFE-0005')
  })

  it('refuses an error code that the network has no word for', async () => {
    await using stage = await startHarness()
    await three(stage)
    for (const errorCode of ['INSUFFICIENT_FUNDS', 'constructor', 7]) {
      const { status, json } = await stage.simulate('O1', { outcome: 'declined', errorCode })
      assert.deepEqual([status, json.code], [400, 'ERROR_CODE_INVALID'])
    }
  })

  it('lets a Bre-B payer pay another amount, and nobody else', async () => {
    await using stage = await startHarness()
    await three(stage)
    const order = { outcome: 'confirmed', amountInCents: 123 }
    assert.equal((await stage.simulate('P1', order)).status, 200)
    assert.equal((await stage.breb('GET', '/collections/P1')).json.payments[0].amount, '1.23')
    for (const reference of ['P2', 'O1']) {
      const { status, json } = await stage.simulate(reference, order)
      assert.deepEqual([status, json.code], [409, 'AMOUNT_FIXED'])
    }
    for (const amountInCents of [0, -1, 1.5, '5', 1_211_000_001]) {
      await stage.breb('PUT', '/collections/P5', collection(open, { key: '@RCFIVE' }))
      assert.equal((await stage.simulate('P5', { outcome: 'confirmed', amountInCents })).status, 400)
    }
  })

  it('brings late money to what was closed, has expired, was canceled or refused', async () => {
    await using stage = await startHarness()
    for (const reference of ['P1', 'P2', 'P3', 'P4'])
      await stage.breb('PUT', `/collections/${reference}`, collection(open))
    await stage.pse('PUT', '/sessions/P5', session(open))
    await stage.breb('DELETE', '/collections/P1')
    await stage.simulate('P2', { outcome: 'canceled' })
    await stage.simulate('P3', { outcome: 'declined' })
    await stage.sandbox.advance(3_600_000)
    assert.equal((await stage.breb('GET', '/collections/P4')).json.status, 'EXPIRED')
    assert.equal((await stage.pse('GET', '/sessions/P5')).json.status, 'EXPIRED')
    for (const reference of ['P1', 'P2', 'P3', 'P4', 'P5']) {
      assert.equal((await stage.simulate(reference, { outcome: 'confirmed' })).status, 200)
      assert.equal((await stage.simulate(reference, { outcome: 'confirmed' })).status, 409)
    }
    const paid = await stage.breb('GET', '/collections/P1')
    assert.deepEqual([paid.json.status, paid.json.payments.length], ['PAID', 1])
    await stage.sandbox.advance(0)
    assert.deepEqual(stage.types('P1'), ['collection.paid'])
    assert.deepEqual(stage.types('P3'), ['collection.rejected', 'collection.paid'])
    assert.deepEqual(stage.types('P5'), ['session.expired', 'session.ok'])
    assert.equal(stage.sandbox.log().length, 5)
  })

  it('refuses everything else that comes after the end', async () => {
    await using stage = await startHarness()
    await three(stage)
    for (const reference of ['P1', 'P2', 'O1']) await stage.simulate(reference, { outcome: 'declined' })
    const refused = [
      ['P1', 'declined'],
      ['P1', 'canceled'],
      ['P1', 'chargeback'],
      ['P2', 'canceled'],
      ['O1', 'confirmed'],
      ['O1', 'declined'],
    ] as const
    for (const [reference, outcome] of refused)
      assert.equal((await stage.simulate(reference, { outcome })).status, 409, `${reference} ${outcome}`)
    for (const outcome of ['canceled', 'chargeback', 'paid', undefined])
      assert.equal((await stage.simulate('O1', { outcome })).status, 400)
    assert.equal((await stage.simulate('P9', { outcome: 'confirmed' })).status, 404)
  })

  it('charges back what was paid, once', async () => {
    await using stage = await startHarness()
    await three(stage)
    assert.equal((await stage.simulate('P1', { outcome: 'chargeback' })).status, 409)
    await stage.simulate('P1', { outcome: 'confirmed' })
    assert.equal((await stage.simulate('P1', { outcome: 'chargeback' })).status, 200)
    assert.equal((await stage.simulate('P1', { outcome: 'chargeback' })).status, 409)
    await stage.sandbox.advance(0)
    assert.deepEqual(stage.types('P1'), ['collection.paid', 'collection.chargeback'])
  })

  it('is for whoever holds the control’s bearer', async () => {
    await using stage = await startHarness()
    await three(stage)
    const stranger = caller(stage.sandbox.controlUrl, CREDENTIALS.pse.clientSecret)
    for (const [method, path] of [
      ['POST', '/payments/P1/simulate'],
      ['POST', '/clock/advance'],
      ['GET', '/log'],
      ['PUT', '/faults'],
    ] as const)
      assert.equal((await stranger(method, path, method === 'GET' ? undefined : {})).status, 401)
    assert.equal((await stage.control('GET', '/nothing')).status, 404)
  })
})

describe('the clock', () => {
  it('lets everything happen in order of its time, and as of it, however far it jumps', async () => {
    await using stage = await startHarness()
    await stage.breb('PUT', '/collections/P1', collection('1000000017'))
    await stage.control('POST', '/clock/advance', { seconds: 1 })
    await stage.pse('PUT', '/sessions/P2', session('1000000017'))
    await stage.control('POST', '/clock/advance', { seconds: 1 })
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.pse('PUT', '/sessions/P3', session(open))
    const { json } = await stage.control('POST', '/clock/advance', { seconds: 3_600 })
    assert.deepEqual(json, { now: '2026-03-02T16:00:02.000Z', movedByMs: 3_602_000 })
    assert.deepEqual(
      stage.sandbox.log().map(({ at, movement, reference }) => [at - START, movement, reference]),
      [
        [5_000, 'credit', 'P1'],
        [6_000, 'credit', 'P2'],
        [7_000, 'debit', 'O1'],
        [55_000, 'chargeback', 'P1'],
        [56_000, 'chargeback', 'P2'],
      ],
    )
    assert.deepEqual(stage.types('P1'), ['collection.paid', 'collection.chargeback'])
    assert.deepEqual(stage.types('P3'), ['session.expired'])
    const occurred = stage.listener.heard.map(({ notice }) => notice.occurredAt)
    assert.equal(occurred.length, 6)
    assert.ok(occurred.includes('2026-03-02T15:00:55.000Z'))
    // Signed when they were sent, or the service would take them for old ones.
    assert.ok(stage.listener.heard.every(({ noticeId }) => noticeId !== undefined))
  })

  it('goes forward only, and says where it is', async () => {
    await using stage = await startHarness()
    for (const seconds of [-1, '5', null, 1e12])
      assert.equal((await stage.control('POST', '/clock/advance', { seconds })).status, 400)
    const { json } = await stage.control('GET', '/clock')
    assert.deepEqual(json, { now: '2026-03-02T15:00:00.000Z', movedByMs: 0 })
  })

  it('runs by itself too', async () => {
    await using stage = await startHarness({ now: Date.now, delayMs: 20 })
    await stage.breb('PUT', '/transfers/O1', transfer())
    await until(() => stage.types('O1').length === 1)
    assert.equal(stage.sandbox.log().length, 1)
  })
})

it('the log tells every movement over HTTP too', async () => {
  await using stage = await startHarness()
  await stage.breb('PUT', '/transfers/O1', transfer())
  await stage.sandbox.advance(DELAY_MS)
  const { json } = await stage.control('GET', '/log')
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
  it('keeps what is pending, what is untold, and the clock', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'networks', 'sandbox.sqlite')
    try {
      const body = transfer()
      {
        await using stage = await startHarness({ storageFile })
        await stage.breb('PUT', '/collections/P1', collection('1000000011'))
        await stage.sandbox.advance(1_000)
        await stage.breb('PUT', '/transfers/O1', body)
        stage.listener.answers.push(500, 500, 500)
        await stage.sandbox.advance(DELAY_MS - 1_000)
        assert.equal(stage.listener.heard.length, 3)
        assert.equal(stage.sandbox.log().length, 1)
      }
      await using stage = await startHarness({ storageFile })
      assert.equal(stage.sandbox.now(), START + DELAY_MS)
      assert.equal((await stage.breb('GET', '/collections/P1')).json.status, 'PAID')
      assert.equal((await stage.breb('PUT', '/transfers/O1', body)).json.status, 'PROCESSING')
      await stage.sandbox.advance(1_000)
      assert.deepEqual(stage.types('P1'), ['collection.paid', 'collection.paid', 'collection.paid'])
      assert.deepEqual(stage.types('O1'), ['transfer.completed'])
      assert.deepEqual(
        stage.sandbox.log().map(({ reference }) => reference),
        ['P1', 'O1'],
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('on the tables of another build begins anew', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'sandbox.sqlite')
    try {
      const db = new DatabaseSync(storageFile)
      db.exec('create table payments (reference text); create table deliveries (pending integer)')
      db.close()
      await using stage = await startHarness({ storageFile })
      assert.equal((await stage.breb('PUT', '/transfers/O1', transfer())).status, 202)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('does what fell due while nobody was there', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-sandbox-'))
    const storageFile = join(directory, 'sandbox.sqlite')
    try {
      {
        await using stage = await startHarness({ storageFile })
        await stage.breb('PUT', '/transfers/O1', transfer())
      }
      await using stage = await startHarness({ storageFile, now: () => START + 3_600_000 })
      await until(() => stage.types('O1').length === 1)
      assert.equal(stage.sandbox.log()[0]?.at, START + DELAY_MS)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

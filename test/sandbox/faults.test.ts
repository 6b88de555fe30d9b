// The injected faults. Each one is visible, none moves money twice, and the same seed gives the same sequence.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_FAULTS, readFaultPlan, STORMY } from '../../src/sandbox/faults.ts'
import {
  collection,
  DELAY_MS,
  type Harness,
  type Reply,
  session,
  startHarness,
  transfer,
  until,
} from './harness.ts'

const only = (plan: Partial<typeof NO_FAULTS>) => ({ faults: { ...NO_FAULTS, ...plan } })

async function clearFaults(harness: Harness): Promise<void> {
  assert.equal((await harness.control('PUT', '/faults', { plan: 'none' })).status, 200)
}

async function assertStatus(harness: Harness, status: string | undefined): Promise<void> {
  await clearFaults(harness)
  const { json } = await harness.breb('GET', '/transfers/O1')
  assert.equal(json.code === 'NOT_FOUND' ? undefined : json.status, status)
}

describe('a request', () => {
  it('is refused before acceptance by an unavailable network', async () => {
    await using harness = await startHarness(only({ unavailable: 1 }))
    const { status, json } = await harness.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([status, json.status], [503, 'ERROR'])
    await assertStatus(harness, undefined)
  })

  it('is accepted and then answered by 500', async () => {
    await using harness = await startHarness(only({ errorAfterAcceptance: 1 }))
    assert.equal((await harness.breb('PUT', '/transfers/O1', transfer())).status, 500)
    await assertStatus(harness, 'PROCESSING')
  })

  it('is accepted and then cut off', async () => {
    await using harness = await startHarness(only({ droppedAnswer: 1 }))
    await assert.rejects(harness.breb('PUT', '/transfers/O1', transfer()), { message: 'fetch failed' })
    await assertStatus(harness, 'PROCESSING')
  })

  it('is accepted and then never answered', async () => {
    await using harness = await startHarness(only({ timeout: 1 }))
    const givingUp = new AbortController()
    let answered = false
    const put = harness.breb('PUT', '/transfers/O1', transfer(), givingUp.signal).finally(() => {
      answered = true
    })
    put.catch(() => {})
    await until(() => harness.sandbox.faultHits().timeout === 1)
    await assertStatus(harness, 'PROCESSING')
    assert.equal(answered, false)
    givingUp.abort()
    await assert.rejects(put, { name: 'AbortError' })
  })

  it('is accepted and answered by half a body', async () => {
    await using harness = await startHarness(only({ malformedAnswer: 1 }))
    const { status, json, text } = await harness.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([status, json], [202, undefined])
    assert.ok(text.startsWith('{"reference":"O1"'))
    await assertStatus(harness, 'PROCESSING')
  })

  it('is accepted and answered by something that settles nothing', async () => {
    await using harness = await startHarness(only({ unclearAnswer: 1 }))
    const put = await harness.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([put.status, put.json.status, put.json.code], [200, 'ERROR', 'B002'])
    const query = await harness.breb('GET', '/transfers/O1')
    assert.deepEqual([query.status, query.json.status, query.json.reasonCode], [200, 'REJECTED', 'B302'])
    await harness.pse('PUT', '/sessions/P1', session())
    assert.equal((await harness.pse('GET', '/sessions/P1')).json.status, 'FAILED')
    await assertStatus(harness, 'PROCESSING')
  })

  it('is answered late', async () => {
    await using harness = await startHarness(only({ latency: 1, latencyMs: 60 }))
    const startedMs = performance.now()
    for (let index = 0; index < 5; index += 1) await harness.breb('GET', '/transfers/O1')
    // Five draws between 0 and 60 ms, the same at every run.
    assert.ok(performance.now() - startedMs > 60)
    assert.equal(harness.sandbox.faultHits().latency, 5)
  })

  it('for something that exists finds nothing at first, and then finds it', async () => {
    await using harness = await startHarness(only({ notFoundThenFound: 1 }))
    await harness.breb('PUT', '/transfers/O1', transfer())
    const statuses = []
    for (let index = 0; index < 4; index += 1)
      statuses.push((await harness.breb('GET', '/transfers/O1')).status)
    assert.deepEqual(statuses, [404, 404, 200, 200])
  })
})

describe('a notice', () => {
  it('is lost, and only a query shows the payment', async () => {
    await using harness = await startHarness(only({ noticeLost: 1 }))
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.sandbox.advance(86_400_000)
    assert.deepEqual(harness.listener.received, [])
    assert.equal((await harness.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
  })

  it('is doubled, under one id', async () => {
    await using harness = await startHarness(only({ noticeDoubled: 1 }))
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(harness.types('O1'), ['transfer.completed', 'transfer.completed'])
    assert.equal(harness.listener.received[0]?.noticeId, harness.listener.received[1]?.noticeId)
  })

  it('is late, so that the chargeback comes before the payment', async () => {
    await using harness = await startHarness(only({ noticeLate: 1, lateFactor: 20 }))
    await harness.breb('PUT', '/collections/P1', collection('1000000017'))
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(harness.types('P1'), [])
    await harness.control('PUT', '/faults', { seed: 7, plan: {} })
    await harness.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(harness.types('P1'), ['collection.chargeback'])
    await harness.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(harness.types('P1'), ['collection.chargeback', 'collection.paid'])
  })

  it('is overtaken by others', async () => {
    await using harness = await startHarness(only({ noticeReordered: 1 }))
    const references = Array.from({ length: 12 }, (_, index) => `O${index}`)
    for (const reference of references) {
      await harness.breb('PUT', `/transfers/${reference}`, transfer())
      await harness.sandbox.advance(100)
    }
    for (let step = 0; step < 40; step += 1) await harness.sandbox.advance(500)
    const received = harness.listener.received.map(({ notice }) => notice.reference as string)
    assert.deepEqual(received.toSorted(), references.toSorted())
    assert.notDeepEqual(received, references)
  })

  it('is contradicted: a rejection first, then the real outcome', async () => {
    await using harness = await startHarness(only({ noticeContradicted: 1 }))
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.breb('PUT', '/collections/P1', collection())
    await harness.pse('PUT', '/sessions/P2', session())
    await harness.breb('PUT', '/transfers/O2', transfer('1000000003'))
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await harness.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(harness.types('O1'), ['transfer.rejected', 'transfer.completed'])
    assert.deepEqual(harness.types('P1'), ['collection.rejected', 'collection.paid'])
    assert.deepEqual(harness.types('P2'), ['session.not_authorized', 'session.ok'])
    assert.deepEqual(harness.types('O2'), ['transfer.rejected'])
    assert.equal(new Set(harness.listener.received.map(({ noticeId }) => noticeId)).size, 7)
  })
})

describe('a storm', () => {
  it('gives the same sequence for the same seed, in whatever order the payments come', async () => {
    const first = await story(11, (jobs) => inTurn(jobs))
    const second = await story(11, (jobs) => Promise.all(jobs.toReversed().map((job) => job())))
    assert.deepEqual(second, first)
    const other = await story(12, (jobs) => inTurn(jobs))
    assert.notDeepEqual(other.received, first.received)
    // A storm without a single fault would prove nothing.
    for (const fault of ['unavailable', 'droppedAnswer', 'noticeLost', 'noticeDoubled', 'noticeReordered'])
      assert.ok((first.hits[fault] ?? 0) + (other.hits[fault] ?? 0) > 0, fault)
  })

  it('moves the money of every transfer at most once', async () => {
    const { log } = await story(13, (jobs) => Promise.all(jobs.map((job) => job())))
    const debits = log.filter(([movement]) => movement === 'debit').map(([, reference]) => reference)
    assert.ok(debits.length > 5)
    assert.equal(new Set(debits).size, debits.length)
  })
})

describe('a fault plan', () => {
  it('is read from a preset or from probabilities, and from nothing else', async () => {
    assert.equal(readFaultPlan('stormy'), STORMY)
    assert.deepEqual(readFaultPlan({ timeout: 0.5 }), { ...NO_FAULTS, timeout: 0.5 })
    const wrong: unknown[] = [
      'toString',
      { timeout: 2 },
      { timeout: '1' },
      { nonsense: 1 },
      { toString: 1 },
      null,
      7,
    ]
    for (const value of wrong) assert.equal(readFaultPlan(value), undefined)
    await using harness = await startHarness()
    assert.equal((await harness.control('PUT', '/faults', { plan: { timeout: 2 } })).status, 400)
    assert.equal((await harness.control('PUT', '/faults', { plan: {}, seed: 'x' })).status, 400)
    await harness.control('PUT', '/faults', { seed: 3, plan: { noticeLost: 1 } })
    const { json } = await harness.control('GET', '/faults')
    assert.deepEqual([json.seed, json.plan.noticeLost, json.hits], [3, 1, {}])
  })
})

type Job = () => Promise<void>

async function inTurn(jobs: Job[]): Promise<void> {
  for (const job of jobs) await job()
}

const DOCUMENTS = ['1000000001', '1000000003', '1000000011', '1000000013', '1000000015', '1000000017']

// Sends fifty payments through a storm. Each is put until it is answered, and queried once.
async function story(seed: number, run: (jobs: Job[]) => Promise<unknown>) {
  await using harness = await startHarness({ seed, faults: { ...STORMY, latencyMs: 5, timeout: 0 } })
  const jobs = Array.from(
    { length: 50 },
    (_, index): Job =>
      async () => {
        const idNumber = DOCUMENTS[index % DOCUMENTS.length] as string
        const [call, path, body] = (
          [
            [harness.breb, `/collections/P${index}`, collection(idNumber, { key: `@RCSTORY${index}` })],
            [harness.breb, `/transfers/O${index}`, transfer(idNumber)],
            [harness.pse, `/sessions/P${index}`, session(idNumber)],
          ] as const
        )[index % 3] as readonly [Harness['breb'], string, object]
        for (;;) {
          const reply = await call('PUT', path, body).catch((): Reply | undefined => undefined)
          if (reply !== undefined && reply.status < 300 && reply.json?.reference !== undefined) break
        }
        await call('GET', path).catch(() => {})
      },
  )
  await run(jobs)
  for (let step = 0; step < 60; step += 1) await harness.sandbox.advance(DELAY_MS / 2)
  return {
    log: harness.sandbox
      .log()
      .map(({ movement, reference, amountInCents, traceId, at }) => [
        movement,
        reference,
        String(amountInCents),
        traceId,
        at,
      ])
      .sort(),
    received: harness.listener.received
      .map(({ noticeId, notice, at }) => [notice.reference, notice.type, noticeId, notice.occurredAt, at])
      .sort(),
    hits: harness.sandbox.faultHits(),
  }
}

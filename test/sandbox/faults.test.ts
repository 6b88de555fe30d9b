// What goes wrong on purpose: each fault can be seen, none of them moves money twice, and a seed tells the same story again.

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

async function calm(stage: Harness): Promise<void> {
  assert.equal((await stage.control('PUT', '/faults', { plan: 'none' })).status, 200)
}

async function standsAs(stage: Harness, status: string | undefined): Promise<void> {
  await calm(stage)
  const { json } = await stage.breb('GET', '/transfers/O1')
  assert.equal(json.code === 'NOT_FOUND' ? undefined : json.status, status)
}

describe('a request', () => {
  it('is refused before acceptance by an unavailable network', async () => {
    await using stage = await startHarness(only({ unavailable: 1 }))
    const { status, json } = await stage.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([status, json.status], [503, 'ERROR'])
    await standsAs(stage, undefined)
  })

  it('is accepted and then answered by 500', async () => {
    await using stage = await startHarness(only({ errorAfterAcceptance: 1 }))
    assert.equal((await stage.breb('PUT', '/transfers/O1', transfer())).status, 500)
    await standsAs(stage, 'PROCESSING')
  })

  it('is accepted and then cut off', async () => {
    await using stage = await startHarness(only({ droppedAnswer: 1 }))
    await assert.rejects(stage.breb('PUT', '/transfers/O1', transfer()), { message: 'fetch failed' })
    await standsAs(stage, 'PROCESSING')
  })

  it('is accepted and then never answered', async () => {
    await using stage = await startHarness(only({ timeout: 1 }))
    const givingUp = new AbortController()
    let answered = false
    const put = stage.breb('PUT', '/transfers/O1', transfer(), givingUp.signal).finally(() => {
      answered = true
    })
    put.catch(() => {})
    await until(() => stage.sandbox.faultHits().timeout === 1)
    await standsAs(stage, 'PROCESSING')
    assert.equal(answered, false)
    givingUp.abort()
    await assert.rejects(put, { name: 'AbortError' })
  })

  it('is accepted and answered by half a body', async () => {
    await using stage = await startHarness(only({ malformedAnswer: 1 }))
    const { status, json, text } = await stage.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([status, json], [202, undefined])
    assert.ok(text.startsWith('{"reference":"O1"'))
    await standsAs(stage, 'PROCESSING')
  })

  it('is accepted and answered by what settles nothing', async () => {
    await using stage = await startHarness(only({ unclearAnswer: 1 }))
    const put = await stage.breb('PUT', '/transfers/O1', transfer())
    assert.deepEqual([put.status, put.json.status, put.json.code], [200, 'ERROR', 'B002'])
    const query = await stage.breb('GET', '/transfers/O1')
    assert.deepEqual([query.status, query.json.status, query.json.code], [200, 'ERROR', 'B302'])
    await stage.pse('PUT', '/sessions/P1', session())
    assert.equal((await stage.pse('GET', '/sessions/P1')).json.status, 'FAILED')
    await standsAs(stage, 'PROCESSING')
  })

  it('is answered late', async () => {
    await using stage = await startHarness(only({ latency: 1, latencyMs: 60 }))
    const startedMs = performance.now()
    for (let index = 0; index < 5; index += 1) await stage.breb('GET', '/transfers/O1')
    // Five draws between 0 and 60 ms, the same at every run.
    assert.ok(performance.now() - startedMs > 60)
    assert.equal(stage.sandbox.faultHits().latency, 5)
  })

  it('for what is there finds nothing at first, and then finds it', async () => {
    await using stage = await startHarness(only({ notFoundThenFound: 1 }))
    await stage.breb('PUT', '/transfers/O1', transfer())
    const statuses = []
    for (let index = 0; index < 4; index += 1)
      statuses.push((await stage.breb('GET', '/transfers/O1')).status)
    assert.deepEqual(statuses, [404, 404, 200, 200])
  })
})

describe('a notice', () => {
  it('is lost, and only a query tells', async () => {
    await using stage = await startHarness(only({ noticeLost: 1 }))
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.sandbox.advance(86_400_000)
    assert.deepEqual(stage.listener.heard, [])
    assert.equal((await stage.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
  })

  it('is doubled, under one id', async () => {
    await using stage = await startHarness(only({ noticeDoubled: 1 }))
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(stage.types('O1'), ['transfer.completed', 'transfer.completed'])
    assert.equal(stage.listener.heard[0]?.noticeId, stage.listener.heard[1]?.noticeId)
  })

  it('is late, so that the chargeback comes before the payment', async () => {
    await using stage = await startHarness(only({ noticeLate: 1, lateFactor: 20 }))
    await stage.breb('PUT', '/collections/P1', collection('1000000017'))
    await stage.sandbox.advance(DELAY_MS)
    assert.deepEqual(stage.types('P1'), [])
    await stage.control('PUT', '/faults', { seed: 7, plan: {} })
    await stage.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(stage.types('P1'), ['collection.chargeback'])
    await stage.sandbox.advance(10 * DELAY_MS)
    assert.deepEqual(stage.types('P1'), ['collection.chargeback', 'collection.paid'])
  })

  it('is overtaken by others', async () => {
    await using stage = await startHarness(only({ noticeReordered: 1 }))
    const references = Array.from({ length: 12 }, (_, index) => `O${index}`)
    for (const reference of references) {
      await stage.breb('PUT', `/transfers/${reference}`, transfer())
      await stage.sandbox.advance(100)
    }
    for (let step = 0; step < 40; step += 1) await stage.sandbox.advance(500)
    const heard = stage.listener.heard.map(({ notice }) => notice.reference as string)
    assert.deepEqual(heard.toSorted(), references.toSorted())
    assert.notDeepEqual(heard, references)
  })

  it('is contradicted: a refusal first, then the truth', async () => {
    await using stage = await startHarness(only({ noticeContradicted: 1 }))
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.breb('PUT', '/collections/P1', collection())
    await stage.pse('PUT', '/sessions/P2', session())
    await stage.breb('PUT', '/transfers/O2', transfer('1000000003'))
    await stage.sandbox.advance(DELAY_MS)
    assert.equal((await stage.breb('GET', '/transfers/O1')).json.status, 'COMPLETED')
    await stage.sandbox.advance(DELAY_MS)
    assert.deepEqual(stage.types('O1'), ['transfer.rejected', 'transfer.completed'])
    assert.deepEqual(stage.types('P1'), ['collection.rejected', 'collection.paid'])
    assert.deepEqual(stage.types('P2'), ['session.not_authorized', 'session.ok'])
    assert.deepEqual(stage.types('O2'), ['transfer.rejected'])
    assert.equal(new Set(stage.listener.heard.map(({ noticeId }) => noticeId)).size, 7)
  })
})

describe('a storm', () => {
  it('tells the same story for the same seed, in whatever order the payments come', async () => {
    const first = await story(11, (jobs) => inTurn(jobs))
    const second = await story(11, (jobs) => Promise.all(jobs.toReversed().map((job) => job())))
    assert.deepEqual(second, first)
    const other = await story(12, (jobs) => inTurn(jobs))
    assert.notDeepEqual(other.heard, first.heard)
    // A storm that struck nowhere would prove nothing.
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
    await using stage = await startHarness()
    assert.equal((await stage.control('PUT', '/faults', { plan: { timeout: 2 } })).status, 400)
    assert.equal((await stage.control('PUT', '/faults', { plan: {}, seed: 'x' })).status, 400)
    await stage.control('PUT', '/faults', { seed: 3, plan: { noticeLost: 1 } })
    const { json } = await stage.control('GET', '/faults')
    assert.deepEqual([json.seed, json.plan.noticeLost, json.hits], [3, 1, {}])
  })
})

type Job = () => Promise<void>

async function inTurn(jobs: Job[]): Promise<void> {
  for (const job of jobs) await job()
}

const DOCUMENTS = ['1000000001', '1000000003', '1000000011', '1000000013', '1000000015', '1000000017']

// Fifty payments through a storm; each is put until it is answered, and asked for once.
async function story(seed: number, run: (jobs: Job[]) => Promise<unknown>) {
  await using stage = await startHarness({ seed, faults: { ...STORMY, latencyMs: 5, timeout: 0 } })
  const jobs = Array.from(
    { length: 50 },
    (_, index): Job =>
      async () => {
        const idNumber = DOCUMENTS[index % DOCUMENTS.length] as string
        const [call, path, body] = (
          [
            [stage.breb, `/collections/P${index}`, collection(idNumber, { key: `@RCSTORY${index}` })],
            [stage.breb, `/transfers/O${index}`, transfer(idNumber)],
            [stage.pse, `/sessions/P${index}`, session(idNumber)],
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
  for (let step = 0; step < 60; step += 1) await stage.sandbox.advance(DELAY_MS / 2)
  return {
    log: stage.sandbox
      .log()
      .map(({ movement, reference, amountInCents, traceId, at }) => [
        movement,
        reference,
        String(amountInCents),
        traceId,
        at,
      ])
      .sort(),
    heard: stage.listener.heard
      .map(({ noticeId, notice, at }) => [notice.reference, notice.type, noticeId, notice.occurredAt, at])
      .sort(),
    hits: stage.sandbox.faultHits(),
  }
}

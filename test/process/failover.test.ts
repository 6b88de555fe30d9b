// A whole service on a primary with a synchronous standby, under load. The primary freezes and wakes up; then it is killed and the
// standby promoted. Nothing that was answered is lost, nothing is paid twice, and the books are right.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, eventually } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { openNetworks } from './networks.ts'
import { dataDirectory, type Running, start, stop } from './process.ts'
import { ask, type Replicated, startReplicated } from './standby.ts'

const API_KEY = 'rk_stg_failover_test_key_0001'
const CLIENTS = byDepth(6, 8)
const ANSWERS_BEFORE = byDepth(24, 60)
// More requests show no more, and each is sent again in the end.
const BETWEEN_REQUESTS_MS = byDepth(150, 0)
const GOES_ON_WITHIN_MS = 5_000
// A statement has 2.8 s. The rest is for a slow machine.
const ANSWERED_WITHIN_MS = 3_500
// Longer than any lease: whatever was claimed when the primary died is free again.
const PAST_THE_LEASE_SECONDS = 61

const PATHS = ['/payins', '/payouts'] as const
type Path = (typeof PATHS)[number]
type Request = { path: Path; key: string; body: Record<string, unknown> }
type Answered = Request & { text: string }
type OnAnswer = (status: number, tookMs: number) => void

describe('a service on a primary with a synchronous standby', () => {
  const dataDir = dataDirectory({ after })
  let database: Replicated
  let sandbox: Sandbox
  let settings: Record<string, string>
  let client: Client
  let service: Running
  const answered: Answered[] = []
  // By the time each was sent.
  const underWay = new Set<number>()
  const opened = new AsyncDisposableStack()

  before(async () => {
    database = opened.use(await startReplicated())
    const [port, sandboxPort] = [await freePort(), await freePort()]
    const secretsKey = randomBytes(32).toString('hex')
    settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      BOOTSTRAP_API_KEY: API_KEY,
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_SECOND: '0',
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
    }
    sandbox = opened.use(await openNetworks({ notified: port, port: sandboxPort, secretsKey, delayMs: 200 }))
    client = clientOf(`http://127.0.0.1:${port}`, { 'x-api-key': API_KEY })
    // What is given to `after` in here would run when this hook ends.
    const owner = { after: (clean: () => void | Promise<void>) => opened.defer(clean) }
    service = await start(owner, { args: ['start', '--api', '--workers'], env: settings })
  })
  after(() => opened.disposeAsync())

  // Sends again until it is answered, as the SDK does: the one before it may still hold its key when it is not answered in time.
  const sendUntilAnswered = async (request: Request, onAnswer: OnAnswer = () => {}) => {
    const { path, key, body } = request
    for (;;) {
      const sentAt = performance.now()
      underWay.add(sentAt)
      const { status, text, json } = await client('POST', path, body, { 'idempotency-key': key })
      underWay.delete(sentAt)
      onAnswer(status, performance.now() - sentAt)
      if (status === 201) return void answered.push({ ...request, text })
      if (json.code !== 'IDEMPOTENCY_KEY_IN_USE') assert.equal(status, 503, text)
    }
  }

  // Several clients, each with one request after the other, until it is told to stop.
  const load = (onAnswer: OnAnswer) => {
    let stopping = false
    const first = answered.length
    const run = async (): Promise<void> => {
      while (!stopping) {
        await sendUntilAnswered(newRequest(), onAnswer)
        await pause(BETWEEN_REQUESTS_MS)
      }
    }
    const finished = Promise.all(Array.from({ length: CLIENTS }, run))
    // What a client did not expect is said at once.
    const until = (isSo: () => boolean) =>
      Promise.race([
        finished,
        eventually(
          async () => ({ isSo: isSo(), answered: answered.length, waiting: [...underWay].map(msSince) }),
          (seen) => seen.isSo,
        ),
      ])
    return {
      until,
      answers: (count: number) => until(() => answered.length - first >= count),
      stop: async () => {
        stopping = true
        await finished
      },
    }
  }

  const open = async (url: string): Promise<number> => {
    const [row] = await ask(
      url,
      `select (select count(*) from payins where result_at is null)::int
            + (select count(*) from payouts where result_at is null)::int as open`,
    )
    return row?.open
  }
  const assertAllIsThere = async (url: string) => {
    await eventually(
      async () => {
        const left = await open(url)
        if (left > 0) await client('POST', '/sandbox/clock/advance', { seconds: PAST_THE_LEASE_SECONDS })
        return left
      },
      (left) => left === 0,
    )
    for (const { path, key, body, text } of answered) {
      const again = await client('POST', path, body, { 'idempotency-key': key })
      assert.equal(again.text, text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
    const stored = await ask(url, 'select reference from payins union all select reference from payouts')
    assert.deepEqual(
      stored.map(({ reference }) => reference).sort(),
      answered.map(({ body }) => body.reference).sort(),
      'each is there once, however often it was sent',
    )

    const debits = sandbox.log().filter(({ movement }) => movement === 'debit')
    assert.equal(
      new Set(debits.map(({ reference }) => reference)).size,
      debits.length,
      'nothing is paid twice',
    )
    const [row] = await ask(url, `select count(*)::int as confirmed from payouts where status = 'CONFIRMED'`)
    assert.equal(row?.confirmed, debits.length)
    assert.ok(debits.length > 0)
    const verified = await recaudoInProcess(['ledger', 'verify'], settings)
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  }

  it('answers 503 in time while the primary is frozen, and goes on when it wakes up', async () => {
    let slowestMs = 0
    const running = load((_status, tookMs) => {
      slowestMs = Math.max(slowestMs, tookMs)
    })
    await running.answers(ANSWERS_BEFORE)
    await database.primary.freeze()
    const frozenAt = performance.now()
    const requests = Array.from({ length: 6 }, () => newRequest())
    const answers = await Promise.all([
      ...requests.map(({ path, key, body }) => client('POST', path, body, { 'idempotency-key': key })),
      client('GET', '/payins'),
      client('GET', '/balance'),
    ])
    for (const { status, json } of answers) assert.deepEqual([status, json.code], [503, 'STORE_UNAVAILABLE'])
    await eventually(
      async () => [...underWay].every((sentAt) => sentAt > frozenAt),
      (answered) => answered,
    )
    database.primary.thaw()
    await Promise.all(requests.map((request) => sendUntilAnswered(request)))
    await running.answers(2 * ANSWERS_BEFORE)
    await running.stop()
    assert.ok(slowestMs < ANSWERED_WITHIN_MS, `${slowestMs} ms`)
    await assertAllIsThere(database.primary.url)
  })

  it('goes on by itself within 5 s of the promotion, after the primary was killed', async () => {
    let promotedAt = Number.POSITIVE_INFINITY
    let wentOnAfterMs: number | undefined
    let refusedOnce = false
    const running = load((status) => {
      if (status === 503) refusedOnce = true
      else if (status === 201 && performance.now() > promotedAt)
        wentOnAfterMs ??= performance.now() - promotedAt
    })
    await running.answers(ANSWERS_BEFORE)
    // What the primary commits alone from here on is lost with it, so nobody may hear of it.
    await database.standby.freeze()
    const frozenAt = performance.now()
    const answeredBefore = answered.length
    // Who waits for the balance behind another is told to send again, and not 503.
    await running.until(() => {
      assert.ok(answered.length - answeredBefore <= CLIENTS, 'a frozen standby acknowledged a commit')
      return refusedOnce && [...underWay].every((sentAt) => sentAt > frozenAt)
    })
    await database.primary.kill()
    database.standby.thaw()
    await database.promote()
    promotedAt = performance.now()
    const [promotion] = await ask(database.standby.url, 'select now()::text as at')
    await eventually(
      async () => wentOnAfterMs,
      (ms) => ms !== undefined,
    )
    assert.ok((wentOnAfterMs as number) < GOES_ON_WITHIN_MS, `${wentOnAfterMs} ms`)
    // So do the workers. The first that they pay was perhaps asked for before; on a busy machine others wait in front of a new one.
    const paid = `select 1 from payouts where status = 'CONFIRMED' and result_at > '${promotion?.at}' limit 1`
    await eventually(
      () => ask(database.standby.url, paid),
      (rows) => rows.length > 0,
    )
    const paidAfterMs = performance.now() - promotedAt
    assert.ok(paidAfterMs < GOES_ON_WITHIN_MS, `${paidAfterMs} ms`)
    const payout = newRequest('/payouts')
    await sendUntilAnswered(payout)
    await running.stop()
    const status = `select status from payouts where reference = '${payout.body.reference}'`
    await eventually(
      () => ask(database.standby.url, status),
      ([row]) => row?.status === 'CONFIRMED',
    )
    await assertAllIsThere(database.standby.url)
    await stop(service)
  })
})

function msSince(at: number): number {
  return Math.round(performance.now() - at)
}

let count = 0

function newRequest(path = PATHS[count % 2] as Path): Request {
  count += 1
  const key = `key-${count}`
  if (path === '/payins') return { path, key, body: brebPayin() }
  const reference = `payout-${count}`
  const body = { amountInCents: 10_000, currency: 'COP', rail: 'BRE_B', reference, inlineCustomer: CUSTOMER }
  return { path, key, body: { ...body, breb: { keyString: '@ANAGOMEZ' } } }
}

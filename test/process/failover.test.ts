// A whole service on a primary with a synchronous standby, under load. The primary freezes and wakes up; then it is killed and the
// standby promoted. Nothing that was answered is lost, nothing is paid twice, and the books are right.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, eventually } from '../world.ts'
import { dataDirectory, type Running, recaudo, start, stop } from './process.ts'
import { ask, type Replicated, startReplicated } from './standby.ts'

const API_KEY = 'rk_stg_failover_test_key_0001'
const CLIENTS = 8
const ANSWERS_BEFORE = 60
const GOES_ON_WITHIN_MS = 5_000
// A statement has 2.8 s, and the answer a little to come back in.
const ANSWERED_WITHIN_MS = 3_500
// Longer than any lease: whatever was claimed when the primary died is free again.
const PAST_THE_LEASE_SECONDS = 61

type Sent = { path: '/payins' | '/payouts'; key: string; body: Record<string, unknown>; answer: string }

describe('a service on a primary with a synchronous standby', () => {
  const dataDir = dataDirectory({ after })
  let database: Replicated
  let sandbox: Sandbox
  let settings: Record<string, string>
  let client: Client
  let service: Running
  const answered: Sent[] = []
  const opened = new AsyncDisposableStack()

  before(async () => {
    database = opened.use(await startReplicated())
    const [port, sandboxPort] = [await freePort(), await freePort()]
    settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_API_KEY: API_KEY,
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_SECOND: '0',
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
    }
    sandbox = opened.use(await openNetworks(port, sandboxPort))
    client = clientOf(`http://127.0.0.1:${port}`, { 'x-api-key': API_KEY })
    // What is given to `after` in here would run when this hook ends.
    const owner = { after: (clean: () => void | Promise<void>) => opened.defer(clean) }
    service = await start(owner, { args: ['start', '--api', '--workers'], env: settings })
  })
  after(() => opened.disposeAsync())

  // Sends again until it is answered, as the SDK does.
  const sendUntilAnswered = async (one: Omit<Sent, 'answer'>, onAnswer: (status: number) => void) => {
    for (;;) {
      const answer = await client('POST', one.path, one.body, { 'idempotency-key': one.key })
      onAnswer(answer.status)
      if (answer.status === 201) return void answered.push({ ...one, answer: answer.text })
      assert.equal(answer.status, 503, answer.text)
    }
  }

  // Several clients, each with one request after the other, until it is told to stop.
  const load = (onAnswer: (status: number) => void = () => {}) => {
    let stopping = false
    const first = answered.length
    const run = async (): Promise<void> => {
      while (!stopping) await sendUntilAnswered(newRequest(), onAnswer)
    }
    const finished = Promise.all(Array.from({ length: CLIENTS }, run))
    return {
      answers: (count: number) =>
        Promise.race([
          finished,
          eventually(
            async () => answered.length - first,
            (have) => have >= count,
            30_000,
          ),
        ]),
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
      60_000,
    )
    for (const { path, key, body, answer } of answered) {
      const again = await client('POST', path, body, { 'idempotency-key': key })
      assert.equal(again.text, answer)
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
    const verified = await recaudo(['ledger', 'verify'], settings)
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  }

  it('answers 503 in time while the primary is frozen, and goes on when it wakes up', async () => {
    const running = load()
    await running.answers(ANSWERS_BEFORE)
    await database.primary.freeze()
    const requests = Array.from({ length: 6 }, newRequest)
    const frozenAt = performance.now()
    const answers = await Promise.all(
      requests.map(async ({ path, key, body }) => {
        const { status, json } = await client('POST', path, body, { 'idempotency-key': key })
        return { status, code: json.code, tookMs: performance.now() - frozenAt }
      }),
    )
    database.primary.thaw()
    for (const { status, code, tookMs } of answers) {
      assert.deepEqual({ status, code }, { status: 503, code: 'STORE_UNAVAILABLE' })
      assert.ok(tookMs < ANSWERED_WITHIN_MS, `${tookMs} ms`)
    }
    await Promise.all(requests.map((request) => sendUntilAnswered(request, () => {})))
    await running.answers(2 * ANSWERS_BEFORE)
    await running.stop()
    await assertAllIsThere(database.primary.url)
  })

  it('goes on by itself within 5 s of the promotion, after the primary was killed', async () => {
    let promotedAt = Number.POSITIVE_INFINITY
    let wentOnAfterMs: number | undefined
    let refused = 0
    const running = load((status) => {
      if (status === 503) refused += 1
      else if (performance.now() > promotedAt) wentOnAfterMs ??= performance.now() - promotedAt
    })
    await running.answers(ANSWERS_BEFORE)
    await database.primary.kill()
    await eventually(
      async () => refused,
      (count) => count >= CLIENTS,
    )
    await database.promote()
    promotedAt = performance.now()
    await eventually(
      async () => wentOnAfterMs,
      (ms) => ms !== undefined,
      30_000,
    )
    assert.ok((wentOnAfterMs as number) < GOES_ON_WITHIN_MS, `${wentOnAfterMs} ms`)
    await running.stop()
    await assertAllIsThere(database.standby.url)
    await stop(service)
  })
})

let count = 0

function newRequest(): Omit<Sent, 'answer'> {
  count += 1
  const key = `key-${count}`
  if (count % 2 === 0) return { path: '/payins', key, body: brebPayin() }
  const reference = `payout-${count}`
  const body = { amountInCents: 10_000, currency: 'COP', rail: 'BRE_B', reference, inlineCustomer: CUSTOMER }
  return { path: '/payouts', key, body: { ...body, breb: { keyString: '@ANAGOMEZ' } } }
}

function openNetworks(port: number, sandboxPort: number): Promise<Sandbox> {
  const simulated = {
    clientId: 'staging',
    clientSecret: 'staging-only-secret',
    notificationKey: 'staging-only-notification-key',
  }
  return startSandbox({
    host: '127.0.0.1',
    port: sandboxPort,
    storageFile: ':memory:',
    notifyUrl: {
      breb: `http://127.0.0.1:${port}/notifications/breb`,
      pse: `http://127.0.0.1:${port}/notifications/pse`,
    },
    credentials: { breb: simulated, pse: simulated },
    delayMs: 200,
    seed: 1,
    faults: NO_FAULTS,
  })
}

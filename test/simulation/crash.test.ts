// The API and workers, dying at named crash points: before and after a network call, before and after a commit (some as real processes,
// dying.ts). After any crash every payment ends, no payout is debited twice, and the ledger is correct.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { CRASH_POINTS, type CrashPoint } from '../../src/flows/context.ts'
import { notificationKeysOf } from '../../src/operator/secrets-key.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { verifyLedger } from '../../src/store/ledger/verify.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, createDatabase, eventually, psePayin } from '../world.ts'
import { type Mortal, startMortal } from './dying.ts'

const API_KEY = 'rk_stg_crash_test_key_0001'
const PAYMENTS_OF_EACH_KIND = 3
// Longer than any lease: whatever a dead worker held is free again.
const PAST_THE_LEASE_SECONDS = 61
const OF_THE_API: readonly CrashPoint[] = [
  'creation-before-commit',
  'creation-after-commit',
  'receipt-before-commit',
  'receipt-after-commit',
]
// Deliveries and statements move no money. They are tested in delivery-crash.test.ts and reconcile-crash.test.ts; approvals in
// flows/approvals/payouts.test.ts, because a person makes them; refunds in flows/refunds; payments over providers
// in provider-crash.test.ts.
const OF_THE_WORKER = CRASH_POINTS.filter(
  (point) => !OF_THE_API.includes(point) && !/^(delivery|statement|approval|refund)-/.test(point),
)
// Killed as real processes in every run: the first to start, which makes the key of the merchant, one that has sent money, and one that
// was told of it.
const REAL_DEATHS: readonly (CrashPoint | undefined)[] = [
  'creation-before-commit',
  'receipt-after-commit',
  'payout-after-rail',
]

describe('a process killed at a named point', () => {
  let database: { url: string; drop: () => Promise<void> }
  let db: Db
  let dataDir: string
  let sandbox: Sandbox
  let settings: Record<string, string>
  let client: Client

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'recaudo-crash-'))
    database = await createDatabase()
    const [port, sandboxPort] = [await freePort(), await freePort()]
    const secretsKey = randomBytes(32)
    settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey.toString('hex'),
      BOOTSTRAP_API_KEY: API_KEY,
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
    }
    const simulated = { clientId: 'staging', clientSecret: 'staging-only-secret' }
    const keys = notificationKeysOf(secretsKey)
    sandbox = await startSandbox({
      host: '127.0.0.1',
      port: sandboxPort,
      storageFile: ':memory:',
      notifyUrl: {
        breb: `http://127.0.0.1:${port}/notifications/breb`,
        pse: `http://127.0.0.1:${port}/notifications/pse`,
      },
      credentials: {
        breb: { ...simulated, notificationKey: keys.breb },
        pse: { ...simulated, notificationKey: keys.pse },
      },
      delayMs: 500,
      seed: 1,
      faults: NO_FAULTS,
    })
    client = clientOf(`http://127.0.0.1:${port}`, { 'x-api-key': API_KEY })
    db = openDb({ url: database.url, poolSize: 3 })
  })
  after(async () => {
    await sandbox[Symbol.asyncDispose]()
    await db.close()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const startPart =
    (part: '--api' | '--workers') =>
    (owner: Parameters<typeof startMortal>[0], crashAt?: CrashPoint): Promise<Mortal> => {
      const env = { ...settings, ...(crashAt && { CRASH_AT: `${crashAt}:1` }) }
      return startMortal(owner, part, env, { isReal: REAL_DEATHS.includes(crashAt) })
    }
  const startApi = startPart('--api')
  const startWorkers = startPart('--workers')

  const makePayments = async () => {
    for (let made = 0; made < PAYMENTS_OF_EACH_KIND; made += 1) {
      assert.equal((await client('POST', '/payouts', payoutBody())).status, 201)
      assert.equal((await client('POST', '/payins', brebPayin())).status, 201)
      assert.equal((await client('POST', '/payins', psePayin())).status, 201)
    }
  }
  const open = async () => {
    const [payouts, payins] = [
      await client('GET', '/payouts?status=PROCESSING&pageSize=100'),
      await client('GET', '/payins?pageSize=100'),
    ]
    return (
      payouts.json.data.length +
      payins.json.data.filter((payin: { resultAt: unknown }) => payin.resultAt === null).length
    )
  }
  const settleAll = () =>
    eventually(
      async () => {
        const left = await open()
        if (left > 0) await client('POST', '/sandbox/clock/advance', { seconds: PAST_THE_LEASE_SECONDS })
        return left
      },
      (left) => left === 0,
    )
  const accountsAreRight = async () => {
    assert.deepEqual(await verifyLedger(db), [])
    const debits = sandbox.log().filter((entry) => entry.movement === 'debit')
    assert.equal(new Set(debits.map((entry) => entry.reference)).size, debits.length)
    const { rows } = await db.query<{ confirmed: bigint }>({
      text: `select count(*) as confirmed from payouts where status = 'CONFIRMED'`,
    })
    assert.equal(Number(rows[0]?.confirmed), debits.length)
  }

  // Each process takes over what the one before it left, and dies itself. Long, because they are many.
  it('the API at each of its points, then workers at each of theirs', { timeout: 300_000 }, async (t) => {
    const lost: ReturnType<typeof payoutBody>[] = []
    const send = (body: Record<string, unknown>) =>
      client('POST', '/payouts', body, { 'idempotency-key': `key-${body.reference}` })
    for (const point of ['creation-before-commit', 'creation-after-commit'] as const)
      await t.test(point, async (t) => {
        const api = await startApi(t, point)
        const body = payoutBody()
        lost.push(body)
        await assert.rejects(send(body))
        await api.died()
      })

    let api = undefined as unknown as Mortal
    let workers = undefined as unknown as Mortal
    await t.test('receipt-before-commit: the network notifies again', async () => {
      api = await startApi(t, 'receipt-before-commit')
      // The requests that were not answered, again: each gives one payout.
      for (const body of lost) {
        const [first, second] = [await send(body), await send(body)]
        assert.equal(first.status, 201)
        assert.equal(second.text, first.text)
        const { json } = await client('GET', `/payouts?reference=${body.reference}`)
        assert.equal(json.data.length, 1)
      }
      await makePayments()
      workers = await startWorkers(t)
      await api.died()
    })

    await t.test('receipt-after-commit: nothing is lost or booked twice', async () => {
      await (await startApi(t, 'receipt-after-commit')).died()
      api = await startApi(t)
      await settleAll()
      await accountsAreRight()
      await workers.stop()
    })

    for (const point of OF_THE_WORKER)
      await t.test(point, async (t) => {
        await makePayments()
        await (await startWorkers(t, point)).died()
        assert.deepEqual(await verifyLedger(db), [])
        await client('POST', '/sandbox/clock/advance', { seconds: PAST_THE_LEASE_SECONDS })
      })
    workers = await startWorkers(t)
    await settleAll()
    await accountsAreRight()
    await workers.stop()
    await api.stop()
  })
})

let count = 0

function payoutBody(): Record<string, unknown> {
  count += 1
  return {
    amountInCents: 1_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `crash-${count}`,
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
  }
}

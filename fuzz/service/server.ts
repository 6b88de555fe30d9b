// The service under test, in a process of its own so that its memory is its own: the API, the workers and the simulated networks
// on a PostgreSQL of its own, or that of FUZZ_DATABASE_URL. It resolves no name but localhost: nobody outside is called.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { createOrganization } from '../../src/flows/organizations/create.ts'
import { issueApiKey, issueOAuthClient } from '../../src/flows/organizations/issue-credential.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import {
  createApi,
  createContext,
  createDeliveryWorkerOptions,
  createMetrics,
  startWorkers,
} from '../../src/service.ts'
import { openDb } from '../../src/store/db.ts'
import { verifyLedger } from '../../src/store/ledger/verify.ts'
import { migrate } from '../../src/store/migrate.ts'
import '../../test/this-machine-only.ts'
import type { Merchant } from './subjects.ts'

export type Started = {
  readonly port: number
  readonly merchants: readonly [Merchant, Merchant]
  readonly notificationKeys: { readonly breb: string; readonly pse: string }
}

export type State = {
  readonly heapBytes: number
  readonly handles: number
  // What a refused request may not leave behind.
  readonly rows: number
  // Errors that the service logged since it was last asked.
  readonly errors: readonly string[]
  readonly ledgerFindings: readonly unknown[]
}

export type Question = 'start' | 'state' | 'stop'

const DELAY_MS = 300
const SOME_ERRORS = 20

await using resources = new AsyncDisposableStack()
const databaseUrl = process.env.FUZZ_DATABASE_URL ?? (await startDatabase())
const port = Number(process.env.FUZZ_PORT)
const sandboxPort = Number(process.env.FUZZ_SANDBOX_PORT)
const config = readConfig({
  DATABASE_URL: databaseUrl,
  PORT: String(port),
  SANDBOX_PORT: String(sandboxPort),
  RATE_LIMIT_PER_SECOND: '0',
})
const db = openDb({ url: databaseUrl, poolSize: config.databasePool, statementTimeoutMs: 20_000 })
resources.defer(() => db.close())
await migrate(db)

const errors: string[] = []
const log = pino({ level: 'error', base: null }, { write: (line: string) => void errors.push(line) })
const metrics = createMetrics()
const ctx = createContext(config, db, [randomBytes(32)], metrics)
resources.defer(() => ctx.networks.close())
const api = await createApi(config, ctx, log, metrics)
await api.app.listen({ host: '127.0.0.1', port })
resources.defer(() => api.close())
resources.use(
  await startSandbox({
    host: '127.0.0.1',
    port: sandboxPort,
    storageFile: ':memory:',
    notifyUrl: {
      breb: `http://127.0.0.1:${port}/notifications/breb`,
      pse: `http://127.0.0.1:${port}/notifications/pse`,
    },
    credentials: { breb: config.breb, pse: config.pse },
    delayMs: DELAY_MS,
    now: Date.now,
    seed: 1,
    faults: NO_FAULTS,
  }),
)
const delivering = createDeliveryWorkerOptions(config, metrics, async (hostname) => {
  if (hostname === 'localhost') return ['127.0.0.1']
  throw new Error(`${hostname} is not on this machine`)
})
resources.defer(() => delivering.sender.close())
const workers = startWorkers(ctx, log, delivering)
ctx.signals.onWork(workers.wake)
resources.defer(() => workers.stop())

async function startDatabase(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-fuzz-'))
  resources.defer(() => rmSync(directory, { recursive: true, force: true }))
  return resources.use(await startEmbeddedPostgres({ dataDir: directory, settings: { fsync: 'off' } })).url
}

async function newMerchant(): Promise<Merchant> {
  const canary = `canary${randomBytes(9).toString('hex')}`
  const { organizationId } = await createOrganization(ctx, `Café ${canary}`)
  const issued = await issueApiKey(ctx, { organizationId, name: canary, scopes: null, expiresAt: null })
  const { client, secret } = await issueOAuthClient(ctx, { organizationId, name: canary, scopes: null })
  if (issued === undefined) throw new Error('a random key was drawn twice')
  return { apiKey: issued.secret, canary, clientId: client.clientId, clientSecret: secret }
}

async function readState(): Promise<State> {
  const { rows } = await db.query<{ count: number }>({
    text: `select (select count(*) from payins) + (select count(*) from payouts) + (select count(*) from payment_links)
                + (select count(*) from webhook_endpoints) + (select count(*) from idempotency_records) as count`,
  })
  globalThis.gc?.()
  return {
    heapBytes: process.memoryUsage().heapUsed + process.memoryUsage().external,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate')
      .length,
    rows: Number(rows[0]?.count),
    errors: errors.splice(0).slice(0, SOME_ERRORS),
    ledgerFindings: await verifyLedger(db),
  }
}

const stopped = Promise.withResolvers<void>()
process.on('message', async (question: Question) => {
  if (question === 'start') {
    const { breb, pse } = config
    const started: Started = {
      port,
      merchants: [await newMerchant(), await newMerchant()],
      notificationKeys: { breb: breb.notificationKey, pse: pse.notificationKey },
    }
    process.send?.(started)
  } else if (question === 'state') process.send?.(await readState())
  else stopped.resolve()
})
process.on('disconnect', () => stopped.resolve())
process.send?.('ready')
await stopped.promise
// Its channel to us would keep it running.
if (process.connected) process.disconnect?.()

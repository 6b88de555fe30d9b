// Processes that do one half of the work. One that runs only workers serves health and metrics on its own port. One
// that only answers requests receives the workers' signals.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { type Db, openDb } from '../../src/store/db.ts'
import { freePort } from '../free-port.ts'
import { type Client, clientOf, createDatabase, eventually } from '../world.ts'
import { readiness, recaudoInProcess, startInProcess } from './in-process.ts'
import { dataDirectory, spawnServer, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const METRICS_TOKEN = 'a-token-of-metrics'
const dataDir = dataDirectory({ after })

let database: { url: string; drop: () => Promise<void> }
let db: Db
let env: Record<string, string>
before(async () => {
  database = await createDatabase(null)
  db = openDb({ url: database.url, poolSize: 2 })
  env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_API_KEY,
    DATA_DIR: dataDir,
    METRICS_TOKEN,
  }
})
after(async () => {
  await db.close()
  await database.drop()
})

async function listeners(): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    text: `select count(*) from pg_stat_activity
            where datname = current_database() and application_name = 'recaudo-signals' and query like 'listen %'`,
  })
  return Number(rows[0]?.count)
}

function monitorOf(port: number): { probe: Client; metrics: () => Promise<string> } {
  const probe = clientOf(`http://127.0.0.1:${port}`, {})
  const bearer = { authorization: `Bearer ${METRICS_TOKEN}` }
  return { probe, metrics: async () => (await probe('GET', '/metrics', undefined, bearer)).text }
}

test('workers alone serve health and metrics on WORKERS_METRICS_PORT, and are ready once the database is', async (t) => {
  const port = await freePort()
  const settings = { ...env, WORKERS_METRICS_PORT: String(port), MIGRATE_ON_START: 'false' }
  const workers = await spawnServer(t, { args: ['start', '--workers'], env: settings })
  const { probe, metrics } = monitorOf(port)
  const waiting = await eventually(
    () => probe('GET', '/readyz').catch(() => undefined),
    (answer) => answer !== undefined,
  )
  assert.equal(waiting?.status, 503)
  assert.equal(waiting?.json.code, 'STORE_UNAVAILABLE')
  assert.deepEqual((await probe('GET', '/healthz')).json, { status: 'ok' })
  assert.equal((await recaudoInProcess(['migrate'], env)).code, 0)
  await eventually(
    () => probe('GET', '/readyz'),
    ({ status }) => status === 200,
  )

  assert.equal((await probe('GET', '/metrics')).status, 401)
  const unknown = await probe('GET', '/payins')
  assert.equal(unknown.status, 404)
  assert.equal(unknown.json.requestId, unknown.headers['x-request-id'])
  const shown = await metrics()
  for (const name of [
    'recaudo_webhook_deliveries_due 0',
    'recaudo_webhook_oldest_due_seconds 0',
    'recaudo_db_pool_connections{state="limit"} 10',
    'process_resident_memory_bytes',
  ])
    assert.ok(shown.includes(`\n${name}`), name)

  // One that only answers requests listens for signals too, so that its event streams are not late.
  await eventually(listeners, (count) => count === 1)
  const api = await start(t, { args: ['start', '--api'], env })
  await eventually(listeners, (count) => count === 2)
  const client = clientOf(api.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })
  const refusing = createServer((socket) => socket.destroy())
  t.after(() => refusing.close())
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
  const { port: refusingPort } = refusing.address() as { port: number }
  const { json } = await client('POST', '/webhook-endpoints', { url: `http://127.0.0.1:${refusingPort}/` })
  await client('POST', `/webhook-endpoints/${json.id}/test`)
  await eventually(metrics, (text) =>
    text.includes(`\nrecaudo_webhook_failures_total{endpoint="${json.id}"} 1\n`),
  )
  assert.match(await metrics(), /^recaudo_webhook_attempts_total\{result="CONNECTION"\} 1$/m)
  assert.match(workers.stdout(), new RegExp(`Metrics +http://127.0.0.1:${port}/metrics`))
  await stop(workers)
  await eventually(listeners, (count) => count === 1)
  await stop(api)
  await eventually(listeners, (count) => count === 0)
})

test('workers alone open no port unless one is set, and name a port that is taken', async (t) => {
  const workers = await startInProcess(t, ['start', '--workers'], env)
  await eventually(listeners, (count) => count === 1)
  assert.equal(await readiness(workers), 0)
  const { code, stdout } = await workers.stop()
  assert.equal(code, 0)
  assert.match(stdout, /workers ready/)
  assert.doesNotMatch(stdout, /Metrics/)

  const taken = createServer()
  t.after(() => taken.close())
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const settings = { ...env, WORKERS_METRICS_PORT: String(port) }
  const refused = await recaudoInProcess(['start', '--workers'], settings)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /set WORKERS_METRICS_PORT to a free one/)
  const wrong = await recaudoInProcess(['start', '--workers'], { ...env, WORKERS_METRICS_PORT: '70000' })
  assert.match(wrong.stderr, /WORKERS_METRICS_PORT must be a whole number from 1 to 65535/)
})

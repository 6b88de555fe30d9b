// Several processes on one PostgreSQL: whichever comes first migrates, each sees what the others write, and a process
// that may not migrate waits.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openDb } from '../../src/store/db.ts'
import { migrate, readMigrations } from '../../src/store/migrate.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, createDatabase, eventually } from '../world.ts'
import { recaudoInProcess, startInProcess } from './in-process.ts'
import { openNetworks } from './networks.ts'
import { dataDirectory, type Running, readGreeting, spawnServer, start, stop } from './process.ts'

const SECRETS_KEY = 'c0'.repeat(32)
const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
// The simulated networks leave this customer's payin open.
const STAYS_OPEN = '1000000007'
let PORT: string
let SANDBOX_PORT: string
let database: { url: string; drop: () => Promise<void> }
before(async () => {
  PORT = String(await freePort())
  SANDBOX_PORT = String(await freePort())
  database = await createDatabase(null)
})
after(() => database.drop())
const dataDir = dataDirectory({ after })

const env = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY,
  BOOTSTRAP_API_KEY,
  // In production a load balancer has this address. Here it is the first node's.
  PUBLIC_URL: `http://127.0.0.1:${PORT}`,
  SANDBOX_PORT,
})
const byKey = (node: { baseUrl: string }): Client =>
  clientOf(node.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })

test('processes that start at the same moment on an empty database all come up and work as one', async (t) => {
  const begin = (part: string, own: { PORT?: string; DATA_DIR: string }) =>
    start(t, { args: ['start', part], env: { ...env(), ...own } })
  const [one, other, workers] = await Promise.all([
    begin('--api', { PORT, DATA_DIR: `${dataDir}-one` }),
    begin('--api', { DATA_DIR: `${dataDir}-other` }),
    begin('--workers', { DATA_DIR: `${dataDir}-workers` }),
  ])
  const networks = { notified: PORT, port: SANDBOX_PORT, secretsKey: SECRETS_KEY, delayMs: 50 }
  await using _networks = await openNetworks(networks)
  assert.match(workers.stdout(), /workers ready/)

  await t.test('a payin made at one is read at the other', async () => {
    const made = await byKey(one)('POST', '/payins', brebPayin())
    assert.equal(made.status, 201)
    const read = await byKey(other)('GET', `/payins/${made.json.id}`)
    // Its network may have confirmed it in the meantime.
    assert.deepEqual(read.json.sourceData, made.json.sourceData)
  })

  await t.test('the same Idempotency-Key at both makes one payin', async () => {
    const body = brebPayin()
    const answers = await Promise.all(
      [one, other].map((node) => byKey(node)('POST', '/payins', body, { 'idempotency-key': 'at-both' })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(answers[0]?.text, answers[1]?.text)
  })

  await t.test('a token from one is accepted by the other, and both publish the keys for it', async () => {
    const greeted = [one, other].find((node) => node.stdout().includes('Client id')) as Running
    const { clientId, secret } = readGreeting(greeted.stdout())
    for (const [issuer, verifier] of [
      [one, other],
      [other, one],
    ] as const) {
      const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
      const issued = await clientOf(issuer.baseUrl, {})('POST', '/oauth/token', credentials)
      assert.equal(issued.status, 200, issued.text)
      const token = issued.json.access_token as string
      const byToken = clientOf(verifier.baseUrl, { authorization: `Bearer ${token}` })
      assert.equal((await byToken('GET', '/payins')).status, 200)
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString())
      const published = await clientOf(verifier.baseUrl, {})('GET', '/.well-known/jwks.json')
      assert.ok(
        published.json.keys.some((key: { kid: string }) => key.kid === kid),
        published.text,
      )
    }
  })

  await t.test('a payin made at one is submitted by the workers and confirmed by its network', async () => {
    const { json: payin } = await byKey(one)('POST', '/payins', brebPayin())
    await eventually(
      async () => (await byKey(other)('GET', `/payins/${payin.id}`)).json,
      ({ status }) => status === 'CONFIRMED',
    )
  })

  await t.test('the workers process cancels what nobody paid', async () => {
    const inlineCustomer = { ...CUSTOMER, idNumber: STAYS_OPEN }
    const { json: payin } = await byKey(one)('POST', '/payins', brebPayin({ inlineCustomer }))
    // Only once its network has it: a worker that is submitting it would overwrite our due time with its own.
    await eventually(
      () =>
        query(
          `update payins set expires_at = now() - interval '1 minute', due_at = now()
            where payin_id = $1 and rail_stage = 'OPEN' and lease_token is null`,
          [payin.id],
        ),
      ({ rowCount }) => rowCount === 1,
    )
    const ended = await eventually(
      async () => (await byKey(other)('GET', `/payins/${payin.id}`)).json,
      ({ status }) => status !== 'PROCESSING',
    )
    assert.deepEqual(
      { status: ended.status, errorCode: ended.errorCode },
      { status: 'CANCELED', errorCode: 'EXPIRED' },
    )
  })

  await t.test('one stops and the others continue', async () => {
    await stop(one)
    assert.equal((await byKey(other)('POST', '/payins', brebPayin())).status, 201)
    await Promise.all([stop(other), stop(workers)])
  })
})

test('migrations that begin in the same millisecond are applied once', async (t) => {
  const bare = await createDatabase(null)
  t.after(() => bare.drop())
  const sessions = Array.from({ length: 6 }, () => openDb({ url: bare.url, poolSize: 1 }))
  t.after(() => Promise.all(sessions.map((db) => db.close())))
  await Promise.all(sessions.map((db) => db.query({ text: 'select 1' })))
  const applied = await Promise.all(sessions.map((db) => migrate(db)))
  assert.deepEqual(
    applied.flat().sort(),
    readMigrations()
      .map(({ name }) => name)
      .sort(),
  )
})

test('a process that may not migrate is alive but not ready, until somebody migrates', async (t) => {
  const bare = await createDatabase(null)
  t.after(() => bare.drop())
  const settings = { ...env(), DATABASE_URL: bare.url, DATA_DIR: `${dataDir}-waiting` }
  const waiting = await startInProcess(t, ['start'], { ...settings, MIGRATE_ON_START: 'false' })
  const anonymous = clientOf(waiting.baseUrl, {})

  const notReady = await eventually(
    () => anonymous('GET', '/readyz').catch(() => undefined),
    (answer) => answer !== undefined,
  )
  assert.equal(notReady?.status, 503)
  assert.equal(notReady?.json.code, 'STORE_UNAVAILABLE')
  assert.equal(notReady?.headers['retry-after'], '1')
  assert.equal(notReady?.headers.connection, 'close', 'whoever asks again asks the API that takes over')
  assert.equal(notReady?.headers['x-request-id'], notReady?.json.requestId)
  assert.equal((await anonymous('GET', '/healthz')).status, 200)
  assert.equal((await byKey(waiting)('POST', '/payins', brebPayin())).status, 503)

  assert.equal((await recaudoInProcess(['migrate'], settings)).code, 0)
  await eventually(
    () =>
      anonymous('GET', '/readyz').then(
        ({ status }) => status,
        () => 'between two servers',
      ),
    (status) => status === 200,
  )
  assert.equal((await byKey(waiting)('POST', '/payins', brebPayin())).status, 201)
  const { code, stdout } = await waiting.stop()
  assert.equal(code, 0)
  // Once, and then it greets.
  assert.match(stdout, /^Waiting until `recaudo migrate` was run on the PostgreSQL at .*\n.* ready in /)
})

test('a process that waits for a migration ends on a signal', async (t) => {
  const bare = await createDatabase(null)
  t.after(() => bare.drop())
  const settings = {
    ...env(),
    DATABASE_URL: bare.url,
    DATA_DIR: `${dataDir}-waiting`,
    MIGRATE_ON_START: 'false',
  }
  const waiting = await spawnServer(t, { env: settings })
  await eventually(
    async () => waiting.stdout(),
    (text) => text.startsWith('Waiting'),
  )
  await stop(waiting)
})

async function query(text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return client.query(text, values).finally(() => client.end())
}

// An upgrade from the version before the last migration. Where that migration works with it, there is no pause: the new version waits
// beside the old one, somebody migrates while payins come in, and from then on both serve on the new schema until the old one is
// stopped. Where it says that it works with none, the old version is stopped first, and what it left open comes to its end.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { readMigrations } from '../../src/store/migrate.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, type Client, CUSTOMER, clientOf, createDatabase, eventually } from '../world.ts'
import { checkOutEarlierVersion } from './earlier-version.ts'
import { readiness, recaudoInProcess, startInProcess } from './in-process.ts'
import { dataDirectory, spawnServer, start, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'

const directory = mkdtempSync(join(tmpdir(), 'recaudo-earlier-'))
const earlier = checkOutEarlierVersion(directory)
const added = typeof earlier === 'string' ? [] : readMigrations().slice(earlier.schema)
const worksWithNone = added.filter(({ sql }) => /^-- works with none$/m.test(sql)).map(({ name }) => name)
const skip = typeof earlier === 'string' ? earlier : false
const skipBeside =
  skip || (worksWithNone.length > 0 && `works with no version before: ${worksWithNone.join()}`)
const skipAfter = skip || (worksWithNone.length === 0 && 'the last migration works with the version before')
after(() => rmSync(directory, { recursive: true, force: true }))

test('the version before the last migration and this one serve side by side', {
  skip: skipBeside,
}, async (t) => {
  const received = await receiver(t)
  const { env, dataDir, startOld } = await setUp(t)
  const old = await startOld()
  const byOld = clientWithKey(old)
  const endpoint = await byOld('POST', '/webhook-endpoints', { url: received.url })
  assert.equal(endpoint.status, 201, endpoint.text)
  await payAndCheck(byOld, byOld)

  const newEnv = { ...env, DATA_DIR: `${dataDir}-new` }
  const fresh = await startInProcess(t, ['start', '--api', '--workers'], newEnv)
  const byNew = clientWithKey(fresh)
  const isReady = () => readiness(fresh)
  await eventually(isReady, (status) => status === 503)

  const during: number[] = []
  let isMigrating = true
  const paying = (async () => {
    while (isMigrating) during.push((await byOld('POST', '/payins', brebPayin())).status)
  })()
  const migrated = await recaudoInProcess(['migrate', '--json'], env)
  isMigrating = false
  await paying
  assert.deepEqual(JSON.parse(migrated.stdout).applied, namesOf(added), migrated.stderr)
  assert.deepEqual([...new Set(during)], [201], `${during.length} payins while it migrated`)
  await eventually(isReady, (status) => status === 200)

  // Each makes, and the other reads. The workers of both take what is due, whoever made it.
  await payAndCheck(byOld, byNew)
  await payAndCheck(byNew, byOld)
  const page = async (client: Client) =>
    (await client('GET', '/payins?pageSize=100')).json.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await page(byOld), await page(byNew))

  const events = await eventually(
    async () => (await byNew('GET', '/events?pageSize=100')).json.data as Told[],
    (found) => found.some(({ event }) => event === 'payin.confirmed'),
  )
  const told = events.filter(isOutcome)
  assert.ok(told.length >= 9, `${told.length} events`)
  await eventually(
    async () => told.filter(({ id }) => !received.ids.has(id)),
    (missing) => missing.length === 0,
  )
  await stop(old)
  assert.equal((await byNew('POST', '/payins', brebPayin())).status, 201)
  const verified = await recaudoInProcess(['ledger', 'verify'], env)
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  assert.equal((await fresh.stop()).code, 0)
})

test('what the version before the last migration left open, this one brings to its end', {
  skip: skipAfter,
}, async (t) => {
  const received = await receiver(t)
  const { env, inItsPlace, startOld } = await setUp(t)
  const old = await startOld({ SANDBOX_DELAY_MS: '2000' })
  const byOld = clientWithKey(old)
  const endpoint = await byOld('POST', '/webhook-endpoints', { url: received.url })
  assert.equal(endpoint.status, 201, endpoint.text)
  const payin = await byOld('POST', '/payins', brebPayin())
  const payout = await byOld('POST', '/payouts', PAYOUT)
  for (const made of [payin, payout]) assert.equal(made.status, 201, made.text)
  // What it booked from then on, nobody would prove.
  const beside = await recaudoInProcess(['migrate'], env)
  assert.equal(beside.code, 1)
  assert.match(
    beside.stderr,
    /one process of the service uses the database, and migration \d{4}_[\w-]+ works with no version before/,
  )
  assert.match(beside.stderr, /Stop every process of the earlier version/)
  await stop(old)

  const fresh = await spawnServer(t, { env: inItsPlace })
  const isReady = () => readiness(fresh)
  await eventually(isReady, (status) => status === 503)
  const migrated = await recaudoInProcess(['migrate', '--json'], env)
  assert.deepEqual(JSON.parse(migrated.stdout).applied, namesOf(added), migrated.stderr)
  await eventually(isReady, (status) => status === 200)
  const byNew = clientWithKey(fresh)
  for (const path of [`/payins/${payin.json.id}`, `/payouts/${payout.json.id}`])
    await eventually(
      async () => (await byNew('GET', path)).json,
      ({ status }) => status === 'CONFIRMED',
    )
  await payAndCheck(byNew, byNew)
  const { data } = (await byNew('GET', '/events?pageSize=100')).json
  const told = data.filter(isOutcome) as Told[]
  assert.ok(told.length >= 4, `${told.length} events`)
  await eventually(
    async () => told.filter(({ id }) => !received.ids.has(id)),
    (missing) => missing.length === 0,
  )
  const verified = await recaudoInProcess(['ledger', 'verify'], env)
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  await stop(fresh)
})

// An empty database, and the old version to be started on it: with its own migrations, and the simulated networks.
async function setUp(t: TestContext) {
  if (typeof earlier === 'string') throw new Error(earlier)
  const { root } = earlier
  const database = await createDatabase(null)
  t.after(() => database.drop())
  const dataDir = dataDirectory(t)
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: 'c0'.repeat(32),
    BOOTSTRAP_API_KEY,
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_DELAY_MS: '50',
    MIGRATE_ON_START: 'false',
    // In production a load balancer has this address. Networks send their notices to it.
    PUBLIC_URL: `http://127.0.0.1:${await freePort()}`,
  }
  const PORT = new URL(env.PUBLIC_URL).port
  // With what the simulated networks remember.
  const inItsPlace = { ...env, PORT, DATA_DIR: `${dataDir}-old` }
  const startOld = (changes = {}) =>
    start(t, { env: { ...inItsPlace, MIGRATE_ON_START: 'true', ...changes }, root })
  return { env, dataDir, inItsPlace, startOld }
}

type Told = { id: string; event: string }

const isOutcome = ({ event }: Told): boolean => /\.(?:confirmed|completed)$/.test(event)

const namesOf = (migrations: readonly { name: string }[]): string[] => migrations.map(({ name }) => name)

const PAYOUT = {
  amountInCents: 100_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'upgrade',
  inlineCustomer: CUSTOMER,
  breb: { keyString: '@ANA123' },
}

const clientWithKey = (node: { baseUrl: string }): Client =>
  clientOf(node.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })

// A payin, a payout and a link, made at one version and followed at the other until they have come to their ends.
async function payAndCheck(maker: Client, reader: Client): Promise<void> {
  const made = [
    ['/payins', brebPayin()],
    ['/payouts', PAYOUT],
  ] as const
  for (const [path, body] of made) {
    const answer = await maker('POST', path, body)
    assert.equal(answer.status, 201, answer.text)
    await eventually(
      async () => (await reader('GET', `${path}/${answer.json.id}`)).json,
      ({ status }) => status === 'CONFIRMED',
    )
  }
  const link = await maker('POST', '/payment-links', {
    amountType: 'FIXED',
    amountInCents: 5_000_000,
    currency: 'COP',
    reference: 'upgrade',
    callbackUrl: 'https://shop.example/thanks',
  })
  assert.equal(link.status, 201, link.text)
  assert.equal((await reader('GET', `/payment-links/${link.json.paymentLinkId}`)).json.status, 'PENDING')
  assert.equal((await reader('POST', `/payment-links/${link.json.paymentLinkId}/expire`)).status, 200)
  const page = await reader('GET', '/payins')
  assert.equal(page.status, 200, page.text)
}

async function receiver(t: {
  after: (clean: () => void) => void
}): Promise<{ url: string; ids: Set<string> }> {
  const ids = new Set<string>()
  const server = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, ids }
}

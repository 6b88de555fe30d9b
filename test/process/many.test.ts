// Processes behind one address serve as one: whatever is made at one is known to the others, the rate limit is the
// organization's, the metrics are added up, and SIGTERM lets all of them finish.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { policyOf } from '../../src/api/http/rate-limit.ts'
import { portionOf } from '../../src/api/http/shared-rate-limit.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, createDatabase, eventually } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import {
  beginPost,
  clientOn,
  keptConnection,
  listen,
  logLines,
  PROCESSES,
  processesOf,
  seriesOf,
  startMany,
} from './many.ts'
import { dataDirectory, isAlive, type Running, readGreeting, spawnServer, start, stop } from './process.ts'
import { ask } from './standby.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const KEY = { 'x-api-key': BOOTSTRAP_API_KEY }
const POSTED = 'recaudo_http_requests_total{method="POST",route="/payins",status="201"}'
const REFUSED_PAUSE_MS = 50
const dataDir = dataDirectory({ after })

let database: { url: string; drop: () => Promise<void> }
let env: Record<string, string>
before(async () => {
  database = await createDatabase()
  env = {
    DATABASE_URL: database.url,
    BOOTSTRAP_API_KEY,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '0',
    SANDBOX_DELAY_MS: '50',
    LOG_LEVEL: 'info',
  }
})
after(() => database.drop())

test('processes behind one address serve as one', async (t) => {
  const server = await startMany(t, { env })
  const client = clientOn(server.baseUrl, KEY)
  const atEach = <Result>(ask: () => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: PROCESSES }, ask))
  assert.equal(processesOf(server).length, PROCESSES)
  assert.match(server.stdout(), new RegExp(`^ {2}Processes {6}${PROCESSES}, with 10 connections each$`, 'm'))
  assert.equal(server.stdout().match(/ ready in /g)?.length, 1, 'one greeting')

  await t.test('connections go to each in turn, and every log line tells whose it is', async () => {
    for (let round = 0; round < 2 * PROCESSES; round += 1)
      assert.equal((await client('GET', '/healthz')).status, 200)
    const asked = () => logLines(server.stdout()).filter(({ route }) => route === '/healthz')
    await eventually(
      async () => asked().length,
      (length) => length === 2 * PROCESSES,
    )
    assert.deepEqual(
      asked()
        .map((line) => line.process)
        .sort(),
      Array.from({ length: 2 * PROCESSES }, (_, index) => 1 + Math.floor(index / 2)),
    )
    assert.deepEqual([...new Set(asked().map(({ pid }) => pid))].sort(), processesOf(server).sort())
    for (const { json } of await atEach(() => client('GET', '/readyz'))) assert.equal(json.status, 'ready')
  })

  await t.test('a payin made at one is read at each, and its events are streamed by each', async () => {
    const streams = await atEach(() => listen(t, `${server.baseUrl}/events/stream`, KEY))
    const made = await client('POST', '/payins', brebPayin())
    assert.equal(made.status, 201, made.text)
    for (const read of await atEach(() => client('GET', `/payins/${made.json.id}`)))
      assert.deepEqual(read.json.sourceData, made.json.sourceData)
    await eventually(
      async () => streams.map((text) => text().includes(made.json.id) && text().includes('payin.confirmed')),
      (heard) => heard.every(Boolean),
    )
  })

  await t.test('the same Idempotency-Key at each makes one payin', async () => {
    const body = brebPayin()
    const answers = await atEach(() => client('POST', '/payins', body, { 'idempotency-key': 'at-each' }))
    assert.deepEqual(
      answers.map(({ status, text }) => ({ status, text })),
      answers.map(() => ({ status: 201, text: answers[0]?.text })),
    )
  })

  await t.test('a list is paged through them', async () => {
    for (let more = 0; more < 4; more += 1) await client('POST', '/payins', brebPayin())
    const ids = new Set<string>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await client('GET', `/payins?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      assert.equal(page.status, 200, page.text)
      for (const { id } of page.json.data) ids.add(id)
      cursor = page.json.pageInfo.nextCursor
    }
    assert.equal(ids.size, 6)
  })

  await t.test('an access token is good at each, and changed settings reach each', async () => {
    const { clientId, secret } = readGreeting(server.stdout())
    const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const issued = await clientOn(server.baseUrl, {})('POST', '/oauth/token', credentials)
    const bearer = clientOn(server.baseUrl, { authorization: `Bearer ${issued.json.access_token}` })
    for (const answer of await atEach(() => bearer('GET', '/payins'))) assert.equal(answer.status, 200)
    await atEach(() => client('GET', '/organization'))
    const changed = await client('PATCH', '/organization', { name: 'Café La Palma' })
    assert.equal(changed.status, 200, changed.text)
    await eventually(
      () => atEach(() => client('GET', '/organization')),
      (answers) => answers.every(({ json }) => json.name === 'Café La Palma'),
    )
  })

  await t.test('a payment page that is watched at each changes at each', async () => {
    const link = await client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'watched',
      callbackUrl: 'https://shop.example/return',
    })
    const page = new URL(link.json.paymentLinkUrl).pathname
    const { version } = (await client('GET', `${page}/status`)).json
    const watched = await atEach(() => listen(t, `${server.baseUrl}${page}/stream?version=${version}`))
    await client('POST', `/payment-links/${link.json.paymentLinkId}/expire`)
    await eventually(
      async () => watched.map((text) => /^data: /m.test(text())),
      (seen) => seen.every(Boolean),
    )
  })

  await t.test('staging’s clock is moved for all', async () => {
    const moved = await client('POST', '/sandbox/clock/advance', { seconds: 3_600 })
    const since = Date.parse(moved.json.now)
    await eventually(
      () => atEach(() => client('POST', '/payins', brebPayin())),
      (made) => made.every(({ json }) => Date.parse(json.createdAt) >= since),
    )
  })

  await t.test('metrics are added up, whoever is asked, and an ended process stays in the sums', async () => {
    const read = async () => (await clientOn(server.baseUrl, {})('GET', '/metrics')).text
    const [, beforeIt] = [await read(), seriesOf(await read(), POSTED) as number]
    await Promise.all(Array.from({ length: 9 }, () => client('POST', '/payins', brebPayin())))
    for (const text of await atEach(read)) assert.equal(seriesOf(text, POSTED), beforeIt + 9)
    const text = await read()
    assert.equal(seriesOf(text, 'recaudo_db_pool_connections{state="limit"}'), 10 * PROCESSES)
    assert.equal(seriesOf(text, 'recaudo_webhook_deliveries_due'), 0)
    assert.equal(seriesOf(text, 'recaudo_processes{state="serving"}'), PROCESSES)

    const [first] = processesOf(server)
    process.kill(first as number, 'SIGTERM')
    const shown = await eventually(
      () => read().catch(() => ''),
      (one) =>
        seriesOf(one, 'recaudo_processes_replaced_total') === 1 &&
        seriesOf(one, 'recaudo_processes{state="serving"}') === PROCESSES,
    )
    assert.equal(seriesOf(shown, POSTED), beforeIt + 9)
    assert.ok(!processesOf(server).includes(first as number))
  })

  await t.test('the limit of a key, set while they run, holds for all of them together', async (t) => {
    const run = async (...words: string[]) =>
      JSON.parse((await recaudoInProcess([...words, '--json'], env)).stdout)
    const [{ apiKeyId }] = await run('key', 'list')
    const row = await run('key', 'update', apiKeyId, '--max-per-second', '30')
    assert.equal(row.maxPerSecond, 30)
    await eventually(
      () => atEach(() => client('GET', '/organization')),
      (answers) => answers.every(({ headers }) => headers.ratelimit !== undefined),
    )
    await floodOver(t, server, 30)
  })

  await t.test(
    'SIGTERM under load: every request that was taken is answered, and all end with 0',
    async () => {
      const { stdout } = await recaudoInProcess(['key', 'create', '--json'], env)
      await allEnd(server, { 'x-api-key': JSON.parse(stdout).apiKey })
    },
  )
})

async function allEnd(server: Running, key: Record<string, string>): Promise<void> {
  const payins = async () => Number((await ask(database.url, 'select count(*) from payins'))[0]?.count)
  const earlier = await payins()
  const pids = processesOf(server)
  const client = clientOn(server.baseUrl, {})
  // One at each process, of which half is sent.
  const begun = await Promise.all(
    Array.from({ length: PROCESSES }, () => beginPost(server.baseUrl, '/payins', brebPayin(), key)),
  )
  await eventually(
    async () => seriesOf((await client('GET', '/metrics')).text, 'recaudo_http_requests_in_flight'),
    (count) => count === PROCESSES + 1,
  )
  let answered = 0
  const load = Array.from({ length: 4 * PROCESSES }, async () => {
    const agent = keptConnection()
    const client = clientOn(server.baseUrl, key, agent)
    for (;;) {
      const answer = await client('POST', '/payins', brebPayin()).catch(() => undefined)
      if (answer === undefined) return agent.destroy()
      assert.equal(answer.status, 201, answer.text)
      answered += 1
    }
  })
  await eventually(
    async () => answered,
    (count) => count >= 40,
  )
  server.child.kill('SIGTERM')
  await eventually(
    () => client('GET', '/healthz').catch(() => undefined),
    (answer) => answer === undefined,
  )
  for (const { finish } of begun) assert.match(await finish(), /^HTTP\/1\.1 201 /)
  answered += begun.length
  await stop(server)
  await Promise.all(load)
  assert.equal((await payins()) - earlier, answered)
  assert.deepEqual(pids.filter(isAlive), [])
}

async function floodOver(t: TestContext, server: Running, perSecond: number): Promise<void> {
  const policy = policyOf(perSecond)
  const enough = policy.burst + 3 * perSecond
  let allowed = 0
  let refused = 0
  const startedAtMs = performance.now()
  const flood = async (): Promise<void> => {
    const agent = keptConnection()
    const client = clientOn(server.baseUrl, KEY, agent)
    while (allowed < enough) {
      // What no payin can be called is refused after the rate limit and before the database.
      const { status } = await client('GET', '/payins/nothing')
      assert.ok(status === 404 || status === 429, String(status))
      if (status === 404) allowed += 1
      else {
        refused += 1
        // Still many times as often as is allowed.
        await pause(REFUSED_PAUSE_MS)
      }
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: 4 * PROCESSES }, flood))
  const seconds = (performance.now() - startedAtMs) / 1_000
  const exact = policy.burst + perSecond * seconds
  const bound = 2 * PROCESSES * portionOf(policy, PROCESSES, false)
  t.diagnostic(
    `${allowed} allowed and ${refused} refused in ${seconds.toFixed(2)} s; exact is ${exact.toFixed(0)}`,
  )
  assert.equal(bound, 2 * PROCESSES, 'two requests for each process')
  assert.ok(allowed <= exact + bound, `${allowed} of ${exact}`)
  assert.ok(refused > 0 && allowed >= exact * 0.7, `${allowed} of ${exact}`)
}

test('until somebody migrates the address says not ready, and then each process serves', async (t) => {
  const bare = await createDatabase(null)
  t.after(() => bare.drop())
  const settings = {
    ...env,
    DATABASE_URL: bare.url,
    MIGRATE_ON_START: 'false',
    RATE_LIMIT_PER_SECOND: '30',
  }
  const server = await spawnServer(t, { args: ['start', '--processes', String(PROCESSES)], env: settings })
  const client = clientOn(server.baseUrl, KEY)
  const statusOf = (path: string): Promise<number> =>
    client('GET', path).then(
      ({ status }) => status,
      () => 0,
    )
  await eventually(
    () => statusOf('/readyz'),
    (status) => status === 503,
  )
  assert.equal(await statusOf('/healthz'), 200)
  assert.deepEqual(processesOf(server), [], 'none is started in vain')
  assert.equal((await recaudoInProcess(['migrate'], settings)).code, 0)
  await eventually(
    () => statusOf('/readyz'),
    (status) => status === 200,
  )
  assert.equal((await client('POST', '/payins', brebPayin())).status, 201)

  await t.test(
    'the rate limit is the organization’s, over all processes, give or take two requests each',
    (t) => floodOver(t, server, 30),
  )
  await t.test('the death of the parent ends its processes', async () => {
    const pids = processesOf(server)
    server.child.kill('SIGKILL')
    await eventually(
      async () => pids.filter(isAlive),
      (alive) => alive.length === 0,
    )
  })
})

test('workers alone run in many processes too, with one address for health and metrics', async (t) => {
  const port = await freePort()
  const settings = { ...env, WORKERS_METRICS_PORT: String(port), MIGRATE_ON_START: 'false' }
  const workers = await start(t, { args: ['start', '--workers', '--processes', '2'], env: settings })
  const probe = clientOf(`http://127.0.0.1:${port}`, {})
  assert.equal((await probe('GET', '/readyz')).status, 200)
  await eventually(
    async () => (await probe('GET', '/metrics')).text,
    (text) => seriesOf(text, 'recaudo_processes{state="serving"}') === 2,
  )
  await assert.rejects(fetch(`${workers.baseUrl}/healthz`))

  await t.test(
    'the key is changed: the parent starts those without it again, and says why each time',
    async () => {
      const SECRETS_KEY_PREVIOUS = readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim()
      const keys = { SECRETS_KEY: randomBytes(32).toString('hex'), SECRETS_KEY_PREVIOUS }
      const rotated = await recaudoInProcess(['secrets', 'rotate', '--json'], { ...env, ...keys })
      assert.equal(rotated.code, 0, rotated.stderr)
      await eventually(
        async () => logLines(workers.stdout()).filter(({ msg }) => msg === 'process ended'),
        (lines) =>
          lines.length >= byDepth(1, 2) &&
          lines.every(({ reason }) => /SECRETS_KEY is not the one .*SECRETS_KEY_PREVIOUS/.test(`${reason}`)),
      )
      assert.equal(isAlive(workers.child.pid as number), true)
    },
  )
})

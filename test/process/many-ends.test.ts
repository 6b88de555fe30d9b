// How many processes end: one that is killed under load is replaced and nothing is lost, one that cannot start while the database
// is away is tried again, and one that ends as soon as it is started ends the whole with a clear message.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readProcesses } from '../../src/operator/processes/process-count.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { byDepth } from '../depth.ts'
import { brebPayin, type Client, createDatabase, eventually, onServer } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { clientOn, keptConnection, logLines, PROCESSES, processesOf, seriesOf, startMany } from './many.ts'
import { dataDirectory, isAlive, type Running } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
const KEY = { 'x-api-key': BOOTSTRAP_API_KEY }
const CLIENTS = 8
// That of deliveries is the longest.
const PAST_THE_LEASE_SECONDS = 121
// A process lives much longer, even one that is about to fail.
const LOOK_MS = 5
const SECRETS_KEY = randomBytes(32).toString('hex')
const dataDir = dataDirectory({ after })

let database: { url: string; drop: () => Promise<void> }
let db: Db
let env: Record<string, string>
before(async () => {
  database = await createDatabase()
  db = openDb({ url: database.url, poolSize: 2 })
  env = {
    DATABASE_URL: database.url,
    SECRETS_KEY,
    BOOTSTRAP_API_KEY,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: '0',
    SANDBOX_DELAY_MS: '0',
  }
})
after(async () => {
  await db.close()
  await database.drop()
})

type Order = { key: string; body: Record<string, unknown>; id?: string }

// Sends orders one after the other on one connection, each until it is answered, while `goesOn`.
async function order(server: Running, orders: Order[], goesOn: () => boolean): Promise<void> {
  const agent = keptConnection()
  const client = clientOn(server.baseUrl, KEY, agent)
  while (goesOn()) {
    const one: Order = { key: `key-${orders.length}`, body: brebPayin() }
    orders.push(one)
    while (one.id === undefined) {
      const answer = await send(client, one).catch(({ message }: Error) => {
        assert.doesNotMatch(message, /no answer/)
      })
      if (answer === undefined) continue
      assert.equal(answer.status, 201, answer.text)
      one.id = answer.json.id
    }
  }
  agent.destroy()
}

function send(client: Client, { key, body }: Order) {
  return client('POST', '/payins', body, { 'idempotency-key': key })
}

// With --deep one more than a process may end for no known reason. Else it is enough that these do not count when it then ends so.
const STARTS_IN_VAIN = byDepth(2, 6)
// They take a while on a busy machine.
const PATIENT = { timeout: 240_000 }

test('processes that serve, and what happens to them', PATIENT, async (t) => {
  const server = await startMany(t, { env: { ...env, LOG_LEVEL: 'error' } })
  await t.test('kill -9 of one under load: requests go on, it is replaced, and nothing is lost', () =>
    oneIsKilled(server),
  )
  await t.test('one that cannot start while the database is away is started again until it can', () =>
    databaseIsAway(server),
  )
  await t.test('one that ends as soon as it is started, five times in a row, ends all with a message', () =>
    oneEndsAtOnce(server),
  )
})

// It stands still first, so that connections are handed to it which it does not take. They end with it, or another process takes them:
// no client waits in vain.
async function killedWithConnections(victim: number, client: Client): Promise<void> {
  process.kill(victim, 'SIGSTOP')
  const asked = 2 * PROCESSES
  const ends: string[] = []
  const all = Array.from({ length: asked }, () =>
    client('GET', '/healthz').then(
      ({ status }) => ends.push(String(status)),
      ({ message }: Error) => ends.push(message),
    ),
  )
  await eventually(
    async () => ends.length,
    (count) => count >= asked - 1,
  )
  process.kill(victim, 'SIGKILL')
  await Promise.all(all)
  for (const end of ends) assert.match(end, /^200$|hang up|ECONNRESET/)
}

async function oneIsKilled(server: Running): Promise<void> {
  await using receiver = await startReceiver()
  const client = clientOn(server.baseUrl, KEY)
  assert.equal((await client('POST', '/webhook-endpoints', { url: receiver.url })).status, 201)
  const began = processesOf(server)

  const orders: Order[] = []
  const answered = () => orders.filter(({ id }) => id !== undefined).length
  let isEnough = false
  const load = Promise.all(Array.from({ length: CLIENTS }, () => order(server, orders, () => !isEnough)))
  await eventually(
    async () => answered(),
    (count) => count >= 40,
  )
  const victim = began[1] as number
  await killedWithConnections(victim, client)
  const atTheKill = answered()
  await eventually(
    async () => answered(),
    (count) => count >= atTheKill + 40,
  )
  isEnough = true
  await load
  await eventually(
    async () => processesOf(server),
    (pids) => pids.length === PROCESSES && !pids.includes(victim),
  )
  // The new one serves too: connections go to the processes in turn.
  await Promise.all(
    Array.from({ length: CLIENTS }, () => {
      const until = orders.length + CLIENTS
      return order(server, orders, () => orders.length < until)
    }),
  )
  assert.deepEqual(
    began.filter((pid) => !processesOf(server).includes(pid)),
    [victim],
    'the others are none the worse',
  )

  // What the victim had claimed is free when its lease is over. Then every order is one payin, which is paid, and of which its
  // merchant hears.
  const moved = await client('POST', '/sandbox/clock/advance', { seconds: PAST_THE_LEASE_SECONDS })
  assert.equal(moved.status, 200, moved.text)
  const stored = await eventually(
    async () => {
      const { rows } = await db.query<{ payin_id: string; status: string }>({
        text: 'select payin_id, status from payins',
      })
      return rows
    },
    (rows) => rows.every(({ status }) => status === 'CONFIRMED'),
  )
  assert.deepEqual(stored.map(({ payin_id }) => payin_id).sort(), orders.map(({ id }) => id).sort())
  const confirmedIds = () =>
    new Set(
      receiver.got
        .filter(({ body }) => body.includes('payin.confirmed'))
        .map(({ body }) => /"data":\{"id":"([^"]+)/.exec(body)?.[1]),
    )
  await eventually(
    async () => {
      const confirmed = confirmedIds()
      return orders.filter(({ id }) => !confirmed.has(id)).length
    },
    (missing) => missing === 0,
  )
  assert.equal((await recaudoInProcess(['ledger', 'verify'], env)).code, 0)

  await eventually(
    async () => (await clientOn(server.baseUrl, {})('GET', '/metrics')).text,
    (text) =>
      seriesOf(text, 'recaudo_processes{state="serving"}') === PROCESSES &&
      seriesOf(text, 'recaudo_processes_replaced_total') === 1,
  )
  assert.deepEqual(
    logLines(server.stdout())
      .filter(({ msg }) => msg === 'process ended')
      .map(({ process: number }) => number),
    [0],
    'the parent says so, once',
  )
}

async function databaseIsAway(server: Running): Promise<void> {
  const [, name] = /\/(test_\w+)/.exec(database.url) as RegExpExecArray
  await onServer(`alter database ${name} with allow_connections false`)
  await using refusing = new AsyncDisposableStack()
  refusing.defer(() => onServer(`alter database ${name} with allow_connections true`))
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  process.kill(processesOf(server)[0] as number, 'SIGKILL')
  const inVain = () => logLines(server.stdout()).filter(({ reason }) => reason !== undefined)
  await eventually(
    async () => inVain().length,
    (count) => count >= STARTS_IN_VAIN,
    180_000,
  )
  assert.match(inVain()[0]?.reason ?? '', /^Cannot use the PostgreSQL at .* Check DATABASE_URL\.$/)
  const client = clientOn(server.baseUrl, KEY)
  assert.equal((await client('GET', '/readyz')).status, 503)
  await refusing.disposeAsync()
  await eventually(
    async () => (await client('GET', '/metrics')).text,
    (text) => seriesOf(text, 'recaudo_processes{state="serving"}') === PROCESSES,
  )
  assert.equal((await client('POST', '/payins', brebPayin())).status, 201)
}

// The same one that could not start before.
async function oneEndsAtOnce(server: Running): Promise<void> {
  const others = processesOf(server)
  const victim = others.pop() as number
  const killed = new Set([victim])
  process.kill(victim, 'SIGKILL')
  const end = server.ended.then((ended) => ({ ended }))
  for (let done: unknown; done === undefined; ) {
    const next = isAlive(server.child.pid as number)
      ? processesOf(server).find((pid) => !others.includes(pid) && !killed.has(pid))
      : undefined
    if (next !== undefined) {
      killed.add(next)
      process.kill(next, 'SIGKILL')
    }
    done = await Promise.race([end, pause(LOOK_MS)])
  }
  const { code, stderr } = await server.ended
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^recaudo: Process \d of \d ended 5 times in a row as soon as it was started, at last with SIGKILL\. .*\n$/,
  )
  // Its end before the database was away may have been an early one, and the first here may not.
  assert.ok(killed.size >= 4 && killed.size <= 6, `killed ${killed.size} times`)
  assert.deepEqual(others.filter(isAlive), [], 'the others were stopped')
}

test('what keeps the processes from starting is said once', async () => {
  const wrong = await recaudoInProcess(['start', '--processes', '3'], { ...env, SECRETS_KEY: 'b'.repeat(64) })
  assert.equal(wrong.code, 1, JSON.stringify(wrong))
  assert.match(wrong.stderr, /^recaudo: SECRETS_KEY is not the one this database was set up with\..*\n$/)
})

test('one process is the default, and a number that makes no sense is refused', async () => {
  const says = (value: string) =>
    `--processes takes a whole number from 1 to 999, or auto for one for each core, not "${value}".`
  assert.equal(readProcesses(undefined), 1)
  for (const value of ['0', '-1', 'two', '1.5', '1000', '', ' 2'])
    assert.throws(() => readProcesses(value), { exitCode: 2, message: says(value) })
  const end = await recaudoInProcess(['start', '--processes=1000'], env)
  assert.deepEqual(end, { code: 2, signal: null, stdout: '', stderr: `recaudo: ${says('1000')}\n` })
  assert.equal((await recaudoInProcess(['start', '--processes', '-1'], env)).code, 2)
  assert.equal((await recaudoInProcess(['start', '--processes'], env)).code, 2)
})

test('more processes than the server has connections for', async () => {
  const end = await recaudoInProcess(['start', '--processes', '999'], env)
  assert.equal(end.code, 1, JSON.stringify(end))
  assert.match(
    end.stderr,
    /^recaudo: 999 processes need 10992 connections \(each 10 by DATABASE_POOL and one for signals, and 3 for the parent\); the PostgreSQL at \S+ allows \d+ \(max_connections is \d+, of which \d+ are reserved\)\. Lower --processes to \d+, or raise max_connections to \d+\.\n$/,
  )
  assert.equal(end.stdout, '')
})

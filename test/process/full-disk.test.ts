// A full disk, and a system that kills for lack of memory: what was answered is kept, what was refused says so, and the service goes
// on once there is room. The disk is a small one in memory, which only root can make.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { DAY_MS } from '../../src/core/instant.ts'
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { RETRY_FULL_DISK_MS } from '../../src/sandbox/full-disk.ts'
import { DELAY_MS, START, startHarness, transfer, until } from '../sandbox/harness.ts'
import { type Answer, brebPayin, type Client, clientOf, eventually } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { dataDirectory, postgresPid, type Running, start, stop } from './process.ts'
import { ask } from './standby.ts'

const SECRETS_KEY = 'ab'.repeat(32)
const API_KEY = 'key-of-a-test-script'
// The programs of PostgreSQL, which root copies, an empty database, and some of its log.
const DISK_MEGABYTES = 240

const disk = mkdtempSync(join(tmpdir(), 'recaudo-disk-'))
const cannotMount = mount()
const dataDir = join(disk, 'data')
const ballast = join(disk, 'ballast')
const env = { SECRETS_KEY, BOOTSTRAP_API_KEY: API_KEY, LOG_LEVEL: 'error', SANDBOX_DELAY_MS: '50' }

after(() => {
  if (cannotMount === false) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

describe('a PostgreSQL of one’s own', { skip: cannotMount }, () => {
  const opened = new AsyncDisposableStack()
  const answered: string[] = []
  let url: string
  let server: Running
  let client: Client

  before(async () => {
    const postgres = opened.use(await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } }))
    url = postgres.url
    server = await start(
      { after: (clean) => opened.defer(async () => clean()) },
      { env: { ...env, DATABASE_URL: url, DATA_DIR: dataDirectory({ after }) } },
    )
    client = clientOf(server.baseUrl, { 'x-api-key': API_KEY })
  })
  after(() => opened.disposeAsync())

  it('that has no room left is said to merchants and to the log, and can still be read', async () => {
    answered.push((await created(client)).json.id)
    fill()
    const { refused, send } = await untilRefused(client, answered)
    assert.equal(refused.json.code, 'STORE_UNAVAILABLE', refused.text)
    assert.match(refused.json.detail, /^The database has no room left, and stored nothing of this\./)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await client('GET', `/payins/${answered[0]}`)).status, 200)
    await eventually(
      async () => server.stdout(),
      (text) => /"msg":"the disk of the database is full: make room there"/.test(text),
    )

    rmSync(ballast)
    const repeated = await eventually(send, ({ status }) => status === 201)
    answered.push(repeated.json.id)
    await assertAllThere(client, answered)
  })

  it('whose process the system kills comes back by itself, and loses nothing', async () => {
    const killer = new pg.Client(url)
    killer.on('error', () => {})
    await killer.connect()
    const { rows } = await killer.query(
      `select pid from pg_stat_activity where application_name = 'recaudo' limit 1`,
    )
    // PostgreSQL then ends every connection, and starts over.
    const ended = new Promise((resolve) => killer.once('end', resolve))
    process.kill(rows[0].pid, 'SIGKILL')
    await ended
    const again = await eventually(
      () => client('POST', '/payins', brebPayin()),
      ({ status }) => status === 201,
    )
    answered.push(again.json.id)
    await assertAllThere(client, answered)
    await stop(server)
    const verified = await recaudoInProcess(['ledger', 'verify'], { ...env, DATABASE_URL: url })
    assert.equal(verified.code, 0, verified.stderr)
  })
})

describe('the simulated networks', { skip: cannotMount }, () => {
  it('wait for room, and lose nothing that was due', async () => {
    let at = START
    await using harness = await startHarness({ storageFile: join(disk, 'networks.db'), now: () => at })
    const { sandbox, listener, breb, types } = harness
    const isNotified = () => types('O1').length === 1
    assert.equal((await breb('PUT', '/transfers/O1', transfer())).status, 202)
    const answers = Promise.withResolvers<void>()
    listener.beforeAnswer = () => answers.promise
    fill()
    at += DELAY_MS
    // What they do by themselves: nothing they were asked for.
    sandbox.openedByPayer('nobody')
    assert.deepEqual(sandbox.log(), [])
    assert.equal((await breb('PUT', '/transfers/O2', transfer())).status, 500)

    rmSync(ballast)
    at += RETRY_FULL_DISK_MS
    sandbox.openedByPayer('nobody')
    assert.equal(sandbox.log().length, 1)
    await until(isNotified)
    // The disk is full again when the service has the notice, and they cannot write that down.
    fill()
    answers.resolve()
    // The answer to a later request comes after what the notice's answer led to.
    for (let round = 0; round < 3; round += 1) assert.equal((await breb('GET', '/transfers/O1')).status, 200)
    await assert.rejects(sandbox.advance(1), /disk is full|disk I\/O error/)
    rmSync(ballast)
    await sandbox.advance(DAY_MS)
    assert.ok(isNotified())
  })
})

describe('the embedded PostgreSQL', { skip: cannotMount }, () => {
  const full =
    /^(recaudo: )?PostgreSQL ended by itself \(.+\): the disk of \S+ is full \(\d+ MB are left\)\. Make room there, 64 MB at least, and start again: nothing that was answered is lost\./

  it('that cannot write its log ends the service with a sentence, and starts again once there is room', async (t) => {
    const server = await start(t, { env: { ...env, DATA_DIR: dataDir } })
    const client = clientOf(server.baseUrl, { 'x-api-key': API_KEY })
    const { id } = (await created(client)).json
    const running = await findRunningEmbeddedPostgres(dataDir)
    assert.ok(running)
    // Otherwise it may come back for ever: each time it removes the oldest file of its log, and makes the next one in that room.
    await ask(running.url, `alter system set wal_keep_size = '1GB'`)
    await ask(running.url, 'select pg_reload_conf()')
    let end: Awaited<typeof server.ended> | undefined
    void server.ended.then((how) => {
      end = how
    })
    // Where its log has ended in the middle of a file, it comes back by itself. Then the next one is filled.
    await eventually(
      async () => {
        fill()
        await assert.rejects(writeLog(running.url))
        return end
      },
      (how) => how !== undefined,
      120_000,
    )
    if (end === undefined) throw new Error('it has ended')
    assert.equal(end.code, 1)
    assert.match(end.stderr, full)
    assert.doesNotMatch(end.stderr, /^ +at /m)

    await assert.rejects(startEmbeddedPostgres({ dataDir }), {
      name: 'EmbeddedPostgresFailure',
      message: full,
    })
    rmSync(ballast)
    {
      await using next = await startEmbeddedPostgres({ dataDir })
      assert.equal((await ask(next.url, `select 1 from payins where payin_id = '${id}'`)).length, 1)
    }
    assert.equal(await postgresPid(dataDir), undefined)
  })

  it('cannot be made on a disk that is full, and leaves nothing half made there', async () => {
    rmSync(dataDir, { recursive: true, force: true })
    const usedMegabytes = (): number =>
      Number(/^\d+/.exec(execFileSync('du', ['-sm', dataDir], { encoding: 'utf8' }))?.[0])
    // Not enough for a copy of the programs. The system's own words are printed as they are.
    fill(10)
    await assert.rejects(startEmbeddedPostgres({ dataDir }), ({ message, syscall }) => {
      return /^ENOSPC: no space left on device/.test(message) && syscall !== undefined
    })
    assert.ok(usedMegabytes() <= 1, String(usedMegabytes()))
    rmSync(ballast)
    // Enough for the programs, not for a database.
    fill(75)
    await assert.rejects(startEmbeddedPostgres({ dataDir }), {
      name: 'EmbeddedPostgresFailure',
      message: /^No database could be made in \S+ \(initdb ended with code 1\): the disk of \S+ is full /,
    })
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.includes('unfinished')),
      [],
    )
    rmSync(ballast)
    await using postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    assert.match(postgres.version, /^18\./)
  })
})

async function created(client: Client): Promise<Answer> {
  const answer = await client('POST', '/payins', brebPayin())
  assert.equal(answer.status, 201, answer.text)
  return answer
}

// Pages that are there have room for some more rows. The refused request can be sent again.
async function untilRefused(
  client: Client,
  answered: string[],
): Promise<{ refused: Answer; send: () => Promise<Answer> }> {
  for (let made = 0; made < 2_000; made += 1) {
    const body = brebPayin()
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => client('POST', '/payins', body, headers)
    const answer = await send()
    if (answer.status !== 201) return { refused: answer, send }
    answered.push(answer.json.id)
  }
  return assert.fail('the disk never was full')
}

async function assertAllThere(client: Client, ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal((await client('GET', `/payins/${id}`)).status, 200, id)
}

// Until that fails.
async function writeLog(url: string | undefined): Promise<void> {
  const writer = new pg.Client(url)
  writer.on('error', () => {})
  await writer.connect()
  const text = `select pg_logical_emit_message(true, 'x', repeat('x', 100000)), pg_switch_wal()`
  for (;;) await writer.query(text)
}

// Everything that is left, to the last byte, but for so many megabytes.
function fill(freeMegabytes = 0): void {
  const file = openSync(ballast, 'a')
  try {
    for (const size of [1_000_000, 4_096, 1])
      try {
        const filler = Buffer.alloc(size)
        for (;;) writeSync(file, filler)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      }
    ftruncateSync(file, fstatSync(file).size - freeMegabytes * 1_000_000)
  } finally {
    closeSync(file)
  }
}

// Why no small disk can be had here.
function mount(): string | false {
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m,mode=755`, 'tmpfs', disk], {
    encoding: 'utf8',
  })
  if (made.status !== 0) return `no disk in memory can be mounted: ${made.stderr ?? made.error?.message}`
  chmodSync(disk, 0o755)
  return readFileSync('/proc/mounts', 'utf8').includes(` ${disk} `) ? false : 'the disk is not there'
}

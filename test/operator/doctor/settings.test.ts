// The operator's doctor on a real PostgreSQL: each fault of its settings, connections, slots, archive, disk and clock is planted and
// found, with what to do. A disk is not filled and a clock not moved: there the limit or our own clock is.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { DAY_MS } from '../../../src/core/instant.ts'
import { diagnosisText } from '../../../src/operator/doctor/diagnosis.ts'
import { examineDisk } from '../../../src/operator/doctor/disk.ts'
import { DOCTOR_LIMITS, problem } from '../../../src/operator/doctor/finding.ts'
import { openDb } from '../../../src/store/db.ts'
import { advanceClock } from '../../../src/store/staging-clock.ts'
import { recaudo } from '../../process/process.ts'
import { createDatabase, eventually } from '../../world.ts'
import { examined, type OwnServer, startOwnServer, type Told } from './server.ts'

describe('recaudo doctor --operator, on the database', () => {
  let server: OwnServer
  before(async () => {
    server = await startOwnServer({
      archive_mode: 'on',
      max_prepared_transactions: '5',
      wal_level: 'replica',
    })
  })
  after(() => server[Symbol.asyncDispose]())

  // What has just been set is seen by sessions a moment later.
  const until = (holds: (told: Told) => boolean, url = server.url) => eventually(() => examined(url), holds)

  it('finds nothing where all is well, in words and as JSON, wherever the flag stands', async () => {
    const env = { DATABASE_URL: server.url }
    const text = await recaudo(['doctor', '--operator'], env)
    assert.deepEqual([text.code, text.stderr], [0, ''], text.stdout)
    assert.match(text.stdout, /^ok {7}database: PostgreSQL \d+\.\d+.*, UTF8$/m)
    assert.match(text.stdout, /^ok {7}queues: all \d+ keep up$/m)
    assert.match(text.stdout, /\nAll is well\.\n$/)
    const [, password = ''] = /:([0-9a-f]+)@/.exec(server.url) ?? []
    assert.ok(password.length > 8 && !text.stdout.includes(password), 'no password is shown')
    const json = await recaudo(['doctor', '--json', '--operator'], env)
    assert.equal(json.code, 0)
    const { ok, findings } = JSON.parse(json.stdout)
    assert.equal(ok, true)
    assert.deepEqual([...new Set(findings.map(({ level }: { level: string }) => level))], ['ok'])
    for (const about of [
      'fsync',
      'session',
      'writes',
      'connections',
      'transactions',
      'primary',
      'standbys',
      'disk',
      'log',
      'clock',
      'schema',
      'queues',
      'loops',
      'rows',
    ])
      assert.ok(
        findings.some((finding: { about: string }) => finding.about === about),
        about,
      )
  })

  it('finds a server that a power cut would ruin, and exits with 1', async () => {
    // As the tests' own is, which holds nothing that lasts.
    await using database = await emptyDatabase()
    const { code, stdout } = await recaudo(['doctor', '--operator'], { DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(stdout, /^problem {2}fsync: off: .+\n {9}→ `alter system set fsync = on/m)
    assert.match(stdout, /^problem {2}full_page_writes: off: /m)
    assert.doesNotMatch(stdout, /All is well/)
  })

  for (const name of ['full_page_writes', 'autovacuum', 'track_counts'])
    it(`finds that ${name} is off`, async () => {
      await server.set(name, 'off')
      const told = await until(({ problems }) => problems.length > 0)
      assert.deepEqual([told.ok, told.problems], [false, [name]])
      await server.set(name, null)
      await until(({ ok }) => ok)
    })

  it('finds sessions that do not get what they ask for', async () => {
    const url = `${server.url}&options=${encodeURIComponent('-c statement_timeout=0 -c timezone=America/Bogota')}`
    const told = await examined(url)
    assert.deepEqual(told.problems, ['session'])
    assert.match(
      told.of('session')?.text ?? '',
      /statement_timeout is 0, not 2500;.*timezone is America\/Bogota, not UTC/,
    )
  })

  it('finds a database that takes no writes', async () => {
    await server.sql('alter database recaudo set default_transaction_read_only = on')
    assert.deepEqual((await examined(server.url)).problems, ['writes'])
    await server.sql('begin read write; alter database recaudo reset default_transaction_read_only; commit')
    assert.deepEqual((await examined(server.url)).problems, [])
  })

  it('finds that pools do not fit into the connections, or nearly', async () => {
    const many = await examined(server.url, { flags: { processes: '40' } })
    assert.deepEqual(many.problems, ['connections'])
    assert.match(
      many.of('connections')?.text ?? '',
      /40 processes with DATABASE_POOL=10 may open 440, more than/,
    )
    assert.match(many.of('connections')?.remedy ?? '', /raise max_connections to 443/)
    const few = await examined(server.url, { limits: { connectionShare: 0 } })
    assert.equal(few.of('connections')?.level, 'note')
    await assert.rejects(
      examined(server.url, { flags: { processes: 'many' } }),
      /--processes takes a whole number/,
    )
  })

  it('finds transactions that stay open, prepared ones, and ids that run out', async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('begin')
    await client.query('select 1')
    const open = await examined(server.url, { limits: { openTransactionMs: 0 } })
    assert.match(open.of('transactions')?.text ?? '', /^one has been open for \d+ s/)
    await client.query("create table forgotten (); prepare transaction 'forgotten'")
    await client.end()
    const prepared = await examined(server.url, { limits: { openTransactionMs: 0 } })
    assert.match(prepared.findings.map(({ text }) => text).join('\n'), /a prepared one has waited for \d+ s/)
    await server.sql(`rollback prepared 'forgotten'`)
    const old = await examined(server.url, { limits: { transactionAge: 0 } })
    assert.deepEqual(old.problems, ['transaction ids'])
  })

  it('finds slots that nobody reads, and those that lost their place', async () => {
    await server.sql(`select pg_create_physical_replication_slot('gone', true)`)
    const unread = await examined(server.url)
    assert.deepEqual(unread.problems, ['slot gone'])
    assert.match(unread.of('slot gone')?.text ?? '', /nobody reads it/)
    await server.set('max_slot_wal_keep_size', '1MB')
    // Until a checkpoint finds that it keeps too much.
    await eventually(
      async () => {
        await server.sql(
          'create table if not exists filler (); drop table filler; select pg_switch_wal(); checkpoint',
        )
        return (await examined(server.url)).of('slot gone')?.text
      },
      (text) => text === 'has lost its place in the log',
    )
    await server.sql(`select pg_drop_replication_slot('gone')`)
    await server.set('max_slot_wal_keep_size', null)
  })

  it('finds that commits wait for a standby that is not there', async () => {
    await server.set('synchronous_standby_names', 'gone')
    const told = await until(({ problems }) => problems.length > 0)
    assert.deepEqual(told.problems, ['standbys'])
    await server.set('synchronous_standby_names', null)
    await until(({ ok }) => ok)
  })

  it('finds that the log cannot be archived', async () => {
    await server.set('archive_command', 'false')
    await server.sql('create table filler (); drop table filler; select pg_switch_wal()')
    const told = await until(({ problems }) => problems.length > 0)
    assert.deepEqual(told.problems, ['archive'])
    await server.set('archive_command', 'true')
    await until(({ ok }) => ok)
  })

  it('finds a disk that fills, and says where it cannot look', async () => {
    const full = await examined(server.url, {
      limits: { freeBytes: Number.POSITIVE_INFINITY, logBytes: -(2 ** 50) },
    })
    assert.deepEqual(full.problems, ['disk', 'log'])
    // A server's log is a file of 16 MiB at least.
    assert.match(full.of('log')?.text ?? '', /^[1-9][\d.]* [MG]iB of write-ahead log/)
    const filling = await examined(server.url, { limits: { freeShareToNote: 2 } })
    assert.equal(filling.of('disk')?.level, 'note')
    assert.match(filling.of('disk')?.text ?? '', /GiB free in \/.+, \d+ %$/)
    const db = openDb({ url: server.url, poolSize: 1 })
    const elsewhere = await examineDisk(db, 'postgresql://recaudo@db.example.com/recaudo', DOCTOR_LIMITS)
    await db.close()
    assert.match(elsewhere[0]?.text ?? '', /cannot be seen from here/)
  })

  it('says what a role may not read, and looks at the rest', async () => {
    await server.sql(`create role plain login password 'plain'; grant usage on schema public to plain`)
    const told = await examined(server.url.replace(/\/\/recaudo:[^@]*@/, '//plain:plain@'))
    assert.equal(told.of('log')?.level, 'note')
    assert.match(told.of('log')?.remedy ?? '', /grant pg_monitor/)
    assert.match(told.of('rights')?.text ?? '', /this role may not \w+ \w+, .* more$/)
    assert.equal(told.of('fsync')?.level, 'ok')
    assert.equal(told.ok, false, 'nobody knows whether all is well')
    await server.sql('drop owned by plain; drop role plain')
  })

  it('does not call well what it could not look at, such as rows that somebody locks', async () => {
    const locking = new pg.Client({ connectionString: server.url })
    await locking.connect()
    try {
      await locking.query('begin; lock table payouts in access exclusive mode')
      const told = await examined(server.url)
      assert.match(told.of('work')?.text ?? '', /could not be looked at/)
      assert.deepEqual([told.ok, told.problems], [false, ['work']])
    } finally {
      await locking.end()
    }
  })

  it('says that it cannot see the transactions of others', async () => {
    await server.sql(`create role plain login password 'plain'; grant usage on schema public to plain`)
    const other = new pg.Client({ connectionString: server.url })
    await other.connect()
    try {
      await other.query('begin; select 1')
      const told = await examined(server.url.replace(/\/\/recaudo:[^@]*@/, '//plain:plain@'), {
        limits: { openTransactionMs: 0 },
      })
      assert.equal(told.of('transactions')?.level, 'note')
      assert.match(told.of('transactions')?.remedy ?? '', /grant pg_monitor/)
    } finally {
      await other.end()
      await server.sql('drop owned by plain; drop role plain')
    }
  })

  it('finds clocks that differ, whichever is ahead', async () => {
    const ahead = await examined(server.url, { now: () => Date.now() + 5_000 })
    assert.deepEqual(ahead.problems, ['clock'])
    assert.match(ahead.of('clock')?.text ?? '', /^this machine’s clock is \d+ ms .* ahead of the database’s$/)
    const behind = await examined(server.url, { now: () => Date.now() - 5_000 })
    assert.match(behind.of('clock')?.text ?? '', /behind the database’s$/)
  })

  it('does not call clocks wrong that may be right, for as long as the answer took', async () => {
    const told = await examined(server.url, { limits: { clockSkewMs: 0 } })
    assert.equal(told.of('clock')?.level, 'ok')
  })

  it('looks at staging’s work at the time that staging was moved to, and at its clock as it is', async () => {
    const db = openDb({ url: server.url, poolSize: 1 })
    try {
      await advanceClock(db, 400 * DAY_MS)
      const { problems } = await examined(server.url)
      assert.ok(
        problems.some((about) => about.startsWith('partitions of ')),
        problems.join(),
      )
      assert.ok(!problems.includes('clock'))
    } finally {
      await db.query({ text: 'delete from staging_clock' })
      await db.close()
    }
    assert.equal((await examined(server.url)).ok, true)
  })

  it('finds a schema that is older, newer or none', async () => {
    const [last] = await server.sql(
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *',
    )
    const older = await examined(server.url)
    assert.deepEqual(older.problems, ['schema'])
    assert.match(older.of('schema')?.remedy ?? '', /recaudo migrate --plan/)
    await server.sql(
      `insert into schema_migrations (version, name, checksum) values (${last?.version}, '${last?.name}', '${last?.checksum}'), (9999, 'later', 'x')`,
    )
    const newer = await examined(server.url)
    assert.match(newer.of('schema')?.text ?? '', /schema 9999 \(later\)/)
    await server.sql('delete from schema_migrations where version = 9999')
    await server.sql('create database blank')
    assert.deepEqual((await examined(server.url.replace('/recaudo?', '/blank?'))).problems, ['schema'])
  })

  it('judges by limits that leave time to act', () => {
    assert.ok(DOCTOR_LIMITS.freeShare >= 0.05 && DOCTOR_LIMITS.freeShareToNote > DOCTOR_LIMITS.freeShare)
    assert.ok(DOCTOR_LIMITS.freeBytes >= 1024 ** 3)
    assert.ok(
      DOCTOR_LIMITS.certificateMs >= 14 * DAY_MS &&
        DOCTOR_LIMITS.certificateToNoteMs > DOCTOR_LIMITS.certificateMs,
    )
    assert.ok(DOCTOR_LIMITS.transactionAge <= 1_000_000_000, 'half of what PostgreSQL has')
    assert.ok(
      DOCTOR_LIMITS.standbyLagBytes <= 64 * 1024 ** 2 && DOCTOR_LIMITS.openTransactionMs <= DAY_MS / 100,
    )
  })

  it('prints nothing that could control a terminal, whatever a name or another program says', () => {
    const said = 'nobody\u001b[2J reads\r\nit\u009b'
    const text = diagnosisText({ ok: false, findings: [problem(said, said, said)] })
    assert.equal(text, 'problem  nobody [2J reads it : nobody [2J reads it \n         → nobody [2J reads it ')
  })

  it('finds a database that is away, or of another encoding', async () => {
    const away = await examined(server.url.replace(/host=[^&]+/, 'host=/nowhere'))
    assert.deepEqual(away.problems, ['database'])
    await server.sql(`create database plain encoding 'SQL_ASCII' locale 'C' template template0`)
    const other = await examined(server.url.replace('/recaudo?', '/plain?'))
    assert.match(other.of('database')?.text ?? '', /stores text as SQL_ASCII/)
  })
})

async function emptyDatabase() {
  const { url, drop } = await createDatabase()
  return { url, [Symbol.asyncDispose]: drop }
}

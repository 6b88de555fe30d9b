// Pipelined transactions: all statements are sent at once, without waiting for each other's results.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Db, databaseOf, openDb, sqlState, UNIQUE_VIOLATION } from '../../src/store/db.ts'
import { shareOf } from '../../src/store/db-share.ts'
import { pipelinedDb } from '../../src/store/sent-together.ts'
import { createDatabase, eventually, onServer } from '../world.ts'

describe('the state of an error', () => {
  it('is that of a taken key also where Citus calls it an internal error', () => {
    const taken = 'duplicate key value violates unique constraint "request_log_pkey_102260"'
    const failed = (code: string, message: string) => Object.assign(new Error(message), { code })
    assert.equal(sqlState(failed('XX000', taken)), UNIQUE_VIOLATION)
    assert.equal(sqlState(failed('23505', taken)), UNIQUE_VIOLATION)
    assert.equal(sqlState(failed('XX000', 'cache lookup failed')), 'XX000')
    assert.equal(sqlState(null), undefined)
    assert.equal(sqlState(new Error(taken)), undefined)
  })
})

describe('a pipelined transaction', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Db
  before(async () => {
    database = await createDatabase(null)
    db = openDb({ url: database.url, poolSize: 2 })
    await db.query({
      text: 'create table jars (jar text primary key, pesos integer not null check (pesos >= 0))',
    })
    await db.query({ text: `insert into jars values ('left', 10), ('right', 0)` })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const add = (jar: string, pesos: number) => ({
    name: 'add',
    text: 'update jars set pesos = pesos + $2 where jar = $1 returning pesos',
    values: [jar, pesos],
  })
  const balances = async () =>
    (await db.query<{ pesos: number }>({ text: 'select pesos from jars order by jar' })).rows.map(
      ({ pesos }) => pesos,
    )

  it('has a result for each statement, in order', async () => {
    const answers = await db.sendTransaction([add('left', -4), add('right', 4), add('nowhere', 1)])
    assert.deepEqual(
      answers.map(({ rows }) => rows),
      [[{ pesos: 6 }], [{ pesos: 4 }], []],
    )
    assert.deepEqual(await balances(), [6, 4])
  })

  it('rolls back if one statement fails, and reports the error of that one', async () => {
    const prepared = { name: 'prepared-in-vain', text: 'select 1 as one' }
    await assert.rejects(
      db.sendTransaction([add('right', 100), add('left', -100), prepared, add('right', 100)]),
      (error) => sqlState(error) === '23514',
    )
    assert.deepEqual(await balances(), [6, 4])
    // The connection is still usable.
    for (let time = 0; time < 4; time += 1) assert.deepEqual((await db.query(prepared)).rows, [{ one: 1 }])
  })

  it('is retried after a deadlock with another', async () => {
    const isWaiting = async () => {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await watcher.query({ text })).rowCount === 1
    }
    await using watcher = watching(database.url)
    let sent: Promise<unknown> | undefined
    let isDone = false
    await db.inTransaction(async (tx) => {
      await tx.query(add('left', 1))
      sent ??= db.sendTransaction([add('right', 1), add('left', 1)]).then(() => {
        isDone = true
      })
      await eventually(isWaiting, (waits) => waits || isDone)
      await tx.query(add('right', 1))
    })
    await sent
    assert.deepEqual(await balances(), [8, 6])
  })
})

describe('statements that are sent together', () => {
  const pid = { text: 'select pg_backend_pid() as pid' }

  it('each have their own result and their own fate', async () => {
    await using database = await disposableDatabase()
    await using db = watching(database.url)
    await db.query({ text: 'create table marks (mark integer primary key)' })
    const mark = (number: number) => ({ text: `insert into marks values (${number}) returning mark` })
    const results = await db.sendTogether([mark(1), mark(2)])
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [[{ mark: 1 }], [{ mark: 2 }]],
    )
    await assert.rejects(
      db.sendTogether([mark(3), mark(1), mark(4)]),
      (error) => sqlState(error) === UNIQUE_VIOLATION,
    )
    const { rows } = await db.query({ text: 'select mark from marks order by mark' })
    assert.deepEqual(
      rows.map(({ mark }) => mark),
      [1, 2, 3, 4],
    )
  })

  it('are those that are asked before the caller waits, on one connection', async () => {
    await using database = await disposableDatabase()
    const db = openDb({ url: database.url, poolSize: 3 })
    try {
      const pids = async (asked: Db) =>
        (await Promise.all([pid, pid, pid].map((one) => asked.query<{ pid: number }>(one)))).map(
          ({ rows }) => rows[0]?.pid,
        )
      assert.equal(new Set(await pids(db)).size, 3)
      const asked = pipelinedDb(db)
      assert.equal(new Set(await pids(asked)).size, 1)
      // And again, after that.
      assert.equal(new Set(await pids(asked)).size, 1)
      assert.equal(databaseOf(asked), db)
      assert.equal(databaseOf(pipelinedDb(shareOf(db, 1))), db)
    } finally {
      await db.close()
    }
  })

  it('all hear of the one that failed', async () => {
    await using database = await disposableDatabase()
    await using db = watching(database.url)
    const asked = pipelinedDb(db)
    const results = await Promise.allSettled([asked.query(pid), asked.query({ text: 'select 1 / 0' })])
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && sqlState(result.reason)),
      ['22012', '22012'],
    )
  })
})

describe('a transaction that conflicts with others', () => {
  it('is tried five times, and then its error is told', async () => {
    await using database = await disposableDatabase()
    await using db = watching(database.url)
    let tries = 0
    const conflict = db.inTransaction(async (tx) => {
      tries += 1
      await tx.query({ text: `do $$ begin raise exception 'conflict' using errcode = '40001'; end $$` })
    })
    await assert.rejects(conflict, (error) => sqlState(error) === '40001')
    assert.equal(tries, 5)
  })

  it('is tried once, if it fails for another reason', async () => {
    await using database = await disposableDatabase()
    await using db = watching(database.url)
    let tries = 0
    const failing = db.inTransaction(async (tx) => {
      tries += 1
      await tx.query({ text: 'select 1 / 0' })
    })
    await assert.rejects(failing, (error) => sqlState(error) === '22012')
    assert.equal(tries, 1)
  })
})

describe('a limit of time', () => {
  // Longer than the limit of this pool, here and in the database.
  const slow = { text: 'select pg_sleep(0.6)' }

  it('ends a statement, unless its transaction says that it may take longer', async () => {
    await using database = await disposableDatabase()
    const db = openDb({ url: database.url, poolSize: 2, statementTimeoutMs: 100 })
    try {
      await assert.rejects(db.query(slow), (error) => sqlState(error) === '57014')
      await assert.rejects(
        db.inTransaction((tx) => tx.query(slow)),
        (error) => sqlState(error) === '57014',
      )
      await db.inTransaction((tx) => tx.query(slow), { timeoutMs: 60_000 })
      const results = await db.sendTransaction([slow, { text: 'select 1 as one' }], { timeoutMs: 0 })
      assert.deepEqual(results[1]?.rows, [{ one: 1 }])
      // Only that transaction.
      await assert.rejects(db.query(slow), (error) => sqlState(error) === '57014')
    } finally {
      await db.close()
    }
  })
})

describe('a connection', () => {
  it('compiles no statement and scans no table, whatever the server is set to', async () => {
    await using database = await disposableDatabase()
    const name = database.url.replace(/.*\//, '').replace(/\?.*/, '')
    for (const setting of ['jit', 'enable_seqscan'])
      await onServer(`alter database ${name} set ${setting} = on`)
    await using db = watching(database.url)
    for (const setting of ['jit', 'enable_seqscan']) {
      const { rows } = await db.query<Record<string, string>>({ text: `show ${setting}` })
      assert.deepEqual(rows, [{ [setting]: 'off' }])
    }
  })
})

async function disposableDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const { url, drop } = await createDatabase(null)
  return { url, [Symbol.asyncDispose]: drop }
}

function watching(url: string): Db & AsyncDisposable {
  const db = openDb({ url, poolSize: 1 })
  return { ...db, [Symbol.asyncDispose]: () => db.close() }
}

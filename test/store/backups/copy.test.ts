// Rows by COPY: more than fits into any buffer, with a reader and a writer that are slow, and with failures on either side.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { copyIn, copyOut } from '../../../src/store/backups/copy.ts'
import { openSession, type Session } from '../../../src/store/backups/session.ts'
import { createDatabase } from '../../world.ts'

const ROWS = 100_000
const MANY = `copy (select n, repeat('x', 100) from generate_series(1, ${ROWS}) n) to stdout`

describe('COPY', () => {
  let database: { url: string; drop: () => Promise<void> }
  let session: Session
  before(async () => {
    database = await createDatabase(null)
    session = await openSession(database.url)
    await session.client.query('create table lines (n integer primary key, text text not null)')
  })
  after(async () => {
    await session[Symbol.asyncDispose]()
    await database.drop()
  })
  const rowsIn = async (): Promise<number> =>
    (await session.client.query<{ rows: number }>('select count(*)::int as rows from lines')).rows[0]?.rows ??
    -1

  it('gives every row to a reader that is slow, and holds no more of them in memory than a buffer', async () => {
    let bytes = 0
    let most = 0
    const rows = copyOut(session.client, MANY)
    for await (const chunk of rows) {
      most = Math.max(most, rows.readableLength)
      bytes += chunk.length
      await turn()
    }
    const digits = Array.from({ length: ROWS }, (_, n) => String(n + 1).length).reduce(
      (sum, one) => sum + one,
      0,
    )
    assert.equal(bytes, digits + ROWS * (100 + 2))
    assert.ok(most < 1_000_000, `${most} bytes waited`)
  })

  it('writes what was read, through another connection', async () => {
    await using other = await openSession(database.url)
    assert.equal(await copyIn(session.client, 'copy lines from stdin', copyOut(other.client, MANY)), ROWS)
    assert.equal(await rowsIn(), ROWS)
    await session.client.query('truncate lines')
  })

  it('writes nothing if the rows end with an error, which is the one that is told, and the connection goes on', async () => {
    const broken = new Error('the disk is gone')
    const rows = async function* () {
      yield Buffer.from('1\tone\n')
      throw broken
    }
    await assert.rejects(copyIn(session.client, 'copy lines from stdin', rows()), broken)
    assert.equal(await rowsIn(), 0)
  })

  it('stops asking for rows when the server refuses one', async () => {
    let asked = 0
    const rows = async function* () {
      for (; asked < 1_000_000; asked += 1) {
        yield Buffer.from('1\tone\n')
        await turn()
      }
    }
    await assert.rejects(copyIn(session.client, 'copy lines from stdin', rows()), { code: '23505' })
    assert.ok(asked < 1_000_000)
    assert.equal(await rowsIn(), 0)
  })

  it('fails if the connection is lost', async () => {
    await using reader = await openSession(database.url)
    const lost = copyOut(reader.client, MANY)
    const failed = once(lost, 'error')
    await session.client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    // Whoever reads nothing more does not learn of the end.
    lost.resume()
    const [error] = await failed
    assert.match(String(error), /terminat/i)
  })
})

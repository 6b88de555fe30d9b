// A disk without room, as SQLite tells of it: what was begun is undone as a whole, what is due stays due, and no other mistake is
// taken for it.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import {
  isFullDisk,
  retryUntilDiskHasRoom,
  runUnlessDiskFull,
  transactionOf,
} from '../../src/sandbox/full-disk.ts'

// Its file may have so many pages, and a row needs more.
const PAGES = 8
const LARGE = 'x'.repeat(100_000)

function smallDisk() {
  const db = new DatabaseSync(':memory:')
  db.exec(`create table payments (text text unique); pragma max_page_count = ${PAGES}`)
  const insert = (text: string) => void db.prepare('insert into payments values (?)').run(text)
  const rows = () => db.prepare('select text from payments').all().length
  return { db, insert, rows, transaction: transactionOf(db) }
}

describe('a full disk', () => {
  it('is known by SQLite’s number, alone or with its detail, and nothing else is', () => {
    const { insert } = smallDisk()
    assert.throws(() => insert(LARGE), isFullDisk)
    // An error of writing, in detail: there was no room for a page.
    assert.ok(isFullDisk({ errcode: 10 | (3 << 8) }))
    insert('a')
    assert.throws(
      () => insert('a'),
      (error) => !isFullDisk(error),
      'a row that is there already',
    )
    for (const other of [undefined, null, new Error('x'), { errcode: '13' }, { errcode: 5 }])
      assert.equal(isFullDisk(other), false)
  })

  it('undoes what was begun as a whole, and lets the next begin', () => {
    const { db, transaction, insert, rows } = smallDisk()
    assert.throws(
      () =>
        transaction(() => {
          insert('a')
          transaction(() => insert(LARGE))
        }),
      isFullDisk,
    )
    assert.deepEqual([rows(), db.isTransaction], [0, false])
    assert.throws(() =>
      transaction(() => {
        insert('a')
        throw new Error('changed my mind')
      }),
    )
    transaction(() => insert('b'))
    assert.deepEqual([rows(), db.isTransaction], [1, false])
  })

  it('makes work wait until there is room, and hides no mistake', async () => {
    const { db, insert, rows } = smallDisk()
    assert.equal(
      runUnlessDiskFull(() => insert(LARGE)),
      false,
    )
    assert.throws(() => runUnlessDiskFull(() => assert.fail('a mistake')), /a mistake/)
    let tries = 0
    const done = retryUntilDiskHasRoom(() => {
      tries += 1
      insert(LARGE)
    }, new AbortController())
    assert.equal(tries, 1)
    db.exec(`pragma max_page_count = ${100 * PAGES}`)
    await done
    assert.deepEqual([tries, rows()], [2, 1])
  })

  it('is waited for no longer than somebody wants the work', async () => {
    const { insert, rows } = smallDisk()
    const stop = new AbortController()
    const done = retryUntilDiskHasRoom(() => insert(LARGE), stop)
    stop.abort()
    await done
    assert.equal(rows(), 0)
  })
})

// A database on several servers, with a real standby: whoever writes finds the server that takes writes, wherever it is named, and
// a server that hangs, is gone or was demoted is left.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  CONNECT_TIMEOUT_MS,
  type Db,
  openDb,
  type Queryable,
  StoreSilent,
  StoreUnavailable,
} from '../../src/store/db.ts'
import { listenForWorkSignals, sendWorkSignal } from '../../src/store/work-signals.ts'
import { freePort } from '../free-port.ts'
import { freezableDatabase } from '../frozen-database.ts'
import { eventually } from '../world.ts'
import { ask, type Replicated, startReplicated } from './standby.ts'

describe('a database on several servers', () => {
  let servers: Replicated
  before(async () => {
    servers = await startReplicated()
    await ask(servers.primary.url, 'create table marks (mark text primary key)')
  })
  after(() => servers[Symbol.asyncDispose]())

  let count = 0
  const write = (db: Queryable) => {
    count += 1
    return db.query({ text: 'insert into marks values ($1)', values: [`mark ${count}`] })
  }
  const opened = (url: string, poolSize = 3): Db & AsyncDisposable => {
    const db = openDb({ url, poolSize })
    return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() })
  }

  // With the password.
  const user = (): string => /^postgresql:\/\/([^@]+)@/.exec(servers.url)?.[1] ?? ''

  it('is written on the primary, wherever it stands in the list, over TCP too', async () => {
    await using primary = freezableDatabase()
    await using standby = freezableDatabase()
    const urls = [await primary.via(servers.primary.url), await standby.via(servers.standby.url)]
    const [primaryPort, standbyPort] = urls.map((url) => new URL(url).port)
    const gone = await freePort()
    const url = `postgresql://${user()}@127.0.0.1:${gone},127.0.0.1:${standbyPort},127.0.0.1:${primaryPort}/recaudo`
    await using db = opened(url)
    await Promise.all([write(db), write(db), db.inTransaction(write)])
    await db.sendTransaction([{ text: `insert into marks values ('sent')` }])
    await using backwards = opened(servers.url.replace(/host=([^,]+),([^&]+)/, 'host=$2,$1'))
    await write(backwards)
  })

  it('says of each server why it cannot be used, if none can', async () => {
    const gone = await freePort()
    await using standby = freezableDatabase()
    const { port } = new URL(await standby.via(servers.standby.url))
    await using db = opened(`postgresql://${user()}@127.0.0.1:${gone},127.0.0.1:${port}/recaudo`)
    await assert.rejects(write(db), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable && !(error instanceof StoreSilent))
      assert.match(error.message, new RegExp(`127.0.0.1:${gone}: connect ECONNREFUSED`))
      assert.match(error.message, new RegExp(`127.0.0.1:${port}: it takes no writes: it is a standby`))
      return true
    })
    assert.equal(db.pool.total, 0)
    await using alone = opened(`${servers.standby.url}&target_session_attrs=read-write`)
    await assert.rejects(write(alone), /it takes no writes/)
  })

  it('that does not answer keeps nobody waiting longer than one server would', async () => {
    await using primary = freezableDatabase()
    await using standby = freezableDatabase()
    const urls = [await primary.via(servers.primary.url), await standby.via(servers.standby.url)]
    const [first, second] = urls.map((url) => new URL(url).port)
    await using db = opened(`postgresql://${user()}@127.0.0.1:${first},127.0.0.1:${second}/recaudo`)
    primary.freeze()
    // The standby has answered, but asking again at once would be waiting for the primary again.
    await assert.rejects(write(db), StoreSilent)
    standby.freeze()
    const before = performance.now()
    await assert.rejects(write(db), StoreSilent)
    assert.ok(performance.now() - before < 1.5 * CONNECT_TIMEOUT_MS)
    primary.thaw()
    await write(db)
  })

  const WAYS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    'a statement': write,
    'a transaction': (db) => db.inTransaction((tx) => tx.query({ text: 'delete from marks' })),
    'a pipelined transaction': (db) => db.sendTransaction([{ text: 'delete from marks' }]),
  }
  for (const [name, run] of Object.entries(WAYS))
    it(`does not use a connection again on which ${name} was refused as read-only`, async () => {
      const primaryUrl = servers.primary.url
      const setReadOnly = async (value: string) => {
        await ask(primaryUrl, `alter system set default_transaction_read_only = ${value}`)
        await ask(primaryUrl, 'select pg_reload_conf()')
        const shown = () => ask(primaryUrl, 'show default_transaction_read_only')
        await eventually(shown, ([row]) => row?.default_transaction_read_only === value)
      }
      await using db = opened(servers.url)
      await run(db)
      assert.equal(db.pool.total, 1)
      await setReadOnly('on')
      try {
        await assert.rejects(run(db), StoreUnavailable)
        assert.equal(db.pool.total, 0)
        await assert.rejects(run(db), StoreUnavailable)
      } finally {
        await setReadOnly('off')
      }
      await run(db)
    })

  it('goes on where the standby was promoted, while the old primary hangs and when it wakes up', async (t) => {
    await using db = opened(servers.url, 5)
    const heard: string[] = []
    const listener = listenForWorkSignals(servers.url, (kind) => void heard.push(kind))
    t.after(() => listener.stop())
    // Connections in the pool, more than one.
    await Promise.all(Array.from({ length: 5 }, () => db.query({ text: 'select pg_sleep(0.1)' })))
    assert.equal(db.pool.total, 5)

    await servers.primary.freeze()
    await assert.rejects(write(db), StoreSilent)
    assert.equal(db.pool.total, 4)
    await servers.promote()
    const before = performance.now()
    // The other four connections lead to the old primary as well, and nobody waits for them in turn.
    for (let time = 0; time < 10; time += 1) await write(db)
    assert.ok(performance.now() - before < CONNECT_TIMEOUT_MS, 'no more than a connection takes')

    await eventually(
      async () => {
        await sendWorkSignal(db, 'payins')
        return heard.length
      },
      (signals) => signals > 0,
    )

    servers.primary.thaw()
    await Promise.all(Array.from({ length: 20 }, () => write(db)))
    const [row] = await ask(servers.standby.url, 'select count(*)::int as marks from marks')
    assert.ok(Number(row?.marks) >= 30)
  })
})

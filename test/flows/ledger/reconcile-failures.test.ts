// Days that are not compared for a reason of our own: the database gives up, a process dies each time, or the statement has no
// end. A person is told of each, with the reason.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { dueAfterDay } from '../../../src/core/ledger/reconciliation.ts'
import type { Context } from '../../../src/flows/context.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { getRun } from '../../../src/store/ledger/statement-runs.ts'
import { brebPayin, type World } from '../../world.ts'
import { compareNow, endDay, openDay, passUntil, reconcileAll } from './reconciling.ts'

async function paidDay(world: World): Promise<string> {
  await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  return endDay(world)
}

const lateAlarms = async (world: World, day: string) =>
  (await listOpenAlarms(world.db))
    .filter(({ kind, detail }) => kind === 'statement-late' && detail.startsWith(`BRE_B on ${day}`))
    .map(({ detail }) => detail)

// A database that refuses the statements with this text.
function refusing(world: World, text: string): Context {
  const failing = (tx: Queryable): Queryable => ({
    query: (config) => {
      if (config.text.includes(text)) throw new Error('canceling statement due to statement timeout')
      return tx.query(config)
    },
  })
  const db = {
    ...world.db,
    inTransaction: (work, limit) => world.db.inTransaction((tx) => work(failing(tx)), limit),
  } as Context['db']
  return { ...world.ctx, db }
}

describe('a day that cannot be compared', () => {
  for (const [what, text] of [
    ['its comparison fails', 'into compared_bookings'],
    ['its page is refused', 'into statement_lines'],
  ] as const)
    it(`because ${what} each time raises an alarm with the reason, until it is compared`, async () => {
      await using world = await openDay()
      const day = await paidDay(world)
      const ctx = refusing(world, text)
      let failures = 0
      for (let hours = 0; hours < 3 * 24; hours += 6) {
        await reconcileAll(ctx).catch(() => {
          failures += 1
        })
        await world.passTime(DAY_MS / 4)
      }
      assert.ok(failures > 5)
      const raised = await lateAlarms(world, day)
      assert.equal(raised.length, 1, `${failures} failures, and nobody is told`)
      assert.match(raised[0] ?? '', /is not: it failed: canceling statement due to statement timeout$/)
      await world.passTime(DAY_MS)
      await compareNow(world, day)
      assert.deepEqual(await lateAlarms(world, day), [])
      const { state, failure, attempts } = (await getRun(world.db, 'BRE_B', day)) ?? {}
      assert.deepEqual([state, failure, attempts], ['DONE', null, 0])
    })

  it('is tried again after pauses that double, at times from its first page', async () => {
    await using world = await openDay()
    const day = await paidDay(world)
    const ctx = refusing(world, 'into compared_bookings')
    const seen: unknown[] = []
    for (let tries = 0; tries < 5; tries += 1) {
      await assert.rejects(reconcileAll(ctx))
      const run = await getRun(world.db, 'BRE_B', day)
      seen.push([run?.state, run?.run, Math.round(((run?.dueAt ?? 0) - world.ctx.clock.now()) / MINUTE_MS)])
      world.advance((run?.dueAt ?? 0) - world.ctx.clock.now())
    }
    assert.deepEqual(seen, [
      ['COMPARING', 1, 5],
      ['COMPARING', 1, 10],
      ['WAITING', 1, 20],
      ['COMPARING', 2, 40],
      ['COMPARING', 2, 80],
    ])
  })

  it('because the network does not answer is asked for from its first page at every third time', async () => {
    await using world = await openDay()
    const day = await paidDay(world)
    const statement = async () => ({ outcome: 'unknown', kind: 'timeout', why: 'silence' }) as const
    const ctx = { ...world.ctx, networks: { ...world.ctx.networks, statement: { BRE_B: statement } } }
    const states: unknown[] = []
    for (let tries = 0; tries < 6; tries += 1) {
      await reconcileAll(ctx)
      const run = await getRun(world.db, 'BRE_B', day)
      states.push(run?.state)
      world.advance((run?.dueAt ?? 0) - world.ctx.clock.now())
    }
    assert.deepEqual(states, ['FETCHING', 'FETCHING', 'WAITING', 'FETCHING', 'FETCHING', 'WAITING'])
  })

  it('because whoever takes it up dies each time raises an alarm', async () => {
    await using world = await openDay()
    const day = await paidDay(world)
    // Nothing is written any more after the statement was asked for.
    const statement = async () => {
      throw new Error('the process ends')
    }
    const query: Queryable['query'] = (config) => {
      if (config.text.includes('failure = $4')) throw new Error('the process ends')
      return world.db.query(config)
    }
    const db = { ...world.db, query }
    const ctx = { ...world.ctx, db, networks: { ...world.ctx.networks, statement: { BRE_B: statement } } }
    await assert.rejects(reconcileAll(ctx), /the process ends/)
    await passUntil(world, dueAfterDay(day) + DAY_MS - MINUTE_MS)
    await assert.rejects(reconcileAll(ctx), /the process ends/)
    assert.deepEqual(await lateAlarms(world, day), [])
    await passUntil(world, dueAfterDay(day) + DAY_MS)
    await assert.rejects(reconcileAll(ctx), /the process ends/)
    assert.match((await lateAlarms(world, day)).join(), /is not: it was begun and never finished$/)
    assert.equal((await getRun(world.db, 'BRE_B', day))?.failure, null)
  })

  it('because its pages have no end is asked for anew, and raises an alarm', async () => {
    await using world = await openDay()
    const day = await paidDay(world)
    let pages = 0
    const endless = async () => {
      pages += 1
      // As if twenty thousand had been read.
      await world.db.query({
        text: `update reconciliation_runs
                  set seen_cursors = array(select n::text from generate_series(1, 20000) n)
                where rail = 'BRE_B' and day = $1`,
        values: [day],
      })
      const value = { lines: [], unreadable: [], nextCursor: `page-${pages}`, complete: true }
      if (pages === 2) throw new Error('the process ends')
      return { outcome: 'accepted', value } as const
    }
    const ctx = { ...world.ctx, networks: { ...world.ctx.networks, statement: { BRE_B: endless } } }
    await assert.rejects(reconcileAll(ctx), /the process ends/)
    world.advance(HOUR_MS)
    await reconcileAll(ctx)
    assert.equal(pages, 3)
    const run = await getRun(world.db, 'BRE_B', day)
    assert.deepEqual([run?.state, run?.failure], ['WAITING', 'there are more than 20000 pages'])
    await passUntil(world, dueAfterDay(day) + DAY_MS)
    await reconcileAll({ ...world.ctx, networks: { ...world.ctx.networks, statement: {} } })
    await reconcileAll(world.ctx)
    const { rows } = await world.db.query<{ detail: string }>({
      text: `select detail from alarms where kind = 'statement-late'`,
    })
    assert.match(rows.map(({ detail }) => detail).join(), /there are more than 20000 pages$/)
  })
})

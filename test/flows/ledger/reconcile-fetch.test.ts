// A statement that cannot be fetched: pages that lead back to themselves, and a day that nobody gives us for days.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Day } from '../../../src/core/bogota-day.ts'
import type { StatementLine } from '../../../src/core/connections/statement.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { dueAfterDay } from '../../../src/core/ledger/reconciliation.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import type { Context } from '../../../src/flows/context.ts'
import { type ReadStatement, unknown } from '../../../src/rails/rail.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { getRun, type StatementRun } from '../../../src/store/ledger/statement-runs.ts'
import { brebPayin, type World } from '../../world.ts'
import {
  alarms,
  compareNow,
  endDay,
  findings,
  lineOf,
  listing,
  openDay,
  passUntil,
  reconcileAll,
  setFaults,
} from './reconciling.ts'

const withStatement = (world: World, statement: ReadStatement): Context => ({
  ...world.ctx,
  networks: { ...world.ctx.networks, statement: { BRE_B: statement } },
})

const runOf = async (world: World, day: Day): Promise<StatementRun> =>
  (await getRun(world.db, 'BRE_B', day)) as StatementRun

// Three payins that were paid today, and their lines.
async function paidDay(world: World): Promise<{ day: Day; lines: StatementLine[] }> {
  for (const _ of [1, 2, 3]) await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  const lines = world.sandbox.log().map((entry) => lineOf(entry))
  return { day: await endDay(world), lines }
}

// A page for each line, each followed by the cursor that stands under its own.
function leading(
  lines: readonly StatementLine[],
  next: Readonly<Record<string, string | null>>,
  asked: (string | null)[],
): ReadStatement {
  return async (_from, _to, cursor) => {
    asked.push(cursor)
    if (asked.length > 50) throw new Error('the pages have no end')
    const at = ['first', 'a', 'b'].indexOf(cursor ?? 'first')
    const value = { lines: lines.slice(at, at + 1), unreadable: [], complete: true }
    return { outcome: 'accepted', value: { ...value, nextCursor: next[cursor ?? 'first'] ?? null } }
  }
}
const CIRCLE = { first: 'a', a: 'b', b: 'a' }

describe('a statement whose pages lead in a circle', () => {
  it('is not followed: it counts as unanswered, and is asked for again from the first page', async () => {
    await using world = await openDay()
    const { day, lines } = await paidDay(world)
    const asked: (string | null)[] = []
    const circling = withStatement(world, leading(lines, CIRCLE, asked))
    const waits: number[] = []
    for (const _ of [1, 2, 3, 4]) {
      asked.length = 0
      const done = (await reconcileAll(circling)).filter(({ claim }) => claim.day === day)
      assert.deepEqual(
        done.map(({ result }) => result),
        [{ outcome: 'unanswered', why: 'the pages lead back to one that was read' }],
      )
      assert.deepEqual(asked, [null, 'a', 'b'])
      const run = await runOf(world, day)
      assert.equal(run.state, 'WAITING')
      waits.push(Math.round(((run.dueAt as number) - world.ctx.clock.now()) / MINUTE_MS))
      await passUntil(world, run.dueAt as number)
    }
    assert.deepEqual(waits, [5, 10, 20, 40])
    assert.deepEqual(await findings(world), [], 'nothing is compared')

    asked.length = 0
    const mended = leading(lines, { first: 'a', a: 'b' }, asked)
    const done = (await reconcileAll(withStatement(world, mended))).find(({ claim }) => claim.day === day)
    assert.deepEqual(
      done?.result.outcome === 'compared' && [
        done.result.lines,
        done.result.matched,
        done.result.found.DOUBLED,
      ],
      [3, 3, 0],
    )
  })

  it('is not followed by whoever takes the day up after a crash', async () => {
    await using world = await openDay()
    const { day, lines } = await paidDay(world)
    const asked: (string | null)[] = []
    const circling = withStatement(world, leading(lines, CIRCLE, asked))
    let pages = 0
    const crashing = {
      ...circling,
      signals: {
        ...circling.signals,
        crashPoint: () => {
          pages += 1
          if (pages === 2) throw new Error('crash')
        },
      },
    }
    await assert.rejects(reconcileAll(crashing), /crash/)
    assert.equal((await runOf(world, day)).cursor, 'b')
    world.advance(5 * MINUTE_MS)
    asked.length = 0
    const done = (await reconcileAll(circling)).find(({ claim }) => claim.day === day)
    assert.equal(done?.result.outcome, 'unanswered')
    assert.deepEqual(asked, ['b'], 'the cursor was met before the crash')
  })

  it('is followed to its end if cursors only look alike', async () => {
    await using world = await openDay()
    const { day, lines } = await paidDay(world)
    const asked: (string | null)[] = []
    const { lines: read } = await compareNow(world, day, 'BRE_B', async (from, to, cursor) =>
      leading(lines, { first: 'A', A: 'a', a: null }, asked)(from, to, cursor),
    )
    assert.deepEqual([asked, read], [[null, 'A', 'a'], 2])
  })
})

describe('a statement that is not there a day after it was due', () => {
  const lateAlarms = async (world: World) =>
    (await listOpenAlarms(world.db)).filter(({ kind }) => kind === 'statement-late')

  for (const [how, faults] of [
    ['late', { statementLate: 1 }],
    ['unanswered', { unavailable: 1 }],
  ] as const)
    it(`because it is ${how}: one alarm for its day and rail, until it is compared`, async () => {
      await using world = await openDay()
      const { day } = await paidDay(world)
      await setFaults(world, faults)
      await reconcileAll(world.ctx)
      assert.deepEqual(await lateAlarms(world), [])
      await passUntil(world, dueAfterDay(day) + 24 * HOUR_MS - MINUTE_MS)
      await reconcileAll(world.ctx)
      assert.deepEqual(await lateAlarms(world), [], 'not before a day has passed')
      await passUntil(world, dueAfterDay(day) + 24 * HOUR_MS)
      await reconcileAll(world.ctx)
      const raised = await lateAlarms(world)
      assert.deepEqual(raised.map(({ detail }) => detail.slice(0, 'BRE_B on 2026-11-14'.length)).sort(), [
        `BRE_B on ${day}`,
        `PSE on ${day}: `.slice(0, 'BRE_B on 2026-11-14'.length),
      ])
      assert.ok(raised.every(({ organizationId }) => organizationId === UNATTRIBUTED_ORGANIZATION))
      await passUntil(world, dueAfterDay(day) + 30 * HOUR_MS)
      await reconcileAll(world.ctx)
      assert.equal((await lateAlarms(world)).length, 2, 'once')
      const pseAlarm = raised.find(({ detail }) => detail.startsWith('PSE'))?.alarmId as string
      await resolveAlarm(world.db, pseAlarm, 0)
      await reconcileAll(world.ctx)
      assert.equal((await lateAlarms(world)).length, 1, 'not again after a person has resolved it')
      await setFaults(world, {})
      await compareNow(world, day)
      await compareNow(world, day, 'PSE')
      assert.deepEqual(await lateAlarms(world), [])
      assert.deepEqual(await alarms(world), [])
      const { rows } = await world.db.query<{ resolved_at: number }>({
        text: `select resolved_at from alarms where alarm_id = $1`,
        values: [pseAlarm],
      })
      assert.deepEqual(rows, [{ resolved_at: 0 }], 'it was resolved by a person, then')
    })

  it('for its second comparison: an alarm a day after that was due, and no sooner', async () => {
    await using world = await openDay()
    const { day, lines } = await paidDay(world)
    await compareNow(world, day, 'BRE_B', listing(lines))
    const silent = withStatement(world, async () => unknown('timeout', 'silent'))
    const due = dueAfterDay(day) + 72 * HOUR_MS
    const ofDay = async () => (await lateAlarms(world)).filter(({ detail }) => detail.includes(day)).length
    for (const [at, count] of [
      [due, 0],
      [due + 24 * HOUR_MS - MINUTE_MS, 0],
      [due + 24 * HOUR_MS, 1],
    ] as const) {
      await passUntil(world, at)
      await reconcileAll(silent)
      assert.equal(await ofDay(), count)
    }
    await compareNow(world, day, 'BRE_B', listing(lines))
    assert.equal(await ofDay(), 0)
  })

  it('because nobody asked for it is no alarm: it is asked for first', async () => {
    await using world = await openDay()
    const { day } = await paidDay(world)
    await passUntil(world, dueAfterDay(day) + 60 * HOUR_MS)
    await reconcileAll(world.ctx)
    const { rows } = await world.db.query({ text: `select from alarms where kind = 'statement-late'` })
    assert.equal(rows.length, 0)
  })
})

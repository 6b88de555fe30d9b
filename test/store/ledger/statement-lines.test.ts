// How long the lines of statements are kept: as long as a comparison may look for them, and while their day is under way.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bogotaDay, type Day, daysAfter } from '../../../src/core/bogota-day.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { insertLines, type NewLine } from '../../../src/store/ledger/statement-lines.ts'
import { deleteOldRows } from '../../../src/store/old-rows.ts'
import { deleteOld } from '../../../src/workers/retention.ts'
import { createWorld, eventually, type World } from '../../world.ts'

const LINE: NewLine = {
  organizationId: UNATTRIBUTED_ORGANIZATION,
  matchKey: 'credit PAY-1',
  subjectId: null,
  networkId: 'PAY-1',
  reference: 'NOBODY',
  amountInCents: 100n,
  occurredAt: 0,
  raw: null,
}

async function insertDay(world: World, day: Day, state: string, lines: readonly NewLine[] = [LINE]) {
  await world.db.query({
    text: `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts)
           values ('BRE_B', $1, $2, 1, 1, 1, 0)`,
    values: [day, state],
  })
  await insertLines(world.db, { rail: 'BRE_B', day, run: 1 }, lines)
}

const daysLeft = async (world: World): Promise<Day[]> =>
  (
    await world.db.query<{ day: Day }>({
      text: 'select distinct day::text as day from statement_lines order by 1',
    })
  ).rows.map(({ day }) => day)

describe('lines of statements', () => {
  it('are deleted a hundred days after theirs, of every organization, and not a day sooner', async () => {
    await using world = await createWorld()
    const today = bogotaDay(world.ctx.clock.now())
    const mine = { ...LINE, organizationId: world.organization.organizationId }
    for (const age of [99, 100, 101, 500])
      await insertDay(world, daysAfter(today, -age), 'DONE', [LINE, mine])
    assert.equal(await deleteOld(world.ctx, 'statement_lines'), 4)
    assert.deepEqual(await daysLeft(world), [daysAfter(today, -100), daysAfter(today, -99)])
    assert.equal(await deleteOld(world.ctx, 'statement_lines'), 0)
  })

  it('stay while their day is compared again', async () => {
    await using world = await createWorld()
    const states = ['WAITING', 'FETCHING', 'COMPARING', 'LATE', 'DONE']
    for (const [index, state] of states.entries())
      await insertDay(world, daysAfter('2020-01-01', index), state)
    assert.equal(await deleteOld(world.ctx, 'statement_lines'), 1)
    assert.deepEqual(
      await daysLeft(world),
      [0, 1, 2, 3].map((index) => daysAfter('2020-01-01', index)),
    )
  })

  it('are deleted by so many at a time, of both rails', async () => {
    await using world = await createWorld()
    const lines = [1, 2, 3, 4, 5].map((number) => ({ ...LINE, matchKey: `credit PAY-${number}` }))
    await insertDay(world, '2020-01-01', 'DONE', lines)
    await insertLines(world.db, { rail: 'PSE', day: '2020-01-01', run: 1 }, lines.slice(0, 1))
    const deleted = () => deleteOldRows(world.db, 'statement_lines', '2020-01-02', 4)
    assert.deepEqual([await deleted(), await deleted(), await deleted()], [4, 2, 0])
  })

  it('that a fetch sees again while they are being deleted stay', async () => {
    await using world = await createWorld()
    await insertDay(world, '2020-01-01', 'DONE')
    let deleting: Promise<number> | undefined
    await world.db.inTransaction(async (tx) => {
      await insertLines(tx, { rail: 'BRE_B', day: '2020-01-01', run: 2 }, [LINE])
      deleting = deleteOldRows(world.db, 'statement_lines', '2020-01-02', 10)
      const waits = `select from pg_stat_activity
                      where datname = current_database() and wait_event_type = 'Lock'
                        and query like '%delete from statement_lines%' and pid <> pg_backend_pid()`
      await eventually(
        async () => (await world.db.query({ text: waits })).rowCount,
        (count) => count === 1,
      )
    })
    assert.equal(await deleting, 0)
    assert.deepEqual(await daysLeft(world), ['2020-01-01'])
  })
})

// A process that is killed between two pages of a statement. Whoever takes the day up fetches only what is missing, and the
// day is compared once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { endDay, openDay, reconcileAll, setFaults } from '../flows/ledger/reconciling.ts'
import { recaudo } from '../process/process.ts'
import { brebPayin } from '../world.ts'

test('pages that were stored before a kill are not fetched again', async () => {
  await using world = await openDay()
  for (const _ of [1, 2, 3, 4, 5]) await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  const day = await endDay(world)
  await setFaults(world, { pageLines: 2 })
  const offsetMs = world.ctx.clock.now() - Date.now()
  await world.db.query({ text: 'insert into staging_clock values (1, $1)', values: [offsetMs] })

  const killed = await recaudo(['reconcile', '--day', day, '--rail', 'BRE_B'], {
    DATABASE_URL: world.databaseUrl,
    SECRETS_KEY: '0'.repeat(64),
    SANDBOX_PORT: String(world.config.sandbox?.port),
    CRASH_AT: 'statement-after-page:1',
  })
  assert.equal(killed.signal ?? killed.code, 'SIGKILL', killed.stderr)
  assert.equal(await linesStored(), 2)
  assert.equal(
    (await reconcileAll(world.ctx)).some(({ claim }) => claim.day === day && claim.rail === 'BRE_B'),
    false,
    'the dead process still has its lease',
  )

  world.advance(5 * MINUTE_MS)
  const cursors: (string | null)[] = []
  const { BRE_B } = world.ctx.networks.statement
  const statement: typeof BRE_B = (from, to, cursor) => {
    cursors.push(cursor)
    return (BRE_B as NonNullable<typeof BRE_B>)(from, to, cursor)
  }
  const networks = { ...world.ctx.networks, statement: { BRE_B: statement } }
  const [done] = await reconcileAll({ ...world.ctx, networks })
  assert.deepEqual(cursors, ['2', '4'])
  assert.equal(done?.result.outcome === 'compared' && done.result.matched, 5)
  assert.equal(await linesStored(), 5)

  async function linesStored(): Promise<number> {
    const { rows } = await world.db.query<{ lines: bigint }>({
      text: 'select coalesce(sum(times), 0)::bigint as lines from statement_lines',
    })
    return Number(rows[0]?.lines)
  }
})

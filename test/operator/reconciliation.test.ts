// recaudo reconcile: what it prints, and what it says to a day or a rail that it cannot reconcile.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bogotaDay, daysAfter } from '../../src/core/bogota-day.ts'
import { reconcileDay, showFindings, showRuns } from '../../src/operator/reconciliation.ts'
import { endDay, openDay, setFaults, today } from '../flows/ledger/reconciling.ts'
import { recaudo } from '../process/process.ts'
import { brebPayin, type World } from '../world.ts'

// The command follows staging's clock, which is where the world's clock is.
async function alignClock(world: World): Promise<void> {
  const offsetMs = world.ctx.clock.now() - Date.now()
  await world.db.query({
    text: `insert into staging_clock values (1, $1) on conflict (clock_id) do update set offset_ms = $1`,
    values: [offsetMs],
  })
}

describe('recaudo reconcile', () => {
  it('compares the day at once and prints what it found, for each rail', async () => {
    await using world = await openDay()
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await alignClock(world)
    const env = {
      DATABASE_URL: world.databaseUrl,
      SECRETS_KEY: '0'.repeat(64),
      SANDBOX_PORT: String(world.config.sandbox?.port),
    }
    const { stdout, stderr, code } = await recaudo(['reconcile', '--day', day, '--json'], env)
    assert.equal(code, 0, stderr)
    const common = {
      day,
      networkOnly: 0,
      oursOnly: 0,
      amountDiffers: 0,
      traceDiffers: 0,
      doubled: 0,
      otherDay: 0,
      unreadable: 0,
    }
    assert.deepEqual(JSON.parse(stdout), [
      { rail: 'BRE_B', lines: 1, organizations: 1, matched: 1, ...common },
      { rail: 'PSE', lines: 0, organizations: 0, matched: 0, ...common },
    ])
    const listed = await recaudo(['reconcile', 'list'], env)
    assert.match(
      listed.stdout,
      /^day +rail +state +lines +open findings +attempts +finished at +due at +failure/,
    )
    assert.match(listed.stdout, new RegExp(`${day} +BRE_B +DONE +1 +0 `))
  })

  it('shows the findings of a day that are open, by rail, and counts them in the list', async () => {
    await using world = await openDay()
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineMissing: 1 })
    const ctx = fixedClock(world)
    const [compared] = await reconcileDay(ctx, { day, rail: 'BRE_B' })
    assert.deepEqual([compared?.oursOnly, compared?.networkOnly], [1, 0])
    await reconcileDay(ctx, { day, rail: 'PSE' })
    const openIn = async () =>
      (await showRuns(ctx)).filter((row) => row.day === day).map((row) => row.openFindings)
    assert.deepEqual(await openIn(), [1, 0])
    const [finding, ...others] = await showFindings(ctx, { day })
    assert.deepEqual(others, [])
    assert.deepEqual(
      [finding?.organizationId, finding?.rail, finding?.kind, finding?.subjectId, finding?.bookedPesos],
      [world.organization.organizationId, 'BRE_B', 'OURS_ONLY', json.id, '50000.00'],
    )
    assert.deepEqual(
      [finding?.networkPesos, finding?.networkId],
      [null, null],
      'the network has no such line',
    )
    assert.deepEqual(await showFindings(ctx, { day, rail: 'PSE' }), [])
    await setFaults(world, {})
    await reconcileDay(ctx, { day })
    assert.deepEqual([await openIn(), await showFindings(ctx, { day })], [[0, 0], []])
  })

  it('is counted in the metrics of the service, as often as it compares', async () => {
    await using world = await openDay()
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineDoubled: 1 })
    await alignClock(world)
    const env = {
      DATABASE_URL: world.databaseUrl,
      SECRETS_KEY: '0'.repeat(64),
      SANDBOX_PORT: String(world.config.sandbox?.port),
    }
    const counted = async () => {
      const { text } = await world.anonymous('GET', '/metrics')
      return [...text.matchAll(/^recaudo_reconcil\w+_total\{(?!.* 0$)(.*)\} (\d+)$/gm)].map(
        ([, labels, count]) => `${labels?.replaceAll('"', '')} ${count}`,
      )
    }
    for (const times of [1, 2]) {
      const { code, stderr } = await recaudo(['reconcile', '--day', day], env)
      assert.equal(code, 0, stderr)
      // Longer than the figures from the database are cached.
      world.advance(6_000)
      assert.deepEqual(await counted(), [`rail=BRE_B ${2 * times}`, `rail=BRE_B,kind=DOUBLED ${times}`])
    }
  })

  it('says what is wrong with a day, and leaves everything as it is', async () => {
    await using world = await openDay()
    const day = today(world)
    await alignClock(world)
    const refused = (flags: Record<string, string>, message: RegExp) =>
      assert.rejects(reconcileDay(fixedClock(world), flags), { name: 'OperatorFailure', message })
    await refused({}, /--day is required/)
    for (const wrong of ['yesterday', '2026-02-30', '2026-2-3', '14-11-2026', ''])
      await refused({ day: wrong }, /--day must be a day such as/)
    await refused({ day }, /is today in Bogotá/)
    await refused({ day: daysAfter(day, 1) }, /has not come yet/)
    const first = bogotaDay(world.organization.createdAt)
    for (const early of [daysAfter(first, -1), '1990-01-01'])
      await refused({ day: early }, new RegExp(`${early} is before ${first}, when Recaudo was set up here`))
    await refused({ day: daysAfter(day, -1), rail: 'SWIFT' }, /--rail must be BRE_B or PSE/)
    assert.deepEqual(await showRuns(world.ctx), [])
  })

  it('says that a rail gives no statement', async () => {
    await using world = await openDay()
    const ctx = fixedClock(world)
    const networks = { ...ctx.networks, statement: { PSE: ctx.networks.statement.PSE } }
    const flags = { day: daysAfter(today(world), -1), rail: 'BRE_B' }
    await assert.rejects(reconcileDay({ ...ctx, networks } as typeof ctx, flags), {
      message: /BRE_B gives no statement/,
    })
  })

  it('says that the network is not ready, and when it is asked again', async () => {
    await using world = await openDay()
    const day = await endDay(world)
    await setFaults(world, { statementLate: 1 })
    await assert.rejects(reconcileDay(fixedClock(world), { day, rail: 'PSE' }), {
      message: /was not compared: the network says that the day is not complete. It is tried again at \d/,
    })
    await setFaults(world, { unavailable: 1 })
    await assert.rejects(reconcileDay(fixedClock(world), { day, rail: 'PSE' }), {
      message: /was not compared: the network answered UNAVAILABLE/,
    })
  })
})

// The world's clock is moved by the test, not by the database.
function fixedClock(world: World): World['ctx'] {
  return { ...world.ctx, clock: { ...world.ctx.clock, setOffset: () => {} } }
}

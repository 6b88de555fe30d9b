// A day is compared while the statement of the day before has not come. What was booked right before midnight is in that one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Day, daysAfter, endOfDay } from '../../../src/core/bogota-day.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { brebPayin, type World } from '../../world.ts'
import { alarms, compareNow, findings, listing, openDay, passUntil, today } from './reconciling.ts'

const NO_LINES = listing([])

// A payin is paid three minutes before midnight, and the next day is over too.
async function paidBeforeMidnight(world: World): Promise<{ day: Day; next: Day }> {
  const day = today(world)
  await passUntil(world, endOfDay(day) - 3 * MINUTE_MS)
  await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  assert.equal(today(world), day)
  const next = daysAfter(day, 1)
  await passUntil(world, endOfDay(next) + HOUR_MS)
  return { day, next }
}

describe('a payment of the last minutes of a day whose statement is late', () => {
  it('raises nothing when the next day is compared, and is matched when the statement comes', async () => {
    await using world = await openDay()
    const { day, next } = await paidBeforeMidnight(world)
    await compareNow(world, next)
    assert.deepEqual(await findings(world), [])
    assert.equal((await compareNow(world, day)).matched, 1)
    await compareNow(world, next)
    assert.deepEqual([await findings(world), await alarms(world)], [[], []])
  })

  it('is missing if the statement comes without it, or does not come until the next day is compared again', async () => {
    await using world = await openDay()
    const { day, next } = await paidBeforeMidnight(world)
    assert.equal((await compareNow(world, next)).found.OURS_ONLY, 0)
    await compareNow(world, day, 'BRE_B', NO_LINES)
    assert.equal((await compareNow(world, next)).found.OURS_ONLY, 1)

    await using other = await openDay()
    const late = await paidBeforeMidnight(other)
    assert.equal((await compareNow(other, late.next)).found.OURS_ONLY, 0)
    await passUntil(other, endOfDay(late.next) + 3 * DAY_MS + HOUR_MS)
    assert.equal((await compareNow(other, late.next)).found.OURS_ONLY, 1)
  })

  it('hides nothing that was booked after midnight', async () => {
    await using world = await openDay()
    const day = today(world)
    await passUntil(world, endOfDay(day) + HOUR_MS)
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const next = daysAfter(day, 1)
    await passUntil(world, endOfDay(next) + HOUR_MS)
    // The statement of the day before is still to come.
    await world.db.query({
      text: `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts, due_at)
             values ('BRE_B', $1, 'LATE', 1, 0, 0, 1, null)
                 on conflict (rail, day) do update set compared_run = 0`,
      values: [day],
    })
    assert.equal((await compareNow(world, next, 'BRE_B', NO_LINES)).found.OURS_ONLY, 1)
  })
})

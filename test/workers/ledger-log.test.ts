// What an operator reads in the log of the work that nobody asks for: each day that was reconciled, and each that was closed.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { bogotaDay, endOfDay } from '../../src/core/bogota-day.ts'
import { CLOSES_AFTER_MS, WRITES_END_WITHIN_MS } from '../../src/core/ledger/daily-close.ts'
import { requestRun } from '../../src/store/ledger/statement-runs.ts'
import { startDailyCloses } from '../../src/workers/daily-closes.ts'
import { startReconciliation } from '../../src/workers/reconciliation.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'

type Line = Record<string, unknown>

describe('the log', () => {
  let world: World
  let lines: Line[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('has a line for each day that was reconciled, with what was found', async (t) => {
    const day = bogotaDay(world.ctx.clock.now())
    lines = []
    await requestRun(world.db, 'BRE_B', day, world.ctx.clock.now())
    const loop = startReconciliation(world.ctx, log)
    t.after(() => loop.stop())
    const ofDay = () => lines.find((line) => line.rail === 'BRE_B' && line.day === day)
    const { level, job, outcome } = (await eventually(async () => ofDay(), Boolean)) as Line
    assert.deepEqual([level, job], [30, 'reconciliation'])
    assert.ok(['compared', 'late'].includes(String(outcome)), String(outcome))
  })

  it('has a line for each day that was closed, and none where nothing was', async (t) => {
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(5_000)
    const day = bogotaDay(world.ctx.clock.now())
    await world.passTime(endOfDay(day) + CLOSES_AFTER_MS - world.ctx.clock.now())
    lines = []
    const loop = startDailyCloses(world.ctx, log)
    t.after(() => loop.stop())
    await eventually(async () => {
      world.advance(WRITES_END_WITHIN_MS)
      return lines.length
    }, Boolean)
    assert.deepEqual(
      lines.map(({ level, job, day, organizationId, durationMs }) => [
        level,
        job,
        day,
        organizationId,
        typeof durationMs,
      ]),
      [[30, 'daily-closes', day, world.organization.organizationId, 'number']],
    )
  })
})

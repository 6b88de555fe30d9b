// A payin or a payout whose due work fails each time, because of a fault of ours: it is tried again, and after a day a person is
// told.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS, HOUR_MS } from '../../src/core/instant.ts'
import type { Context } from '../../src/flows/context.ts'
import { listOpenAlarms } from '../../src/store/ledger/alarms.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { newPayout } from '../api/http/calls.ts'
import { brebPayin, createWorld, type World } from '../world.ts'

// A process whose statement fails.
function failing({ ctx }: World, name: 'writePayin' | 'writePayout'): Context {
  const refuse = () => Promise.reject(new Error('a row that nobody expected'))
  return { ...ctx, batched: { ...ctx.batched, [name]: Object.assign(refuse, { waiting: 0 }) } }
}

async function workAfter(world: World, ctx: Context, ms: number): Promise<string[]> {
  world.advance(ms)
  await runAllDue(ctx, pino({ level: 'silent' }))
  return (await listOpenAlarms(world.db)).map(
    ({ kind, subjectId, detail }) => `${kind} ${subjectId} ${detail}`,
  )
}

describe('what is due fails each time', () => {
  it('for a payout that was handed over: one alarm after a day, and it is confirmed when that is possible', async () => {
    await using world = await createWorld()
    const { id } = (await world.client('POST', '/payouts', newPayout())).json
    const ctx = failing(world, 'writePayout')
    assert.deepEqual(await workAfter(world, ctx, 0), [])
    assert.deepEqual(await workAfter(world, ctx, 23 * HOUR_MS), [])
    const alarm = `payout-unresolved ${id} what is due for this payout fails each time`
    for (const ms of [HOUR_MS, HOUR_MS]) assert.deepEqual(await workAfter(world, ctx, ms), [alarm])
    await world.passTime(25 * HOUR_MS)
    assert.equal((await world.client('GET', `/payouts/${id}`)).json.status, 'CONFIRMED')
  })

  it('for a payin that is not settled: one alarm a day after that was due', async () => {
    await using world = await createWorld()
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await world.passTime(2_000)
    const ctx = failing(world, 'writePayin')
    const { settlementDelayMs } = world.ctx.settings
    assert.deepEqual(await workAfter(world, ctx, settlementDelayMs), [])
    const alarm = `payin-unresolved ${id} what is due for this payin fails each time`
    for (const ms of [DAY_MS, HOUR_MS]) assert.deepEqual(await workAfter(world, ctx, ms), [alarm])
    await world.passTime(HOUR_MS)
    assert.equal((await world.client('GET', `/payins/${id}`)).json.settlementStatus, 'SETTLED')
  })
})

// What nobody waits for, such as the words of a search, leaves most of the time to payments, also when there is a lot of it. What that
// is worth: npm run bench -- life.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { startLoop } from '../../src/workers/loop.ts'

const log = pino({ level: 'silent' })
const TURN_MS = 20
const TURNS = 4

// The rests between turns that each find more to do, as parts of the turn before.
async function restsOf(givesWay: boolean): Promise<number[]> {
  const rests: number[] = []
  let ended: { at: number; tookMs: number } | undefined
  const enough = Promise.withResolvers<void>()
  const loop = startLoop({
    name: 'test',
    restMs: 60_000,
    log,
    givesWay,
    turn: async () => {
      const startedAt = performance.now()
      if (ended !== undefined) rests.push((startedAt - ended.at) / ended.tookMs)
      while (performance.now() < startedAt + TURN_MS);
      const at = performance.now()
      ended = { at, tookMs: at - startedAt }
      if (rests.length >= TURNS) enough.resolve()
      return 1
    },
  })
  await enough.promise
  await loop.stop()
  return rests
}

describe('a loop', () => {
  it('that gives way rests three times as long as it has worked', async () => {
    // A timer counts whole milliseconds, and may be one early.
    for (const rest of await restsOf(true)) assert.ok(rest >= 3 - 2 / TURN_MS, `rested ${rest} times as long`)
  })

  it('that does not goes on at once', async () => {
    assert.ok(Math.min(...(await restsOf(false))) < 1)
  })
})

// Where in the log a time is: no event of that time or later stands before it, although events have their numbers in another order
// than their times.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPositionAt } from '../../cli/src/log-position.ts'
import { readSpanSeconds } from '../../cli/src/time.ts'

type Recaudo = Parameters<typeof startPositionAt>[0]

const FIRST_MS = Date.parse('2026-11-15T08:00:00.000Z')

// One event a second. Of each hundred the first is of a process whose clock is ahead.
const LOG = Array.from({ length: 2_000 }, (_, at) => ({
  sequence: at + 1,
  createdAt: new Date(FIRST_MS + (at % 100 === 0 ? at + 99 : at) * 1_000).toISOString(),
}))

function recaudoWith(log: typeof LOG): { recaudo: Recaudo; asked: () => number } {
  let asked = 0
  const list = async ({ after }: { after: number }) => {
    asked += 1
    return { data: log.slice(after, after + 1) }
  }
  return { recaudo: { events: { list } } as unknown as Recaudo, asked: () => asked }
}

it('a time is found in a few questions, with everything since then behind it', async () => {
  for (const second of [0, 1, 99, 100, 150, 199, 200, 950, 1_001, 1_150, 1_999]) {
    const { recaudo, asked } = recaudoWith(LOG)
    const fromMs = FIRST_MS + second * 1_000
    const start = await startPositionAt(recaudo, new Date(fromMs).toISOString())
    assert.equal(start.fromMs, fromMs)
    const wanted = LOG.filter(({ createdAt }) => Date.parse(createdAt) >= fromMs)
    for (const { sequence } of wanted) assert.ok(sequence > start.after, `${sequence} since second ${second}`)
    assert.ok(
      wanted[0] !== undefined && start.after > wanted[0].sequence - 500,
      'the log is not read from its beginning',
    )
    assert.ok(asked() < 40)
  }
})

it('a span is the sum of its parts, and nothing else is one', () => {
  for (const [text, seconds] of [
    ['90s', 90],
    ['30m', 1_800],
    ['2h', 7_200],
    ['1d', 86_400],
    ['1h30m', 5_400],
    ['1.5h', undefined],
    ['30', undefined],
    ['-1h', undefined],
  ] as const)
    assert.equal(readSpanSeconds(text), seconds, text)
})

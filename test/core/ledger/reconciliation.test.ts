// When a day is compared with a network's statement, when again, and when somebody should ask for the statement.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  dueAfterDay,
  lastClosedDay,
  lateDays,
  recheckAt,
  statementRetryAt,
} from '../../../src/core/ledger/reconciliation.ts'

const at = (text: string): number => Date.parse(`${text}-05:00`)
const DAY_MS = 86_400_000

it('a day is compared half an hour after it ends in Bogotá, and once more three days later', () => {
  assert.equal(dueAfterDay('2026-11-17'), at('2026-11-18T00:30:00'))
  const again = at('2026-11-21T00:30:00')
  assert.equal(recheckAt('2026-11-17', at('2026-11-18T00:30:00')), again)
  assert.equal(recheckAt('2026-11-17', again - 1), again)
  assert.equal(recheckAt('2026-11-17', again), null)
})

it('the last day that is over is the one before today in Bogotá', () => {
  assert.equal(lastClosedDay(at('2026-11-18T00:00:00')), '2026-11-17')
  assert.equal(lastClosedDay(at('2026-11-18T00:00:00') - 1), '2026-11-16')
})

it('a day is late when it was due a day ago, and a comparison that was begun an hour ago', () => {
  const now = at('2026-11-19T00:30:00')
  const late = { compared: '2026-11-17', comparedAgain: '2026-11-14', begunUntil: now - 3_600_000 }
  assert.deepEqual(lateDays(now), late)
  assert.deepEqual(lateDays(now - 1), {
    ...{ compared: '2026-11-16', comparedAgain: '2026-11-13', begunUntil: now - 1 - 3_600_000 },
  })
})

it('a network without a statement is asked after five minutes, then half as often each time, at most twice a day', () => {
  const minutes = [0, 1, 2, 7, 8, 30, 2_000].map(
    (attempts) => (statementRetryAt(attempts, DAY_MS) - DAY_MS) / 60_000,
  )
  assert.deepEqual(minutes, [5, 10, 20, 640, 720, 720, 720])
})

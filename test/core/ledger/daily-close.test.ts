// When a day is closed by itself.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { closesAt, lastDayToClose } from '../../../src/core/ledger/daily-close.ts'

it('a day is closed by itself ten minutes after midnight in Bogotá, and not before', () => {
  const at = Date.parse('2026-11-18T05:10:00Z')
  assert.equal(closesAt('2026-11-17'), at)
  assert.equal(endOfDay('2026-11-17'), at - 600_000)
  assert.equal(lastDayToClose(at), '2026-11-17')
  assert.equal(lastDayToClose(at - 1), '2026-11-16')
})

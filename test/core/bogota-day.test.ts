// Days from midnight to midnight in Bogotá, five hours behind UTC all year round.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  bogotaDay,
  daysAfter,
  endOfDay,
  isSameBogotaDay,
  parseDay,
  startOfDay,
} from '../../src/core/bogota-day.ts'

const at = (text: string): number => Date.parse(text)

it('a day begins at five in the morning of UTC, and ends where the next begins', () => {
  const [last, first] = [at('2026-11-18T04:59:59.999Z'), at('2026-11-18T05:00:00.000Z')]
  assert.deepEqual([bogotaDay(last), bogotaDay(first)], ['2026-11-17', '2026-11-18'])
  assert.deepEqual([startOfDay('2026-11-18'), endOfDay('2026-11-17')], [first, first])
  assert.equal(isSameBogotaDay(last, first), false)
  assert.equal(isSameBogotaDay(first, endOfDay('2026-11-18') - 1), true)
  assert.equal(isSameBogotaDay(at('2026-11-17T23:59:59Z'), at('2026-11-18T00:00:00Z')), true)
})

it('days are counted on and back, over months and years', () => {
  assert.deepEqual(
    [1, 0, -1, 366].map((days) => daysAfter('2027-12-31', days)),
    ['2028-01-01', '2027-12-31', '2027-12-30', '2028-12-31'],
  )
})

it('a day is written as one that there is, from 1970 on', () => {
  for (const day of ['1970-01-01', '2026-11-17', '2028-02-29', '9999-12-31']) assert.equal(parseDay(day), day)
  for (const text of [
    ...['', '1969-12-31', '2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01'],
    ...['2026-11-17 ', '2026-11-17T00:00', '20261117', 'today'],
  ])
    assert.equal(parseDay(text), undefined, text)
})

// Which partitions there must be, by the clock.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstIdAt, instantOfId } from '../../src/core/ids.ts'
import { isoInstant } from '../../src/core/instant.ts'
import { missingPartitions, type Period, partitionName, partitionsBefore } from '../../src/core/partitions.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const dayOf = (id: string | null): string => (id === null ? '' : isoInstant(instantOfId(id)).slice(0, 10))

function missing(lastTo: string | null, period: Period, now: string): string[] {
  const found = missingPartitions(lastTo === null ? null : firstIdAt(at(lastTo)), period, at(now))
  return found.map(({ from, to }) => `${dayOf(from)}..${dayOf(to)}`)
}

describe('the partitions of a table', () => {
  it('begin before all time, and reach two months ahead', () => {
    assert.deepEqual(missing(null, 'month', '2026-11-16T09:00:00'), [
      '..2026-12-01',
      '2026-12-01..2027-01-01',
      '2027-01-01..2027-02-01',
    ])
  })

  it('of days reach three days ahead', () => {
    assert.deepEqual(missing(null, 'day', '2026-02-27T23:59:59'), [
      '..2026-02-28',
      '2026-02-28..2026-03-01',
      '2026-03-01..2026-03-02',
      '2026-03-02..2026-03-03',
    ])
  })

  it('are complete until a month ends, and then miss one', () => {
    assert.deepEqual(missing('2027-02-01T00:00:00', 'month', '2026-11-30T23:59:59.999'), [])
    assert.deepEqual(missing('2027-02-01T00:00:00', 'month', '2026-12-01T00:00:00.000'), [
      '2027-02-01..2027-03-01',
    ])
  })

  it('leave no gap where time has jumped', () => {
    assert.deepEqual(missing('2027-02-01T00:00:00', 'month', '2031-05-05T00:00:00'), [
      '2027-02-01..2031-06-01',
      '2031-06-01..2031-07-01',
      '2031-07-01..2031-08-01',
    ])
  })

  it('are old once the last of their ids is older than the time', () => {
    const bounds = [
      { from: null, to: firstIdAt(at('2026-01-01T00:00:00')) },
      { from: firstIdAt(at('2026-01-01T00:00:00')), to: firstIdAt(at('2026-02-01T00:00:00')) },
    ]
    const old = (time: string): number => partitionsBefore(bounds, at(time)).length
    assert.equal(old('2025-12-31T23:59:59.999'), 0)
    assert.equal(old('2026-01-01T00:00:00'), 1)
    assert.equal(old('2026-01-31T23:59:59.999'), 1)
    assert.equal(old('2026-02-01T00:00:00'), 2)
  })

  it('are named after the day on which they end', () => {
    const to = firstIdAt(at('2026-12-01T00:00:00'))
    assert.equal(partitionName('delivery_attempts', { from: null, to }), 'delivery_attempts_to_20261201')
  })
})

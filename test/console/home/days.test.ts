// Days and times of the console are Bogotá's: what a list's period holds, and how people read a moment.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { amountText, clockText, dayText, timeText, whenText } from '../../../src/console/format.ts'
import { type PeriodName, periodOf } from '../../../src/console/lists/period.ts'

// Half past nine at night on the last of March, which is April already by Greenwich.
const NOW = Date.parse('2026-04-01T02:30:00Z')
const plain = (text: string): string => text.replaceAll('\u00a0', ' ')

describe('a period', () => {
  const rangeOf = (query: string) => {
    const { from, until } = periodOf(new URLSearchParams(query), NOW)
    return [from, until].map((instant) => instant && new Date(instant).toISOString())
  }

  it('begins and ends at midnight in Bogotá, but for the last 24 hours', () => {
    const ranges: Readonly<Record<Exclude<PeriodName, 'days'>, readonly [string | null, string | null]>> = {
      '24h': ['2026-03-31T02:30:00.000Z', null],
      today: ['2026-03-31T05:00:00.000Z', null],
      yesterday: ['2026-03-30T05:00:00.000Z', '2026-03-31T05:00:00.000Z'],
      '7d': ['2026-03-25T05:00:00.000Z', null],
      '30d': ['2026-03-02T05:00:00.000Z', null],
      month: ['2026-03-01T05:00:00.000Z', null],
      'last-month': ['2026-02-01T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
      all: [null, null],
    }
    for (const [name, range] of Object.entries(ranges))
      assert.deepEqual(rangeOf(`period=${name}`), range, name)
    assert.deepEqual(rangeOf(''), ranges['24h'])
  })

  it('of days holds the first and the last of them, or is open to one side', () => {
    assert.deepEqual(rangeOf('from=2026-02-27&to=2026-02-28'), [
      '2026-02-27T05:00:00.000Z',
      '2026-03-01T05:00:00.000Z',
    ])
    assert.deepEqual(rangeOf('from=2026-02-27'), ['2026-02-27T05:00:00.000Z', null])
    assert.deepEqual(rangeOf('to=2026-02-28'), [null, '2026-03-01T05:00:00.000Z'])
  })
})

describe('a moment', () => {
  const at = (time: string): number => Date.parse(time)

  it('is told by the clock of Bogotá, with its day if that is not today', () => {
    assert.equal(plain(clockText(NOW, 'es')), '9:30 p. m.')
    assert.equal(plain(clockText(at('2026-03-31T17:00:00Z'), 'en')), '12:00 pm')
    assert.equal(plain(clockText(at('2026-03-31T05:05:00Z'), 'en')), '12:05 am')
    assert.equal(plain(timeText(at('2026-03-31T04:59:00Z'), NOW, 'es')), '30 mar, 11:59 p. m.')
    assert.equal(plain(whenText(at('2026-03-31T18:05:00Z'), NOW, 'es')), 'a la 1:05 p. m.')
    assert.equal(plain(whenText(at('2026-03-31T19:05:00Z'), NOW, 'es')), 'a las 2:05 p. m.')
    assert.equal(plain(whenText(at('2026-03-31T04:59:00Z'), NOW, 'es')), 'el 30 mar a las 11:59 p. m.')
    assert.equal(plain(whenText(at('2026-03-31T04:59:00Z'), NOW, 'en')), 'on 30 Mar at 11:59 pm')
    assert.equal(plain(whenText(at('2026-03-31T18:05:00Z'), NOW, 'en')), 'at 1:05 pm')
  })

  it('of another year says which', () => {
    assert.equal(plain(dayText('2025-12-31', NOW, 'es')), '31 dic 2025')
    assert.equal(plain(dayText('2026-01-01', NOW, 'en')), '1 Jan')
  })
})

it('an amount is written as the language does, less than nothing too', () => {
  assert.equal(plain(amountText(-123_456_789n, 'es')), '−$ 1.234.567,89')
  assert.equal(amountText(-123_456_789n, 'en'), '−$1,234,567.89')
  assert.equal(plain(amountText(5n, 'es')), '$ 0,05')
})

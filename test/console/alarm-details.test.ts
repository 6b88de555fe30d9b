// An alarm is kept as it was written, and read in the words of whoever reads it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alarmDetail } from '../../src/console/words/alarm-details.ts'

const DETAILS = {
  'as it is written now': '1234.50 COP can be paid out, and the minimum is 2000.00 COP',
  'as it was written before schema 0060': '1234.50 COP are available, and the minimum is 2000.00 COP',
}

describe('the detail of an alarm of a low balance', () => {
  for (const [when, detail] of Object.entries(DETAILS))
    it(`is told in the reader’s language, ${when}`, () => {
      const told = (language: 'es' | 'en') =>
        alarmDetail('balance-below-minimum', detail, language).replaceAll('\u00a0', ' ')
      assert.match(told('es'), /^Se podían pagar \$ 1\.234,50, y el mínimo es \$ 2\.000\.$/)
      assert.match(told('en'), /^.*1,234\.50 could be paid out, and the minimum is .*2,000\.$/)
    })

  it('is as it was written where it says something else', () => {
    assert.equal(alarmDetail('balance-below-minimum', 'nothing known', 'es'), 'nothing known')
    assert.equal(
      alarmDetail('orphan-notice', DETAILS['as it is written now'], 'es'),
      DETAILS['as it is written now'],
    )
  })
})

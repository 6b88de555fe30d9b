// By when the law wants a refund: business days without Colombia's holidays, counted in Bogotá.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter } from '../../../src/core/bogota-day.ts'
import { businessDaysAfter, isBusinessDay } from '../../../src/core/refunds/business-days.ts'
import { legalDeadline } from '../../../src/core/refunds/deadline.ts'
import { REFUND_REASONS } from '../../../src/core/refunds/refund.ts'

// As the calendar has them. Those on a Saturday or Sunday are not named.
const HOLIDAYS: Readonly<Record<number, string>> = {
  2025: '01-01 01-06 03-24 04-17 04-18 05-01 06-02 06-23 06-30 08-07 08-18 10-13 11-03 11-17 12-08 12-25',
  2026: '01-01 01-12 03-23 04-02 04-03 05-01 05-18 06-08 06-15 06-29 07-20 08-07 08-17 10-12 11-02 11-16 12-08 12-25',
}

// The Sundays, as the calendars of these years have them.
const EASTERS = (
  '2000-04-23 2001-04-15 2002-03-31 2003-04-20 2004-04-11 2005-03-27 2006-04-16 2007-04-08 2008-03-23 2009-04-12 ' +
  '2010-04-04 2011-04-24 2012-04-08 2013-03-31 2014-04-20 2015-04-05 2016-03-27 2017-04-16 2018-04-01 2019-04-21 ' +
  '2020-04-12 2021-04-04 2022-04-17 2023-04-09 2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 ' +
  '2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25 2036-04-13 2037-04-05 2038-04-25 2039-04-10 ' +
  '2040-04-01 2041-04-21 2042-04-06 2043-03-29 2044-04-17 2045-04-09 2046-03-25 2047-04-14 2048-04-05 2049-04-18'
).split(' ')

describe('business days in Colombia', () => {
  for (const [year, dates] of Object.entries(HOLIDAYS))
    it(`are Monday to Friday without the holidays of ${year}`, () => {
      const holidays: string[] = []
      for (let day = `${year}-01-01`; day.startsWith(year); day = daysAfter(day, 1)) {
        const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
        if (weekday === 0 || weekday === 6) assert.equal(isBusinessDay(day), false, day)
        else if (!isBusinessDay(day)) holidays.push(day.slice(5))
      }
      assert.equal(holidays.join(' '), dates)
    })

  it('leave Good Friday out in every decade and century', () => {
    for (const day of ['2000-04-21', '2035-03-23', '2038-04-23', '2049-04-16', '2100-03-26']) {
      assert.equal(isBusinessDay(day), false, day)
      for (const other of [daysAfter(day, -7), daysAfter(day, 7)]) assert.ok(isBusinessDay(other), other)
    }
  })

  it('leave Good Friday out of every year of half a century, and no other Friday near it', () => {
    for (const sunday of EASTERS) {
      assert.equal(isBusinessDay(daysAfter(sunday, -2)), false, sunday)
      for (const other of [-16, -9, 5, 12]) {
        const friday = daysAfter(sunday, other)
        assert.equal(isBusinessDay(friday), !friday.endsWith('-05-01'), friday)
      }
    }
  })

  it('are counted from the day after', () => {
    assert.equal(businessDaysAfter('2026-11-17', 1), '2026-11-18')
    assert.equal(businessDaysAfter('2026-11-13', 1), '2026-11-17', 'a weekend and a Monday that is kept')
  })
})

describe('the time that the law gives', () => {
  // In Bogotá it is still the 17th.
  const asked = Date.parse('2026-11-18T03:00:00Z')

  it('is fifteen business days to reverse a payment, for each of the law’s reasons', () => {
    const reasons = REFUND_REASONS.filter((reason) => reason !== 'WITHDRAWAL' && reason !== 'OTHER')
    assert.equal(reasons.length, 5)
    for (const reason of reasons)
      assert.deepEqual(legalDeadline(reason, asked), { rule: 'REVERSAL', day: '2026-12-09' }, reason)
  })

  it('is thirty days after somebody withdraws, and none is set for other reasons', () => {
    assert.deepEqual(legalDeadline('WITHDRAWAL', asked), { rule: 'WITHDRAWAL', day: '2026-12-17' })
    assert.equal(legalDeadline('OTHER', asked), null)
  })
})

// Which alarms share a mail, and when.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ALARM_KINDS } from '../../../src/core/ledger/alarm.ts'
import { alarmMail } from '../../../src/core/ledger/alarm-mail.ts'
import {
  ALARM_DIGEST_AFTER_MS,
  ALARM_STORM_SIZE,
  alarmMailPlanOf,
} from '../../../src/core/ledger/alarm-telling.ts'
import { ALARM_LANGUAGES } from '../../../src/core/organizations/organization.ts'

const NOW = Date.parse('2026-11-17T15:00:00.000Z')
const alarms = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ alarmId: `${at}`, createdAt: NOW + at }))

describe('alarms by e-mail', () => {
  it('are told one by one as long as they are few, with those that were told lately', () => {
    assert.deepEqual(alarmMailPlanOf(alarms(2), 0, NOW), { mails: [['0'], ['1']] })
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE - 2, NOW), { mails: [['0'], ['1']] })
    assert.deepEqual(alarmMailPlanOf([], ALARM_STORM_SIZE + 1, NOW), { mails: [] })
  })

  it('are told together when they are more, once at once and then every ten minutes', () => {
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE - 1, NOW), { mails: [['0', '1']] })
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE, NOW), { mails: [['0', '1']] })
    const waitUntil = NOW + ALARM_DIGEST_AFTER_MS
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE + 1, NOW), { waitUntil })
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE + 1, waitUntil - 1), { waitUntil })
    assert.deepEqual(alarmMailPlanOf(alarms(2), ALARM_STORM_SIZE + 1, waitUntil), { mails: [['0', '1']] })
  })

  it('have words for every kind, in both languages', () => {
    const places = {
      organizationName: 'Café',
      alarmsUrl: 'https://a.example/',
      settingsUrl: 'https://b.example/',
    }
    for (const language of ALARM_LANGUAGES) {
      const texts = ALARM_KINDS.map((kind) =>
        alarmMail([{ alarmId: '1', kind, createdAt: NOW }], language, places),
      )
      assert.equal(new Set(texts.map(({ subject }) => subject)).size, ALARM_KINDS.length)
      for (const { subject, text } of texts) {
        assert.ok(!/undefined|\n/.test(subject), subject)
        assert.ok(!text.includes('undefined') && text.includes('10:00'), text)
      }
    }
  })
})

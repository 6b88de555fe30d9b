// What statements about the books tell that only read: how many alarms there are, what movements are about, and how far days are compared.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../src/core/instant.ts'
import { countAlarmsTold } from '../../../src/store/ledger/alarm-mails.ts'
import { networkDaysOf, subjectsOfMovements } from '../../../src/store/ledger/movement-subjects.ts'
import { lastReconciledDays } from '../../../src/store/ledger/statement-runs.ts'
import { countOpenAlarms } from '../../../src/store/ledger/views.ts'
import { ORGANIZATION_ID, twinOf } from '../after-changes.ts'
import { DAY, IDS, LISTED_EARLIER, NEXT_DAY, TWINS_CREATED_AT } from '../twins.ts'

describe('of the books', () => {
  const { readAfter } = twinOf()
  const resolved = `update alarms set resolved_at = now() where alarm_id = '${IDS.toldAlarm}'`

  it('open alarms are counted, and none that was resolved', async () => {
    const open = (...changes: string[]) => readAfter(changes, (tx) => countOpenAlarms(tx, ORGANIZATION_ID))
    assert.deepEqual([await open(), await open(resolved)], [2, 1])
  })

  it('alarms that were told are counted since a time, and none that waits or was resolved', async () => {
    const told = (since: Instant, ...changes: string[]) =>
      readAfter(changes, (tx) => countAlarmsTold(tx, ORGANIZATION_ID, since))
    assert.equal(await told(TWINS_CREATED_AT), 1)
    assert.equal(await told(TWINS_CREATED_AT + 1), 0)
    assert.equal(await told(TWINS_CREATED_AT, resolved), 0)
  })

  it('a booking that another day lists is of that day at its network', async () => {
    const days = await readAfter([], (tx) => networkDaysOf(tx, ORGANIZATION_ID, [IDS.doubled]))
    assert.deepEqual([...days], [[IDS.doubled, LISTED_EARLIER]])
  })

  it('a payin is known at its network by its payment, and by its trace before there is one', async () => {
    const networkId = async (set: string) => {
      const changes = [`update payins set ${set} where payin_id = '${IDS.confirmed}'`]
      const subjects = await readAfter(changes, (tx) =>
        subjectsOfMovements(tx, ORGANIZATION_ID, [IDS.confirmed]),
      )
      return subjects.get(IDS.confirmed)?.networkId
    }
    assert.equal(await networkId(`trace_id = 'trace-7'`), 'payment-4')
    assert.equal(await networkId(`trace_id = 'trace-7', payment_id = null`), 'trace-7')
  })

  it('days are compared up to the first that is not, although a later one is', async () => {
    assert.deepEqual(await readAfter([], lastReconciledDays), [])
    const compared = `update reconciliation_runs set compared_run = 1 where day = '${DAY}'`
    assert.deepEqual(await readAfter([compared], lastReconciledDays), [{ rail: 'BRE_B', day: NEXT_DAY }])
  })
})

// What statements about the books tell that only read: how many alarms there are, what movements are about, and how far days are compared.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../src/core/instant.ts'
import { FINDING_KINDS, type FindingKind } from '../../../src/core/ledger/reconciliation.ts'
import { chargebacksReportedBefore } from '../../../src/store/connections/notices.ts'
import { countAlarmsTold } from '../../../src/store/ledger/alarm-mails.ts'
import { insertNoticesOfTraces, writeFindings } from '../../../src/store/ledger/findings.ts'
import { networkDaysOf, subjectsOfMovements } from '../../../src/store/ledger/movement-subjects.ts'
import { getReconciliation } from '../../../src/store/ledger/reconciliations.ts'
import {
  addToTotals,
  lastReconciledDays,
  listRuns,
  readReconciledTotals,
} from '../../../src/store/ledger/statement-runs.ts'
import { placesOfPayment } from '../../../src/store/ledger/suspense.ts'
import { countOpenAlarms } from '../../../src/store/ledger/views.ts'
import { compareUpTo, JUDGED } from '../compared.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { DAY, IDS, LATER, LISTED_EARLIER, NEXT_DAY, TWINS_CREATED_AT } from '../twins.ts'

describe('of the books', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()
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
      const found = await readAfter(changes, (tx) =>
        subjectsOfMovements(tx, ORGANIZATION_ID, [IDS.confirmed]),
      )
      return found.get(IDS.confirmed)?.networkId
    }
    assert.equal(await networkId(`trace_id = 'trace-7'`), 'payment-4')
    assert.equal(await networkId(`trace_id = 'trace-7', payment_id = null`), 'trace-7')
  })

  it('a reconciliation says how many of its own findings are open', async () => {
    const openAfter = async (...changes: string[]) =>
      (await readAfter(changes, (tx) => getReconciliation(tx, ORGANIZATION_ID, IDS.reconciliation)))
        ?.openFindings
    assert.equal(await openAfter(), 2)
    for (const set of [`rail = 'PSE'`, `day = '${LISTED_EARLIER}'`, `state = 'RESOLVED'`])
      assert.equal(
        await openAfter(`update reconciliation_findings set ${set} where finding_id = '${IDS.oursOnly}'`),
        1,
        set,
      )
  })

  it('days are compared up to the first that is not, although a later one is', async () => {
    assert.deepEqual(await readAfter([], lastReconciledDays), [])
    const compared = `update reconciliation_runs set compared_run = 1 where day = '${DAY}'`
    assert.deepEqual(await readAfter([compared], lastReconciledDays), [{ rail: 'BRE_B', day: NEXT_DAY }])
  })

  it('findings are open of their own day', async () => {
    const runs = await readAfter([], (tx) => listRuns(tx, 10))
    assert.deepEqual(
      runs.map(({ day, openFindings }) => [day, openFindings]),
      [
        [NEXT_DAY, 1],
        [DAY, 2],
      ],
    )
    const openOf = async (...changes: string[]) =>
      (await readAfter(changes, (tx) => getReconciliation(tx, ORGANIZATION_ID, IDS.reconciliation)))
        ?.openFindings
    assert.equal(await openOf(), 2)
    const ended = `update reconciliation_findings set state = 'RESOLVED', resolved_at = now() where kind = 'OURS_ONLY'`
    assert.equal(await openOf(ended), 1)
  })

  it('what comparisons read and found is added up', async () => {
    const found = (count: number) =>
      Object.fromEntries(FINDING_KINDS.map((kind) => [kind, count])) as Record<FindingKind, number>
    const [totals] = await readAfter([], async (tx) => {
      await addToTotals(tx, { rail: 'BRE_B', day: DAY }, 3, found(1))
      await addToTotals(tx, { rail: 'BRE_B', day: DAY }, 4, found(2))
      await addToTotals(tx, { rail: 'BRE_B', day: NEXT_DAY }, 5, found(4))
      return readReconciledTotals(tx)
    })
    assert.deepEqual(totals, { rail: 'BRE_B', lines: 12, found: found(7) })
  })

  it('a payout that left without the network’s id of it gets that, also if it had been declined', async () => {
    const told = (set: string) =>
      readAfter([`update payouts set ${set} where payout_id = '${IDS.payout}'`], async (tx) => {
        await compareUpTo(tx, 'collectLines')
        return insertNoticesOfTraces(tx, JUDGED, LATER)
      })
    const declined = `status = 'DECLINED', error_code = 'RAIL_ERROR'`
    assert.equal(await told(`trace_id = null, status = 'CONFIRMED'`), 1)
    assert.equal(await told(`trace_id = null, ${declined}, stage = 'STOPPED'`), 1)
    assert.equal(await told(`trace_id = null, ${declined}, stage = 'DONE'`), 0)
    assert.equal(await told(`status = 'CONFIRMED'`), 0)
  })

  it('a finding that was resolved and is found again is open', async () => {
    const resolvedOnce = `update reconciliation_findings set state = 'RESOLVED', resolved_at = now()`
    const found = await readAfter([resolvedOnce], async (tx) => {
      await compareUpTo(tx, 'classifyDisagreements', ['takeLinesOfOtherDays'])
      await writeFindings(tx, JUDGED, LATER)
      const text = 'select kind, run, state, resolved_at from reconciliation_findings where finding_id = $1'
      return (await tx.query({ text, values: [IDS.oursOnly] })).rows
    })
    assert.deepEqual(found, [{ kind: 'OURS_ONLY', run: JUDGED.run, state: 'OPEN', resolved_at: null }])
  })

  it('a finding that is known of its line is not new, and one of another line is', async () => {
    const found = await readAfter([], async (tx) => {
      await compareUpTo(tx, 'classifyDisagreements', ['takeLinesOfOtherDays'])
      const text = `select is_new from found where kind = 'OURS_ONLY' order by is_new`
      return (await tx.query({ text })).rows
    })
    assert.deepEqual(found, [{ is_new: false }, { is_new: true }])
  })

  it('chargebacks of a payment are known from other notices that were applied', async () => {
    const known = async (noticeId: string, paymentId: string, ...changes: string[]) => {
      const notice = { ...subjects().notice, noticeId }
      const reported = await readAfter(changes, (tx) =>
        chargebacksReportedBefore(tx, notice, paymentId, ORGANIZATION_ID),
      )
      return reported.map(({ noticeId: id, amountInCents }) => [id, amountInCents])
    }
    assert.deepEqual(await known('chargeback-2', 'payment-4'), [['chargeback-1', 1n]])
    assert.deepEqual(await known('chargeback-1', 'payment-4'), [])
    assert.deepEqual(await known('chargeback-2', 'payment-5'), [])
    const waiting = `update rail_notices set state = 'WAITING', due_at = now() where notice_id = 'chargeback-1'`
    assert.deepEqual(await known('chargeback-2', 'payment-4', waiting), [])
  })

  it('of the places where a payment is counted, the payin that it confirmed comes first', async () => {
    const places = async (...changes: string[]) =>
      (await readAfter(changes, (tx) => placesOfPayment(tx, { rail: 'BRE_B', paymentId: 'payment-4' }))).map(
        ({ id }) => id,
      )
    const also = `update suspense_items set payment_id = 'payment-4'`
    assert.deepEqual(await places(also), [IDS.confirmed, IDS.suspense])
    const counted = `update suspense_items set payment_id = 'payment-4', state = 'COUNTED'`
    assert.deepEqual(await places(counted), [IDS.confirmed])
    const named = `update payins set status = 'CANCELED', confirmed_amount_cents = null, charged_back_cents = 0, payment_id = 'payment-4'
                    where payin_id = '${IDS.confirmed}'`
    assert.deepEqual(await places(named, also), [IDS.suspense])
  })
})

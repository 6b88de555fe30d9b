// What statements about connections and their notices tell: which day is compared next, what a payment is booked with, and what came when.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter } from '../../../src/core/bogota-day.ts'
import { bookedAmount, connectionsToReconcile } from '../../../src/store/connections/connection-days.ts'
import { claimDueNotices, contradictsStored, insertNotices } from '../../../src/store/connections/notices.ts'
import { noticesOfSubject } from '../../../src/store/connections/subject-notices.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { DAY, IDS, LATER, TWINS_CREATED_AT } from '../twins.ts'

describe('of a connection', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()

  it('the days since it was made are compared, each once', async () => {
    const waits = async (day: string, ...changes: string[]) =>
      (await readAfter(changes, (tx) => connectionsToReconcile(tx, ['wompi'], day, LATER, 10))).length
    assert.deepEqual([await waits(daysAfter(DAY, -1)), await waits(DAY)], [0, 1])
    const compared = `update connections set reconciled_day = '${DAY}'`
    assert.deepEqual([await waits(DAY, compared), await waits(daysAfter(DAY, 1), compared)], [0, 1])
  })

  it('a payment is booked by the payin that it confirmed, or else as money in suspense', async () => {
    const booked = (paymentId: string, ...changes: string[]) =>
      readAfter(changes, (tx) => bookedAmount(tx, ORGANIZATION_ID, 'BRE_B', paymentId))
    assert.equal(await booked('payment-4'), subjects().payin.amountInCents)
    assert.equal(await booked('payment-5'), undefined)
    const canceled = `update payins set status = 'CANCELED', payment_id = 'payment-1' where payin_id = '${IDS.payin}'`
    assert.equal(await booked('payment-1', canceled), subjects().suspense.amountInCents)
  })

  // One that came later, about something that happened before.
  const withLateNotice = (noticeId: string) => async (tx: Parameters<typeof insertNotices>[0]) => {
    const came = { occurredAt: TWINS_CREATED_AT - 1, receivedAt: TWINS_CREATED_AT + 1 }
    await insertNotices(tx, [{ ...subjects().notice, noticeId, ...came }])
  }

  it('notices are applied in the order in which they happened', async () => {
    const claimed = await readAfter([], async (tx) => {
      await withLateNotice('notice-2')(tx)
      return claimDueNotices(tx, ORGANIZATION_ID, LATER, LATER + 1, 10)
    })
    assert.deepEqual(
      claimed.map(({ noticeId }) => noticeId),
      ['notice-2', 'notice-1'],
    )
  })

  it('a notice contradicts what the network said under its id, and that only', async () => {
    const amount = { kind: 'payin.paid', amountInCents: 7n, paymentId: 'payment-2' } as const
    const told = subjects().notice
    const contradicts = (notice: Parameters<typeof contradictsStored>[1]) =>
      readAfter([], (tx) => contradictsStored(tx, notice))
    assert.equal(await contradicts(told), false)
    for (const other of [
      { update: amount },
      { subjectId: IDS.attempt },
      { subjectKind: 'payout' },
    ] as const) {
      assert.equal(await contradicts({ ...told, ...other }), true)
      assert.equal(await contradicts({ ...told, ...other, noticeId: 'notice-9' }), false)
      assert.equal(await contradicts({ ...told, ...other, rail: 'PSE' }), false)
    }
    // What names nobody of ours is kept by the organization for it, and only that is looked at.
    const stranger = { ...told, organizationId: IDS.fresh, update: amount }
    assert.equal(await contradicts(stranger), false)
    const kept = await readAfter([], async (tx) => {
      await insertNotices(tx, [{ ...stranger, update: told.update }])
      return [
        await contradictsStored(tx, stranger),
        await contradictsStored(tx, { ...told, noticeId: 'notice-1' }),
      ]
    })
    assert.deepEqual(kept, [true, false])
    const ofStranger = await readAfter([], async (tx) => {
      await insertNotices(tx, [{ ...stranger, noticeId: 'notice-of-nobody' }])
      return contradictsStored(tx, { ...told, noticeId: 'notice-of-nobody' })
    })
    assert.equal(ofStranger, false)
  })

  it('notices are shown in the order in which they came', async () => {
    const shown = await readAfter([], async (tx) => {
      await withLateNotice('a-notice')(tx)
      return noticesOfSubject(tx, ORGANIZATION_ID, IDS.payin)
    })
    assert.deepEqual(
      shown.map(({ noticeId }) => noticeId),
      ['chargeback-1', 'notice-1', 'a-notice'],
    )
  })
})

// What statements about payouts tell that only read: what somebody may be about to repeat, what a person must look into, and what the
// network said of one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { insertNotices } from '../../../src/store/connections/notices.ts'
import { listPayoutNotices } from '../../../src/store/payouts/evidence.ts'
import { countStoppedPayouts } from '../../../src/store/payouts/next-work.ts'
import { listRecentPayouts } from '../../../src/store/payouts/recent.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { IDS, TWINS_CREATED_AT } from '../twins.ts'

const DECLINED = `status = 'DECLINED', error_code = 'RAIL_ERROR'`

describe('of payouts', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()
  const payout = (set: string) => `update payouts set ${set} where payout_id = '${IDS.payout}'`

  it('one that left, or may leave, may be repeated by mistake; one that was declined may not', async () => {
    const isRecent = async (set: string, amountInCents = subjects().payout.amountInCents) => {
      const recent = await readAfter([payout(set)], (tx) =>
        listRecentPayouts(tx, ORGANIZATION_ID, IDS.payin, [amountInCents], 10),
      )
      return recent.some(({ payoutId }) => payoutId === IDS.payout)
    }
    assert.equal(await isRecent(`status = 'PROCESSING'`), true)
    assert.equal(await isRecent(`status = 'CONFIRMED'`), true)
    assert.equal(await isRecent(`${DECLINED}, stage = 'STOPPED'`), true, 'it was paid after all')
    assert.equal(await isRecent(`${DECLINED}, stage = 'DONE'`), false)
    assert.equal(await isRecent(`status = 'PROCESSING'`, 7n), false)
  })

  it('a person must look into those that stopped and are open', async () => {
    const stopped = (set: string) =>
      readAfter([payout(set)], (tx) => countStoppedPayouts(tx, ORGANIZATION_ID))
    assert.equal(await stopped(`status = 'PROCESSING', stage = 'STOPPED'`), 1)
    assert.equal(await stopped(`${DECLINED}, stage = 'STOPPED'`), 0)
    assert.equal(await stopped(`status = 'PROCESSING', stage = 'SENT'`), 0)
  })

  it('what the network said comes in the order in which it came', async () => {
    const update = { kind: 'payout.completed', traceId: 'trace-9' } as const
    const about = { subjectKind: 'payout', subjectId: IDS.payout, update, networkCode: 'later' } as const
    const notices = await readAfter([], async (tx) => {
      const came = { noticeId: 'a-notice', receivedAt: TWINS_CREATED_AT + 1 }
      await insertNotices(tx, [{ ...subjects().notice, ...about, ...came }])
      return listPayoutNotices(tx, { organizationId: ORGANIZATION_ID, payoutId: IDS.payout })
    })
    assert.deepEqual(
      notices.map(({ networkCode }) => networkCode),
      ['code-1', 'later'],
    )
  })
})

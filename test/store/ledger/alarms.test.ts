// The same open alarm exists once, even if two raise it at the same moment and neither sees what the other has not committed.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { AlarmKind } from '../../../src/core/ledger/alarm.ts'
import { insertNotices } from '../../../src/store/connections/notices.ts'
import { type Db, openDb, type Queryable } from '../../../src/store/db.ts'
import { insertAlarm, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { type PayinWrite, writePayins } from '../../../src/store/payins/write.ts'
import { type PayoutWrite, writePayouts } from '../../../src/store/payouts/write.ts'
import { waitingForLocks } from '../../locks.ts'
import { createDatabase, eventually } from '../../world.ts'
import { IDS, insertTwin, LATER, type Subjects } from '../twins.ts'
import { payinWriteOf, payoutWriteOf } from '../writes.ts'

const DETAIL = 'told again with another amount'
const newAlarm = () => ({ alarmId: randomUUID(), kind: 'payin-contradiction', detail: DETAIL }) as const

describe('an alarm', () => {
  let db: Db
  let drop: () => Promise<void>
  let mine: Subjects
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 3 })
    mine = await insertTwin(db, 1, '01900000-0000-7000-8000-000000000001')
  })
  after(async () => {
    await db.close()
    await drop()
  })

  const countOf = async (subjectId: string, detail = DETAIL): Promise<number> => {
    const { rows } = await db.query<{ count: bigint }>({
      text: 'select count(*) from alarms where organization_id = $1 and subject_id = $2 and detail = $3',
      values: [mine.organizationId, subjectId, detail],
    })
    return Number(rows[0]?.count)
  }
  const isWaiting = async (): Promise<boolean> => (await waitingForLocks(db)) > 0
  // The second begins before the first is committed.
  const atOnce = async (first: (tx: Queryable) => Promise<unknown>, second: () => Promise<unknown>) => {
    let other: Promise<unknown> | undefined
    await db.inTransaction(async (tx) => {
      await first(tx)
      other = second()
      await eventually(isWaiting, (waits) => waits)
    })
    await other
  }

  // Neither changes the row, so the version lets both pass.
  const payinWrite = (): PayinWrite => ({
    ...payinWriteOf(mine),
    payin: mine.payin,
    leaseToken: null,
    transfers: [],
    suspense: null,
    event: null,
    notice: null,
    alarm: newAlarm(),
  })
  const payoutWrite = (): PayoutWrite => ({
    ...payoutWriteOf(mine),
    payout: mine.payout,
    leaseToken: null,
    transfers: [],
    event: null,
    noticeId: null,
    alarm: newAlarm(),
  })

  const RAISES: Record<string, [string, (on: Queryable) => Promise<unknown>]> = {
    'by itself': [IDS.link, (on) => insertAlarm(on, mine.organizationId, IDS.link, newAlarm(), LATER)],
    'with a notice': [
      IDS.unleased,
      (on) =>
        insertNotices(on, [
          { ...mine.notice, noticeId: randomUUID(), subjectId: IDS.unleased, alarm: newAlarm() },
        ]),
    ],
    'with a step of a payin': [IDS.payin, (on) => writePayins(on, [payinWrite()], 1)],
    'with a step of a payout': [IDS.payout, (on) => writePayouts(on, [payoutWrite()])],
  }
  for (const [how, [subjectId, raise]] of Object.entries(RAISES)) {
    it(`that two raise at the same moment, ${how}, is written once, and not again when it is seen again`, async () => {
      await atOnce(raise, () => raise(db))
      assert.equal(await countOf(subjectId), 1)
      await raise(db)
      assert.equal(await countOf(subjectId), 1)
    })
  }

  it('is not raised again once a person has resolved it', async () => {
    const alarm = newAlarm()
    await insertAlarm(db, mine.organizationId, IDS.endpoint, alarm, LATER)
    assert.equal((await resolveAlarm(db, alarm.alarmId, LATER))?.alarmId, alarm.alarmId)
    await insertAlarm(db, mine.organizationId, IDS.endpoint, newAlarm(), LATER)
    assert.equal(await countOf(IDS.endpoint), 1)
  })

  it('of a payment without an end is raised again a day after a person resolved it, and of nothing else', async () => {
    const raised = async (kind: AlarmKind, after: number): Promise<number> => {
      const detail = `${kind} ${after}`
      const [first, second] = [
        { alarmId: randomUUID(), kind, detail },
        { alarmId: randomUUID(), kind, detail },
      ]
      await insertAlarm(db, mine.organizationId, IDS.event, first, LATER)
      await resolveAlarm(db, first.alarmId, LATER)
      await insertAlarm(db, mine.organizationId, IDS.event, second, LATER + after)
      return countOf(IDS.event, detail)
    }
    for (const kind of ['payin-unresolved', 'payout-unresolved', 'refund-unresolved'] as const)
      assert.deepEqual([await raised(kind, DAY_MS - 1), await raised(kind, DAY_MS)], [1, 2], kind)
    assert.equal(await raised('payin-contradiction', DAY_MS), 1)
  })

  it('may say as much as a notice says', async () => {
    const detail = '字'.repeat(2_000)
    for (let times = 0; times < 2; times += 1)
      await insertAlarm(db, mine.organizationId, IDS.link, { ...newAlarm(), detail }, LATER)
    assert.equal(await countOf(IDS.link, detail), 1)
  })
})

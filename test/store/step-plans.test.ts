// What a step of a payment reads, by the plan that a process keeps which was started when the inbox was empty: its own rows, however
// many its organization has.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertNotices } from '../../src/store/connections/notices.ts'
import type { Queryable } from '../../src/store/db.ts'
import { insertPayins } from '../../src/store/payins/payins.ts'
import { writePayins } from '../../src/store/payins/write.ts'
import { insertPayouts } from '../../src/store/payouts/payouts.ts'
import { writePayouts } from '../../src/store/payouts/write.ts'
import { createWorld, type World } from '../world.ts'
import { subjectsOf } from './twins.ts'
import { payinWriteOf, payoutWriteOf } from './writes.ts'

const NOTICES = 2_000
const NOTICE_ID = `notice-${NOTICES - 1}`
// PostgreSQL keeps a plan from the sixth time on.
const UNTIL_KEPT = 6

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world[Symbol.asyncDispose]())

describe('a step that a notice caused', () => {
  it('reads one row of the inbox for a payout', async () => {
    const mine = subjectsOf((await world.newMerchant()).organization.organizationId, 1)
    await insertPayouts(world.db, [{ payout: mine.payout, record: null, credentialId: 'a' }])
    const write = { ...payoutWriteOf(mine), leaseToken: null, transfers: [], noticeId: NOTICE_ID }
    const stale = { ...write, expectedVersion: write.expectedVersion + 5 }
    await readsOneNotice(mine.organizationId, 'payout', mine.payout.payoutId, {
      refused: (tx) => writePayouts(tx, [stale]),
      written: (tx) => writePayouts(tx, [write]),
    })
  })

  it('reads one row of the inbox for a payin', async () => {
    const { organizationId, payin: first } = subjectsOf(
      (await world.newMerchant()).organization.organizationId,
      2,
    )
    const payin = {
      ...first,
      status: 'PENDING' as const,
      paymentLinkId: null,
      confirmedAmountInCents: null,
    }
    const mine = { ...subjectsOf(organizationId, 2), payin }
    await insertPayins(world.db, [{ payin, record: null }])
    const notice = { rail: 'BRE_B' as const, noticeId: NOTICE_ID }
    const write = { ...payinWriteOf(mine), leaseToken: null, transfers: [], suspense: null, notice }
    const stale = { ...write, expectedVersion: write.expectedVersion + 5 }
    await readsOneNotice(organizationId, 'payin', payin.payinId, {
      refused: (tx) => writePayins(tx, [stale], 1),
      written: (tx) => writePayins(tx, [write], 1),
    })
  })
})

type Step = (tx: Queryable) => Promise<boolean[]>

async function readsOneNotice(
  organizationId: string,
  subjectKind: 'payin' | 'payout',
  subjectId: string,
  { refused, written }: { refused: Step; written: Step },
): Promise<void> {
  await world.db.inTransaction(async (tx) => {
    for (let times = 0; times < UNTIL_KEPT; times += 1) assert.deepEqual(await refused(tx), [false])
    const at = Date.now()
    await insertNotices(
      tx,
      Array.from({ length: NOTICES }, (_, n) => ({
        organizationId,
        rail: 'BRE_B' as const,
        noticeId: `notice-${n}`,
        subjectKind,
        subjectId,
        update: { kind: 'payout.confirmed', traceId: null } as never,
        networkCode: '00',
        occurredAt: at,
        receivedAt: at,
      })),
    )
    const before = await rowsRead(tx)
    assert.deepEqual(await written(tx), [true])
    assert.equal((await rowsRead(tx)) - before, 1)
    const { rows } = await tx.query({
      text: `select notice_id from rail_notices where organization_id = $1 and state = 'DONE'`,
      values: [organizationId],
    })
    assert.deepEqual(rows, [{ notice_id: NOTICE_ID }])
  })
}

async function rowsRead(tx: Queryable): Promise<number> {
  const { rows } = await tx.query<{ read: bigint }>({
    text: `select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) as read
             from pg_stat_xact_user_tables
            where relname = 'rail_notices'`,
  })
  return Number(rows[0]?.read)
}

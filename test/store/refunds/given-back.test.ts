// What a chargeback finds of a payin: how much of it was given back, over its rail or by a payout, and whether more is on its way.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { claimDueRefunds, givenBackOf } from '../../../src/store/refunds/refunds.ts'
import { createWorld } from '../../world.ts'

type Refund = {
  status: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  way: 'RAIL' | 'KEY' | 'CLAIM'
  stage: string
  errorCode: string | null
  payoutId: string | null
  returnedAt: string | null
}

const STATUSES = ['PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'] as const
const WAYS = ['RAIL', 'KEY', 'CLAIM'] as const
const AT = '2026-11-18T12:00:00.000Z'

const EVERY: readonly Refund[] = STATUSES.flatMap((status) =>
  WAYS.flatMap((way) =>
    [null, 'RAIL_ERROR', 'KEY_NOT_FOUND'].flatMap((errorCode) =>
      [null, randomUUID()].flatMap((payoutId) =>
        [null, AT].map((returnedAt) => ({ status, way, stage: 'DONE', errorCode, payoutId, returnedAt })),
      ),
    ),
  ),
)

// A payout that was declined for a failure of the rail may have been paid after all.
function whereItWent({
  status,
  way,
  errorCode,
  payoutId,
  returnedAt,
}: Refund): 'rail' | 'payout' | 'nowhere' {
  if (status === 'CONFIRMED' && way === 'RAIL') return 'rail'
  if (status === 'CONFIRMED' && returnedAt === null) return 'payout'
  return (status === 'DECLINED' || status === 'CANCELED') && errorCode === 'RAIL_ERROR' && payoutId !== null
    ? 'payout'
    : 'nowhere'
}

it('counts what left by each way, and nothing that stayed or came back', async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  const given = async (refund: Refund) => {
    const payinId = randomUUID()
    await world.db.query({
      text: `insert into refunds (organization_id, refund_id, payin_id, version, status, stage, way, amount_cents, currency, reason,
                                  rail, error_code, payout_id, returned_at, credential_id, created_at, updated_at)
             values ($1, $2, $3, 1, $4, $5, $6, 700, 'COP', 'OTHER', 'BRE_B', $7, $8, $9, 'key', $10, $10)`,
      values: [
        ...[organizationId, randomUUID(), payinId, refund.status, refund.stage, refund.way],
        ...[refund.errorCode, refund.payoutId, refund.returnedAt, AT],
      ],
    })
    return givenBackOf(world.db, { organizationId, payinId })
  }
  for (const refund of EVERY) {
    const went = whereItWent(refund)
    assert.deepEqual(
      await given(refund),
      {
        byRailInCents: went === 'rail' ? 700n : 0n,
        byPayoutInCents: went === 'payout' ? 700n : 0n,
        isUnderWay: false,
      },
      JSON.stringify(refund),
    )
  }
  const sending = { ...(EVERY[0] as Refund), stage: 'SENDING' }
  assert.equal((await given(sending)).isUnderWay, true)
  assert.equal((await given({ ...sending, stage: 'AWAITING_FUNDS' })).isUnderWay, false)
  await world.db.query({ text: "update refunds set due_at = now() where stage <> 'SENDING'" })
  const claimed = await claimDueRefunds(
    world.db,
    organizationId,
    world.ctx.clock.now() + 1_000,
    { token: randomUUID(), until: world.ctx.clock.now() + 60_000 },
    3,
  )
  assert.equal(claimed.length, 3, 'no more than asked for')
  // Of payins that are not there: the books would not hold.
  await world.db.query({ text: 'delete from refunds' })
})

// The steps of the drill, whatever the backup is: load before it, load after it, and what must be true once it was restored. The
// simulated networks are not restored: they know everything, as real ones do.

import assert from 'node:assert/strict'
import { railReference } from '../../../src/core/connections/reference.ts'
import { verifyEventNumbers } from '../../../src/store/events/verify-numbers.ts'
import { listOpenFindings } from '../../../src/store/ledger/reconciliations.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { payoutBody } from '../../flows/approvals/approving.ts'
import { endDay, reconcileAll } from '../../flows/ledger/reconciling.ts'
import { brebPayin, CUSTOMER, endPayin, psePayin, type World } from '../../world.ts'

const OPEN = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
const PAYINS_OF_A_KIND = 10

export type Drill = ReturnType<typeof drillIn>

export function drillIn(world: World) {
  // Settled before the backup, open at its moment, and made after it.
  const settled = { payins: [] as string[], payout: '' }
  const open = { payin: '', payout: '' }
  const lost = { payin: '', payout: '' }

  const create = async (path: string, body: object): Promise<string> => {
    const { status, text, json } = await world.client('POST', path, body)
    assert.equal(status, 201, text)
    return json.id
  }
  const statusOf = async (path: string): Promise<string | number> => {
    const { status, json } = await world.client('GET', path)
    return status === 200 ? json.status : status
  }
  const timesPaid = (): number[] =>
    [settled.payout, open.payout, lost.payout].map((payoutId) => {
      const reference = railReference('payout', world.organization.organizationId, payoutId)
      const isIts = (entry: { reference: string; movement: string }) =>
        entry.reference === reference && entry.movement === 'debit'
      return world.sandbox.log().filter(isIts).length
    })

  return {
    loadBefore: async (): Promise<void> => {
      for (let count = 0; count < PAYINS_OF_A_KIND; count += 1)
        settled.payins.push(await create('/payins', brebPayin()), await create('/payins', psePayin()))
      settled.payout = await create('/payouts', payoutBody())
      open.payin = await create('/payins', brebPayin(OPEN))
      await world.passTime(2_000)
      // Not handed to the network yet.
      open.payout = await create('/payouts', payoutBody())
    },
    loadAfter: async (): Promise<void> => {
      await endPayin(world, world.client, open.payin, 'confirmed')
      lost.payin = await create('/payins', brebPayin({ amountInCents: 1_234_500 }))
      lost.payout = await create('/payouts', payoutBody({ amountInCents: 777_700 }))
      await world.passTime(2_000)
      assert.equal(await statusOf(`/payins/${lost.payin}`), 'CONFIRMED')
      assert.deepEqual(timesPaid(), [1, 1, 1])
    },
    assertRestored: async (): Promise<void> => {
      for (const id of settled.payins) assert.equal(await statusOf(`/payins/${id}`), 'CONFIRMED')
      assert.equal(await statusOf(`/payins/${open.payin}`), 'PROCESSING')
      assert.equal(await statusOf(`/payouts/${open.payout}`), 'PROCESSING')
      const of = [await statusOf(`/payins/${lost.payin}`), await statusOf(`/payouts/${lost.payout}`)]
      assert.deepEqual(of, [404, 404])
    },
    // The payout goes out again under the reference that it had, and the network has paid that one already.
    assertPaidOnce: async (): Promise<void> => {
      await world.passTime(60_000)
      assert.equal(await statusOf(`/payouts/${open.payout}`), 'CONFIRMED')
      assert.deepEqual(timesPaid(), [1, 1, 1])
    },
    assertFound: async (): Promise<void> => {
      const day = await endDay(world)
      await reconcileAll(world.ctx)
      // A payment of a payin that we do not know may be ahead of it: it goes to suspense when an hour has passed.
      for (let minutes = 0; minutes < 120; minutes += 20) await world.passTime(20 * 60_000)
      assert.equal(await statusOf(`/payins/${open.payin}`), 'CONFIRMED')
      const found = await listOpenFindings(world.db, { day, rails: ['BRE_B', 'PSE'], limit: 100 })
      assert.deepEqual(
        found
          .map((one) => [one.kind, one.movement, one.subjectId, one.networkAmountInCents])
          .sort(([, one], [, other]) => (String(one) < String(other) ? -1 : 1)),
        [
          ['NETWORK_ONLY', 'credit', lost.payin, 1_234_500n],
          ['NETWORK_ONLY', 'debit', lost.payout, 777_700n],
        ],
      )
      const suspended = await listSuspense(world.db, false)
      assert.deepEqual(
        suspended.map(({ reason, amountInCents }) => [reason, amountInCents]),
        [['UNKNOWN_PAYIN', 1_234_500n]],
      )
      assert.deepEqual(timesPaid(), [1, 1, 1])
      assert.deepEqual([await verifyLedger(world.db), await verifyEventNumbers(world.db)], [[], []])
    },
  }
}

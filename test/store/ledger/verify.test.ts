// The proof of the books notices what it is there for: rows planted by hand are found, and nothing else is.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { transfer } from '../../../src/core/ledger/bookings.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { PAYOUT_SLOT, postTransfers } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { createWorld, type World } from '../../world.ts'

describe('the proof of the books', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  class Undone extends Error {}
  // What the proof finds after a plant, which is taken back.
  const findingsWith = async (plant: (tx: Queryable) => Promise<void>): Promise<string[]> => {
    let found: string[] = []
    try {
      await world.db.inTransaction(async (tx) => {
        await plant(tx)
        found = (await verifyLedger(tx)).map(({ check }) => check)
        throw new Undone()
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    return found
  }
  const payoutId = '0199a0b0-0000-7000-8000-000000000009'
  const paidAfterRejection = async (tx: Queryable): Promise<void> => {
    const { organizationId } = world.organization
    const [transferId, createdAt] = [world.ctx.ids.next(), world.ctx.clock.now()]
    const entry = { organizationId, transferId, subjectId: payoutId, amountInCents: 100n, createdAt }
    await postTransfers(tx, [transfer('payout paid after rejection', 'BRE_B', entry)], PAYOUT_SLOT)
  }

  it('finds nothing in books that hold', async () => {
    assert.deepEqual(await findingsWith(async () => {}), [])
  })

  it('finds money that left after a rejection, and suspense below zero, if nobody was told', async () => {
    assert.deepEqual(await findingsWith(paidAfterRejection), [
      'every payout paid after its rejection has an alarm',
      'suspense is not below zero without an alarm',
    ])
  })

  it('finds a chargeback in suspense that only another merchant has booked, under the same id', async () => {
    const other = await world.newMerchant()
    const suspenseId = '0199a0b0-0000-7000-8000-00000000000a'
    const found = await findingsWith(async (tx) => {
      for (const { organizationId } of [world.organization, other.organization])
        await tx.query({
          text: `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state,
                                             created_at, updated_at, charged_back_cents)
                 values ($1, $2, 'BRE_B', 'payment-1', 100, 'LATE', 'CHARGED_BACK', now(), now(), 100)`,
          values: [organizationId, suspenseId],
        })
      const { organizationId } = other.organization
      const [transferId, createdAt] = [world.ctx.ids.next(), world.ctx.clock.now()]
      const entry = { organizationId, transferId, subjectId: suspenseId, amountInCents: 100n, createdAt }
      await postTransfers(tx, [transfer('suspense charged back', 'BRE_B', entry)], PAYOUT_SLOT)
    })
    assert.ok(found.includes('what was charged back of money in suspense is booked'), found.join())
  })

  it('finds nothing once a person was told', async () => {
    const found = await findingsWith(async (tx) => {
      await paidAfterRejection(tx)
      const alarm = { alarmId: world.ctx.ids.next(), kind: 'payout-contradiction', detail: 'paid' } as const
      await insertAlarm(tx, world.organization.organizationId, payoutId, alarm, world.ctx.clock.now())
    })
    assert.deepEqual(found, [])
  })
})

// The proof of the books notices what it is there for: rows planted by hand are found, and nothing else is.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { transfer } from '../../../src/core/ledger/bookings.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { PAYOUT_SLOT, postTransfers } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

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

  const RETURNED = 'each returned payout was confirmed and came back once, and no other'
  // A payout that was paid and came back, as far as the parts say so.
  const returned =
    (parts: { returnedAt?: null; booked?: bigint; twice?: true; status?: string } = {}) =>
    async (tx: Queryable): Promise<void> => {
      const { organizationId } = world.organization
      const { returnedAt = 'now()', booked = 100n, status = 'CONFIRMED' } = parts
      await tx.query({
        text: `insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                                    key_string, key_type, created_at, updated_at, returned_at)
               values ($1, $2, 1, $3, 'DONE', 100, 'COP', 'returned', $4, '@ANA', 'ALPHANUMERIC', now(), now(), ${returnedAt})`,
        values: [organizationId, payoutId, status, JSON.stringify(CUSTOMER)],
      })
      const createdAt = world.ctx.clock.now()
      const entry = (amountInCents: bigint, part?: string) => {
        const at = { organizationId, transferId: world.ctx.ids.next(), subjectId: payoutId, createdAt }
        return { ...at, amountInCents, ...(part !== undefined && { part }) }
      }
      const left = status === 'CONFIRMED' ? (['payout reserved', 'payout confirmed'] as const) : []
      const transfers = [
        ...left.map((booking) => transfer(booking, 'BRE_B', entry(100n))),
        ...(booked > 0n ? [transfer('payout returned', 'BRE_B', entry(booked))] : []),
        ...(parts.twice ? [transfer('payout returned', 'BRE_B', entry(booked, '2'))] : []),
      ]
      await postTransfers(tx, transfers, PAYOUT_SLOT)
    }

  it('finds nothing in a payout that came back and is booked so', async () => {
    assert.deepEqual(await findingsWith(returned()), [])
  })

  it('finds a payout that came back and is not booked so, or with another amount, or twice', async () => {
    for (const parts of [{ booked: 0n }, { booked: 99n }, { twice: true }] as const)
      assert.deepEqual(await findingsWith(returned(parts)), [RETURNED])
  })

  it('finds a return that no payout has had, or one that was never paid', async () => {
    assert.deepEqual(await findingsWith(returned({ returnedAt: null })), [RETURNED])
    assert.deepEqual(await findingsWith(returned({ status: 'DECLINED' })), [RETURNED])
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

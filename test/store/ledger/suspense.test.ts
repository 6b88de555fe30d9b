// Which items in suspense are looked at again: those that hold money, and those that a person decided about not long ago.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isoInstant } from '../../../src/core/instant.ts'
import { lockSuspenseOfPayment, suspenseToWatch } from '../../../src/store/ledger/suspense.ts'
import { createWorld } from '../../world.ts'

const STATES = ['OPEN', 'RETURNING', 'RETURNED', 'ATTACHED', 'CHARGED_BACK', 'COUNTED'] as const
const SINCE = Date.parse('2026-11-10T12:00:00.000Z')

describe('money in suspense', () => {
  it('is watched while it is there, and for a time after a person decided; never once it is counted elsewhere', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    for (const state of STATES)
      for (const [name, updatedAt] of Object.entries({ old: SINCE - 1, fresh: SINCE }))
        await world.db.query({
          text: `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state,
                                             created_at, updated_at)
                 values ($1, $2, 'BRE_B', $3, 100, 'LATE', $4, $5, $5)`,
          values: [organizationId, world.ctx.ids.next(), `${state} ${name}`, state, isoInstant(updatedAt)],
        })
    const watched = await suspenseToWatch(world.db, SINCE)
    assert.deepEqual(
      watched.map(({ paymentId }) => paymentId),
      [
        'OPEN old',
        'OPEN fresh',
        'RETURNING old',
        'RETURNING fresh',
        'RETURNED fresh',
        'ATTACHED fresh',
        'CHARGED_BACK fresh',
      ],
    )
    // Nothing was booked for what was written here by hand.
    await world.db.query({ text: 'delete from suspense_items' })
  })

  it('is found by its payment at its own network: another may give the same id', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const ids = { BRE_B: world.ctx.ids.next(), PSE: world.ctx.ids.next() }
    for (const [rail, suspenseId] of Object.entries(ids))
      await world.db.query({
        text: `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state,
                                           created_at, updated_at)
               values ($1, $2, $3, 'SAME', 100, 'LATE', 'OPEN', $4, $4)`,
        values: [organizationId, suspenseId, rail, isoInstant(SINCE)],
      })
    for (const rail of ['BRE_B', 'PSE'] as const) {
      const found = await world.db.inTransaction((tx) =>
        lockSuspenseOfPayment(tx, { organizationId, rail, paymentId: 'SAME' }),
      )
      assert.equal(found?.suspenseId, ids[rail])
    }
    await world.db.query({ text: 'delete from suspense_items' })
  })
})

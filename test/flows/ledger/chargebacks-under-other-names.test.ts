// Chargebacks of a payment in suspense, without ids and of equal amounts, told under different names. The second may be the first
// told again or another one, so a person is told.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { unfinished } from '../../simulation/checker.ts'
import { notify } from '../connections/notify.ts'
import { HELD_NAMES, hold, itemNow } from './holding.ts'
import { passTimeSilently } from './reconciling.ts'

describe('a second chargeback of equal amount, told under another name', () => {
  for (const name of HELD_NAMES)
    it(`than the first, of a payment in suspense of ${name}, is not booked, and is shown`, async () => {
      const held = await hold(name)
      await using world = held.world
      await world.client('POST', `/payins/${held.payinId}/cancel`)
      await passTimeSilently(world, 1_000)
      const { organizationId } = world.organization
      const first = name === 'nobody' ? 'GARBLED-1' : railReference('payin', organizationId, randomUUID())
      const second = railReference('payin', organizationId, held.payinId)
      for (const reference of [first, second]) {
        const { paymentId } = held
        await notify(world, { type: 'collection.chargeback', reference, paymentId, amount: '10000.00' })
        await passTimeSilently(world, 1_000)
      }
      assert.equal((await itemNow(held))?.chargedBackInCents, 1_000_000n)
      const told = (await listOpenAlarms(world.db)).filter(({ detail }) => detail.includes('charged back'))
      // The first is of a part, and has its own alarm.
      assert.equal(told.length, 2)
      const doubtful = told.filter(({ detail }) => detail.includes('not booked: one of this amount is'))
      assert.equal(doubtful.length, 1)
    })
})

describe('a chargeback of a payment in suspense of another merchant', () => {
  it('is booked there, once, although the network names our payin, and a person is told', async () => {
    const held = await hold('another merchant')
    await using world = held.world
    await world.client('POST', `/payins/${held.payinId}/cancel`)
    await passTimeSilently(world, 1_000)
    const reference = railReference('payin', world.organization.organizationId, held.payinId)
    const chargeback = { type: 'collection.chargeback', reference, paymentId: held.paymentId }
    await notify(world, { ...chargeback, amount: '50000.00', chargebackId: 'CB-1' })
    await passTimeSilently(world, 1_000)
    const item = await itemNow(held)
    assert.deepEqual([item?.state, item?.chargedBackInCents], ['CHARGED_BACK', 5_000_000n])
    assert.equal((await readBalances(world.db, held.item.organizationId)).SUSPENSE, 0n)
    const told = (await listOpenAlarms(world.db)).filter(({ detail }) => detail.includes('charged back'))
    assert.equal(told.length, 1)
    assert.match(told[0]?.detail ?? '', /booked here although the network named organization/)
    const waiting = (await unfinished(world.db)).filter((what) => what.includes('chargeback'))
    assert.deepEqual(waiting, [])
  })
})

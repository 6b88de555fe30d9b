// A payment that went to suspense, and turns out to be that of an open payin an hour or a day later. It is counted once: the
// payin is confirmed, and its money is no longer in suspense. If somebody has dealt with the money meanwhile, the payin gets none.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { attachSuspense, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { brebPayin } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import {
  alarmsOf,
  assertCountedOnce,
  assertDeclined,
  assertSettles,
  HELD_NAMES,
  hold,
  ROUTES,
  read,
  SILENT,
} from './holding.ts'
import { passTimeSilently } from './reconciling.ts'

describe('a payment that is in suspense and turns out to be a payin’s', () => {
  for (const name of HELD_NAMES) {
    for (const [how, route] of Object.entries(ROUTES)) {
      // Under its own organization's name the statement's line agrees with what is in suspense, and says nothing new.
      if (name === 'another payin' && how === 'the statement lists it') continue
      it(`named ${name}, is counted once when ${how}, and settled`, async () => {
        const held = await hold(name)
        await using _ = held.world
        await route(held)
        await assertCountedOnce(held)
        await assertSettles(held)
      })
    }
  }

  it('is not booked again if the payin has ended, and the payin’s alarm names the item', async () => {
    const held = await hold('nobody')
    await using world = held.world
    await world.client('POST', `/payins/${held.payinId}/cancel`)
    await ROUTES['its notice comes'](held)
    await world.passTime(60_000)
    assert.equal((await read(world, held.payinId)).status, 'CANCELED')
    assert.deepEqual(await listSuspense(world.db, true), [held.item])
    const alarms = (await alarmsOf(world, held.payinId)).filter((one) => one.includes(held.item.suspenseId))
    assert.equal(alarms.length, 1)
  })
})

describe('a payment in suspense that was dealt with', () => {
  for (const name of HELD_NAMES) {
    it(`named ${name}, and was returned, confirms no payin`, async () => {
      const held = await hold(name)
      await using world = held.world
      assert.ok('item' in (await returnSuspense(world.ctx, held.item.suspenseId)))
      await ROUTES['its notice comes'](held)
      await world.passTime(60_000)
      await assertDeclined(held, 'RETURNED')
    })

    it(`named ${name}, and was reported with another amount, confirms no payin`, async () => {
      const held = await hold(name, '40000.00')
      await using world = held.world
      await ROUTES['its notice comes'](held)
      await passTimeSilently(world, 60_000)
      await assertDeclined(held, 'OPEN')
    })
  }

  it('was attached by an operator, and confirms no payin', async () => {
    const held = await hold('another payin')
    await using world = held.world
    const other = (await world.client('POST', '/payins', brebPayin())).json.id
    assert.ok('item' in (await attachSuspense(world.ctx, held.item.suspenseId, other)))
    await ROUTES['its notice comes'](held)
    await assertDeclined(held, 'ATTACHED')
  })

  it('was charged back in part, and confirms no payin', async () => {
    const held = await hold('another payin')
    await using world = held.world
    const { organizationId } = world.organization
    const reference = railReference('payin', organizationId, randomUUID())
    const { paymentId } = held
    await notify(world, { type: 'collection.chargeback', reference, paymentId, amount: '10000.00' })
    await passTimeSilently(world, 1_000)
    await ROUTES['its notice comes'](held)
    await assertDeclined(held, 'OPEN')
  })

  it('was counted, and confirms no other payin', async () => {
    const held = await hold('another payin')
    await using world = held.world
    const { paymentId } = held
    await ROUTES['its notice comes'](held)
    await assertCountedOnce(held)
    const payinId = (await world.client('POST', '/payins', brebPayin(SILENT))).json.id
    await ROUTES['its notice comes']({ ...held, payinId })
    await assertDeclined({ ...held, payinId, paymentId }, 'COUNTED')
  })
})

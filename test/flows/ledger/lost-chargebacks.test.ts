// A payment is charged back in parts, and the notice of a part is lost. The statement of its day tells of it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { brebPayin } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { compareNow, endDay, findings, lineOf, listing, openDay } from './reconciling.ts'

it('a part of another amount, on another day than the first, is booked from the statement', async () => {
  await using world = await openDay()
  const payinId = (await world.client('POST', '/payins', brebPayin())).json.id
  await world.passTime(2_000)
  const line = lineOf(world.sandbox.log()[0])
  const { reference, networkId: paymentId } = line
  const notice = { type: 'collection.chargeback', reference, paymentId, amount: '20000.00' }
  assert.equal(await notify(world, notice), 200)
  await world.work()
  const first = { ...line, movement: 'chargeback', amountInCents: 2_000_000n } as const
  const day = await endDay(world)
  await compareNow(world, day, 'BRE_B', listing([line, first]))
  assert.deepEqual(await findings(world), [])

  const next = await endDay(world)
  const second = { ...first, amountInCents: 3_000_000n, occurredAt: endOfDay(next) - HOUR_MS }
  const { found } = await compareNow(world, next, 'BRE_B', listing([second]))
  assert.deepEqual([found.NETWORK_ONLY, found.DOUBLED, found.AMOUNT_DIFFERS], [1, 0, 0])
  await world.work()
  assert.equal((await world.client('GET', `/payins/${payinId}`)).json.settlementStatus, 'REVERSED')

  const again = await compareNow(world, next, 'BRE_B', listing([second]))
  assert.deepEqual([again.matched, again.found.NETWORK_ONLY], [1, 0])
  // The first is told once more, on a third day: that is no third part.
  const third = await endDay(world)
  const repeated = { ...first, occurredAt: endOfDay(third) - HOUR_MS }
  assert.equal((await compareNow(world, third, 'BRE_B', listing([repeated]))).found.DOUBLED, 1)
})

// A payment is charged back in parts, and the notice of a part is lost. The statement of its day tells of it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { brebPayin } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { alarms, compareNow, endDay, findings, lineOf, listing, openDay } from './reconciling.ts'

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

describe('a part of another amount, on the same day as the first', () => {
  async function paid() {
    const world = await openDay()
    const payinId = (await world.client('POST', '/payins', brebPayin())).json.id
    await world.passTime(2_000)
    const credit = lineOf(world.sandbox.log()[0])
    const tell = async (pesos: number, chargebackId: string) => {
      const { reference, networkId: paymentId } = credit
      const notice = {
        type: 'collection.chargeback',
        reference,
        paymentId,
        amount: `${pesos}.00`,
        chargebackId,
      }
      assert.equal(await notify(world, notice), 200)
      await world.work()
    }
    const part = (pesos: number) =>
      ({ ...credit, movement: 'chargeback', amountInCents: BigInt(pesos) * 100n }) as const
    const chargedBack = async () =>
      (await world.client('GET', `/payins/${payinId}`)).json.chargebackAmountInCents
    const openKinds = async () =>
      (await findings(world)).filter(({ state }) => state === 'OPEN').map(({ kind }) => kind)
    return { world, credit, tell, part, chargedBack, openKinds }
  }

  it('is booked from the statement, once, and agrees with it from then on', async () => {
    const { credit, tell, part, chargedBack, openKinds, ...opened } = await paid()
    await using world = opened.world
    await tell(20_000, 'CB-1')
    const day = await endDay(world)
    const lines = listing([credit, part(20_000), part(15_000)])
    const { found, matched } = await compareNow(world, day, 'BRE_B', lines)
    assert.deepEqual([found.NETWORK_ONLY, found.DOUBLED, found.AMOUNT_DIFFERS, matched], [1, 0, 0, 2])
    assert.match((await alarms(world)).join(), /the network has 1500000 cents that we do not have/)
    await world.work()
    assert.equal(await chargedBack(), 3_500_000)
    // The notice was late, not lost.
    await tell(15_000, 'CB-2')
    assert.equal(await chargedBack(), 3_500_000)
    const next = await endDay(world)
    await compareNow(world, next, 'BRE_B', listing([]))
    assert.equal((await compareNow(world, day, 'BRE_B', lines)).matched, 3)
    assert.deepEqual(await openKinds(), [])
    assert.equal(await chargedBack(), 3_500_000)
  })

  it('and that the statement lists only later than the first, whose notice was lost too, is booked and shown', async () => {
    const { credit, part, chargedBack, openKinds, ...opened } = await paid()
    await using world = opened.world
    const day = await endDay(world)
    await compareNow(world, day, 'BRE_B', listing([credit, part(20_000)]))
    await world.work()
    assert.equal(await chargedBack(), 2_000_000)
    const both = listing([credit, part(20_000), part(15_000)])
    await compareNow(world, day, 'BRE_B', both)
    await world.work()
    assert.equal(await chargedBack(), 3_500_000)
    assert.equal((await alarms(world)).length, 2)
    assert.equal((await compareNow(world, day, 'BRE_B', both)).matched, 3)
    assert.deepEqual(await openKinds(), [])
  })

  for (const [what, told, listed] of [
    ['is not the one that is left over', [20_000], [15_000, 19_000]],
    ['may be one that is booked, listed twice', [20_000, 15_000], [20_000, 15_000, 15_000]],
    ['stands beside two that are booked in one sum', [15_000], [5_000, 10_000, 20_000]],
    ['may be those that are booked, in one sum', [10_000, 10_000], [10_000, 10_000, 20_000]],
  ] as const)
    it(`that ${what} is shown, and not booked`, async () => {
      const { credit, tell, part, chargedBack, openKinds, ...opened } = await paid()
      await using world = opened.world
      for (const [index, pesos] of told.entries()) await tell(pesos, `CB-${index}`)
      const before = await chargedBack()
      const day = await endDay(world)
      await compareNow(world, day, 'BRE_B', listing([credit, ...listed.map(part)]))
      await world.work()
      assert.equal(await chargedBack(), before)
      assert.ok((await openKinds()).includes('DOUBLED'))
    })
})

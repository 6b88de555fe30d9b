// A payment of a network is counted once, whatever names it comes under: as a payin's, or in suspense.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { attachSuspense, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { compareNow, endDay, openDay, setFaults } from './reconciling.ts'

// The network is silent about this payer's payment. A query finds it.
const SILENT = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000015' } }
const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

async function bookedInCents(world: World): Promise<bigint | undefined> {
  const { rows } = await world.db.query<{ cents: bigint }>({
    text: `select sum(amount_cents)::bigint as cents
             from ledger_transfers where booking in ('payin confirmed', 'money in suspense')`,
  })
  return rows[0]?.cents
}

async function alarmsAbout(world: World, text: string): Promise<string[]> {
  return (await listOpenAlarms(world.db))
    .map(({ detail }) => detail)
    .filter((detail) => detail.includes(text))
}

const read = async (world: World, id: string) => (await world.client('GET', `/payins/${id}`)).json

describe('the payment of a confirmed payin', () => {
  it('that the statement lists under a garbled name is not booked again, and a person is told', async () => {
    await using world = await openDay()
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineUnknownReference: 1 })
    await compareNow(world, day)
    await world.work()
    assert.equal((await read(world, json.id)).status, 'CONFIRMED')
    assert.equal(await bookedInCents(world), 5_000_000n)
    assert.deepEqual(await listSuspense(world.db, true), [])
    assert.equal((await alarmsAbout(world, `it confirmed payin ${json.id}`)).length, 1)
  })

  for (const [what, reference] of [
    ['of nobody', () => 'GARBLED-1'],
    ['of another payin', (organizationId: string) => railReference('payin', organizationId, randomUUID())],
  ] as const) {
    it(`that a notice reports under a name ${what}, before a query finds it, is booked once`, async () => {
      await using world = await createWorld()
      const { json } = await world.client('POST', '/payins', brebPayin(SILENT))
      await world.passTime(5_000)
      const paymentId = world.sandbox.log()[0]?.traceId as string
      const garbled = {
        reference: reference(world.organization.organizationId),
        paymentId,
        amount: '50000.00',
      }
      assert.equal(await notify(world, garbled), 200)
      for (let minutes = 0; minutes < 80; minutes += 10) await world.passTime(10 * 60_000)
      assert.equal((await read(world, json.id)).status, 'CONFIRMED')
      assert.equal(await bookedInCents(world), 5_000_000n)
      assert.deepEqual(await listSuspense(world.db, true), [])
      assert.equal((await alarmsAbout(world, `it confirmed payin ${json.id}`)).length, 1)
    })
  }

  it('on another network may have the same id', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin(UNPAID))
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, json.id)
    await notify(world, { reference, paymentId: 'SAME-1', amount: '50000.00' })
    await world.work()
    await notify(world, { reference: 'NOBODY', cus: 'SAME-1', amount: '1000.00' }, 'pse')
    await world.passTime(HOUR_MS)
    assert.equal(await bookedInCents(world), 5_100_000n)
  })
})

describe('a payment in suspense', () => {
  it('of nobody is not booked again for an organization that is said to have it', async () => {
    await using world = await createWorld()
    const reference = railReference('payin', world.organization.organizationId, randomUUID())
    await notify(world, { reference: 'NOBODY', paymentId: 'PAY-1', amount: '1000.00' })
    await world.passTime(HOUR_MS)
    await notify(world, { reference, paymentId: 'PAY-1', amount: '1000.00' })
    await world.passTime(HOUR_MS)
    const [item, ...others] = await listSuspense(world.db, true)
    assert.deepEqual(others, [])
    assert.equal(await bookedInCents(world), 100_000n)
    assert.equal((await alarmsAbout(world, `is in suspense as ${item?.suspenseId}`)).length, 1)
  })

  it('of nobody is charged back under its right name, once the payin has ended', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin(UNPAID))
    await world.work()
    const payment = { paymentId: 'PAY-1', amount: '50000.00' }
    const reference = railReference('payin', world.organization.organizationId, json.id)
    await notify(world, { reference: 'NOBODY', ...payment })
    await world.passTime(HOUR_MS)
    await notify(world, { type: 'collection.chargeback', reference, ...payment })
    await world.work()
    assert.equal((await read(world, json.id)).status, 'CANCELED')
    assert.equal((await listSuspense(world.db, true))[0]?.state, 'CHARGED_BACK')
    assert.equal((await readBalances(world.db, UNATTRIBUTED_ORGANIZATION)).SUSPENSE, 0n)
  })

  it('that confirmed a payin after all is neither returned nor attached', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin(UNPAID))
    await world.work()
    const payment = { paymentId: 'PAY-1', amount: '50000.00' }
    // The network dates it back, so nobody waits for it.
    const occurredAt = new Date(world.ctx.clock.now() - HOUR_MS).toISOString()
    await notify(world, { reference: 'NOBODY', ...payment, occurredAt })
    await world.work()
    await notify(world, {
      reference: railReference('payin', world.organization.organizationId, json.id),
      ...payment,
    })
    await world.work()
    assert.equal((await read(world, json.id)).status, 'CONFIRMED')
    const [item] = await listSuspense(world.db, true)
    assert.equal(item?.state, 'COUNTED')
    assert.deepEqual(await listSuspense(world.db, false), [])
    for (const done of [
      await returnSuspense(world.ctx, item.suspenseId),
      await attachSuspense(world.ctx, item.suspenseId, json.id),
    ])
      assert.match('problem' in done ? done.problem : 'done', new RegExp(`has confirmed payin ${json.id}`))
    assert.deepEqual(await listSuspense(world.db, true), [item])
  })
})

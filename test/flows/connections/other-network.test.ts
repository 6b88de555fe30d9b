// A network that names a payin of another network. What it says is about its own money, which we do not know.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from './notify.ts'

const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

describe('a notice of PSE that names a Bre-B payin', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newPayin = async () => {
    const { json } = await world.client('POST', '/payins', brebPayin(UNPAID))
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, json.id)
    return { id: json.id as string, reference }
  }
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id)

  it('of a payment confirms nothing: the money is in suspense, and owed by PSE', async () => {
    const { organizationId } = world.organization
    const { id, reference } = await newPayin()
    const before = await readBalances(world.db, organizationId)
    await notify(world, { reference, cus: 'CUS-1', amount: '50000.00' }, 'pse')
    await world.work()
    assert.equal((await read(id)).status, 'PROCESSING')
    const [item] = (await listSuspense(world.db, false)).filter(({ paymentId }) => paymentId === 'CUS-1')
    assert.deepEqual(
      [item?.organizationId, item?.rail, item?.reason, item?.amountInCents],
      [organizationId, 'PSE', 'UNKNOWN_PAYIN', 5_000_000n],
    )
    const balances = await readBalances(world.db, organizationId)
    assert.equal(balances.SUSPENSE - before.SUSPENSE, 5_000_000n)
    assert.notEqual(balances.CLEARING_PSE, before.CLEARING_PSE)
    assert.equal(balances.CLEARING_BRE_B, before.CLEARING_BRE_B)
    assert.equal((await alarmsOf(id)).length, 1)
    // The payin can still be paid.
    await notify(world, { reference, paymentId: 'PAY-1', amount: '50000.00' })
    await world.work()
    assert.equal((await read(id)).status, 'CONFIRMED')
  })

  it('of an expiry ends nothing, and a person is told once', async () => {
    const { id, reference } = await newPayin()
    const expired = { type: 'session.expired', reference, cus: 'CUS-2', amount: '50000.00' }
    for (let times = 0; times < 2; times += 1) {
      await notify(world, expired, 'pse')
      await world.work()
    }
    assert.equal((await read(id)).status, 'PROCESSING')
    assert.equal((await alarmsOf(id)).length, 1)
  })

  it('of a chargeback takes nothing from the payin, and a person is told once in hours', async () => {
    const { id, reference } = await newPayin()
    await notify(world, { reference, paymentId: 'SAME-1', amount: '50000.00' })
    await world.work()
    await notify(world, {
      type: 'collection.chargeback',
      reference,
      paymentId: 'SAME-1',
      amount: '30000.00',
    })
    await world.work()
    assert.equal((await alarmsOf(id)).length, 1)
    const chargeback = { type: 'session.chargeback', reference, cus: 'SAME-1', amount: '30000.00' }
    await notify(world, chargeback, 'pse')
    for (let times = 0; times < 10; times += 1) await world.passTime(31_000)
    for (let hours = 0; hours < 3; hours += 1) await world.passTime(HOUR_MS)
    assert.equal((await alarmsOf(id)).length, 2)
    assert.equal((await read(id)).chargebackAmountInCents, 3_000_000)
  })

  it('of a chargeback takes back the money of PSE that is in suspense', async () => {
    const { id, reference } = await newPayin()
    await notify(world, { reference, cus: 'CUS-3', amount: '50000.00' }, 'pse')
    await world.work()
    const chargeback = { type: 'session.chargeback', reference, cus: 'CUS-3', amount: '50000.00' }
    await notify(world, chargeback, 'pse')
    await world.work()
    const [item] = (await listSuspense(world.db, true)).filter(({ paymentId }) => paymentId === 'CUS-3')
    assert.equal(item?.state, 'CHARGED_BACK')
    assert.equal((await alarmsOf(id)).length, 1)
  })
})

// A network that names a payment of another network, or of a merchant's provider. What it says is about its own money, which we do not
// know.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { moveToProviders } from './funds.ts'
import { notify } from './notify.ts'
import { accepted, connect, type ScriptedProvider } from './scripted-provider.ts'

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

describe('a notice of the installation’s Bre-B that names a payment over a connection', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world)
    await moveToProviders(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id)
  const held = () => readBalances(world.db, world.organization.organizationId)

  it('confirms no payin: the installation owes the money, and gives it to nobody’s provider', async () => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, json.id)
    const before = await held()
    await notify(world, { reference, paymentId: 'OWN-1', amount: '50000.00' })
    await world.work()
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'PROCESSING')
    const [item] = (await listSuspense(world.db, false)).filter(({ paymentId }) => paymentId === 'OWN-1')
    // With a payin, it would be asked of the provider, and be given to the merchant there.
    assert.deepEqual([item?.reason, item?.payinId], ['UNKNOWN_PAYIN', null])
    // The provider has the payer's other payment.
    const payment = { paymentId: 'mono:C-1', amountInCents: 5_000_000n }
    provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'paid' })
    await world.passTime(60_000)
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'CONFIRMED')
    const attached = await world.client('POST', `/suspense/${item?.suspenseId}/attach`, { payinId: json.id })
    assert.equal(attached.status, 200, attached.text)
    const after = await held()
    assert.equal(after.AVAILABLE - before.AVAILABLE, 5_000_000n)
    assert.equal(after.DEPOSITED, before.DEPOSITED)
    assert.deepEqual(await verifyLedger(world.db), [])
  })

  it('ends no payout, and a person is told once', async () => {
    const { json } = await world.client('POST', '/payouts', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'over a connection',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    await world.work()
    const before = await held()
    const reference = railReference('payout', world.organization.organizationId, json.id)
    for (const endToEndId of ['E2E-1', 'E2E-1'])
      await notify(world, { type: 'transfer.completed', reference, endToEndId, amount: '10000.00' })
    await world.work()
    await notify(world, { type: 'transfer.rejected', reference, endToEndId: null, reasonCode: 'AC04' })
    await world.work()
    const { status } = (await world.client('GET', `/payouts/${json.id}`)).json
    assert.equal(status, 'PROCESSING')
    assert.deepEqual(await held(), before)
    assert.equal((await alarmsOf(json.id)).length, 2)
  })
})

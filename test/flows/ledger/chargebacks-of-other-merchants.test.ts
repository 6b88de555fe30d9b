// A payment that the network named for a payin of another merchant has confirmed it. A chargeback of it, told under the payment's own
// name or under any other, is booked for that payin, and a person is told.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { checkMoney, unfinished } from '../../simulation/checker.ts'
import { brebPayin, CUSTOMER, psePayin, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { alarmsOf, bookingsOf, read } from './holding.ts'
import { compareNow, lineOf, listing, openDay, passTimeSilently, setFaults, today } from './reconciling.ts'

const payer = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })
const UNPAID = payer('1000000007')
const CHARGED_BACK = payer('1000000017')
const SILENT = payer('1000000015')
const BEFORE = 'payin charged back before settlement'

type Merchant = Pick<World, 'organization' | 'client'>
type Paid = { world: World; paymentId: string }
type Named = Paid & { other: Merchant; ours: string; theirs: string }

// Our payin is paid, and we hear nothing of it. The network names the payment for the other merchant's.
async function nameForOther(customer = SILENT, first = async (_paid: Paid) => {}): Promise<Named> {
  const world = await openDay()
  const other = await world.newMerchant()
  await setFaults(world, { noticeLost: 1 })
  const ours = (await world.client('POST', '/payins', brebPayin(customer))).json.id
  await passTimeSilently(world, 5_000)
  const paymentId = world.sandbox.log()[0]?.traceId as string
  await first({ world, paymentId })
  const theirs = (await other.client('POST', '/payins', brebPayin(UNPAID))).json.id
  await tellPaid({ world, paymentId }, referenceOf(other, theirs))
  assert.equal((await other.client('GET', `/payins/${theirs}`)).json.status, 'CONFIRMED')
  return { world, other, ours, theirs, paymentId }
}

async function nameForOtherAndEnd(...how: Parameters<typeof nameForOther>): Promise<Named> {
  const named = await nameForOther(...how)
  await named.world.client('POST', `/payins/${named.ours}/cancel`)
  await passTimeSilently(named.world, 1_000)
  return named
}

const referenceOf = ({ organization }: Merchant, payinId: string) =>
  railReference('payin', organization.organizationId, payinId)

async function tellPaid({ world, paymentId }: Paid, reference: string): Promise<void> {
  assert.equal(await notify(world, { reference, paymentId, amount: '50000.00' }), 200)
  await passTimeSilently(world, 1_000)
}

async function tell(
  { world, paymentId }: Named,
  reference: string,
  amount = '50000.00',
  told: Record<string, unknown> = {},
): Promise<void> {
  const notice = { type: 'collection.chargeback', reference, paymentId, amount, ...told }
  assert.equal(await notify(world, notice), 200)
  await passTimeSilently(world, 1_000)
}

const theirsNow = async ({ other, theirs }: Named) => (await other.client('GET', `/payins/${theirs}`)).json

const chargedBackIn = async ({ world }: Named, payinId: string) =>
  (await bookingsOf(world, payinId)).filter((booking) => booking.includes('charged back'))

const waiting = async ({ world }: Named) =>
  (await unfinished(world.db)).filter((what) => what.includes('chargeback'))

const toldOf = async ({ world }: Named, payinId: string) =>
  (await alarmsOf(world, payinId)).filter((detail) => detail.includes('charged back'))

describe('a chargeback of a payment that confirmed a payin of another merchant', () => {
  it('and whose notice is lost is booked for that payin from the statement, once', async () => {
    const named = await nameForOtherAndEnd(CHARGED_BACK)
    await using world = named.world
    await passTimeSilently(world, 2 * HOUR_MS)
    assert.deepEqual(
      world.sandbox.log().map(({ movement }) => movement),
      ['credit', 'chargeback'],
    )
    const day = today(world)
    await passTimeSilently(world, endOfDay(day) + HOUR_MS - world.ctx.clock.now())
    for (let times = 0; times < 2; times += 1) {
      await compareNow(world, day)
      await passTimeSilently(world, 1_000)
    }
    assert.deepEqual(await waiting(named), [])
    assert.equal((await theirsNow(named)).settlementStatus, 'REVERSED')
    assert.deepEqual(await chargedBackIn(named, named.theirs), [BEFORE])
    assert.deepEqual(await checkMoney(world.db, world.sandbox.log()), [])
    const { organizationId } = world.organization
    const [alarm, ...others] = await toldOf(named, named.theirs)
    assert.deepEqual(others, [])
    assert.match(
      alarm ?? '',
      new RegExp(`booked here although the network named organization ${organizationId}`),
    )
  })

  it('and that the statement lists under a garbled name is booked for that payin, once', async () => {
    const named = await nameForOtherAndEnd()
    await using world = named.world
    const credit = lineOf(world.sandbox.log()[0])
    const garbled = { ...credit, movement: 'chargeback', reference: 'GARBLED-1' } as const
    const day = today(world)
    await passTimeSilently(world, endOfDay(day) + HOUR_MS - world.ctx.clock.now())
    for (let times = 0; times < 2; times += 1) {
      await compareNow(world, day, 'BRE_B', listing([credit, garbled]))
      await passTimeSilently(world, 1_000)
    }
    assert.deepEqual(await waiting(named), [])
    assert.deepEqual(await chargedBackIn(named, named.theirs), [BEFORE])
    const [alarm, ...others] = await toldOf(named, named.theirs)
    assert.deepEqual(others, [])
    assert.match(alarm ?? '', /booked here although the network named nobody of ours/)
  })

  const NAMES: Record<string, (named: Named) => Promise<string>> = {
    'the payin that it was made for, which has ended': async ({ world, ours }) => referenceOf(world, ours),
    'a payin that does not exist': async ({ world }) => referenceOf(world, randomUUID()),
    'a payin of another network': async ({ world }) =>
      referenceOf(world, (await world.client('POST', '/payins', psePayin(UNPAID))).json.id),
    nobody: async () => 'GARBLED-1',
  }
  for (const [name, reference] of Object.entries(NAMES))
    it(`told under the name of ${name}, is booked for that payin, and a person is told`, async () => {
      const named = await nameForOtherAndEnd()
      await using world = named.world
      await tell(named, await reference(named))
      assert.deepEqual(await waiting(named), [])
      const payin = await theirsNow(named)
      assert.deepEqual([payin.settlementStatus, payin.chargebackAmountInCents], ['REVERSED', 5_000_000])
      assert.deepEqual(await chargedBackIn(named, named.theirs), [BEFORE])
      const balances = await readBalances(world.db, named.other.organization.organizationId)
      assert.equal(balances.PENDING_SETTLEMENT, 0n)
      assert.equal((await toldOf(named, named.theirs)).length, 1)
      const events = (await named.other.client('GET', '/events?type=payin.chargeback')).json.data
      assert.equal(events.length, 1)
    })

  it('in parts is booked part by part, and one told again under its id is not booked again', async () => {
    const named = await nameForOtherAndEnd()
    await using world = named.world
    const reference = referenceOf(world, named.ours)
    for (const chargebackId of ['CB-1', 'CB-2', 'CB-1'])
      await tell(named, reference, '10000.00', { chargebackId })
    assert.equal((await theirsNow(named)).chargebackAmountInCents, 2_000_000)
    assert.deepEqual(await chargedBackIn(named, named.theirs), [BEFORE, BEFORE])
    const alarms = await toldOf(named, named.theirs)
    assert.equal(alarms.length, 2)
    for (const alarm of alarms) assert.match(alarm, /the network named organization/)
    assert.deepEqual(await waiting(named), [])
  })

  it('told without an id under both names may be one or two: it is booked once, and a person is asked', async () => {
    const named = await nameForOtherAndEnd()
    await using world = named.world
    await tell(named, referenceOf(named.other, named.theirs), '10000.00')
    await tell(named, referenceOf(world, named.ours), '10000.00')
    assert.deepEqual(await chargedBackIn(named, named.theirs), [BEFORE])
    const doubtful = (await toldOf(named, named.theirs)).filter((detail) => detail.includes('not booked'))
    assert.equal(doubtful.length, 1)
    assert.deepEqual(await waiting(named), [])
  })

  it('waits while the payin that the network names is open, because the payment may confirm it too', async () => {
    const named = await nameForOther()
    await using world = named.world
    await tell(named, referenceOf(world, named.ours))
    assert.deepEqual(await chargedBackIn(named, named.theirs), [])
    await tellPaid(named, referenceOf(world, named.ours))
    await passTimeSilently(world, MINUTE_MS)
    assert.equal((await read(world, named.ours)).settlementStatus, 'REVERSED')
    assert.deepEqual(await chargedBackIn(named, named.theirs), [])
    assert.deepEqual(await waiting(named), [])
  })

  it('and is in our suspense as well leaves suspense first', async () => {
    const named = await nameForOtherAndEnd(SILENT, async (paid) => {
      await tellPaid(paid, referenceOf(paid.world, randomUUID()))
      await passTimeSilently(paid.world, HOUR_MS)
      await passTimeSilently(paid.world, 2 * MINUTE_MS)
    })
    await using world = named.world
    assert.equal((await listSuspense(world.db, false)).length, 1)
    await tell(named, referenceOf(world, named.ours))
    assert.equal((await theirsNow(named)).settlementStatus, 'REVERSED')
    assert.deepEqual(
      (await listSuspense(world.db, true)).map(({ state }) => state),
      ['COUNTED'],
    )
    assert.deepEqual(await waiting(named), [])
  })

  it('and one of our own too, told under another of ours, is booked for our own at once', async () => {
    const named = await nameForOther()
    await using world = named.world
    await tellPaid(named, referenceOf(world, named.ours))
    const open = (await world.client('POST', '/payins', brebPayin(UNPAID))).json.id
    await tell(named, referenceOf(world, open))
    assert.deepEqual(await chargedBackIn(named, named.ours), [BEFORE])
    assert.deepEqual(await chargedBackIn(named, named.theirs), [])
    assert.deepEqual(await waiting(named), [])
  })

  it('and one of our own too, told under a garbled name, is booked where the network lists the payment', async () => {
    const named = await nameForOther()
    await using world = named.world
    await tellPaid(named, referenceOf(world, named.ours))
    await tell(named, 'GARBLED-1')
    for (const id of [named.ours, named.theirs]) assert.deepEqual(await chargedBackIn(named, id), [])
    await world.passTime(DAY_MS)
    await world.passTime(HOUR_MS)
    assert.equal((await read(world, named.ours)).settlementStatus, 'REVERSED')
    assert.deepEqual(await chargedBackIn(named, named.ours), ['payin charged back after settlement'])
    assert.deepEqual(await chargedBackIn(named, named.theirs), [])
    assert.deepEqual(await waiting(named), [])
  })
})

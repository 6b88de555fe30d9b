// One payment, named for two merchants: it is money of one of them, and cannot be spent by both.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { attachSuspense, type Clearing, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { leaveEachInOnePlace } from '../../../src/flows/ledger/leave-one-place.ts'
import { releaseByHand } from '../../../src/flows/ledger/release-by-hand.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { alarmsOf, assertCountedOnce, hold, itemNow, ROUTES, read } from './holding.ts'
import { passTimeSilently } from './reconciling.ts'

const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

type Ended = { world: World; ours: string; theirs: string; otherId: string }

async function endedPayins(): Promise<Ended> {
  const world = await createWorld()
  const other = await world.newMerchant()
  const ours = (await world.client('POST', '/payins', brebPayin(UNPAID))).json.id
  const theirs = (await other.client('POST', '/payins', brebPayin(UNPAID))).json.id
  await world.work()
  await world.client('POST', `/payins/${ours}/cancel`)
  await other.client('POST', `/payins/${theirs}/cancel`)
  await world.work()
  return { world, ours, theirs, otherId: other.organization.organizationId }
}

async function tell(world: World, organizationId: string, payinId: string, amount = '50000.00') {
  const reference = railReference('payin', organizationId, payinId)
  assert.equal(await notify(world, { reference, paymentId: 'PAY-1', amount }), 200)
}

// Two processes, neither of which saw what the other did: the payment goes to suspense of both.
async function suspendedTwice(amount?: string): Promise<Ended> {
  const ended = await endedPayins()
  const { world, ours, theirs, otherId } = ended
  const { db } = world.ctx
  const query: Queryable['query'] = async (config) => {
    const result = await db.query(config)
    return config.text.includes("'payin' as kind") ? { ...result, rows: [] } : (result as never)
  }
  await tell(world, world.organization.organizationId, ours)
  await tell(world, otherId, theirs, amount)
  await runAllDue({ ...world.ctx, db: { ...db, query } }, pino({ level: 'silent' }))
  assert.equal((await listSuspense(world.db, false)).length, 2)
  return ended
}

// Tries to attach every item to a payin of its own merchant.
async function attachAll({ world, ours, theirs }: Ended): Promise<string[]> {
  const done: string[] = []
  for (const { suspenseId, organizationId } of await listSuspense(world.db, true)) {
    const isOurs = organizationId === world.organization.organizationId
    const clearing = await attachSuspense(world.ctx, suspenseId, isOurs ? ours : theirs)
    done.push('problem' in clearing ? clearing.problem : 'attached')
  }
  return done
}

const contradictions = async (world: World) =>
  (await listOpenAlarms(world.db)).filter(({ kind }) => kind === 'payin-contradiction')

describe('one payment that the network names for two merchants', () => {
  it('is in suspense once: for the first, and the other’s payin has an alarm', async () => {
    const ended = await endedPayins()
    await using world = ended.world
    await tell(world, ended.otherId, randomUUID())
    await world.passTime(HOUR_MS)
    await world.passTime(2 * 60_000)
    await tell(world, world.organization.organizationId, ended.ours)
    await world.passTime(2 * 60_000)
    const [item, ...others] = await listSuspense(world.db, true)
    assert.deepEqual(others, [])
    assert.equal(item?.organizationId, ended.otherId)
    const [alarm] = await alarmsOf(world, ended.ours)
    assert.match(alarm ?? '', new RegExp(`is in suspense as ${item?.suspenseId} of organization`))
    assert.deepEqual(await attachAll(ended), ['attached'])
  })

  it('and went to suspense of both at once, is left to one of them, and a person is told', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    assert.equal(await leaveEachInOnePlace(world.ctx), 1)
    assert.equal(await leaveEachInOnePlace(world.ctx), 0)
    const [item, ...others] = await listSuspense(world.db, false)
    assert.deepEqual(others, [])
    const [alarm, ...more] = await contradictions(world)
    assert.deepEqual(more, [])
    assert.match(alarm?.detail ?? '', new RegExp(`stays there as ${item?.suspenseId}`))
    const ids = [world.organization.organizationId, ended.otherId]
    const held = await Promise.all(ids.map(async (id) => (await readBalances(world.db, id)).SUSPENSE))
    assert.deepEqual(held.toSorted(), [0n, 5_000_000n])
  })

  it('and is in suspense of both, is not left to one in silence by a process that dies', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    // It dies as soon as the item is released: nothing that comes after that transaction is written.
    let hasReleased = false
    const { db } = world.ctx
    const orDie = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      if (hasReleased) throw new Error('died')
      return run()
    }
    const inTransaction: Db['inTransaction'] = (work) =>
      orDie(async () => {
        const result = await db.inTransaction(work)
        hasReleased = true
        return result
      })
    const query: Queryable['query'] = (config) => orDie(() => db.query(config))
    await leaveEachInOnePlace({ ...world.ctx, db: { ...db, inTransaction, query } }).catch(() => {})
    assert.equal((await listSuspense(world.db, false)).length, 1)
    await leaveEachInOnePlace(world.ctx)
    assert.equal((await contradictions(world)).length, 1)
  })

  it('and is left to one of them, is charged back there, whichever of the two the network names', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    await leaveEachInOnePlace(world.ctx)
    const [kept] = await listSuspense(world.db, false)
    const { organizationId } = world.organization
    for (const [owner, payinId] of [
      [organizationId, ended.ours],
      [ended.otherId, ended.theirs],
    ] as const) {
      const reference = railReference('payin', owner, payinId)
      const chargeback = { type: 'collection.chargeback', reference, paymentId: 'PAY-1', amount: '10000.00' }
      assert.equal(await notify(world, { ...chargeback, chargebackId: `CB-${owner}` }), 200)
      await world.work()
    }
    const items = await listSuspense(world.db, true)
    assert.deepEqual(
      items.map(({ suspenseId, state, chargedBackInCents }) => [suspenseId, state, chargedBackInCents]),
      items.map(({ suspenseId }) =>
        suspenseId === kept?.suspenseId ? [suspenseId, 'OPEN', 2_000_000n] : [suspenseId, 'COUNTED', 0n],
      ),
    )
  })

  it('and is on its way back for one of them, is not taken from the other: the return may be refused', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    // Otherwise it would be left to the other.
    const [first] = [world.organization.organizationId, ended.otherId].toSorted()
    const move = (from: string, to: string) =>
      world.db.query({
        text: 'update suspense_items set state = $3 where organization_id = $1 and state = $2',
        values: [first, from, to],
      })
    await move('OPEN', 'RETURNING')
    assert.equal(await leaveEachInOnePlace(world.ctx), 0)
    assert.deepEqual((await listSuspense(world.db, true)).map(({ state }) => state).toSorted(), [
      'OPEN',
      'RETURNING',
    ])
    await move('RETURNING', 'OPEN')
    assert.equal(await leaveEachInOnePlace(world.ctx), 1)
  })

  it('and that nobody decided about for weeks is still left to one of them', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    world.advance(30 * DAY_MS)
    assert.equal(await leaveEachInOnePlace(world.ctx), 1)
  })

  it('and is in suspense of both, is attached for one of them', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    const done = await attachAll(ended)
    assert.equal(done.filter((one) => one === 'attached').length, 1, done.join('; '))
    assert.equal((await contradictions(world)).length, 1)
  })

  it('and is in suspense of both, is returned once', async () => {
    const ended = await suspendedTwice()
    await using world = ended.world
    let returned = 0
    const returnPayment = async () => {
      returned += 1
      return { outcome: 'accepted', value: { traceId: null } } as const
    }
    const { networks } = world.ctx
    const BRE_B = { ...networks.payins.BRE_B, returnPayment }
    const ctx = { ...world.ctx, networks: { ...networks, payins: { ...networks.payins, BRE_B } } }
    for (const { suspenseId } of await listSuspense(world.db, false)) await returnSuspense(ctx, suspenseId)
    assert.equal(returned, 1)
  })

  it('and is in suspense of both with two amounts, is attached and returned for neither, and a person is told', async () => {
    const ended = await suspendedTwice('70000.00')
    await using world = ended.world
    const refused = await attachAll(ended)
    for (const { suspenseId } of await listSuspense(world.db, false)) {
      const clearing = await returnSuspense(world.ctx, suspenseId)
      refused.push('problem' in clearing ? clearing.problem : 'returned')
    }
    assert.equal(refused.length, 4)
    for (const problem of refused)
      assert.match(problem, /payment PAY-1 is not only here: it is in suspense as/)
    assert.equal((await listSuspense(world.db, false)).length, 2)
    assert.equal((await contradictions(world)).length, 1)
  })

  it('with two amounts: what an operator releases leaves the books, and the other can be attached', async () => {
    const ended = await suspendedTwice('70000.00')
    await using world = ended.world
    const items = await listSuspense(world.db, false)
    const wrong = items.find(({ amountInCents }) => amountInCents === 7_000_000n)
    const released = await releaseByHand(world.ctx, wrong?.suspenseId as string)
    assert.ok('item' in released && released.item.state === 'COUNTED')
    const written = (await entriesOf(world, { organizationId: ended.otherId })).at(-1)
    assert.deepEqual([written?.act, written?.objectId], ['suspense.release', wrong?.suspenseId])
    assert.equal((await readBalances(world.db, ended.otherId)).SUSPENSE, 0n)
    assert.equal((await readBalances(world.db, world.organization.organizationId)).SUSPENSE, 5_000_000n)
    const last = items.find(({ suspenseId }) => suspenseId !== wrong?.suspenseId)?.suspenseId as string
    assert.match(
      problemOf(await releaseByHand(world.ctx, last)),
      /PAY-1 is nowhere else: return or attach it/,
    )
    assert.deepEqual((await attachAll(ended)).toSorted(), [
      'attached',
      `the item is COUNTED: payment PAY-1 is in suspense elsewhere`,
    ])
    assert.match(problemOf(await releaseByHand(world.ctx, last)), /is ATTACHED/)
    assert.deepEqual(await verifyLedger(world.db), [])
  })

  it('with two amounts, of which two operators release one each at once, stays in one place', async () => {
    const ended = await suspendedTwice('70000.00')
    await using world = ended.world
    const items = await listSuspense(world.db, false)
    // Both have looked where the payment is before either has written.
    let waiting = 0
    const bothLooked = Promise.withResolvers<void>()
    const query: Queryable['query'] = async (config) => {
      const result = await world.ctx.db.query(config)
      if (!config.text.includes("'payin' as kind")) return result as never
      waiting += 1
      if (waiting === items.length) bothLooked.resolve()
      await bothLooked.promise
      return result as never
    }
    const ctx = { ...world.ctx, db: { ...world.ctx.db, query } }
    const done = await Promise.all(items.map(({ suspenseId }) => releaseByHand(ctx, suspenseId)))
    assert.equal(done.filter((clearing) => 'item' in clearing).length, 1)
    assert.equal((await listSuspense(world.db, false)).length, 1)
  })
})

function problemOf(clearing: Clearing): string {
  return 'problem' in clearing ? clearing.problem : ''
}

describe('a payment in suspense of one merchant that confirms a payin of another', () => {
  it('is released, and the payin is settled', async () => {
    const held = await hold('another merchant')
    await using world = held.world
    // The second look finds the payin open.
    await passTimeSilently(world, 2 * 60_000)
    await ROUTES['its notice comes'](held)
    await leaveEachInOnePlace(world.ctx)
    await assertCountedOnce(held)
    await world.passTime(DAY_MS)
    assert.equal((await read(world, held.payinId)).settlementStatus, 'SETTLED')
  })

  it('with another amount stays under an alarm until an operator releases it for the payin', async () => {
    const held = await hold('another merchant', '60000.00')
    await using world = held.world
    await passTimeSilently(world, 2 * 60_000)
    await ROUTES['its notice comes'](held)
    await leaveEachInOnePlace(world.ctx)
    assert.equal((await itemNow(held))?.state, 'OPEN')
    assert.equal((await alarmsOf(world, held.payinId)).length, 1)
    assert.ok('item' in (await releaseByHand(world.ctx, held.item.suspenseId)))
    await assertCountedOnce(held)
  })

  it('after somebody returned it is under an alarm', async () => {
    const held = await hold('another merchant')
    await using world = held.world
    assert.ok('item' in (await returnSuspense(world.ctx, held.item.suspenseId)))
    await ROUTES['its notice comes'](held)
    await leaveEachInOnePlace(world.ctx)
    assert.equal((await itemNow(held))?.state, 'RETURNED')
    const alarms = await alarmsOf(world, held.payinId)
    assert.equal(alarms.filter((detail) => detail.includes(held.item.suspenseId)).length, 1)
  })
})

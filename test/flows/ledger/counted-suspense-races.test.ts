// What happens at the same time as a payment in suspense is counted: a crash, another confirmation, a chargeback, an operator, or
// its way into suspense. Nothing is counted twice, and nothing that is counted twice for a moment can be spent.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import type { Payin, PayinAddress } from '../../../src/core/payins/payin.ts'
import { applyNotice } from '../../../src/flows/connections/apply-notice.ts'
import type { Context } from '../../../src/flows/context.ts'
import { attachSuspense, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { releaseSuspense } from '../../../src/flows/ledger/release-suspense.ts'
import { unknown } from '../../../src/rails/rail.ts'
import { claimDueNotices } from '../../../src/store/connections/notices.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { listSuspense, type PaymentAddress, type SuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { checkMoney } from '../../simulation/checker.ts'
import type { World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import {
  alarmsOf,
  assertCountedOnce,
  assertDeclined,
  assertSettles,
  bookingsOf,
  HELD_NAMES,
  type Held,
  hold,
  itemNow,
  ROUTES,
  read,
} from './holding.ts'
import { passTimeSilently, silentNetworks } from './reconciling.ts'

const SILENT_LOG = pino({ level: 'silent' })

// The network names the payment rightly, and nothing else happens.
async function tell({ world, payinId, paymentId }: Held, type = 'collection.paid'): Promise<void> {
  const reference = railReference('payin', world.organization.organizationId, payinId)
  assert.equal(await notify(world, { type, reference, paymentId, amount: '50000.00' }), 200)
}

// Applies what was told, and then the process is gone.
async function applyTold(held: Held, ctx: Context = held.world.ctx): Promise<void> {
  const { organization, db } = held.world
  const now = ctx.clock.now()
  const lease = now + MINUTE_MS
  const notices = await claimDueNotices(db, organization.organizationId, now, lease, 10)
  assert.equal(notices.length, 1)
  for (const notice of notices) await applyNotice(ctx, notice, organization)
}

// Whoever looks whether the payment is in suspense sees what this makes of it.
function looking(world: World, look: (items: SuspenseItem[]) => Promise<SuspenseItem[]>): Context {
  const { batched } = world.ctx
  const suspenseOfPayment = Object.assign(
    async (address: PaymentAddress) => look(await batched.suspenseOfPayment(address)),
    batched.suspenseOfPayment,
  )
  return { ...silentNetworks(world), batched: { ...batched, suspenseOfPayment } }
}

// Whoever looks for the payment, in suspense or in any organization, had looked a moment before it was there.
function tooEarly(world: World): Context {
  const ctx = looking(world, async () => [])
  const query: Queryable['query'] = async (config) => {
    const result = await ctx.db.query(config)
    return config.text.includes("'payin' as kind") ? { ...result, rows: [] } : (result as never)
  }
  return { ...ctx, db: { ...ctx.db, query } }
}

describe('a process that dies', () => {
  it('after a payin was confirmed by a payment of nobody leaves the release to another, which does it once', async () => {
    const held = await hold('nobody')
    await using world = held.world
    await tell(held)
    await applyTold(held)
    assert.equal((await read(world, held.payinId)).status, 'CONFIRMED')
    assert.equal((await itemNow(held))?.state, 'OPEN')
    await Promise.all([world.work(), world.work()])
    await assertCountedOnce(held)
    await assertSettles(held)
  })

  it('while it counts a payment has written nothing', async () => {
    const held = await hold('another payin')
    await using world = held.world
    const { ctx } = world
    const dying = (tx: Queryable): Queryable => ({
      query: (config) => {
        if (config.text.includes('update suspense_items')) throw new Error('killed')
        return tx.query(config)
      },
    })
    const db = {
      ...ctx.db,
      inTransaction: (work) => ctx.db.inTransaction((tx) => work(dying(tx))),
    } as Context['db']
    await tell(held)
    await assert.rejects(applyTold(held, { ...ctx, db }), /killed/)
    assert.equal((await read(world, held.payinId)).status, 'PROCESSING')
    assert.equal((await itemNow(held))?.state, 'OPEN')
    await passTimeSilently(world, 2 * MINUTE_MS)
    await assertCountedOnce(held)
  })
})

describe('at the same time', () => {
  for (const name of HELD_NAMES) {
    it(`a notice and two queries find one payment, which is counted once (named ${name})`, async () => {
      const held = await hold(name)
      await using world = held.world
      await tell(held)
      world.advance(13 * MINUTE_MS)
      await Promise.all([world.work(), world.work(), world.work()])
      await world.passTime(2 * MINUTE_MS)
      await assertCountedOnce(held)
      await assertSettles(held)
    })

    it(`a payment that goes to suspense while it confirms a payin is released before it is spent (named ${name})`, async () => {
      const held = await hold(name)
      await using world = held.world
      await tell(held)
      // Whoever confirmed the payin had looked a moment before.
      await applyTold(
        held,
        looking(world, async () => []),
      )
      assert.equal((await itemNow(held))?.state, 'OPEN')
      await world.passTime(DAY_MS)
      assert.equal((await itemNow(held))?.state, 'COUNTED')
      assert.deepEqual(await bookingsOf(world, held.item.suspenseId), [
        'money in suspense',
        'suspense released',
      ])
      assert.equal((await read(world, held.payinId)).settlementStatus, 'SETTLED')
    })
  }

  it('two processes release one item, once, and neither is alarmed', async () => {
    const held = await hold('nobody')
    await using world = held.world
    const { organizationId } = world.organization
    await tell(held)
    await applyTold(held)
    const payin = await world.ctx.batched.getPayin({ organizationId, payinId: held.payinId })
    const release = () => releaseSuspense(world.ctx, payin as Payin)
    assert.deepEqual(await Promise.all([release(), release(), release()]), [true, true, true])
    await world.work()
    await assertCountedOnce(held)
    assert.deepEqual(await alarmsOf(world, held.payinId), [])
  })

  it('a payment that went to suspense with another amount keeps the payin from being spent', async () => {
    const held = await hold('nobody', '40000.00')
    await using world = held.world
    await tell(held)
    await applyTold(
      held,
      looking(world, async () => []),
    )
    await world.passTime(DAY_MS)
    assert.equal((await read(world, held.payinId)).settlementStatus, 'PENDING_SETTLEMENT')
    assert.equal((await itemNow(held))?.state, 'OPEN')
    assert.equal((await alarmsOf(world, held.payinId)).length, 1)
  })

  it('a payment that goes to suspense under two names stays under one', async () => {
    const held = await hold('nobody')
    await using world = held.world
    await world.client('POST', `/payins/${held.payinId}/cancel`)
    await tell(held)
    await applyTold(held, tooEarly(world))
    assert.equal((await listSuspense(world.db, false)).length, 2)
    await passTimeSilently(world, MINUTE_MS)
    const [own, ...others] = await listSuspense(world.db, false)
    assert.deepEqual(others, [])
    assert.deepEqual([own?.reason, own?.payinId, own?.state], ['LATE', held.payinId, 'OPEN'])
    assert.equal((await itemNow(held))?.state, 'COUNTED')
    assert.equal((await readBalances(world.db, UNATTRIBUTED_ORGANIZATION)).SUSPENSE, 0n)
    assert.deepEqual(await checkMoney(world.db, world.sandbox.log()), [])
  })

  it('a payment that is being returned is not spent by the payin that it confirms', async () => {
    const held = await hold('nobody')
    await using world = held.world
    const { networks } = world.ctx
    const returnPayment = async () => unknown('timeout', 'silent')
    const BRE_B = { ...networks.payins.BRE_B, returnPayment }
    const unanswered = { ...world.ctx, networks: { ...networks, payins: { ...networks.payins, BRE_B } } }
    assert.ok('problem' in (await returnSuspense(unanswered, held.item.suspenseId)))
    assert.equal((await itemNow(held))?.state, 'RETURNING')
    await tell(held)
    await applyTold(
      held,
      looking(world, async () => []),
    )
    await world.passTime(DAY_MS)
    await world.passTime(DAY_MS)
    const payin = await read(world, held.payinId)
    assert.deepEqual([payin.status, payin.settlementStatus], ['CONFIRMED', 'PENDING_SETTLEMENT'])
    const alarms = (await alarmsOf(world, held.payinId)).filter((one) => one.includes(held.item.suspenseId))
    assert.equal(alarms.length, 1)
    assert.equal((await itemNow(held))?.state, 'RETURNING')
  })

  it('a chargeback waits for the payin that the payment may be confirming', async () => {
    const held = await hold('nobody')
    await using world = held.world
    // Told first, while another process has decided to confirm the payin.
    await tell(held, 'collection.chargeback')
    await applyTold(held)
    assert.equal((await itemNow(held))?.state, 'OPEN')
    await tell(held)
    await passTimeSilently(world, MINUTE_MS)
    await passTimeSilently(world, MINUTE_MS)
    assert.equal((await read(world, held.payinId)).settlementStatus, 'REVERSED')
    assert.equal((await itemNow(held))?.state, 'COUNTED')
    assert.deepEqual(await bookingsOf(world, held.payinId), [
      'payin confirmed',
      'payin charged back before settlement',
    ])
  })

  it('a chargeback of the payin leaves nothing in suspense', async () => {
    const held = await hold('nobody')
    await using world = held.world
    await tell(held)
    await applyTold(held)
    await tell(held, 'collection.chargeback')
    await applyTold(held)
    assert.equal((await read(world, held.payinId)).settlementStatus, 'REVERSED')
    assert.equal((await itemNow(held))?.state, 'COUNTED')
    assert.deepEqual(await bookingsOf(world, held.item.suspenseId), [
      'money in suspense',
      'suspense released',
    ])
  })
})

describe('an operator', () => {
  for (const name of HELD_NAMES) {
    it(`neither returns nor attaches what was counted (named ${name})`, async () => {
      const held = await hold(name)
      await using world = held.world
      const { suspenseId } = held.item
      await ROUTES['its notice comes'](held)
      for (const done of [
        await returnSuspense(world.ctx, suspenseId),
        await attachSuspense(world.ctx, suspenseId, held.payinId),
      ])
        assert.match('problem' in done ? done.problem : 'done', /COUNTED.*has confirmed payin/)
      await assertCountedOnce(held)
    })
  }

  it('who attaches while the payment is counted is told so', async () => {
    const held = await hold('another payin')
    await using world = held.world
    const { batched } = world.ctx
    const getPayin = Object.assign(async (address: PayinAddress) => {
      await ROUTES['its notice comes'](held)
      return batched.getPayin(address)
    }, batched.getPayin)
    const slow = { ...world.ctx, batched: { ...batched, getPayin } }
    const done = await attachSuspense(slow, held.item.suspenseId, held.payinId)
    assert.match('problem' in done ? done.problem : 'done', /COUNTED meanwhile/)
    await assertCountedOnce(held)
  })

  it('who returns while the payin is being confirmed is first, and the payin gets nothing', async () => {
    const held = await hold('another payin')
    await using world = held.world
    let isReturned = false
    // After it was looked for, and before the confirmation is written.
    const slow = looking(world, async (items) => {
      if (isReturned) return items
      isReturned = true
      assert.ok('item' in (await returnSuspense(world.ctx, held.item.suspenseId)))
      return items
    })
    await tell(held)
    await runAllDue(slow, SILENT_LOG)
    assert.ok(isReturned)
    await assertDeclined(held, 'RETURNED')
  })

  it('who would return what another merchant’s payin has counted has it released', async () => {
    const held = await hold('another merchant')
    await using world = held.world
    const { suspenseId, organizationId } = held.item
    await ROUTES['its notice comes'](held)
    assert.equal((await itemNow(held))?.state, 'OPEN')
    const done = await returnSuspense(world.ctx, suspenseId)
    assert.match('problem' in done ? done.problem : 'done', new RegExp(`has confirmed payin ${held.payinId}`))
    await assertCountedOnce(held)
    assert.equal((await readBalances(world.db, organizationId)).SUSPENSE, 0n)
  })
})

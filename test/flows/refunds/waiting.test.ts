// Refunds that cannot be sent yet, or whose answers are lost: they wait, say for what, go on by themselves, and give back once.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { bogotaDay, endOfDay } from '../../../src/core/bogota-day.ts'
import { quietUntil } from '../../../src/core/organizations/limits.ts'
import type { CrashPoint } from '../../../src/flows/context.ts'
import { changeOrganizationLimits } from '../../../src/flows/organizations/change-limits.ts'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import { NO_FAULTS } from '../../../src/sandbox/faults.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { AMOUNT, refunding, SETTLEMENT } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }

describe('a refund that must wait', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const {
    asked,
    balance,
    chargeBack,
    confirmed,
    ends,
    eventsOf,
    leftOf,
    payin,
    proven,
    reaches,
    refund,
    spend,
  } = refunding(() => world)
  afterEach(() => proven())

  it('for money says so, and goes on when there is some: over its rail and by payout', async () => {
    await spend()
    const [byRail, byPayout] = [await confirmed(), await confirmed({ inlineCustomer: PAYER })]
    const one = await asked(byRail)
    const other = await asked(byPayout, { breb: { keyString: OWN } })
    for (const { id } of [one, other]) {
      const waits = await reaches(id, 'AWAITING_FUNDS')
      assert.equal(waits.errorCode, 'INSUFFICIENT_FUNDS')
      assert.equal(waits.status, 'PROCESSING')
    }
    for (let minutes = 0; minutes < 10; minutes += 1) await world.passTime(60_000)
    assert.equal((await refund(one.id)).stage, 'AWAITING_FUNDS')
    assert.deepEqual(await eventsOf(one.id), ['refund.created', 'refund.waiting'], 'it is told once')
    assert.equal((await balance()).reservedInCents, 0)
    // Both payins are settled, and are their own refunds.
    await world.passTime(SETTLEMENT)
    await ends(one.id, 'CONFIRMED')
    const paid = await ends(other.id, 'CONFIRMED')
    assert.deepEqual(leftOf('return', one.id), [AMOUNT])
    assert.deepEqual(leftOf('payout', paid.payoutId), [AMOUNT])
    assert.equal((await balance()).availableInCents, 0)
  })

  it('for money is not given back once the network has taken its payin back', async () => {
    const id = await confirmed()
    const made = await asked(id)
    await reaches(made.id, 'AWAITING_FUNDS')
    await chargeBack(id, BigInt(AMOUNT))
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
  })

  it('for money and for its payer ends when the payer’s time is over, not at its next look for money', async () => {
    await spend()
    const made = await asked(await confirmed(), { way: 'CLAIM' })
    assert.equal(made.reservedAmountInCents, 0)
    // It has looked for money for nearly all of its time.
    await world.db.query({
      text: 'update refunds set attempts = 20, due_at = $2, claim_expires_at = $3 where refund_id = $1',
      values: [
        made.id,
        new Date(world.ctx.clock.now()).toISOString(),
        new Date(world.ctx.clock.now() + 30_000).toISOString(),
      ],
    })
    await world.passTime(1_000)
    assert.equal((await refund(made.id)).stage, 'AWAITING_CLAIM')
    await world.passTime(29_000)
    const over = await refund(made.id)
    assert.equal(over.status, 'CANCELED')
    assert.equal(over.errorCode, 'CLAIM_EXPIRED')
  })

  it('for money and for its payer looks for money ever more seldom, up to a minute', async () => {
    await spend()
    const made = await asked(await confirmed(), { way: 'CLAIM' })
    assert.equal(made.reservedAmountInCents, 0)
    for (let looked = 0; looked < 8; looked += 1) await world.passTime(60_000)
    const left = ((await dueOf(made.id)) as number) - world.ctx.clock.now()
    assert.ok(left > 30_000 && left <= 60_000, `in ${left} ms`)
    await world.client('POST', `/refunds/${made.id}/cancel`)
  })

  it('for money can be canceled', async () => {
    const made = await asked(await confirmed())
    await reaches(made.id, 'AWAITING_FUNDS')
    assert.equal((await world.client('POST', `/refunds/${made.id}/cancel`)).status, 200)
    await world.passTime(SETTLEMENT)
    assert.equal((await refund(made.id)).status, 'CANCELED')
    assert.deepEqual(leftOf('return', made.id), [])
  })

  it('for a day’s limit of payouts, or for the end of quiet hours, goes on afterwards', async () => {
    const { organizationId } = world.organization
    const limit = (changes: object) => changeOrganizationLimits(world.ctx, organizationId, changes as never)
    await limit({ payoutSumPerDay: 1n })
    const id = await confirmed({ inlineCustomer: PAYER })
    await world.passTime(SETTLEMENT)
    const made = await asked(id, { breb: { keyString: OWN } })
    assert.equal((await reaches(made.id, 'AWAITING_FUNDS')).errorCode, 'PAYOUT_LIMIT_REACHED')
    assert.equal(await dueOf(made.id), endOfDay(bogotaDay(world.ctx.clock.now())))
    const quietHours = quietNow()
    await limit({ payoutSumPerDay: null, quietHours })
    await world.passTime(24 * 3_600_000)
    assert.equal((await reaches(made.id, 'AWAITING_FUNDS')).errorCode, 'QUIET_HOURS')
    assert.equal(await dueOf(made.id), quietUntil(quietHours, world.ctx.clock.now()))
    const told = await eventsOf(made.id)
    assert.deepEqual(told, ['refund.created', 'refund.waiting', 'refund.waiting'], 'of each reason')
    await limit({ quietHours: null })
    await world.passTime(3 * 3_600_000)
    await ends(made.id, 'CONFIRMED')
  })

  // Of the hour that it is a day later, and the next.
  const quietNow = (): string => {
    const hour = new Date(world.ctx.clock.now() - 5 * 3_600_000).getUTCHours()
    const two = (value: number) => `${value % 24}`.padStart(2, '0')
    return `${two(hour)}-${two(hour + 2)}`
  }

  // When it is looked at next, by itself.
  const dueOf = async (refundId: string) => {
    const { rows } = await world.db.query<{ due_at: number }>({
      text: 'select due_at from refunds where refund_id = $1',
      values: [refundId],
    })
    return rows[0]?.due_at
  }

  it('is given back once, wherever its worker dies', async () => {
    for (const point of ['refund-before-rail', 'refund-after-rail'] as const) {
      const id = await confirmed()
      await world.passTime(SETTLEMENT)
      const made = await asked(id, { amountInCents: 1_000_000 })
      const { signals } = world.ctx
      const crashPoint = (reached: CrashPoint) => {
        if (reached === point) throw new Error('killed')
      }
      const dying = { ...world.ctx, signals: { ...signals, crashPoint } }
      for (const claimed of await claimRefunds(world.ctx, world.organization.organizationId, 100))
        if (claimed.refund.refundId === made.id)
          await assert.rejects(advanceRefund(dying, claimed, world.organization), /killed/)
      assert.equal((await refund(made.id)).stage, 'SENDING')
      assert.equal((await world.client('POST', `/refunds/${made.id}/cancel`)).status, 409)
      await world.passTime(61_000)
      await ends(made.id, 'CONFIRMED')
      assert.deepEqual(leftOf('return', made.id), [1_000_000], point)
    }
  })

  it('a payout that comes back makes its refund’s money available, and the payin can be refunded again', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    await world.passTime(SETTLEMENT)
    const made = await asked(id, { breb: { keyString: OWN } })
    const { payoutId } = await ends(made.id, 'CONFIRMED')
    assert.equal((await payin(id)).refundedAmountInCents, AMOUNT)
    await comesBack(payoutId)
    const returned = await eventually(
      async () => {
        await world.work()
        return refund(made.id)
      },
      ({ returnedAt }) => returnedAt !== null,
    )
    assert.equal(returned.status, 'CONFIRMED')
    assert.equal((await payin(id)).refundedAmountInCents, 0)
    assert.ok((await eventsOf(made.id)).includes('refund.returned'))
    const again = await asked(id)
    await ends(again.id, 'CONFIRMED')
  })

  // As a provider tells it.
  const comesBack = async (payoutId: string) => {
    const { payoutWrite } = await import('../../../src/flows/payouts/write.ts')
    const { returnPayout } = await import('../../../src/core/payouts/settle.ts')
    const { organizationId } = world.organization
    const payout = await world.ctx.batched.getPayout({ organizationId, payoutId })
    if (payout === undefined) throw new Error('no payout')
    const step = returnPayout(payout, 'RETURNED', world.ctx.clock.now())
    assert.ok(await world.ctx.batched.writePayout(payoutWrite(world.ctx, payout, step, {})))
  }
})

describe('refunds over a network that loses answers', () => {
  it('give back once each, and the books agree', async () => {
    const faults = { ...NO_FAULTS, errorAfterAcceptance: 0.3, droppedAnswer: 0.3, malformedAnswer: 0.2 }
    await using world = await createWorld({ sandbox: { seed: 7, faults } })
    const { ask, leftOf, payin, proven, refund } = refunding(() => world)
    const made: { id: string }[] = []
    for (let count = 0; count < 6; count += 1) {
      const { id } = (await world.client('POST', '/payins', brebPayin({ inlineCustomer: PAYER }))).json
      await eventually(
        async () => {
          await world.passTime(30_000)
          return payin(id)
        },
        ({ status }) => status === 'CONFIRMED',
      )
      // The directory loses answers too.
      const answer = await eventually(
        () => ask(id, count % 2 === 0 ? { way: 'RAIL' } : { breb: { keyString: OWN } }),
        ({ status }) => status === 201,
      )
      made.push(answer.json)
    }
    let looked = 0
    await eventually(
      async () => {
        looked += 1
        // A network that has lost many answers in a row is asked more and more seldom.
        await world.passTime(looked < 30 ? 120_000 : 3_600_000)
        return Promise.all(made.map(({ id }) => refund(id)))
      },
      (all) => all.every(({ status }) => status === 'CONFIRMED'),
      120_000,
    )
    for (const { id } of made) {
      const { way, payoutId } = await refund(id)
      assert.deepEqual(way === 'RAIL' ? leftOf('return', id) : leftOf('payout', payoutId), [AMOUNT])
    }
    await proven()
  })
})

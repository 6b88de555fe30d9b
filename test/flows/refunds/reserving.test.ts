// A refund's money is set aside in the moment it is asked for, whoever it waits for, and is released however it ends without having left.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import { verifyCloses } from '../../../src/flows/ledger/verify-closes.ts'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import type { RefundClaimed } from '../../../src/store/refunds/refunds.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, type World } from '../../world.ts'
import { approvalOf, decideAs, setRules } from '../approvals/approving.ts'
import { closeToday } from '../ledger/closing.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { AMOUNT, refunding, SETTLEMENT } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }
const DAY_MS = 24 * 3_600_000

describe('the money of a refund', () => {
  let world: World
  let people: People
  let carla: User
  let answerOf: (challenge: string, more?: object) => unknown
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin, PAYER_ACTIONS_PER_MINUTE: '0' } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    answerOf = (await people.withPasskey(carla)).answer
    await setRules(world, [{ kind: 'refund', tiers: [{ fromAmountInCents: 2_000_000, approvers: 1 }] }])
  })
  after(() => world[Symbol.asyncDispose]())
  const { ask, asked, balance, bookingsOf, chargeBack, confirmed, ends, eventsOf, leftOf } = refunding(
    () => world,
  )
  const { proven, refund, worked } = refunding(() => world)
  afterEach(() => proven())

  const decide = async (refundId: string, decision: 'APPROVED' | 'REFUSED') => {
    const approval = await approvalOf(world, refundId)
    const passkey = answerOf(Buffer.from(approval.digest, 'hex').toString('base64url'))
    await decideAs(people.ctx, carla, approval, decision, { given: { passkey } })
  }
  const held = async () => {
    const { availableInCents, reservedInCents } = await balance()
    return [availableInCents, reservedInCents]
  }
  const claim = (url: string, key: string) =>
    world.anonymous('POST', new URL(url).pathname, new URLSearchParams({ key, sure: '1' }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })

  it('that waits for approval is set aside at once, stays so while it is approved, and leaves once', async () => {
    const id = await confirmed()
    const [available = 0, reserved = 0] = await held()
    const made = await asked(id)
    assert.equal(made.stage, 'AWAITING_APPROVAL')
    assert.equal(made.reservedAmountInCents, AMOUNT)
    assert.deepEqual(await held(), [available - AMOUNT, reserved + AMOUNT])
    await proven()
    await decide(made.id, 'APPROVED')
    assert.deepEqual(await held(), [available - AMOUNT, reserved + AMOUNT])
    const done = await ends(made.id, 'CONFIRMED')
    assert.equal(done.reservedAmountInCents, 0)
    assert.deepEqual(await held(), [available - AMOUNT, reserved])
    assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund given back'])
    assert.deepEqual(leftOf('return', made.id), [AMOUNT])
  })

  const endings: Record<string, (made: { id: string; payinId: string }) => Promise<unknown>> = {
    'is refused': ({ id }) => decide(id, 'REFUSED'),
    lapses: async () => {
      await world.passTime(7 * DAY_MS)
      await lapseDueApprovals(world.ctx)
    },
    'is canceled': ({ id }) => cancel(id),
    'is charged back': async ({ id, payinId }) => {
      await chargeBack(payinId, 1n)
      await ends(id, 'CANCELED')
    },
  }
  for (const [how, end] of Object.entries(endings))
    it(`comes back when it ${how}`, async () => {
      const made = await asked(await confirmed())
      const { reservedInCents } = await balance()
      await end(made)
      const over = await refund(made.id)
      assert.notEqual(over.status, 'PROCESSING')
      assert.equal(over.reservedAmountInCents, 0)
      assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund released'])
      assert.equal((await balance()).reservedInCents, reservedInCents - AMOUNT)
    })

  it('for a payer who must claim it is set aside, goes over to the payout, and leaves once', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    const [available = 0, reserved = 0] = await held()
    const made = await asked(id, { amountInCents: 1_000_000, way: 'CLAIM' })
    assert.deepEqual(await held(), [available - 1_000_000, reserved + 1_000_000])
    await claim(made.claimUrl, OWN)
    const paid = await ends(made.id, 'CONFIRMED')
    assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund released'])
    assert.deepEqual(await bookingsOf(paid.payoutId), ['payout reserved', 'refund paid'])
    assert.deepEqual(await held(), [available - 1_000_000, reserved])
  })

  it('that nobody claims comes back after thirty days', async () => {
    const made = await asked(await confirmed(), { amountInCents: 1_000_000, way: 'CLAIM' })
    const { reservedInCents } = await balance()
    await world.passTime(30 * DAY_MS)
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CLAIM_EXPIRED')
    assert.equal((await balance()).reservedInCents, reservedInCents - 1_000_000)
  })

  it('whose payout fails is set aside again while the payer names another key', async () => {
    const payer = { ...CUSTOMER, idNumber: '1000000003' }
    const { id } = (await world.client('POST', '/payins', brebPayin({ inlineCustomer: payer }))).json
    await endPayin(world, world.client, id, 'confirmed')
    const [available = 0, reserved = 0] = await held()
    const made = await asked(id, { amountInCents: 1_000_000, way: 'CLAIM' })
    await claim(made.claimUrl, '1000000003')
    const again = await eventually(
      async () => {
        await world.passTime(5_000)
        return refund(made.id)
      },
      (one) => one.payoutId !== null && one.stage === 'AWAITING_CLAIM' && one.reservedAmountInCents > 0,
    )
    assert.ok(again.errorCode)
    assert.deepEqual(await held(), [available - 1_000_000, reserved + 1_000_000])
    assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund released', 'refund reserved'])
    const told = (await eventsOf(made.id)).filter((event) => event === 'refund.waiting')
    assert.equal(told.length, 1, 'setting the money aside is nothing to tell')
    await world.client('POST', `/refunds/${made.id}/cancel`)
    assert.deepEqual(await held(), [available, reserved])
  })

  it('two at once, of two payins, never reserve more than there is', async () => {
    const ids = [await confirmed(), await confirmed(), await confirmed()]
    await spend(8_000_000)
    const made = await Promise.all(ids.map((id) => asked(id, { amountInCents: 4_500_000 })))
    assert.equal(made.filter((one) => one.reservedAmountInCents === 4_500_000).length, 1)
    assert.deepEqual(
      made.map(({ stage }) => stage),
      ['AWAITING_APPROVAL', 'AWAITING_APPROVAL', 'AWAITING_APPROVAL'],
    )
    assert.deepEqual(await held(), [3_500_000, 4_500_000])
    await proven()
    // A payout does not get what is set aside.
    const payout = (await world.client('POST', '/payouts', payoutBody(3_500_001))).json
    await worked(
      async () => (await world.client('GET', `/payouts/${payout.id}`)).json,
      ({ errorCode }) => errorCode === 'INSUFFICIENT_FUNDS',
    )
    // When money comes, the others are set aside too, once each, and nobody has to ask.
    await world.passTime(SETTLEMENT)
    for (const { id } of made)
      await eventually(
        async () => {
          await world.passTime(30_000)
          return refund(id)
        },
        (one) => one.reservedAmountInCents === 4_500_000,
      )
    for (const { id } of made) assert.deepEqual(await bookingsOf(id), ['refund reserved'])
    const after = await held()
    await world.passTime(600_000)
    assert.deepEqual(await held(), after)
    for (const { id } of made) await decide(id, 'REFUSED')
    assert.equal((await balance()).reservedInCents, 0)
  })

  it('two at once, of one payin, are held of it and of the balance once', async () => {
    const id = await confirmed()
    await world.passTime(SETTLEMENT)
    const { reservedInCents } = await balance()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(id, { amountInCents: 2_000_000 })))
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json)
    assert.equal(made.length, 2)
    assert.equal((await balance()).reservedInCents, reservedInCents + 4_000_000)
    const both = made.flatMap(({ id: one }) => [decide(one, 'REFUSED'), cancel(one)])
    await Promise.allSettled(both)
    assert.equal((await balance()).reservedInCents, reservedInCents, 'refused and canceled at once')
  })

  it('closes to the cent, whatever is set aside over the end of a day', async () => {
    const id = await confirmed()
    await world.passTime(SETTLEMENT)
    const made = await asked(id)
    await closeToday(world)
    await decide(made.id, 'REFUSED')
    const lastDay = await closeToday(world)
    const { organizationId } = world.organization
    const proof = await verifyCloses(world.ctx, organizationId, lastDay, async () => {})
    assert.equal(proof.problem, null)
    assert.equal(proof.lastDay, lastDay)
  })

  it('is told to the workers of payouts once the payout is committed', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    const made = await asked(id, { amountInCents: 1_000_000, breb: { keyString: OWN } })
    const { organizationId } = world.organization
    const seen: Promise<string>[] = []
    world.ctx.signals.onWork((kind) => {
      if (kind === 'payouts') seen.push(refund(made.id).then(({ stage }) => stage))
    })
    for (const claimed of await claimRefunds(world.ctx, organizationId, 100))
      await advanceRefund(world.ctx, claimed, world.organization)
    assert.deepEqual(await Promise.all(seen), ['PAYING'])
    await ends(made.id, 'CONFIRMED')
  })

  it('is not paid by a worker that has lost its lease, and no payout is left behind', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    const made = await asked(id, { amountInCents: 1_000_000, breb: { keyString: OWN } })
    const [claimed] = await claimRefunds(world.ctx, world.organization.organizationId, 100)
    const text = 'update refunds set lease_token = $2 where refund_id = $1'
    await world.db.query({ text, values: [made.id, world.ctx.ids.next()] })
    await assert.rejects(advanceRefund(world.ctx, claimed as RefundClaimed, world.organization), /lease/)
    const { rows } = await world.db.query({
      text: 'select 1 from payouts where refund_id = $1',
      values: [made.id],
    })
    assert.deepEqual(rows, [])
    assert.equal((await refund(made.id)).stage, 'READY')
    await world.passTime(61_000)
    await ends(made.id, 'CONFIRMED')
  })

  const cancel = (id: string) => world.client('POST', `/refunds/${id}/cancel`)
  const payoutBody = (amountInCents: number) => ({
    amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'reserving',
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
  })
  // Pays out all but so much.
  const spend = async (leaveInCents: number) => {
    for (let left = (await balance()).availableInCents - leaveInCents; left > 0; ) {
      const amountInCents = Math.min(left, 1_211_000_000)
      await world.client('POST', '/payouts', payoutBody(amountInCents))
      left -= amountInCents
    }
    await eventually(
      async () => {
        await world.passTime(1_000)
        return held()
      },
      ([available, reserved]) => available === leaveInCents && reserved === 0,
    )
  }
})

// "Pay another way": the network ends the attempt before the payer may begin another, so two are never open at the bank.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import type { PaymentLink } from '../../../src/core/payment-links/payment-link.ts'
import type { Context } from '../../../src/flows/context.ts'
import { abandonAttempt } from '../../../src/flows/payment-links/abandon-attempt.ts'
import { startAttempt } from '../../../src/flows/payment-links/start-attempt.ts'
import { type PayinRail, unknown } from '../../../src/rails/rail.ts'
import { getLink } from '../../../src/store/payment-links/payment-links.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

const BREB = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
const PSE = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
const [STAYS_OPEN, PAID_IN_SILENCE] = ['1000000007', '1000000015']
const LEASE_MS = 60_000
const silent = pino({ level: 'silent' })

describe('a payer abandons an attempt', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newLink = async (): Promise<PaymentLink> => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    return (await getLink(world.db, world.organization.organizationId, json.paymentLinkId)) as PaymentLink
  }
  const begin = (link: PaymentLink, way: typeof BREB | typeof PSE = BREB, idNumber = STAYS_OPEN) =>
    startAttempt(world.ctx, world.organization, link, { customer: { ...CUSTOMER, idNumber }, way })
  const begun = async (...request: Parameters<typeof begin>) => (await begin(...request))?.payin as Payin
  const abandon = (payin: Payin, ctx: Context = world.ctx) => abandonAttempt(ctx, world.organization, payin)
  // The whole row: what merchants see, and the schedule.
  const row = async ({ payinId }: Payin): Promise<Record<string, unknown>> => {
    const text = 'select * from payins where payin_id = $1'
    return (await world.db.query({ text, values: [payinId] })).rows[0] as Record<string, unknown>
  }
  const exchanges = async ({ organizationId, payinId }: Payin): Promise<string[]> => {
    const { rows } = await world.db.query<{ operation: string }>({
      text: 'select operation from rail_exchanges where reference = $1 order by exchange_id',
      values: [railReference('payin', organizationId, payinId)],
    })
    return rows.map(({ operation }) => operation)
  }
  const atNetwork = async ({ organizationId, payinId, source }: Payin) => {
    const reference = railReference('payin', organizationId, payinId)
    const answer = await world.ctx.networks.payins[source.rail].query({
      reference,
      providerId: null,
      amountInCents: 1n,
    })
    return answer.outcome === 'accepted' ? answer.value.state : answer.outcome
  }
  const withRail = (changes: (rail: PayinRail) => Partial<PayinRail>): Context => {
    const { payins } = world.ctx.networks
    const changed = {
      BRE_B: { ...payins.BRE_B, ...changes(payins.BRE_B) },
      PSE: { ...payins.PSE, ...changes(payins.PSE) },
    }
    return { ...world.ctx, networks: { ...world.ctx.networks, payins: changed } }
  }
  const isStillOpen = async (link: PaymentLink, payin: Payin) => {
    const again = await begin(link)
    assert.deepEqual([again?.payin.payinId, again?.isNew], [payin.payinId, false])
  }

  it('that the network never heard of: it ends at once, and nobody is asked', async () => {
    const payin = await begun(await newLink())
    assert.equal(await abandon(payin), 'left')
    const { status, error_code, rail_stage, due_at, lease_token } = await row(payin)
    assert.deepEqual(
      { status, error_code, rail_stage, due_at, lease_token },
      {
        status: 'CANCELED',
        error_code: 'CANCELED_BY_PAYER',
        rail_stage: 'DONE',
        due_at: null,
        lease_token: null,
      },
    )
    await world.passTime(LEASE_MS)
    assert.deepEqual(await exchanges(payin), [])
  })

  it('that waits at the network: it is ended there first, and asked about once more', async () => {
    for (const way of [BREB, PSE]) {
      const link = await newLink()
      const payin = await begun(link, way)
      await world.work()
      assert.equal(await atNetwork(payin), 'open')
      const abandonedAt = world.ctx.clock.now()
      assert.equal(await abandon(payin), 'left')
      assert.equal(await atNetwork(payin), 'ended')
      const { status, error_code, rail_stage, due_at } = await row(payin)
      assert.deepEqual([status, error_code, rail_stage], ['CANCELED', 'CANCELED_BY_PAYER', 'DONE'])
      assert.ok(Number(due_at) >= abandonedAt + LEASE_MS, 'an order that was on its way has arrived by then')
      // Another may begin at once.
      assert.equal((await begin(link))?.isNew, true)
      // Exchanges are written down in the background.
      const cancellations = (count: number) =>
        eventually(
          async () => (await exchanges(payin)).filter((operation) => operation.startsWith('DELETE')).length,
          (written) => written === count,
        )
      await cancellations(1)
      await world.passTime(LEASE_MS)
      await cancellations(2)
      const { rail_stage: stage, due_at: due } = await row(payin)
      assert.deepEqual([stage, due], ['DONE', null])
      // A second click on an old page.
      assert.equal(await abandon(payin), 'left')
    }
  })

  it('while at the bank: too late, and nothing changes', async () => {
    const link = await newLink()
    const payin = await begun(link, PSE)
    await world.work()
    const earlier = await row(payin)
    assert.ok(world.sandbox.openedByPayer(railReference('payin', payin.organizationId, payin.payinId)))
    assert.equal(await abandon(payin), 'too-late')
    assert.deepEqual(await row(payin), earlier)
    await isStillOpen(link, payin)
  })

  it('and the network does not answer: nothing changes', async () => {
    const link = await newLink()
    const payin = await begun(link)
    await world.work()
    const earlier = await row(payin)
    const away = withRail(() => ({ cancel: async () => unknown('timeout', 'nobody answered') }))
    assert.equal(await abandon(payin, away), 'too-late')
    assert.deepEqual(await row(payin), earlier)
    await isStillOpen(link, payin)
  })

  it('that is paid, without a notice: the payment counts', async () => {
    const link = await newLink()
    const payin = await begun(link, BREB, PAID_IN_SILENCE)
    await world.work()
    await world.sandbox.advance(1_000)
    assert.equal(await abandon(payin), 'too-late')
    assert.equal((await row(payin)).status, 'CONFIRMED')
    assert.equal((await world.client('GET', `/payment-links/${link.paymentLinkId}`)).json.status, 'COMPLETED')
  })

  it('that the network has declined: it is declined, and another may begin', async () => {
    const link = await newLink()
    const payin = await begun(link, PSE)
    await world.work()
    const status = {
      state: 'ended',
      how: 'declined',
      reason: 'INSUFFICIENT_FUNDS',
      networkCode: '00003',
    } as const
    const declined = withRail(() => ({ cancel: async () => ({ outcome: 'accepted', value: status }) }))
    assert.equal(await abandon(payin, declined), 'left')
    const { status: ours, error_code } = await row(payin)
    assert.deepEqual([ours, error_code], ['DECLINED', 'INSUFFICIENT_FUNDS'])
    assert.equal((await begin(link))?.isNew, true)
  })

  it('that a worker is handing over: too late', async () => {
    const link = await newLink()
    const payin = await begun(link)
    const slow = withRail((rail) => ({
      submit: async (order) => {
        const answer = await rail.submit(order)
        // Attempts of other tests are handed over in the same round.
        const isOurs = order.reference === railReference('payin', payin.organizationId, payin.payinId)
        if (isOurs) assert.equal(await abandon(payin), 'too-late')
        return answer
      },
    }))
    await runAllDue(slow, silent)
    assert.equal((await row(payin)).rail_stage, 'OPEN')
    await isStillOpen(link, payin)
  })

  it('while the network is asked: no worker hands it over meanwhile', async () => {
    const link = await newLink()
    const payin = await begun(link)
    await runAllDue(
      withRail(() => ({ submit: async () => unknown('timeout', 'nobody answered') })),
      silent,
    )
    assert.equal((await row(payin)).attempts, 1)
    const asked = withRail((rail) => ({
      cancel: async (reference) => {
        const answer = await rail.cancel(reference)
        await world.passTime(5_000)
        return answer
      },
    }))
    assert.equal(await abandon(payin, asked), 'left')
    await eventually(
      () => exchanges(payin),
      (operations) => operations.join() === 'DELETE /collections',
    )
  })

  it('that a worker handed over before it died: the network ends it', async () => {
    const payin = await begun(await newLink())
    const dying = withRail((rail) => ({
      submit: async (order) => {
        await rail.submit(order)
        throw new Error('the process died')
      },
    }))
    await runAllDue(dying, silent)
    assert.equal(await abandon(payin), 'too-late')
    world.advance(LEASE_MS)
    assert.equal(await atNetwork(payin), 'open')
    assert.equal(await abandon(payin), 'left')
    assert.equal(await atNetwork(payin), 'ended')
  })

  it('that a worker handed over before it died, and is at the bank: too late, however often it is asked', async () => {
    const link = await newLink()
    const payin = await begun(link, PSE)
    const dying = withRail((rail) => ({
      submit: async (order) => {
        await rail.submit(order)
        throw new Error('the process died')
      },
    }))
    await runAllDue(dying, silent)
    assert.ok(world.sandbox.openedByPayer(railReference('payin', payin.organizationId, payin.payinId)))
    world.advance(LEASE_MS)
    const earlier = await row(payin)
    for (let click = 1; click <= 3; click += 1) {
      assert.equal(await abandon(payin), 'too-late')
      assert.deepEqual(await row(payin), earlier)
    }
    assert.equal(await atNetwork(payin), 'open')
    await isStillOpen(link, payin)
  })

  it('that was ended, and whose order comes late after all: it is closed again, and until then no other begins', async () => {
    const link = await newLink()
    const payin = await begun(link, PSE)
    await world.work()
    assert.equal(await abandon(payin), 'left')
    const opened = withRail(() => ({
      cancel: async () => ({ outcome: 'accepted', value: { state: 'open' } }),
    }))
    world.advance(LEASE_MS)
    await runAllDue(opened, silent)
    assert.equal((await row(payin)).rail_stage, 'TO_CLOSE')
    await isStillOpen(link, payin)
    assert.equal(await abandon(payin), 'too-late')
    await world.passTime(12 * 60_000)
    assert.equal((await row(payin)).rail_stage, 'DONE')
    assert.equal(await abandon(payin), 'left')
    assert.equal((await begin(link))?.isNew, true)
  })

  it('and is confirmed while the network is asked: the confirmation stands', async () => {
    const link = await newLink()
    const payin = await begun(link)
    await world.work()
    const paidMeanwhile = withRail((rail) => ({
      cancel: async (reference) => {
        const answer = await rail.cancel(reference)
        await world.client('POST', `/sandbox/payins/${payin.payinId}/simulate`, { outcome: 'confirmed' })
        await world.passTime(0)
        return answer
      },
    }))
    assert.equal(await abandon(payin, paidMeanwhile), 'too-late')
    assert.equal((await row(payin)).status, 'CONFIRMED')
  })
})

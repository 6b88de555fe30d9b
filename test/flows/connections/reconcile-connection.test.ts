// A day of a connection beside its provider's own list: what only the provider lists is asked about and booked, and what only we have
// is told to a person.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bogotaDay, daysAfter, startOfDay } from '../../../src/core/bogota-day.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { StatementLine } from '../../../src/core/connections/statement.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { reconcileNextConnection } from '../../../src/flows/connections/reconcile-connection.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { accepted, connect, openedPayin, type ScriptedProvider } from './scripted-provider.ts'

let count = 0

describe('a day of a connection', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { provider: 'mono', uses: ['BRE_B_IN', 'BRE_B_OUT'] })
  })
  after(() => world[Symbol.asyncDispose]())

  const reference = (kind: 'payin' | 'payout', id: string) =>
    railReference(kind, world.organization.organizationId, id)
  const newPayin = async (paymentId: string | null) => {
    count += 1
    const { json } = await world.client('POST', '/payins', {
      amountInCents: 5_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `listed-${count}`,
      breb: { keyType: 'SINGLE_USE' },
    })
    await world.work()
    paidIn.set(reference('payin', json.id), paymentId)
    return json.id as string
  }
  const paidIn = new Map<string, string | null>()
  const line = (id: string, networkId: string, changes: Partial<StatementLine> = {}): StatementLine => ({
    movement: 'credit',
    reference: reference('payin', id),
    networkId,
    amountInCents: 5_000_000n,
    occurredAt: world.ctx.clock.now(),
    ...changes,
  })
  const status = async (id: string) => (await world.client('GET', `/payins/${id}`)).json.status
  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id).map(({ detail }) => detail)
  // Noon: by then the day before is closed, whatever the hour at which the test began.
  const nextDay = () => {
    const now = world.ctx.clock.now()
    world.advance(startOfDay(daysAfter(bogotaDay(now), 1)) + 12 * HOUR_MS - now)
    return reconcileNextConnection(world.ctx)
  }

  it('is compared both ways, once', async () => {
    provider.payin = ({ reference: asked }) => {
      const paymentId = paidIn.get(asked)
      return paymentId
        ? accepted({
            state: 'paid',
            payments: [{ paymentId, amountInCents: 5_000_000n }],
            networkCode: 'paid',
          })
        : accepted({ state: 'open' })
    }
    const known = await newPayin('mono:known')
    const unlisted = await newPayin('mono:unlisted')
    const otherAmount = await newPayin('mono:other-amount')
    await world.passTime(60_000)
    assert.deepEqual(
      await Promise.all([known, unlisted, otherAmount].map(status)),
      Array(3).fill('CONFIRMED'),
    )
    // Its notice was lost, and nobody asked yet.
    const lost = await newPayin(null)
    paidIn.set(reference('payin', lost), 'mono:lost')
    provider.pages = [
      [line(known, 'mono:known'), line(lost, 'mono:lost')],
      [
        line(otherAmount, 'mono:other-amount', { amountInCents: 1n }),
        line(known, 'mono:elsewhere', { reference: 'a sale of another shop' }),
      ],
    ]
    const result = await nextDay()
    assert.equal(result?.outcome, 'compared')
    assert.deepEqual([result?.lines, result?.asked, result?.alarms], [4, 2, 2])
    assert.match((await alarmsOf(unlisted))[0] ?? '', /mono:unlisted.*does not show it/)
    assert.match((await alarmsOf(otherAmount))[0] ?? '', /shows it with 1 cents/)
    assert.deepEqual(await alarmsOf(known), [])
    await world.work()
    // It had expired here by then, so the money is in suspense: nothing is out of sight.
    const { rows } = await world.db.query({
      text: `select 1 from suspense_items where payin_id = $1 and payment_id = 'mono:lost'
              union all select 1 from payins where payin_id = $1 and status = 'CONFIRMED'`,
      values: [lost],
    })
    assert.equal(rows.length, 1)
    assert.equal(await reconcileNextConnection(world.ctx), undefined)
  })

  it('is tried again when the provider did not answer', async () => {
    provider.pages = undefined
    const first = await nextDay()
    assert.equal(first?.outcome, 'unanswered')
    assert.equal(await reconcileNextConnection(world.ctx), undefined)
    provider.pages = [[]]
    world.advance(60 * 60_000)
    const second = await reconcileNextConnection(world.ctx)
    assert.deepEqual([second?.outcome, second?.day], ['compared', first?.day])
  })

  it('is not compared with a list of which a line cannot be read, and is tried again', async () => {
    const day = async () => (await nextDay())?.outcome
    provider.pages = [[]]
    provider.unreadable = [{ reference: '', raw: 'torn', why: 'it has no amount' }]
    assert.equal(await day(), 'unanswered')
    provider.unreadable = []
    world.advance(HOUR_MS)
    assert.equal((await reconcileNextConnection(world.ctx))?.outcome, 'compared')
  })

  it('knows a payment that the provider lists a moment beyond either midnight', async () => {
    const now = world.ctx.clock.now()
    const midnight = startOfDay(daysAfter(bogotaDay(now), 1))
    const booked = async (at: number, paymentId: string) => {
      world.advance(at - world.ctx.clock.now())
      const id = await newPayin(paymentId)
      await world.passTime(60_000)
      assert.equal(await status(id), 'CONFIRMED')
      return id
    }
    const early = await booked(midnight + 60_000, 'mono:early')
    const late = await booked(midnight + 24 * HOUR_MS - 120_000, 'mono:late')
    provider.pages = [
      [
        line(early, 'mono:early', { occurredAt: midnight - 60_000 }),
        line(late, 'mono:late', { occurredAt: midnight + 24 * HOUR_MS + 60_000 }),
      ],
    ]
    world.advance(36 * HOUR_MS)
    for (let done = await reconcileNextConnection(world.ctx); done; )
      done = await reconcileNextConnection(world.ctx)
    assert.deepEqual([await alarmsOf(early), await alarmsOf(late)], [[], []])
  })

  it('asks about a payout that the provider lists as paid, and we do not', async () => {
    provider.submitPayout = () => ({ outcome: 'unknown', kind: 'timeout', why: 'lost' })
    provider.payout = () => ({ outcome: 'unknown', kind: 'timeout', why: 'lost' })
    const { json } = await world.client('POST', '/payouts', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'listed-payout',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    await world.work()
    provider.pages = [
      [
        line(json.id, 'mono:T', {
          movement: 'debit',
          reference: reference('payout', json.id),
          amountInCents: 1_000_000n,
        }),
      ],
    ]
    const result = await nextDay()
    assert.equal(result?.outcome, 'compared')
    assert.equal(result?.asked, 1)
  })

  it('asks about no payout that is confirmed already, and by its id there about one that has no reference of ours', async () => {
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:paid' })
    const { json } = await world.client('POST', '/payouts', {
      amountInCents: 1_100_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'confirmed-payout',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    await world.work()
    assert.equal((await world.client('GET', `/payouts/${json.id}`)).json.status, 'CONFIRMED')
    provider.submitPayin = () => accepted(openedPayin({}, 'P-listed'))
    provider.payin = () => accepted({ state: 'open' })
    const open = await newPayin(null)
    const [isPayout, isElsewhere] = [{ movement: 'debit' }, { reference: 'typed by its payer' }] as const
    const known = { reference: reference('payout', json.id), amountInCents: 1_100_000n }
    provider.pages = [
      [
        line(json.id, 'mono:paid', { ...isPayout, ...known }),
        line(open, 'mono:there', { ...isElsewhere, providerId: 'P-listed' }),
        line(open, 'mono:nowhere', isElsewhere),
      ],
    ]
    const result = await nextDay()
    assert.deepEqual([result?.outcome, result?.asked], ['compared', 1])
    const { rows } = await world.db.query<{ subject_id: string }>({
      text: `select subject_id from rail_notices where network_code = 'listed by the provider'
              order by notice_id desc limit 1`,
      values: [],
    })
    assert.equal(rows[0]?.subject_id, open)
  })
})

// What a merchant does with a service whose database is spread over machines, in the statements that it has for them. Here they run on
// one PostgreSQL, which shows that they are right, not that machines take them: that is shown on a cluster (TEST_CITUS_URL).

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bogotaDay } from '../../src/core/bogota-day.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { changeOrganizationLimits } from '../../src/flows/organizations/change-limits.ts'
import { isDistributed } from '../../src/store/distribute.ts'
import { firstPaymentAt } from '../../src/store/ledger/statement-runs.ts'
import { listSuspense } from '../../src/store/ledger/suspense.ts'
import { readPayoutUsage } from '../../src/store/payouts/usage.ts'
import { newPayout } from '../api/http/calls.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { citusUrl } from '../citus.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'
import { notify } from './connections/notify.ts'

const LINK = {
  amountType: 'FIXED',
  amountInCents: 100_000,
  reference: 'spread',
  callbackUrl: 'https://shop.example/',
}

const onOneMachine = { skip: citusUrl() !== undefined && 'the database is spread' }

describe('on a database that is spread over machines', onOneMachine, () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld({ isDeclaredDistributed: true })
    assert.ok(await isDistributed(world.db))
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const read = async (path: string) => (await world.client('GET', path)).json
  // Sent twice at once, and once more later.
  const createOnce = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `${path} once` }
    const send = async () => {
      const { status, text } = await world.client('POST', path, body, headers)
      assert.equal(status, 201, text)
      return text
    }
    const answers = [...(await Promise.all([send(), send()])), await send()]
    assert.equal(new Set(answers).size, 1)
    return JSON.parse(answers[0] as string)
  }

  it('a payin, a payout and a link are made once for a key, and read again', async () => {
    const payin = await createOnce('/payins', brebPayin())
    const payout = await createOnce('/payouts', newPayout())
    const link = await createOnce('/payment-links', LINK)
    assert.equal((await read(`/payins/${payin.id}`)).reference, payin.reference)
    assert.equal((await read(`/payouts/${payout.id}`)).amountInCents, payout.amountInCents)
    assert.equal((await read(`/payment-links/${link.id}`)).url, link.url)
  })

  it('payins and payouts of two merchants that come at once are made and settled each for its own', async () => {
    const merchants = [await world.newMerchant(), await world.newMerchant()]
    const made = await Promise.all(
      merchants.flatMap(({ client, organization }) =>
        [1, 2].map(async () => {
          const { id } = (await client('POST', '/payins', brebPayin({ amountInCents: 3_000_000 }))).json
          return { id, client, organizationId: organization.organizationId }
        }),
      ),
    )
    for (const { id, client } of made) await endPayin(world, client, id, 'confirmed')
    for (const { id, client } of made)
      assert.equal((await client('GET', `/payins/${id}`)).json.status, 'CONFIRMED')
    for (const { client } of merchants) {
      const { json } = await client('GET', '/balance')
      assert.equal(json.pendingSettlementInCents, 6_000_000)
    }
  })

  it('each event is sent to a receiver, and again until it is acknowledged', async () => {
    const { client, organization } = await world.newMerchant()
    await client('POST', '/webhook-endpoints', { url: receiver.url, events: ['payin.confirmed'] })
    const { id } = (await client('POST', '/payins', brebPayin())).json
    receiver.answerWith(500)
    await endPayin(world, client, id, 'confirmed')
    await world.work()
    const sent = receiver.got.length
    assert.ok(sent >= 1)
    receiver.answerWith(200)
    await world.passTime(10 * MINUTE_MS)
    assert.ok(receiver.got.length > sent)
    const acknowledged = receiver.got.length
    await world.passTime(24 * 60 * MINUTE_MS)
    assert.equal(receiver.got.length, acknowledged)
    assert.equal(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size, 1)
    const { rows } = await world.db.query<{ failure: string | null }>({
      text: 'select failure from delivery_attempts where organization_id = $1 order by number',
      values: [organization.organizationId],
    })
    assert.equal(rows.length, receiver.got.length, 'each attempt is noted')
    assert.deepEqual([rows[0]?.failure, rows.at(-1)?.failure], ['STATUS', null])
  })

  it('payouts are counted against the limit of a day, which refuses the one beyond it', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const { json } = await client('POST', '/payins', brebPayin({ amountInCents: 3_000_000 }))
    await endPayin(world, client, json.id, 'confirmed')
    await changeOrganizationLimits(world.ctx, organizationId, { payoutsPerDay: 2 })
    const pay = () => client('POST', '/payouts', newPayout({ amountInCents: 100_000 }))
    const statuses = [(await pay()).status, (await pay()).status, (await pay()).status]
    assert.deepEqual(statuses.slice(0, 2), [201, 201])
    assert.notEqual(statuses[2], 201)
    const day = bogotaDay(world.ctx.clock.now())
    const usage = await readPayoutUsage(world.db, { organizationId, day, credentialId: '' })
    assert.deepEqual([usage.payouts, usage.sumInCents], [2, 200_000n])
  })

  it('a payment that comes too late goes to suspense once, whomever of two merchants it names', async () => {
    const UNPAID = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
    const merchants = [await world.newMerchant(), await world.newMerchant()]
    for (const { client, organization } of merchants) {
      const { id } = (await client('POST', '/payins', brebPayin(UNPAID))).json
      await world.work()
      await client('POST', `/payins/${id}/cancel`)
      await world.work()
      const reference = railReference('payin', organization.organizationId, id)
      await notify(world, { reference, paymentId: 'PAY-OF-BOTH', amount: '50000.00' })
      await world.passTime(2 * MINUTE_MS)
    }
    const items = (await listSuspense(world.db, true)).filter(({ paymentId }) => paymentId === 'PAY-OF-BOTH')
    assert.deepEqual(
      items.map(({ organizationId }) => organizationId),
      [merchants[0]?.organization.organizationId],
    )
  })

  it('the days to compare begin with the first payment of all merchants', async () => {
    const { rows } = await world.db.query<{ at: number }>({
      text: 'select min(created_at) as at from payins',
    })
    assert.equal(await firstPaymentAt(world.db), rows[0]?.at)
  })
})

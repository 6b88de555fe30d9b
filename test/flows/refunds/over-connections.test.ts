// The money of a refund that leaves by a payout is set aside where that payout leaves from: of the deposits, over a connection.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { moveToProviders } from '../connections/funds.ts'
import { accepted, connect } from '../connections/scripted-provider.ts'
import { refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }

const claim = (to: World, url: string) =>
  to.anonymous('POST', new URL(url).pathname, new URLSearchParams({ key: OWN, sure: '1' }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })

describe('the money of a refund', () => {
  it('of deposits is set aside from them, and goes back there', async () => {
    const merchant = await createWorld()
    try {
      const provider = await connect(merchant, { uses: ['BRE_B_OUT'] })
      provider.payout = () => accepted({ state: 'completed', traceId: 'mono:T-1' })
      const other = refunding(() => merchant)
      const payinId = await other.confirmed({ inlineCustomer: PAYER })
      const at = `/connections/${provider.connectionId}`
      const { availableInCents } = await other.balance()
      await merchant.client('POST', `${at}/deposits`, { amountInCents: 1_700_000, reference: 'd' })
      const made = await other.asked(payinId, { amountInCents: 1_000_000, way: 'CLAIM' })
      assert.equal(made.reservedAmountInCents, 1_000_000)
      const shown = await other.balance()
      assert.deepEqual([shown.availableInCents, shown.depositedInCents], [availableInCents, 700_000])
      assert.deepEqual(await other.bookingsOf(made.id), ['refund reserved from deposits'])
      await other.proven()
      await merchant.client('POST', `/refunds/${made.id}/cancel`)
      const back = await other.balance()
      assert.deepEqual([back.availableInCents, back.depositedInCents], [availableInCents, 1_700_000])
      await other.proven()
      // All that there is, and nothing but what is set aside pays for it.
      const all = await other.asked(payinId, { amountInCents: 1_700_000, breb: { keyString: OWN } })
      assert.equal(all.reservedAmountInCents, 1_700_000)
      // This provider does not say whose a key is. Somebody has approved it.
      await merchant.db.query({
        text: `update refunds set stage = 'READY', due_at = created_at where refund_id = $1`,
        values: [all.id],
      })
      provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-2' })
      const { payoutId } = await other.ends(all.id, 'CONFIRMED')
      assert.deepEqual(await other.bookingsOf(payoutId), ['payout reserved from deposits', 'refund paid'])
      const none = await other.balance()
      assert.deepEqual(
        [none.availableInCents, none.depositedInCents, none.reservedInCents],
        [availableInCents, 0, 0],
      )
      await other.proven()
    } finally {
      await merchant[Symbol.asyncDispose]()
    }
  })

  it('is set aside again where the refund leaves from, when connections come and go', async () => {
    const merchant = await createWorld()
    try {
      const other = refunding(() => merchant)
      const payinId = await other.confirmed({ inlineCustomer: PAYER })
      const [small, large] = [
        await other.asked(payinId, { amountInCents: 1_000_000, way: 'CLAIM' }),
        await other.asked(payinId, { amountInCents: 1_100_000, way: 'CLAIM' }),
      ]
      const { availableInCents } = await other.balance()
      const waits = async (id: string, code: string, of: number[]) => {
        await eventually(
          async () => {
            await merchant.passTime(10_000)
            return other.refund(id)
          },
          ({ stage, errorCode }) => stage === 'AWAITING_FUNDS' && errorCode === code,
        )
        await holds(of)
      }
      const holds = async (of: number[]) => {
        const shown = await other.balance()
        assert.deepEqual([shown.availableInCents, shown.depositedInCents, shown.reservedInCents], of)
        await other.proven()
      }
      // From now on they leave over a provider, where there is nothing yet. It does not take the large one.
      const provider = await connect(merchant, { uses: ['BRE_B_OUT'], maximumInCents: 1_050_000n })
      provider.directory = merchant.ctx.networks.directory
      await claim(merchant, small.claimUrl)
      await waits(small.id, 'INSUFFICIENT_FUNDS', [availableInCents + 1_000_000, 0, 1_100_000])
      await claim(merchant, large.claimUrl)
      await waits(large.id, 'NOT_CONNECTED', [availableInCents + 2_100_000, 0, 0])
      const deposits = `/connections/${provider.connectionId}/deposits`
      await merchant.client('POST', deposits, { amountInCents: 2_100_000, reference: 'd' })
      provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-1' })
      await other.ends(small.id, 'CONFIRMED')
      await eventually(
        async () => {
          await merchant.passTime(60_000)
          return other.refund(large.id)
        },
        ({ reservedAmountInCents }) => reservedAmountInCents === 1_100_000,
      )
      await holds([availableInCents + 2_100_000, 0, 1_100_000])
      // Without the provider, the large one leaves over the installation's network, and takes nothing that it does not hold.
      const deleted = await merchant.client('DELETE', `/connections/${provider.connectionId}`)
      assert.equal(deleted.status, 200, deleted.text)
      await other.ends(large.id, 'CONFIRMED')
      await holds([availableInCents + 1_000_000, 1_100_000, 0])
      assert.deepEqual(await other.bookingsOf(large.id), [
        'refund reserved',
        'refund released',
        'refund reserved from deposits',
        'refund released to deposits',
      ])
    } finally {
      await merchant[Symbol.asyncDispose]()
    }
  })

  it('is of the balance where nothing pays out any more, neither a network nor a connection', async () => {
    await using merchant = await createWorld({ env: { INSTALLATION_RAILS: 'PSE' } })
    const other = refunding(() => merchant)
    const payinId = await other.confirmed({ inlineCustomer: PAYER }, 'PSE')
    await moveToProviders(merchant, 5_000_000n)
    const { availableInCents } = await other.balance()
    const made = await other.asked(payinId, { amountInCents: 1_000_000, way: 'CLAIM' })
    assert.equal(made.reservedAmountInCents, 1_000_000)
    const shown = await other.balance()
    assert.deepEqual(
      [shown.availableInCents, shown.depositedInCents],
      [availableInCents - 1_000_000, 5_000_000],
    )
    await other.proven()
  })
})

// Whom a payment talks to: the installation's own networks, its connection's provider, or nobody where the connection cannot be had, so
// that it waits. And what a network is asked to collect.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Payin, PaymentConnection } from '../../src/core/payins/payin.ts'
import type { Payout } from '../../src/core/payouts/payout.ts'
import type { Networks } from '../../src/flows/context.ts'
import { referenceOf } from '../../src/flows/payins/apply-rail-status.ts'
import { orderOf } from '../../src/flows/payins/order.ts'
import { directoryOf, isAway, payinRailOf, payoutRailOf } from '../../src/flows/rails-of.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../world.ts'

const railsNamed = (name: string) => ({
  payins: { BRE_B: `${name} BRE_B`, PSE: `${name} PSE` },
  payouts: `${name} payouts`,
  directory: `${name} directory`,
})
const asked: unknown[] = []
const networks = {
  ...railsNamed('own'),
  connected: async (address: { connectionId: string }) => {
    asked.push(address)
    return address.connectionId === 'gone' ? undefined : railsNamed(address.connectionId)
  },
  isConnectionAway: (address: object, use: string) => {
    asked.push({ ...address, use })
    return use === 'PSE_IN'
  },
} as unknown as Networks

describe('a payment talks to', () => {
  const connectedTo = (connectionId: string): PaymentConnection => ({ connectionId, provider: 'mono' })
  const payinOver = (connection: PaymentConnection | null, rail = 'BRE_B') =>
    ({ organizationId: 'o', source: { rail }, connection }) as unknown as Payin
  const payoutOver = (connection: PaymentConnection | null) =>
    ({ organizationId: 'o', connection }) as unknown as Payout

  it('the installation’s own network, or the provider of its connection', async () => {
    asked.length = 0
    const over = connectedTo('mine')
    assert.equal(await payinRailOf({ networks }, payinOver(null)), 'own BRE_B')
    assert.equal(await payinRailOf({ networks }, payinOver(null, 'PSE')), 'own PSE')
    assert.equal(await payoutRailOf({ networks }, payoutOver(null)), 'own payouts')
    assert.equal(await directoryOf({ networks }, 'o', null), 'own directory')
    assert.deepEqual(asked, [])
    assert.equal(await payinRailOf({ networks }, payinOver(over, 'PSE')), 'mine PSE')
    assert.equal(await payoutRailOf({ networks }, payoutOver(over)), 'mine payouts')
    assert.equal(await directoryOf({ networks }, 'o', over), 'mine directory')
    const address = { organizationId: 'o', connectionId: 'mine' }
    assert.deepEqual(asked, [address, address, address])
  })

  it('somebody who is away, where its connection cannot be had', async () => {
    const over = connectedTo('gone')
    const payins = await payinRailOf({ networks }, payinOver(over))
    const payouts = await payoutRailOf({ networks }, payoutOver(over))
    const directory = await directoryOf({ networks }, 'o', over)
    assert.equal(payins.returnPayment, null)
    const nothing = {} as never
    for (const call of [payins.submit, payins.query, payins.cancel, payouts.submit, payouts.query])
      assert.deepEqual(await call(nothing), {
        outcome: 'unknown',
        kind: 'unavailable',
        why: 'the connection is gone, or its credentials cannot be read',
      })
    assert.equal((await directory?.lookUp('@ANA', 'ALPHA' as never))?.outcome, 'unknown')
  })

  it('another, while its provider is away for what it is used for', () => {
    asked.length = 0
    const mine = { connectionId: 'mine' }
    assert.equal(isAway({ networks }, 'o', 'PSE_IN')(mine), true)
    assert.equal(isAway({ networks }, 'o', 'BRE_B_IN')(mine), false)
    assert.deepEqual(asked[0], { organizationId: 'o', connectionId: 'mine', use: 'PSE_IN' })
  })
})

describe('what a network is asked to collect', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const made = async (body: Record<string, unknown>): Promise<Payin> => {
    const { json, text } = await world.client('POST', '/payins', body)
    assert.ok(json?.id, text)
    const address = { organizationId: world.organization.organizationId, payinId: json.id }
    return (await world.ctx.batched.getPayin(address)) ?? assert.fail()
  }

  it('is what it was when the payin was made', async () => {
    const payin = await made(psePayin())
    const renamed = { ...world.organization, name: 'Otro' }
    assert.deepEqual(await orderOf(world.ctx, payin, renamed), {
      reference: referenceOf(payin),
      amountInCents: 5_000_000n,
      merchantName: world.organization.name,
      expiresAt: payin.expiresAt,
      customer: CUSTOMER,
      returnUrl: payin.frozenOrder.returnUrl,
      device: null,
      acceptedTerms: [],
      source: payin.source,
    })
    assert.match(payin.frozenOrder.returnUrl ?? '', /\/pay\/[^/]+\/return$/)
  })

  it('is what it would be today, for a payin from before that was kept', async () => {
    const payin = await made(psePayin())
    const frozenOrder = { ...payin.frozenOrder, merchantName: null, returnUrl: null, acceptedTerms: null }
    const order = await orderOf(world.ctx, { ...payin, frozenOrder }, { ...world.organization, name: 'Otro' })
    assert.deepEqual(
      [order.merchantName, order.returnUrl, order.acceptedTerms],
      ['Otro', payin.frozenOrder.returnUrl, []],
    )
  })

  it('over Bre-B is its key alone, and of nobody where the payer cannot be read', async () => {
    const payin = await made(brebPayin())
    const unreadable = { ...payin, customer: { sealed: 'not one of ours' } }
    const { source, customer } = await orderOf(world.ctx, unreadable, world.organization)
    assert.deepEqual(Object.keys(source).sort(), ['keyString', 'rail'])
    assert.equal(customer, null)
  })
})

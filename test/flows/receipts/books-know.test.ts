// If a private key was taken, the guide says to verify online: the books are asked too. They know who was paid, and to which key.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { payinStatementFields, payoutStatementFields } from '../../../src/core/receipts/statement.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }

describe('a right signature over another story than the books tell', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const verdictOf = async (statement: string) =>
    (await world.anonymous('POST', '/verify', `statement=${statement}`, FORM)).json.verdict

  it('is unknown: a payment to somebody else', async () => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, json.id, 'confirmed')
    const { json: receipt } = await world.client('GET', `/payins/${json.id}/receipt`)
    const { organizationId } = world.organization
    const payin = await world.ctx.batched.getPayin({ organizationId, payinId: json.id })
    assert.ok(payin)
    const frozenOrder = { ...payin.frozenOrder, merchantName: 'Panadería El Sol' }
    const facts = payinStatementFields(
      { ...world.organization, taxId: '900123456-8' },
      { ...payin, frozenOrder },
    )
    assert.equal(await verdictOf(receipt.statement), 'genuine')
    assert.equal(await verdictOf(await world.ctx.statements.sign(receipt.id, facts)), 'unknown')
  })

  it('is unknown: a payout to another key', async () => {
    const { json } = await world.client('POST', '/payouts', {
      amountInCents: 100_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'supplier-7',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@proveedor1' },
    })
    const { json: signed } = await world.client('GET', `/payouts/${json.id}/evidence`)
    const { organizationId } = world.organization
    const payout = await world.ctx.batched.getPayout({ organizationId, payoutId: json.id })
    assert.ok(payout)
    const facts = payoutStatementFields(world.organization, payout, '@otrollave1')
    assert.equal(await verdictOf(signed.statement), 'genuine')
    assert.equal(await verdictOf(await world.ctx.statements.sign(signed.id, facts)), 'unknown')
  })
})

// The receiver's document is not in the evidence of a payout (src/flows/receipts/evidence.ts says so).

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

describe('evidence', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const payoutBody = (keyString = '@proveedor1') => ({
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'supplier-7',
    inlineCustomer: CUSTOMER,
    breb: { keyString },
  })

  it('names no receiver’s document, also where the payout went to a document as its key', async () => {
    const { json: payout } = await world.client('POST', '/payouts', payoutBody(CUSTOMER.idNumber))
    const { json: signed } = await world.client('GET', `/payouts/${payout.id}/evidence`)
    const page = await world.anonymous('GET', `/evidence/${signed.id}`, undefined, { accept: 'text/html' })
    assert.equal(page.status, 200)
    assert.ok(!JSON.stringify(signed.evidence).includes(CUSTOMER.idNumber), 'signed')
    assert.ok(!page.text.includes(CUSTOMER.idNumber), 'on the page')
  })
})

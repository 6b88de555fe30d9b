// What of a refund is refused, with which code, and in which words.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { refunding } from './refunding.ts'

const HELD = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

describe('a refund is refused', () => {
  let world: World
  let payinId: string
  before(async () => {
    world = await createWorld()
    payinId = await confirmed()
  })
  after(() => world[Symbol.asyncDispose]())
  const { ask, asked, confirmed } = refunding(() => world)

  const refused = async (id: string, body: Record<string, unknown>) => {
    const { status, json } = await ask(id, body)
    assert.ok(status >= 400)
    const errors = (json.errors ?? []).map(
      ({ path, code, message }: Record<string, string>) => `${path} ${code} ${message}`,
    )
    return [json.code, json.detail, ...errors]
  }

  it('by the way KEY without a key', async () => {
    const [code, , ...errors] = await refused(payinId, { way: 'KEY' })
    assert.deepEqual([code, ...errors], ['INVALID_INPUT', '/breb REQUIRED is required with the way KEY'])
  })

  it('to a key where nobody said who paid', async () => {
    const id = await confirmed({ inlineCustomer: undefined })
    assert.deepEqual(await refused(id, { breb: { keyString: '@ANAGOMEZ' } }), [
      'REFUND_WAY_NOT_POSSIBLE',
      'Nobody said who paid this payin, so no key can be compared with them. Use the way CLAIM.',
    ])
  })

  it('of a payin that is not paid, or that there is not', async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin(HELD))).json
    assert.deepEqual(await refused(id, {}), [
      'PAYIN_NOT_REFUNDABLE',
      'The payin is PROCESSING: there is nothing to give back.',
    ])
    const other = world.ctx.ids.next()
    assert.deepEqual(await refused(other, {}), ['NOT_FOUND', `No payin has the id ${other}.`])
  })

  it('of more than is left, which is said', async () => {
    assert.deepEqual(await refused(payinId, { amountInCents: 5_000_001 }), [
      'REFUND_ABOVE_REMAINING',
      '50000.00 pesos of the payin are left to give back.',
      '/amountInCents OUT_OF_RANGE must be at most 5000000',
    ])
    await asked(payinId, { amountInCents: 5_000_000 })
    assert.deepEqual(await refused(payinId, { amountInCents: 1 }), [
      'REFUND_ABOVE_REMAINING',
      '0.00 pesos of the payin are left to give back.',
      '/amountInCents OUT_OF_RANGE nothing is left of the payin',
    ])
  })
})

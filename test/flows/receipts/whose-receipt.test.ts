// A genuine receipt says who was paid, and it is nobody else.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, createWorld, endPayin, type World } from '../../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('what is shown as genuine', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const verify = async (statement: string, accept: string) =>
    world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, { ...FORM, accept })

  it('does not name a merchant that was not paid, whatever another merchant calls itself', async () => {
    const ours = { name: 'Panadería El Sol', taxId: '900123456-8' }
    assert.equal((await world.client('PATCH', '/organization', ours)).status, 200)
    // Another merchant of the same service pays itself under our name, and shows the receipt at our counter.
    const other = await world.newMerchant()
    await other.client('PATCH', '/organization', ours)
    const { json: payin } = await other.client('POST', '/payins', brebPayin({ reference: 'mesa 4' }))
    await endPayin(world, other.client, payin.id, 'confirmed')
    const { json: receipt } = await other.client('GET', `/payins/${payin.id}/receipt`)
    const { json } = await verify(receipt.qrText, 'application/json')
    const said = json.verdict === 'genuine' && [json.facts.merchant, json.facts.taxId]
    assert.notDeepEqual(
      said,
      [ours.name, ours.taxId],
      'genuine, and in the name of a merchant that got nothing',
    )
  })
})

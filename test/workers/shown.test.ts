// What people look at in the console is shown anew as soon as workers have written it: these writes say so.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'

describe('whoever looks is told', () => {
  let world: World
  let receiver: Receiver
  let told: string[] = []
  before(async () => {
    world = await createWorld()
    receiver = await startReceiver()
    world.ctx.signals.onWork((kind, organizationId) => {
      if (kind === 'shown') told.push(String(organizationId))
    })
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  for (const status of [200, 500])
    it(`of an attempt to deliver an event that was answered with ${status}`, async () => {
      const { client, organization } = await world.newMerchant()
      const { organizationId } = organization
      await client('POST', '/webhook-endpoints', { url: receiver.url })
      await insertEvents(world, organizationId, ['payin.confirmed'])
      await sequenceAllEvents(world.ctx, organizationId)
      receiver.answerWith(status)
      told = []
      await world.work()
      assert.deepEqual(told, [organizationId])
    })

  it('of money that goes into suspense', async () => {
    const { client, organization } = await world.newMerchant()
    const { id } = (await client('POST', '/payins', brebPayin())).json
    await world.work()
    told = []
    await client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'confirmed', amountInCents: 123_400 })
    await eventually(
      async () => {
        await world.work()
        return (await client('GET', '/suspense')).json.data.length
      },
      (count) => count === 1,
    )
    assert.ok(told.includes(organization.organizationId))
  })
})

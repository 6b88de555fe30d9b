// Webhooks in the console: what receivers answered is kept sealed, and read where people look for it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('what a receiver answered', () => {
  let world: World
  let owner: Person
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('is on the page of the endpoint and of the event', async () => {
    receiver.answerWith(500, 'no such order')
    const { id } = (await world.client('POST', '/webhook-endpoints', { url: receiver.url })).json
    const event = (await world.client('POST', `/webhook-endpoints/${id}/test`)).json
    await world.work()
    for (const path of [`/webhooks/${id}`, `/events/${event.id}`]) {
      const { text } = await owner.get(path)
      assert.ok(text.includes('no such order'), path)
      assert.ok(!text.includes('sealed:'), path)
    }
  })
})

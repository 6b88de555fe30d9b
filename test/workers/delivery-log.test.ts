// What an operator reads in the log of deliveries, a line for each attempt and one when an endpoint is switched off, and what a
// receiver reads about the time.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '../../src/core/instant.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'

describe('a delivery', () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld({ env: { WEBHOOK_CONCURRENCY: '1' } })
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const newEndpoint = async (events: number) => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const { json } = await client('POST', '/webhook-endpoints', { url: `${receiver.url}/${organizationId}` })
    await insertEvents(world, organizationId, Array<string>(events).fill('payin.confirmed'))
    await sequenceAllEvents(world.ctx, organizationId)
    const lines = () => world.logLines().filter((line) => line.endpointId === json.id)
    const got = () => receiver.got.filter(({ path }) => path === `/${organizationId}`)
    return { organizationId, endpointId: json.id as string, lines, got }
  }

  it('is a line of the log for each attempt, with its number, its status and why it failed', async () => {
    const { endpointId, lines } = await newEndpoint(1)
    receiver.answerWith(500)
    await world.work()
    receiver.answerWith(200)
    world.advance(HOUR_MS)
    await world.work()
    assert.deepEqual(
      lines().map(({ level, endpointId, event, attempt, status, failure, state }) => ({
        level,
        endpointId,
        event,
        attempt,
        status,
        failure,
        state,
      })),
      [
        { attempt: 1, status: 500, failure: 'STATUS', state: 'PENDING' },
        { attempt: 2, status: 200, failure: undefined, state: 'DELIVERED' },
      ].map((line) => ({ level: 30, endpointId, event: 'payin.confirmed', ...line })),
    )
  })

  it('that is answered with 410 ends those after it, and the log says which endpoint was switched off, and why', async () => {
    const { endpointId, lines, got } = await newEndpoint(4)
    receiver.answerWith(410)
    await world.work()
    receiver.answerWith(200)
    assert.equal(got().length, 1)
    const off = lines().filter(({ msg }) => msg === 'webhook endpoint disabled')
    assert.deepEqual(
      off.map(({ level, endpointId, reason }) => [level, endpointId, reason]),
      [[40, endpointId, 'GONE']],
    )
  })

  it('says the real time of its attempt, wherever staging’s clock stands', async () => {
    world.advance(30 * 24 * HOUR_MS)
    const { got } = await newEndpoint(1)
    const beganAt = Math.floor(Date.now() / 1_000)
    await world.work()
    const sentAt = Number(got()[0]?.headers['webhook-timestamp'])
    assert.ok(sentAt >= beganAt && sentAt <= Date.now() / 1_000, String(sentAt))
  })
})

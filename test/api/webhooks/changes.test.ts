// What a change of a webhook endpoint leaves as it was, and what a receiver sees when it is asked for its proof.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isoInstant } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import {
  changeWebhookEndpoint,
  type WebhookEndpointChanges,
} from '../../../src/flows/webhooks/change-endpoint.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import { insertEvents } from '../events/insert-events.ts'
import { newVerifiableEndpoint } from '../http/calls.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const MINUTE_MS = 60_000

describe('a webhook endpoint', () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const create = async (path: string) => {
    const { json, text } = await world.client('POST', '/webhook-endpoints', { url: receiver.url + path })
    assert.ok(json.id, text)
    return `/webhook-endpoints/${json.id}`
  }
  const read = async (at: string) => (await world.client('GET', at)).json

  it('that fails goes on failing when its own address is sent again, and begins anew at another', async () => {
    const at = await create('/failing')
    receiver.answerWith(500)
    const { json } = await world.client('POST', '/payins', brebPayin())
    await world.client('POST', `/payins/${json.id}/cancel`)
    await world.work()
    receiver.answerWith(200)
    const { failingSince } = await read(at)
    assert.notEqual(failingSince, null)
    await world.client('PATCH', at, { url: `${receiver.url}/failing`, description: 'the same' })
    assert.equal((await read(at)).failingSince, failingSince)
    await world.client('PATCH', at, { url: `${receiver.url}/moved` })
    assert.equal((await read(at)).failingSince, null)
  })

  it('says when it was changed last: by a new secret or by its proof, too', async () => {
    const rotated = await create('/rotated')
    const verified = `/webhook-endpoints/${await newVerifiableEndpoint(world.client)}`
    world.advance(MINUTE_MS)
    const now = isoInstant(world.ctx.clock.now())
    await world.client('POST', `${rotated}/rotate-secret`)
    const proven = await world.client('POST', `${verified}/verify`)
    assert.equal(proven.status, 200, proven.text)
    for (const at of [rotated, verified]) assert.ok((await read(at)).updatedAt >= now, at)
  })

  it('is asked for its proof by requests that look alike, with as many signatures each', async () => {
    const at = await create('/alike')
    await world.client('POST', `${at}/rotate-secret`)
    world.advance(MINUTE_MS)
    await world.client('POST', `${at}/verify`)
    const signatures = receiver.got
      .filter(({ path }) => path === '/alike')
      .map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
    assert.deepEqual(signatures, [2, 2, 2, 2, 2, 2])
  })

  it('is turned to another address or to other events only by whoever may pass on what they tell', async () => {
    const endpointId = (await create('/passed-on')).split('/').at(-1) as string
    const granted = { held: null, grantable: ['webhooks:write'] } as const
    const change = async (changes: WebhookEndpointChanges) => {
      const { organizationId } = world.organization
      const changed = await changeWebhookEndpoint(world.ctx, organizationId, endpointId, changes, granted)
      return isRefusal(changed) ? changed.refused : changed.state
    }
    assert.equal(await change({ url: 'https://elsewhere.example/' }), 'INSUFFICIENT_SCOPE')
    assert.equal(await change({ events: ['payin.settled'] }), 'INSUFFICIENT_SCOPE')
    assert.equal(await change({ state: 'DISABLED' }), 'DISABLED')
    // What somebody else has chosen goes where somebody else has chosen.
    assert.equal(await change({ state: 'ENABLED' }), 'ENABLED')
  })

  it('that takes other events than most is sent those that it missed, and no others', async () => {
    const at = await create('/missed')
    await world.client('PATCH', at, { events: ['payin.settled', 'payin.processing'], status: 'DISABLED' })
    const since = isoInstant(world.ctx.clock.now())
    const types = ['payin.confirmed', 'payin.settled', 'payout.confirmed']
    await insertEvents(world, world.organization.organizationId, types)
    await world.work()
    await world.client('PATCH', at, { status: 'ENABLED' })
    await world.client('POST', `${at}/recover`, { since })
    await world.work()
    const sent = receiver.got.filter(({ path }) => path === '/missed')
    assert.deepEqual(
      sent.map(({ body }) => JSON.parse(body).event),
      ['payin.settled'],
    )
  })

  it('finds its test events in the log by its own id', async () => {
    const at = await create('/listed')
    const endpointId = at.split('/').at(-1) as string
    const { json: sent } = await world.client('POST', `${at}/test`)
    const { json } = await world.client('GET', `/events?objectId=${endpointId}`)
    assert.deepEqual(
      json.data.map(({ id }: { id: string }) => id),
      [sent.id],
    )
  })
})

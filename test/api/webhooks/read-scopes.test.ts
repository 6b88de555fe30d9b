// A credential that may manage webhook endpoints is told of nothing that it may not read: not by an endpoint, nor by the log.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CONTRACT_EVENTS, EVENT_TYPES } from '../../../src/core/events/event.ts'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { sequenceAllEvents } from '../../sequence-events.ts'
import { type Answer, brebPayin, type Client, createWorld, type World } from '../../world.ts'
import { listen } from '../events/listen.ts'

// Written by hand, for each event that there is.
const READ_SCOPE: Readonly<Record<(typeof EVENT_TYPES)[number], Scope>> = {
  'payin.confirmed': 'payins:read',
  'payin.canceled': 'payins:read',
  'payin.declined': 'payins:read',
  'payin.settled': 'payins:read',
  'payin.chargeback': 'payins:read',
  'payin.processing': 'payins:read',
  'payout.confirmed': 'payouts:read',
  'payout.canceled': 'payouts:read',
  'payout.declined': 'payouts:read',
  'payout.processing': 'payouts:read',
  'payout.returned': 'payouts:read',
  'paymentlink.completed': 'links:read',
  'paymentlink.expired': 'links:read',
  'paymentpage.paid': 'links:read',
  'paymentpage.soldout': 'links:read',
  'paymentpage.closed': 'links:read',
  'refund.created': 'payins:read',
  'refund.waiting': 'payins:read',
  'refund.confirmed': 'payins:read',
  'refund.declined': 'payins:read',
  'refund.canceled': 'payins:read',
  'refund.returned': 'payins:read',
  'payoutbatch.completed': 'payouts:read',
  'approval.waiting': 'payouts:read',
  'approval.approved': 'payouts:read',
  'approval.refused': 'payouts:read',
  'approval.lapsed': 'payouts:read',
  'approval.voided': 'payouts:read',
}
const ALL: readonly Scope[] = ['payins:read', 'payouts:read', 'links:read']
const url = 'https://shop.example/events'

describe('a credential without the scope that reads what an event tells', () => {
  let world: World
  let eventId: string
  before(async () => {
    world = await createWorld()
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await sequenceAllEvents(world.ctx, world.organization.organizationId)
    eventId = (await world.client('GET', '/events')).json.data[0].id
  })
  after(() => world[Symbol.asyncDispose]())

  const withScopes = async (...scopes: Scope[]): Promise<Client> => (await world.key(scopes)).client
  const assertMissing = ({ status, json }: Answer, ...scopes: Scope[]): void => {
    assert.deepEqual([status, json.code], [403, 'INSUFFICIENT_SCOPE'], json.detail)
    for (const scope of ALL) assert.equal(json.detail.includes(scope), scopes.includes(scope), json.detail)
  }

  it('makes no endpoint for it, event by event', async () => {
    for (const type of EVENT_TYPES) {
      const needed = READ_SCOPE[type]
      const others = ALL.filter((scope) => scope !== needed)
      const body = { url, events: [type] }
      const without = await withScopes('webhooks:write', 'events:read', ...others)
      assertMissing(await without('POST', '/webhook-endpoints', body), needed)
      const { client } = await world.newMerchant(['webhooks:write', needed])
      assert.equal((await client('POST', '/webhook-endpoints', body)).status, 201, type)
    }
  })

  it('makes none that names no events, which gets the usual ones', async () => {
    assert.deepEqual(new Set(CONTRACT_EVENTS.map((type) => READ_SCOPE[type])), new Set(ALL))
    for (const body of [{ url }, { url, events: null }]) {
      const alone = await withScopes('webhooks:write')
      assertMissing(await alone('POST', '/webhook-endpoints', body), ...ALL)
      const some = await withScopes('webhooks:write', 'payouts:read')
      assertMissing(await some('POST', '/webhook-endpoints', body), 'payins:read', 'links:read')
      const { client } = await world.newMerchant(['webhooks:write', ...ALL])
      assert.equal((await client('POST', '/webhook-endpoints', body)).status, 201)
    }
  })

  it('turns no endpoint to another address or to other events, nor on, nor has it sent what it missed', async () => {
    const make = async (events: string[] | null) => {
      const { json } = await world.client('POST', '/webhook-endpoints', { url, events })
      return `/webhook-endpoints/${json.id}`
    }
    const payins = await make(['payin.confirmed'])
    const all = await make(null)
    const alone = await withScopes('webhooks:write')
    const reader = await withScopes('webhooks:write', 'payins:read')
    const elsewhere = { url: 'https://elsewhere.example/events' }
    const since = { since: '2025-11-07T13:00:00.000Z' }
    for (const changes of [elsewhere, { status: 'ENABLED' }, { events: ['payin.declined'] }]) {
      assertMissing(await alone('PATCH', payins, changes), 'payins:read')
      assert.equal((await reader('PATCH', payins, changes)).status, 200)
    }
    assertMissing(await reader('PATCH', payins, { events: ['payout.confirmed'] }), 'payouts:read')
    assertMissing(await reader('PATCH', payins, { events: null }), 'payouts:read', 'links:read')
    assertMissing(await reader('PATCH', all, elsewhere), 'payouts:read', 'links:read')
    assert.equal((await world.client('GET', all)).json.url, url)
    assertMissing(await alone('POST', `${payins}/recover`, since), 'payins:read')
    assert.equal((await reader('POST', `${payins}/recover`, since)).status, 202)
    assertMissing(await alone('POST', `/events/${eventId}/redeliver`, {}), 'payins:read')
    assert.equal((await reader('POST', `/events/${eventId}/redeliver`, {})).status, 202)
    // None of these tells anybody anything.
    assert.equal((await alone('PATCH', payins, { description: 'Orders' })).status, 200)
    assert.equal((await alone('POST', `${payins}/test`)).status, 202)
    assert.equal((await alone('PATCH', payins, { status: 'DISABLED' })).status, 200)
    assert.equal((await alone('DELETE', payins)).status, 200)
  })

  it('reads it neither from the log nor in a stream', async () => {
    const alone = await world.key(['events:read'])
    const reader = await world.key(['events:read', 'payins:read'])
    assertMissing(await alone.client('GET', '/events'), ...ALL)
    assertMissing(await alone.client('GET', `/events/${eventId}`), 'payins:read')
    assertMissing(await alone.client('GET', '/events/stream'), ...ALL)
    assertMissing(await reader.client('GET', '/events'), 'payouts:read', 'links:read')
    assertMissing(await reader.client('GET', '/events?type=payout.confirmed'), 'payouts:read')
    assertMissing(await reader.client('GET', '/events/stream?type=payout.confirmed'), 'payouts:read')
    assert.equal((await alone.client('GET', '/events?type=webhook.test')).status, 200)
    assert.equal((await reader.client('GET', '/events?type=payin.canceled')).json.data.length, 1)
    assert.equal((await reader.client('GET', `/events/${eventId}`)).status, 200)
    const address = `${world.baseUrl}/events/stream?type=payin.canceled`
    const stream = await listen(address, { 'x-api-key': reader.apiKey })
    assert.equal(stream.status, 200)
    stream.close()
  })
})

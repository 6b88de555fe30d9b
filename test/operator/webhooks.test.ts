// recaudo webhooks: the operator sees the backlog by organization, and restarts it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { OperatorFailure, USAGE_EXIT_CODE } from '../../src/operator/failure.ts'
import { enableEndpoint, recoverEndpoint, showBacklog, showEndpoints } from '../../src/operator/webhooks.ts'
import { disableEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'

describe('recaudo webhooks', () => {
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

  it('overview shows the endpoints of all organizations, or of one, without their secrets', async () => {
    const other = await world.newMerchant()
    const { json: own } = await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const { json: foreign } = await other.client('POST', '/webhook-endpoints', {
      url: receiver.url,
      events: ['payin.confirmed', 'payin.settled'],
    })
    const all = await showEndpoints(world.ctx, {})
    assert.deepEqual(new Set(all.map((row) => row.endpointId)), new Set([own.id, foreign.id]))
    const [row] = await showEndpoints(world.ctx, { org: other.organization.organizationId })
    assert.deepEqual(row, {
      endpointId: foreign.id,
      organizationId: other.organization.organizationId,
      url: receiver.url,
      events: 'payin.confirmed,payin.settled',
      status: 'ENABLED',
      disabledReason: null,
      failingSince: null,
      createdAt: foreign.createdAt,
    })
    await assert.rejects(showEndpoints(world.ctx, { org: 'nobody' }), OperatorFailure)
  })

  it('backlog names who is behind; enable and recover bring an endpoint up to date', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const since = new Date(world.ctx.clock.now()).toISOString()
    const path = `/behind-${randomUUID()}`
    const { json } = await client('POST', '/webhook-endpoints', { url: receiver.url + path })
    const backlog = async () => (await showBacklog(world.ctx)).filter((row) => row.endpointId === json.id)
    const arrived = () => receiver.got.filter((one) => one.path === path).length
    assert.deepEqual(await backlog(), [])

    receiver.answerWith(503)
    await insertEvents(world, organizationId, ['payin.confirmed', 'payin.declined'])
    await world.work()
    const [row] = await backlog()
    assert.deepEqual([row?.waiting, row?.due, row?.status], [2, 0, 'ENABLED'])
    world.advance(6_000)
    const [late] = await backlog()
    assert.equal(late?.due, 2)
    assert.ok(Date.parse(String(late?.oldestDueAt)) <= world.ctx.clock.now())

    await disableEndpoint(world.db, organizationId, json.id, 'FAILING', world.ctx.clock.now())
    await insertEvents(world, organizationId, ['payin.canceled'])
    receiver.answerWith(200)
    await world.work()
    const failed = arrived()
    await assert.rejects(recoverEndpoint(world.ctx, { since }, json.id), /webhooks enable/)
    const enabled = await enableEndpoint(world.ctx, {}, json.id.toUpperCase())
    assert.deepEqual([enabled.status, enabled.disabledReason, enabled.failingSince], ['ENABLED', null, null])
    assert.deepEqual(await recoverEndpoint(world.ctx, { since }, json.id), {
      endpointId: json.id,
      since,
      scheduled: 1,
    })
    await world.work()
    assert.equal(arrived() - failed, 3)
    assert.deepEqual(await backlog(), [])
  })

  it('an unknown endpoint and an invalid time are refused', async () => {
    for (const id of [randomUUID(), 'x']) {
      await assert.rejects(enableEndpoint(world.ctx, {}, id), /No webhook endpoint has the id/)
      await assert.rejects(recoverEndpoint(world.ctx, { since: '2026-01-01T00:00:00Z' }, id), OperatorFailure)
    }
    for (const since of [
      undefined,
      '',
      'yesterday',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-13-01T00:00:00Z',
    ]) {
      await assert.rejects(
        recoverEndpoint(world.ctx, { since }, randomUUID()),
        (error: OperatorFailure) => error.exitCode === USAGE_EXIT_CODE,
      )
    }
  })
})

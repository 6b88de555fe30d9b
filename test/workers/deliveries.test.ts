// Webhooks from the outcome to the receiver: signed, retried on schedule, fair between endpoints, never lost.

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { Webhook } from 'standardwebhooks'
import { RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import { createDeliveryWorkerOptions, createMetrics } from '../../src/service.ts'
import { getEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { type DeliveryBatch, deliveryPump } from '../../src/workers/deliveries.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'

type Received = { headers: IncomingHttpHeaders; text: string; json: Record<string, unknown> }

async function startReceiver() {
  const received: Received[] = []
  let answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(200).end()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, text, json: JSON.parse(text) })
      answer(response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answers: (how: typeof answer) => {
      answer = how
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('webhook deliveries', () => {
  let world: World
  const receivers: { close: () => void }[] = []
  before(async () => {
    world = await createWorld()
  })
  after(async () => {
    for (const receiver of receivers) receiver.close()
    await world[Symbol.asyncDispose]()
  })

  const listen = async () => {
    const receiver = await startReceiver()
    receivers.push(receiver)
    return receiver
  }
  const register = async (url: string, changes: Record<string, unknown> = {}) =>
    (await world.client('POST', '/webhook-endpoints', { url, ...changes })).json
  const remove = (id: string) => world.client('DELETE', `/webhook-endpoints/${id}`)
  const payAndCancel = async () => {
    const body = brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
    const { json } = await world.client('POST', '/payins', body)
    await world.client('POST', `/payins/${json.id}/cancel`)
    return json.id as string
  }
  const deliveriesOf = async (eventId: string) =>
    (await world.client('GET', `/events/${eventId}/deliveries`)).json
  const eventOf = async (objectId: string) => {
    const { json } = await eventually(
      async () => {
        await world.work()
        return world.client('GET', `/events?objectId=${objectId}&pageSize=100`)
      },
      (answer) => answer.json.data.length > 0,
    )
    return json.data[0]
  }
  const arrives = (receiver: { received: Received[] }) =>
    eventually(
      async () => {
        await world.work()
        return receiver.received.length
      },
      (count) => count > 0,
    )

  it('an outcome arrives signed, in the documented envelope, with the object as the API answers it', async () => {
    const receiver = await listen()
    const { id, secret } = await register(receiver.url)
    const payinId = await payAndCancel()
    await arrives(receiver)
    const [{ headers, text, json }] = receiver.received as [Received]
    new Webhook(secret).verify(text, headers as Record<string, string>)
    assert.equal(headers['webhook-id'], json.id)
    const payin = (await world.client('GET', `/payins/${payinId}`)).json
    const { data, sequence, version, createdAt, ...rest } = json
    assert.deepEqual(rest, { id: json.id, event: 'payin.canceled', resource: 'payin' })
    assert.deepEqual(data, payin)
    assert.equal(typeof sequence, 'number')
    assert.equal(version, 2)
    assert.ok(createdAt)
    assert.deepEqual(json, (await world.client('GET', `/events/${json.id}`)).json)
    await remove(id)
  })

  it('a failing endpoint is attempted on the whole three-day schedule, under one id, and the event is never dropped', async () => {
    const receiver = await listen()
    receiver.answers((response) => response.writeHead(500).end('not now'))
    const { id } = await register(receiver.url)
    const event = await eventOf(await payAndCancel())
    for (const waitMs of RETRY_AFTER_MS) {
      await world.passTime(Math.ceil(waitMs * 1.11))
      await world.work()
    }
    assert.equal(receiver.received.length, RETRY_AFTER_MS.length + 1)
    assert.equal(new Set(receiver.received.map((each) => each.headers['webhook-id'])).size, 1)
    const [delivery] = (await deliveriesOf(event.id)).data
    assert.equal(delivery.state, 'FAILED')
    assert.equal(delivery.attempts.length, RETRY_AFTER_MS.length + 1)
    assert.equal(delivery.attempts[0].status, 500)
    assert.equal(delivery.attempts[0].response, 'not now')
    receiver.answers((response) => response.writeHead(204).end())
    await world.client('POST', `/events/${event.id}/redeliver`, {})
    await world.work()
    assert.equal((await deliveriesOf(event.id)).data[0].state, 'DELIVERED')
    await remove(id)
  })

  it('Retry-After is honoured if it asks for a longer wait', async () => {
    const receiver = await listen()
    receiver.answers((response, count) =>
      response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '600' }).end(),
    )
    const { id } = await register(receiver.url)
    await eventOf(await payAndCancel())
    await world.work()
    assert.equal(receiver.received.length, 1)
    await world.passTime(60_000)
    assert.equal(receiver.received.length, 1)
    await world.passTime(600_000)
    assert.equal(receiver.received.length, 2)
    await remove(id)
  })

  it('410 disables the endpoint at once', async () => {
    const receiver = await listen()
    receiver.answers((response) => response.writeHead(410).end())
    const { id } = await register(receiver.url)
    await eventOf(await payAndCancel())
    await world.work()
    const endpoint = (await world.client('GET', `/webhook-endpoints/${id}`)).json
    assert.equal(endpoint.status, 'DISABLED')
    assert.equal(endpoint.disabledReason, 'GONE')
    await remove(id)
  })

  it('five days of nothing but failures disable it; recover sends what it missed, and only that', async () => {
    const receiver = await listen()
    const { id } = await register(receiver.url)
    const delivered = await eventOf(await payAndCancel())
    await world.work()
    assert.equal(receiver.received.length, 1)
    receiver.answers((response) => response.writeHead(503).end())
    const missed = await eventOf(await payAndCancel())
    const failFor = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        for (let quarter = 0; quarter < 4; quarter += 1) await world.passTime(6 * 3_600_000)
        await eventOf(await payAndCancel())
      }
    }
    await failFor(4)
    const enduring = (await world.client('GET', `/webhook-endpoints/${id}`)).json
    assert.equal(enduring.status, 'ENABLED', 'four days are not five')
    await failFor(2)
    const endpoint = (await world.client('GET', `/webhook-endpoints/${id}`)).json
    assert.equal(endpoint.status, 'DISABLED')
    assert.equal(endpoint.disabledReason, 'FAILING')
    receiver.answers((response) => response.writeHead(200).end())
    receiver.received.length = 0
    await world.client('PATCH', `/webhook-endpoints/${id}`, { status: 'ENABLED' })
    await world.client('POST', `/webhook-endpoints/${id}/recover`, { since: delivered.createdAt })
    await eventually(
      async () => {
        await world.work()
        return receiver.received.map((each) => each.json.id)
      },
      (ids) => ids.includes(missed.id),
    )
    assert.ok(!receiver.received.some((each) => each.json.id === delivered.id))
    await remove(id)
  })

  it('a process that delivered nothing does not end a run of failures', async () => {
    const receiver = await listen()
    receiver.answers((response) => response.writeHead(503).end())
    const { id } = await register(receiver.url)
    await eventOf(await payAndCancel())
    const failingSince = async () => {
      const { organizationId } = world.organization
      return (await getEndpoint(world.db, organizationId, id))?.failingSince
    }
    await eventually(
      async () => {
        await world.work()
        return failingSince()
      },
      (since) => typeof since === 'number',
    )
    const since = await failingSince()
    // Another process claims the retry, and is told to stop before it has sent anything.
    world.advance(60_000)
    const delivering = createDeliveryWorkerOptions(world.config, createMetrics())
    const pump = deliveryPump(world.ctx, delivering, pino({ enabled: false }))
    const key = (await pump.dueOrganizations()).find((due) => due.endsWith(id)) as string
    const [batch] = await pump.claim(key, 1)
    assert.equal(batch?.claimed.length, 1)
    pump.onStop?.()
    await pump.act(batch as DeliveryBatch, key)
    await delivering.sender.close()
    assert.equal(await failingSince(), since)
    await remove(id)
  })

  it('a rotation signs with both secrets for a day, then with the new one only', async () => {
    const receiver = await listen()
    const { id, secret } = await register(receiver.url)
    const { secret: next } = (await world.client('POST', `/webhook-endpoints/${id}/rotate-secret`)).json
    await eventOf(await payAndCancel())
    await arrives(receiver)
    const [both] = receiver.received as [Received]
    // Staging's clock was moved by days above. Signatures are dated by the world's clock.
    new Webhook(secret).verify(both.text, both.headers as Record<string, string>)
    new Webhook(next).verify(both.text, both.headers as Record<string, string>)
    assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2)
    await world.passTime(24 * 3_600_000 + 1_000)
    receiver.received.length = 0
    await eventOf(await payAndCancel())
    await arrives(receiver)
    assert.equal(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length, 1)
    await remove(id)
  })

  it('an endpoint gets its subscription: the eight by default, settlements only if named', async () => {
    const [eight, named] = [await listen(), await listen()]
    const first = await register(eight.url)
    const second = await register(named.url, { events: ['payin.settled'] })
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    await arrives(eight)
    await world.passTime(24 * 3_600_000)
    await arrives(named)
    assert.ok(named.received.every((each) => each.json.event === 'payin.settled'))
    assert.ok(eight.received.every((each) => each.json.event !== 'payin.settled'))
    await remove(first.id)
    await remove(second.id)
  })

  it('an endpoint that hangs delays no other', async () => {
    const [hanging, healthy] = [await listen(), await listen()]
    hanging.answers(() => {})
    const first = await register(hanging.url)
    const second = await register(healthy.url)
    for (let index = 0; index < 5; index += 1) await payAndCancel()
    const working = world.work()
    await eventually(
      async () => healthy.received.length,
      (count) => count >= 5,
    )
    hanging.close()
    await working
    await remove(first.id)
    await remove(second.id)
  })
})

// A requested redelivery is sent to the streams that want it, once per request, and moves nobody's position.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Recaudo } from '../../../sdk/src/recaudo.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { redeliverEvent } from '../../../src/flows/events/redeliver.ts'
import { deleteOld } from '../../../src/workers/retention.ts'
import { sequenceAllEvents } from '../../sequence-events.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { insertEvents } from './insert-events.ts'
import { listen } from './listen.ts'

describe('a redelivered event', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const merchant = async () => {
    const { client, apiKey, organization } = await world.newMerchant()
    const { organizationId } = organization
    const open = async (query: string, more: Record<string, string> = {}) => {
      const stream = await listen(`${world.baseUrl}/events/stream${query}`, { 'x-api-key': apiKey, ...more })
      // Its position is fixed once it has sent its first comment.
      await eventually(
        async () => stream.frames.length,
        (count) => count > 0,
      )
      return stream
    }
    return {
      client,
      apiKey,
      organizationId,
      open,
      insert: async (...types: string[]): Promise<string[]> => {
        await insertEvents(world, organizationId, types)
        await sequenceAllEvents(world.ctx, organizationId)
        const { json } = await client('GET', '/events?pageSize=100')
        return json.data.map((event: { id: string }) => event.id)
      },
      again: (eventId: string, body?: object, headers?: Record<string, string>) =>
        client('POST', `/events/${eventId}/redeliver`, body, headers),
    }
  }

  it('comes without an id, as it was sent, even without any endpoint', async () => {
    const { client, open, insert, again } = await merchant()
    const [first = ''] = await insert('payin.confirmed', 'payin.declined')
    const wanting = await open('?redeliveries=true')
    const plain = await open('')
    const refusing = await open('?redeliveries=false')
    assert.deepEqual((await again(first)).json, { scheduled: 0 })
    const { text } = await client('GET', `/events/${first}`)
    assert.deepEqual(await wanting.received(1), [{ event: 'payin.confirmed', data: text }])
    await insert('payout.confirmed')
    for (const stream of [plain, refusing])
      assert.deepEqual(
        (await stream.received(1)).map(({ id }) => id),
        ['3'],
      )
    assert.deepEqual(
      (await wanting.received(2)).map(({ id }) => id),
      [undefined, '3'],
    )
    for (const stream of [wanting, plain, refusing]) stream.close()
  })

  it('comes once per request, and a request repeated by its key counts once', async () => {
    const { open, insert, again } = await merchant()
    const [first = '', second = ''] = await insert('payin.confirmed', 'payin.declined')
    const stream = await open('?redeliveries=true')
    const headers = { 'idempotency-key': 'once' }
    await again(first, {}, headers)
    await again(first, {}, headers)
    await again(second)
    await again(first)
    await again(second)
    const got = (await stream.received(4)).map(({ event }) => event)
    assert.deepEqual(got, ['payin.confirmed', 'payin.declined', 'payin.confirmed', 'payin.declined'])
    stream.close()
  })

  it('goes to an endpoint as well', async () => {
    await using receiver = await startReceiver()
    const { client, open, insert, again } = await merchant()
    const { json } = await client('POST', '/webhook-endpoints', { url: receiver.url })
    const [first = ''] = await insert('payin.confirmed')
    await world.work()
    const stream = await open('?redeliveries=true')
    assert.deepEqual((await again(first, { endpointId: json.id })).json, { scheduled: 1 })
    await stream.received(1)
    await world.work()
    assert.equal(receiver.got.length, 2)
    assert.equal(receiver.got[1]?.body, stream.events()[0]?.data)
    stream.close()
  })

  it('comes only to streams that want its name, and only in its organization', async () => {
    const [one, other] = [await merchant(), await merchant()]
    const [confirmed = '', declined = ''] = await one.insert('payin.confirmed', 'payin.declined')
    const stream = await one.open('?redeliveries=true&type=payin.declined')
    const foreign = await other.open('?redeliveries=true')
    await one.again(confirmed)
    await one.again(declined)
    assert.deepEqual(
      (await stream.received(1)).map(({ event }) => event),
      ['payin.declined'],
    )
    assertProblem(await other.again(confirmed), 'NOT_FOUND')
    const [own = ''] = await other.insert('payout.declined')
    await other.again(own)
    assert.deepEqual(
      (await foreign.received(2)).map(({ event }) => event),
      ['payout.declined', 'payout.declined'],
    )
    assertProblem(await one.client('GET', '/events/stream?redeliveries=yes'), 'INVALID_INPUT')
    for (const each of [stream, foreign]) each.close()
  })

  it('reaches every listener, however many ask at once', async () => {
    const { organizationId, open, insert } = await merchant()
    const ids = await insert(...Array<string>(8).fill('payin.confirmed'))
    const streams = [await open('?redeliveries=true'), await open('?redeliveries=true&after=0')]
    const asked = ids.flatMap((id) => Array<string>(10).fill(id))
    // The log grows in the meantime.
    await Promise.all([
      ...asked.map((eventId) =>
        redeliverEvent(world.ctx, { organizationId, eventId }, undefined, null, null),
      ),
      insert('payout.confirmed', 'payout.declined'),
    ])
    for (const [stream, own] of [
      [streams[0], 2],
      [streams[1], 10],
    ] as const) {
      const events = await stream?.received(asked.length + own)
      const again = (events ?? [])
        .filter(({ id }) => id === undefined)
        .map(({ data }) => JSON.parse(data ?? '').id)
      assert.deepEqual(again.sort(), [...asked].sort())
      stream?.close()
    }
  })

  it('is kept for a day and no longer', async () => {
    const { organizationId, insert, again } = await merchant()
    const [first = ''] = await insert('payin.confirmed')
    const kept = async () => {
      const text = 'select number from redeliveries where organization_id = $1 order by number'
      const { rows } = await world.db.query<{ number: bigint }>({ text, values: [organizationId] })
      return rows.map(({ number }) => Number(number))
    }
    await again(first)
    await again(first)
    assert.deepEqual(await kept(), [1, 2])
    world.advance(DAY_MS + 1)
    await again(first)
    await deleteOld(world.ctx, 'redeliveries')
    assert.deepEqual(await kept(), [3])
  })

  it('is delivered by events.follow, which then continues where it was', async () => {
    const { apiKey, insert, again } = await merchant()
    const [first = ''] = await insert('payin.confirmed', 'payin.confirmed')
    const recaudo = new Recaudo({ apiKey }, { baseUrl: world.baseUrl })
    const got: number[] = []
    for await (const { sequence } of recaudo.events.follow({ after: 0, redeliveries: true })) {
      got.push(sequence)
      if (got.length === 2) await again(first)
      if (got.length === 3) await insert('payin.confirmed')
      if (got.length === 4) break
    }
    assert.deepEqual(got, [1, 2, 1, 3])
  })
})

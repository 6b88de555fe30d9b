// recaudo listen: every event once and in order, forwarded exactly as the service would send it, across a server
// restart, and again on redelivery.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { verifyWebhook } from '../../sdk/src/recaudo.ts'
import { type Api, createApi, createMetrics } from '../../src/service.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { freePort } from '../free-port.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'
import { asMerchant, type Merchant, nodes, type Running } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo listen', () => {
  let world: World
  let receiver: Receiver
  // The current server. It is restarted on the same port.
  let api: Api
  before(async () => {
    world = await createWorld()
    api = world.api
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await api.close()
    await world[Symbol.asyncDispose]()
  })

  const shop = async () => {
    const { client, apiKey, organization } = await world.newMerchant()
    const { organizationId } = organization
    const merchant: Merchant = merchantInProcess({ apiKey, baseUrl: world.baseUrl })
    const insert = async (...types: string[]): Promise<void> => {
      await insertEvents(world, organizationId, types)
      await sequenceAllEvents(world.ctx, organizationId)
    }
    return { client, merchant, insert, organizationId }
  }
  const secretOf = ({ stderr }: Running) =>
    /^Signed with (whsec_\S+)$/m.exec(stderr())?.[1] ?? assert.fail(stderr())
  const stop = async (running: Running) => {
    running.child.kill('SIGINT')
    const end = await running.ended
    assert.equal(end.code, 0, end.stderr)
    return end
  }
  const got = (count: number) =>
    eventually(
      async () => receiver.got,
      (all) => all.length >= count,
    )
  const isListening = (running: Running) => running.noted(/^Signed with /)

  for (const [major, node] of nodes())
    it(`forwards the service’s request, byte for byte and validly signed, on Node ${major}`, async () => {
      receiver.got.length = 0
      const { client, merchant, organizationId } = await shop()
      const real = await startReceiver()
      try {
        await client('POST', '/webhook-endpoints', { url: real.url })
        const running = merchant.start(['listen', '--forward-to', receiver.url], { node })
        await isListening(running)
        const { json } = await client(
          'POST',
          '/payins',
          brebPayin({ reference: 'Ñandú “1” \u2009🥭', breb: { keyType: 'QR_CODE' } }),
        )
        await client('POST', `/payins/${json.id}/cancel`)
        await sequenceAllEvents(world.ctx, organizationId)
        await world.work()
        const [forwarded] = await got(1)
        assert.equal(real.got.length, 1)
        assert.equal(forwarded?.body, real.got[0]?.body)
        for (const name of ['content-type', 'user-agent', 'webhook-id'])
          assert.equal(forwarded?.headers[name], real.got[0]?.headers[name], name)
        const event = await verifyWebhook(forwarded?.body ?? '', forwarded?.headers ?? {}, secretOf(running))
        assert.equal(event.event, 'payin.canceled')
        await running.said(/payin\.canceled +\S+ {2}#1 {2}→ 200 {2}\d+ ms$/)
        await running.said(/^ {10}\$ 50\.000,00 {2}Ñandú “1” \u2009🥭 {2}CANCELED_BY_MERCHANT$/)
        assert.ok(running.stdout().includes(`webhook-signature ${forwarded?.headers['webhook-signature']}`))
        assert.match((await stop(running)).stderr, /^`recaudo listen --since 1` goes on from here\.$/m)
      } finally {
        await real[Symbol.asyncDispose]()
        merchant[Symbol.dispose]()
      }
    })

  it('signs with its own secret, stored for the next time, or with the one it is given', async () => {
    const { merchant } = await shop()
    const secrets: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const running = merchant.start(['listen'])
      await isListening(running)
      secrets.push(secretOf(running))
      await stop(running)
    }
    assert.equal(secrets[0], secrets[1])
    assert.equal(JSON.parse(readFileSync(merchant.file, 'utf8')).listenSecret, secrets[0])
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const running = merchant.start(['listen', '--secret', given])
    await isListening(running)
    assert.equal(secretOf(running), given)
    await stop(running)
    for (const wrong of ['x', 'whsec_', 'whsec_AAAA', `whsec_${'*'.repeat(44)}`])
      assert.equal((await merchant.run(['listen', '--secret', wrong])).code, 2, wrong)
    merchant[Symbol.dispose]()
  })

  it('loses nothing when the server restarts, and says that it is waiting', async () => {
    receiver.got.length = 0
    const { merchant, insert } = await shop()
    await insert('payin.confirmed')
    const running = merchant.start(['listen', '--forward-to', receiver.url, '--since', '0', '--json'])
    await got(1)
    await api.close()
    await insert('payin.declined', 'payin.canceled')
    await running.noted(/^The server is away\. Waiting for it; nothing is lost\.$/)
    api = await createApi(world.config, world.ctx, pino({ level: 'silent' }), createMetrics())
    await api.app.listen({ host: '127.0.0.1', port: world.config.port })
    await insert('payout.confirmed')
    await got(4)
    await running.noted(/^Connected again\. Nothing was missed\.$/)
    const { stdout } = await stop(running)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ event }) => [event.sequence, event.event]),
      [
        [1, 'payin.confirmed'],
        [2, 'payin.declined'],
        [3, 'payin.canceled'],
        [4, 'payout.confirmed'],
      ],
    )
    assert.ok(lines.every(({ answer, redelivery }) => answer.status === 200 && redelivery === false))
    merchant[Symbol.dispose]()
  })

  it('receives redeliveries, marked as such', async () => {
    receiver.got.length = 0
    const { merchant, insert } = await shop()
    await insert('payin.confirmed', 'payin.declined')
    const running = merchant.start(['listen', '--forward-to', receiver.url])
    await isListening(running)
    // Its position is the end of the log once an event has come.
    await insert('payin.canceled')
    await got(1)
    const { data } = await merchant.json('events', 'list')
    assert.deepEqual(await merchant.json('events', 'replay', data[0].id), { scheduled: 0 })
    await got(2)
    await insert('payout.confirmed')
    await got(3)
    assert.deepEqual(
      receiver.got.map(({ body }) => JSON.parse(body).sequence),
      [3, 1, 4],
    )
    await running.said(/payin\.confirmed +\S+ {2}#1 again {2}→ 200/)
    assert.match((await stop(running)).stderr, /listen --since 4`/)
    merchant[Symbol.dispose]()
  })

  it('reports a failed forward, sends it once, and continues', async () => {
    receiver.got.length = 0
    const { merchant, insert } = await shop()
    const running = merchant.start(['listen', '--since', '0', '--forward-to', receiver.url])
    receiver.answerWith(307)
    await insert('payin.confirmed')
    await running.said(/→ 307 {2}\d+ ms$/)
    await running.noted(/^Not acknowledged by a 2xx\. `recaudo events replay \S+` sends it again\.$/)
    receiver.answerWith(503)
    await insert('payin.confirmed')
    await running.said(/→ 503 {2}\d+ ms$/)
    receiver.answerWith(200)
    await insert('payin.confirmed')
    await running.said(/→ 200 {2}\d+ ms$/)
    await stop(running)
    assert.equal(receiver.got.length, 3)
    const nobody = merchant.start([
      'listen',
      '--since',
      '2',
      '--forward-to',
      `127.0.0.1:${await freePort()}/x`,
    ])
    await nobody.said(/→ no answer: ECONNREFUSED {2}\d+ ms$/)
    await stop(nobody)
    merchant[Symbol.dispose]()
  })

  it('starts at an event or at a time, and shows only events of the requested names', async () => {
    const { merchant, insert } = await shop()
    await insert(...Array<string>(5).fill('payin.confirmed'))
    world.advance(3_600_000)
    const middle = new Date(world.ctx.clock.now() - 1_000).toISOString()
    await insert('payin.declined', 'payout.declined', 'payout.confirmed')
    const sequences = async (...args: string[]) => {
      const running = merchant.start(['listen', '--json', ...args])
      // Stops after the last event.
      await running.said(/"sequence":8,/)
      const { stdout } = await stop(running)
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event.sequence)
    }
    assert.deepEqual(await sequences('--since', '6'), [7, 8])
    assert.deepEqual(await sequences('--since', middle), [6, 7, 8])
    assert.deepEqual(await sequences('--since', '30m'), [6, 7, 8])
    assert.deepEqual(await sequences('--since', '2h'), [1, 2, 3, 4, 5, 6, 7, 8])
    assert.deepEqual(await sequences('--since', '0', '--events', 'payin.declined,payout.confirmed'), [6, 8])
    assert.deepEqual(await sequences('--since', '0', '--events', 'payout.confirmed'), [8])
    for (const wrong of [
      ['--since', 'yesterday'],
      ['--since', '2026-11-15T08:00:00'],
      ['--events', 'payin.paid'],
      ['--forward-to', 'http://'],
    ])
      assert.equal((await merchant.run(['listen', ...wrong])).code, 2, wrong.join(' '))
    merchant[Symbol.dispose]()
  })

  it('finds its place in a long log', async () => {
    const { merchant, insert } = await shop()
    await insert(...Array<string>(700).fill('payin.confirmed'))
    const running = merchant.start(['listen', '--json'])
    await running.noted(/ from event 701 on\./)
    await stop(running)
    merchant[Symbol.dispose]()
  })

  it('ends with a message where it may not listen', async () => {
    const { apiKey } = await world.key(['payins:read'])
    using merchant = asMerchant({ apiKey, baseUrl: world.baseUrl })
    const end = await merchant.run(['listen'])
    assert.equal(end.code, 1)
    assert.match(
      end.stderr,
      /This operation needs the scope events:read\.\n {2}INSUFFICIENT_SCOPE · status 403/,
    )
  })
})

// recaudo webhooks and events: endpoints are created and changed; events are read, traced and sent again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { disableEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo webhooks and events', () => {
  let world: World
  let merchant: Merchant
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('a link to the portal is made for one endpoint or several, to look at or to send', async () => {
    const make = async () => (await merchant.json('webhooks', 'create', '--url', receiver.url)).id as string
    const ids = [await make(), await make()]
    const { code, stdout } = await merchant.run(['webhooks', 'portal', ids[0] as string])
    assert.equal(code, 0)
    assert.match(stdout, /^link +http\S+\/console\/portal\/\S+$/m)
    assert.match(stdout, /^may +look$/m)
    const flags = ['--can-send', '--expires-in-minutes', '5', '--language', 'en']
    const frames = ['--frame-ancestors', 'https://a.example,https://b.example']
    const made = await merchant.json('webhooks', 'portal', ids.join(), ...flags, ...frames)
    assert.deepEqual([made.endpointIds, made.readOnly, made.language], [ids, false, 'en'])
    assert.deepEqual(made.frameAncestors, ['https://a.example', 'https://b.example'])
    assert.ok(Math.abs(Date.parse(made.expiresAt) - Date.now() - 300_000) < 60_000)
    const wrong = await merchant.run(['webhooks', 'portal', ids.join(), '--expires-in-minutes', 'soon'])
    assert.deepEqual([wrong.code, /whole number/.test(wrong.stderr)], [2, true])
    for (const id of ids) await merchant.json('webhooks', 'delete', id)
  })

  it('an endpoint is created, shown, changed, tested and deleted; its secret is shown on creation', async () => {
    const made = await merchant.run(['webhooks', 'create', '--url', receiver.url, '--description', 'Orders'])
    assert.equal(made.code, 0, made.stderr)
    const [, id = ''] = /^id +(\S+)$/m.exec(made.stdout) ?? []
    assert.match(made.stdout, /^secret +whsec_\S{44}$/m)
    assert.match(made.stdout, /^Keep the secret now: it is not shown again\.$/m)
    const { stdout } = await merchant.run(['webhooks', 'get', id])
    assert.match(stdout, /^events +usual$/m)
    assert.ok(!stdout.includes('whsec_'))

    const changed = await merchant.json('webhooks', 'update', id, '--events', 'payin.confirmed,payin.settled')
    assert.deepEqual(changed.events, ['payin.confirmed', 'payin.settled'])
    assert.equal((await merchant.json('webhooks', 'update', id, '--events', 'usual')).events, null)
    for (const [most, perSecond] of Object.entries({ 50: 50, none: null })) {
      const limited = await merchant.json('webhooks', 'update', id, '--max-per-second', most)
      assert.equal(limited.maxPerSecond, perSecond)
    }
    assert.equal((await merchant.json('webhooks', 'update', id, '--disable')).status, 'DISABLED')
    assert.match((await merchant.run(['webhooks', 'list'])).stdout, /DISABLED BY_MERCHANT/)
    assert.equal((await merchant.run(['webhooks', 'test', id])).code, 1)
    assert.equal((await merchant.json('webhooks', 'update', id, '--enable')).status, 'ENABLED')

    const test = await merchant.json('webhooks', 'test', id)
    await world.work()
    assert.equal(receiver.got.at(-1)?.headers['webhook-id'], test.id)
    assert.match((await merchant.json('webhooks', 'rotate-secret', id)).secret, /^whsec_/)
    assert.deepEqual(await merchant.json('webhooks', 'delete', id), { id, deleted: true })
    assert.deepEqual((await merchant.json('webhooks', 'list')).data, [])
    for (const [args, said] of [
      [['create'], /--url is required/],
      [
        ['create', '--url', 'x', '--events', 'payin.confirmd'],
        /there is no event "payin\.confirmd"\. Did you mean payin\.confirmed\?/,
      ],
      [['update', id], /Say what to change/],
      [['update', id, '--enable', '--disable'], /not both/],
    ] as const) {
      const end = await merchant.run(['webhooks', ...args])
      assert.equal(end.code, 2)
      assert.match(end.stderr, said)
    }
  })

  it('events are listed, shown and traced, and sent again', async () => {
    const { id } = await merchant.json('webhooks', 'create', '--url', receiver.url)
    const { organizationId } = world.organization
    await insertEvents(world, organizationId, ['payin.confirmed', 'payout.declined', 'payin.confirmed'])
    await sequenceAllEvents(world.ctx, organizationId)
    receiver.answerWith(500, 'broken')
    await world.work()
    const { data } = await merchant.json('events', 'list', '--type', 'payin.confirmed')
    assert.equal(data.length, 2)
    const [first] = data
    assert.deepEqual(
      (await merchant.json('events', 'list', '--after', String(first.sequence))).data.length,
      2,
    )
    assert.deepEqual(
      (await merchant.json('events', 'list', '--object-id', first.data.id)).data.map(
        ({ id }: { id: string }) => id,
      ),
      [first.id],
    )
    assert.deepEqual(await merchant.json('events', 'get', first.id), first)
    const { stdout } = await merchant.run(['events', 'deliveries', first.id])
    assert.match(
      stdout,
      new RegExp(`^${id} +${receiver.url} +PENDING +1 +\\S+ +500 STATUS +\\d+ ms +\\S+$`, 'm'),
    )

    receiver.answerWith(200)
    const before = receiver.got.length
    const again = await merchant.run(['events', 'replay', first.id])
    assert.equal(again.stdout, 'On its way to 1 endpoint; whoever runs `recaudo listen` gets it too.\n')
    await world.work()
    // On a slow machine the others are due again, too.
    const arrived = receiver.got.slice(before).map(({ headers }) => headers['webhook-id'])
    assert.equal(arrived.filter((eventId) => eventId === first.id).length, 1)
    assert.deepEqual(await merchant.json('events', 'replay', first.id, '--endpoint', id), { scheduled: 1 })

    // Events that came while it was disabled were missed.
    await disableEndpoint(world.db, organizationId, id, 'GONE', world.ctx.clock.now())
    await insertEvents(world, organizationId, ['payin.declined', 'payin.declined'])
    await sequenceAllEvents(world.ctx, organizationId)
    await merchant.json('webhooks', 'update', id, '--enable')
    const recovered = await merchant.run(['events', 'replay', '--endpoint', id, '--since', '1h'])
    assert.match(recovered.stdout, /^2 events are on the way to \S+, which had missed them\.$/m)
    const nothing = await merchant.run([
      'events',
      'replay',
      '--endpoint',
      id,
      '--since',
      '2020-01-01T00:00:00Z',
    ])
    assert.equal(nothing.stdout, 'Nothing was missed since then.\n')
  })

  it('replay says what it needs', async () => {
    for (const args of [[], ['--endpoint', 'x'], ['--since', '1h'], ['x', '--since', '1h']])
      assert.equal((await merchant.run(['events', 'replay', ...args])).code, 2, args.join(' '))
    const vague = await merchant.run(['events', 'replay', '--endpoint', 'x', '--since', '2026-11-15 08:00'])
    assert.equal(vague.code, 2)
    assert.match(
      vague.stderr,
      /--since must be a time with its zone, such as .+, or a span, such as 10m or 2h; not "2026-11-15 08:00"\./,
    )
    const unknown = await merchant.run(['events', 'get', 'nothing'])
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /No event has the id nothing\.\n {2}NOT_FOUND · status 404/)
  })
})

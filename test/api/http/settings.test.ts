// A changed setting is in force when PATCH /organization answers, and on other nodes within a second.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ServiceContext } from '../../../src/service.ts'
import { followStagingClock } from '../../../src/service.ts'
import { listenForWorkSignals } from '../../../src/store/work-signals.ts'
import { cachedOrganizations } from '../../../src/workers/start.ts'
import { brebPayin, createWorld, eventually, type World } from '../../world.ts'
import { addNode } from './node.ts'

const MINUTE_MS = 60_000

describe('a changed setting', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: 'd'.repeat(64) } })
  })
  after(() => world[Symbol.asyncDispose]())

  const change = async (payinExpiryMinutes: number) => {
    const { status, text } = await world.client('PATCH', '/organization', { payinExpiryMinutes })
    assert.equal(status, 200, text)
  }

  it('holds for the next request to the node that answered', async () => {
    for (let minutes = 20; minutes < 30; minutes += 1) {
      // Keeps the credential in the cache, with the settings of now.
      await world.client('GET', '/organization')
      await change(minutes)
      const [read, payin] = await Promise.all([
        world.client('GET', '/organization'),
        world.client('POST', '/payins', brebPayin()),
      ])
      assert.equal(read.json.payinExpiryMinutes, minutes)
      const { createdAt, expiresAt } = payin.json
      assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), minutes * MINUTE_MS)
    }
  })

  it('is not undone by a read that began before it', async () => {
    for (let minutes = 30; minutes < 40; minutes += 1) {
      const reads = Array.from({ length: 20 }, () => world.client('GET', '/organization'))
      await change(minutes)
      assert.equal((await world.client('GET', '/organization')).json.payinExpiryMinutes, minutes)
      await Promise.all(reads)
      assert.equal((await world.client('GET', '/organization')).json.payinExpiryMinutes, minutes)
    }
  })

  it('holds for the workers of the node', async () => {
    const organizationOf = cachedOrganizations(world.ctx)
    const { organizationId } = world.organization
    await organizationOf(organizationId)
    await change(45)
    assert.equal((await organizationOf(organizationId))?.payinExpiryMinutes, 45)
  })

  it('holds for the workers when all that is known is that some settings have changed', async () => {
    await using node = await addNode(world)
    const ctx = node.ctx as ServiceContext
    const organizationOf = cachedOrganizations(ctx)
    const { organizationId } = world.organization
    // Within the moment for which they are cached.
    for (const minutes of [48, 49, 50]) {
      await organizationOf(organizationId)
      await world.db.query({
        text: 'update organizations set payin_expiry_minutes = $2 where organization_id = $1',
        values: [organizationId, minutes],
      })
      ctx.receiveSignal('settings', [])
      assert.equal((await organizationOf(organizationId))?.payinExpiryMinutes, minutes)
    }
  })

  it('holds for the workers of other nodes, although no signal comes', async () => {
    await using untold = await addNode(world)
    const organizationOf = cachedOrganizations(untold.ctx as ServiceContext)
    const { organizationId } = world.organization
    for (const minutes of [46, 47]) {
      await organizationOf(organizationId)
      await change(minutes)
      await eventually(
        () => organizationOf(organizationId),
        (organization) => organization?.payinExpiryMinutes === minutes,
      )
    }
  })

  it('holds at other nodes within a second, with the signal or without it', async (t) => {
    await using told = await addNode(world)
    await using untold = await addNode(world)
    const receive = (told.ctx as ServiceContext).receiveSignal
    const listener = listenForWorkSignals(world.databaseUrl, receive)
    t.after(() => listener.stop())
    for (const minutes of [50, 51]) {
      for (const node of [told, untold]) await node.client('GET', '/organization')
      await change(minutes)
      for (const node of [told, untold]) {
        await eventually(
          () => node.client('GET', '/organization'),
          ({ json }) => json.payinExpiryMinutes === minutes,
          1_000,
        )
      }
    }
  })

  it('a moved clock is followed at other nodes as soon as they hear of it, and their workers look at once', async (t) => {
    await using node = await addNode(world, { now: Date.now })
    const ctx = node.ctx as ServiceContext
    const clock = followStagingClock(ctx)
    t.after(() => clock.stop())
    const listener = listenForWorkSignals(world.databaseUrl, ctx.receiveSignal)
    t.after(() => listener.stop())
    const looked = new Set<string>()
    ctx.signals.onWork((kind) => looked.add(kind))
    const before = ctx.clock.now()
    await world.client('POST', '/sandbox/clock/advance', { seconds: 3_600 })
    await eventually(
      async () => ctx.clock.now() - before,
      (movedMs) => movedMs >= 3_600_000,
      2_000,
    )
    for (const kind of ['payins', 'payouts', 'links', 'notices', 'events', 'deliveries'])
      assert.ok(looked.has(kind), kind)
  })
})

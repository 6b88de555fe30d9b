// Hints between processes. Polling finds everything all the same; a hint only makes it sooner, and only for whom it is meant.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogEnds } from '../../src/api/events/log-ends.ts'
import type { WorkListener } from '../../src/flows/context.ts'
import { listenForWorkSignals } from '../../src/store/work-signals.ts'
import { createWorld, eventually } from '../world.ts'

describe('a hint', () => {
  it('tells other processes the kind of work, and whose it is where that is known', async (t) => {
    await using world = await createWorld()
    const heard: [string, string[]][] = []
    let isListening = false
    const hints = listenForWorkSignals(world.databaseUrl, (kind, organizationIds) => {
      if (kind === 'notices') isListening = true
      else heard.push([kind, organizationIds])
    })
    t.after(() => hints.stop())
    await eventually(async () => {
      world.ctx.signals.workAdded('notices')
      return isListening
    }, Boolean)
    const ids = Array.from({ length: 3 }, () => world.ctx.ids.next())
    for (const id of [...ids, ...ids]) world.ctx.signals.workAdded('streams', id)
    world.ctx.signals.workAdded('payouts')
    world.ctx.signals.workAdded('payins', ids[0])
    world.ctx.signals.workAdded('payins')
    for (let one = 0; one < 150; one += 1) world.ctx.signals.workAdded('events', world.ctx.ids.next())
    await eventually(
      async () => heard.length,
      (count) => count >= 4,
    )
    assert.deepEqual(Object.fromEntries(heard), { streams: ids, payouts: [], payins: [], events: [] })
    assert.equal(heard.length, 4, 'many of a kind go together')
  })

  it('heard from another process is told to listeners here, and not passed on', async () => {
    await using world = await createWorld()
    const told: unknown[][] = []
    world.ctx.signals.onWork((...hint) => told.push(hint))
    world.ctx.receiveSignal('streams', ['a', 'b'])
    world.ctx.receiveSignal('deliveries', [])
    assert.deepEqual(told, [
      ['streams', 'a'],
      ['streams', 'b'],
      ['deliveries', undefined],
    ])
  })

  it('makes the streams of its organization look at once, and those of no other', async (t) => {
    await using world = await createWorld()
    // Without the timer nobody looks by himself.
    t.mock.timers.enable({ apis: ['setInterval'] })
    const looks: string[] = []
    let signal: WorkListener = () => {}
    const heads = createLogEnds({
      ...world.ctx,
      db: {
        ...world.db,
        query: (config) => {
          looks.push(String(config.values?.[0]))
          return world.db.query(config)
        },
      },
      signals: {
        ...world.ctx.signals,
        onWork: (listener) => {
          signal = listener
        },
      },
    })
    const [own, other] = [world.organization.organizationId, world.ctx.ids.next()]
    const ended = new AbortController()
    t.after(() => ended.abort())
    for (const id of [own, other]) heads.watch(id, ended.signal)
    const lookedBy = (times: number) =>
      eventually(
        async () => looks.filter((id) => id === own).length,
        (count) => count === times,
      )
    await lookedBy(1)
    signal('streams', own)
    await lookedBy(2)
    signal('payins', own)
    signal('streams', own)
    await lookedBy(3)
    assert.equal(looks.filter((id) => id === other).length, 1)
  })
})

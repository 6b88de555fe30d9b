// Work signals between processes. Polling finds all work anyway. A signal only makes it sooner, and only for its
// organization.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogPositions } from '../../src/api/events/log-positions.ts'
import type { WorkListener } from '../../src/flows/context.ts'
import { createWorkSignals } from '../../src/flows/work-signals.ts'
import type { Db } from '../../src/store/db.ts'
import { listenForWorkSignals } from '../../src/store/work-signals.ts'
import { createWorld, eventually } from '../world.ts'

describe('a work signal', () => {
  it('carries the kind of work to other processes, and the organization where it is known', async (t) => {
    await using world = await createWorld()
    const received: [string, string[]][] = []
    let isListening = false
    const listener = listenForWorkSignals(world.databaseUrl, (kind, organizationIds) => {
      if (kind === 'notices') isListening = true
      else received.push([kind, organizationIds])
    })
    t.after(() => listener.stop())
    await eventually(async () => {
      world.ctx.signals.workAdded('notices')
      return isListening
    }, Boolean)
    const ids = Array.from({ length: 3 }, () => world.ctx.ids.next())
    for (const id of [...ids, ...ids]) world.ctx.signals.workAdded('streams', id)
    world.ctx.signals.workAdded('payouts')
    world.ctx.signals.workAdded('payins', ids[0])
    world.ctx.signals.workAdded('payins')
    for (let one = 0; one < 250; one += 1) world.ctx.signals.workAdded('events', world.ctx.ids.next())
    await eventually(
      async () => received.length,
      (count) => count >= 4,
    )
    assert.deepEqual(Object.fromEntries(received), { streams: ids, payouts: [], payins: [], events: [] })
    assert.equal(received.length, 4, 'many of a kind go together')
  })

  it('waits for others of its kind for 20 ms, and they go together', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const sent: unknown[] = []
    const query = async (config: { values: unknown[] }) => void sent.push(...config.values)
    const signals = createWorkSignals({ query } as unknown as Db)
    for (const id of ['a', 'b', 'a']) {
      signals.workAdded('payins', id)
      t.mock.timers.tick(6)
    }
    assert.deepEqual(sent, [])
    t.mock.timers.tick(2)
    assert.deepEqual(sent, ['payins a b'])
  })

  it('from another process is passed to local listeners, and not sent on', async () => {
    await using world = await createWorld()
    const notified: unknown[][] = []
    world.ctx.signals.onWork((...signal) => notified.push(signal))
    world.ctx.receiveSignal('streams', ['a', 'b'])
    world.ctx.receiveSignal('deliveries', [])
    assert.deepEqual(notified, [
      ['streams', 'a'],
      ['streams', 'b'],
      ['deliveries', undefined],
    ])
  })

  it('makes the streams of its organization poll at once, and no others', async (t) => {
    await using world = await createWorld()
    // Without the timer nothing polls by itself.
    t.mock.timers.enable({ apis: ['setInterval'] })
    const polls: string[] = []
    let signal: WorkListener = () => {}
    const heads = createLogPositions({
      ...world.ctx,
      db: {
        ...world.db,
        query: (config) => {
          polls.push(String(config.values?.[0]))
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
    const pollsReach = (times: number) =>
      eventually(
        async () => polls.filter((id) => id === own).length,
        (count) => count === times,
      )
    await pollsReach(1)
    signal('streams', own)
    await pollsReach(2)
    signal('payins', own)
    signal('streams', own)
    await pollsReach(3)
    assert.equal(polls.filter((id) => id === other).length, 1)
  })
})

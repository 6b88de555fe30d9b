// Hints between processes. Polling finds everything all the same; a hint only makes it sooner, and only for whom it is meant.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEventHeads } from '../../src/api/events/log-ends.ts'
import type { HintListener } from '../../src/flows/context.ts'
import { listenForHints } from '../../src/store/work-signals.ts'
import { createWorld, eventually } from '../world.ts'

describe('a hint', () => {
  it('tells other processes the kind of work, and whose it is where that is known', async (t) => {
    await using world = await createWorld()
    const heard: [string, string[]][] = []
    let isListening = false
    const hints = listenForHints(world.databaseUrl, (kind, organizationIds) => {
      if (kind === 'notices') isListening = true
      else heard.push([kind, organizationIds])
    })
    t.after(() => hints.stop())
    await eventually(async () => {
      world.ctx.hint('notices')
      return isListening
    }, Boolean)
    const ids = Array.from({ length: 3 }, () => world.ctx.nextId())
    for (const id of [...ids, ...ids]) world.ctx.hint('streams', id)
    world.ctx.hint('payouts')
    world.ctx.hint('payins', ids[0])
    world.ctx.hint('payins')
    for (let one = 0; one < 150; one += 1) world.ctx.hint('events', world.ctx.nextId())
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
    world.ctx.onHint((...hint) => told.push(hint))
    world.ctx.hear('streams', ['a', 'b'])
    world.ctx.hear('deliveries', [])
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
    let hint: HintListener = () => {}
    const heads = createEventHeads({
      ...world.ctx,
      db: {
        ...world.db,
        query: (config) => {
          looks.push(String(config.values?.[0]))
          return world.db.query(config)
        },
      },
      onHint: (listener) => {
        hint = listener
      },
    })
    const [own, other] = [world.organization.organizationId, world.ctx.nextId()]
    const ended = new AbortController()
    t.after(() => ended.abort())
    for (const id of [own, other]) heads.watch(id, ended.signal)
    const lookedBy = (times: number) =>
      eventually(
        async () => looks.filter((id) => id === own).length,
        (count) => count === times,
      )
    await lookedBy(1)
    hint('streams', own)
    await lookedBy(2)
    hint('payins', own)
    hint('streams', own)
    await lookedBy(3)
    assert.equal(looks.filter((id) => id === other).length, 1)
  })
})

// Who watches the end of an organization's log, and for how long it is polled.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLogPositions } from '../../../src/api/events/log-positions.ts'
import type { Db } from '../../../src/store/db.ts'
import { createWorld, type World } from '../../world.ts'

const TEN_POLLS_MS = 2_500

// The world's context, and the polls of its log ends so far.
function counted(world: World) {
  const polls: Promise<unknown>[] = []
  const query = ((config: Parameters<Db['query']>[0]) => {
    const answer = world.db.query(config)
    polls.push(answer)
    return answer
  }) as Db['query']
  return { ctx: { ...world.ctx, db: { ...world.db, query } }, polls }
}

// Whoever waited for a poll has gone on, and has not polled again.
async function answered(polls: readonly Promise<unknown>[]): Promise<void> {
  for (let seen = 0; seen < polls.length; ) {
    seen = polls.length
    await Promise.all(polls)
    await setImmediate()
  }
}

describe('the end of a log', () => {
  it('is not polled for a reader who has already left', async (t) => {
    await using world = await createWorld()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ctx, polls } = counted(world)
    createLogPositions(ctx).watch(world.organization.organizationId, AbortSignal.abort())
    await answered(polls)
    const before = polls.length
    t.mock.timers.tick(TEN_POLLS_MS)
    await answered(polls)
    assert.equal(polls.length, before)
  })

  it('is polled on for the reader who stays when one comes who has already left', async (t) => {
    await using world = await createWorld()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ctx, polls } = counted(world)
    const ends = createLogPositions(ctx)
    const staying = new AbortController()
    const { organizationId } = world.organization
    ends.watch(organizationId, staying.signal)
    ends.watch(organizationId, AbortSignal.abort())
    await answered(polls)
    const before = polls.length
    t.mock.timers.tick(TEN_POLLS_MS)
    assert.ok(polls.length > before)
    await answered(polls)
    staying.abort()
    const last = polls.length
    t.mock.timers.tick(TEN_POLLS_MS)
    assert.equal(polls.length, last)
  })

  it('is polled anew for a reader who comes after all have left', async (t) => {
    await using world = await createWorld()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ctx, polls } = counted(world)
    const ends = createLogPositions(ctx)
    const [leaving, coming] = [new AbortController(), new AbortController()]
    const { organizationId } = world.organization
    ends.watch(organizationId, leaving.signal)
    await answered(polls)
    leaving.abort()
    ends.watch(organizationId, coming.signal)
    await answered(polls)
    const before = polls.length
    t.mock.timers.tick(TEN_POLLS_MS)
    assert.ok(polls.length > before)
    await answered(polls)
    coming.abort()
  })
})

// A payment is made anew while the connections or the rules that it was made by are replaced: five times in all.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Organization } from '../../src/core/organizations/organization.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { ConnectionGone, RulesReplaced, withPresentRoutes } from '../../src/flows/payment-route.ts'
import { createWorld, type World } from '../world.ts'

describe('a payment whose organization changes meanwhile', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // Fails so many times, each time for another reason.
  const failing = (times: number) => {
    const seen: Organization[] = []
    const make = async (organization: Organization): Promise<string> => {
      seen.push(organization)
      if (seen.length <= times) throw seen.length % 2 === 0 ? new ConnectionGone() : new RulesReplaced()
      return 'made'
    }
    return { seen, make }
  }

  it('is made by what is there now', async () => {
    const stale = { ...world.organization, name: 'As it was' }
    const { seen, make } = failing(4)
    assert.equal(await withPresentRoutes(world.ctx, stale, make), 'made')
    const now = world.organization.name
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['As it was', now, now, now, now],
    )
  })

  it('is refused for a moment after the fifth time', async () => {
    const { seen, make } = failing(5)
    const refused = await withPresentRoutes(world.ctx, world.organization, make)
    assert.ok(typeof refused !== 'string' && isRefusal(refused))
    assert.deepEqual([refused.refused, refused.retryAfterSeconds, seen.length], ['OVERLOADED', 1, 5])
  })

  it('fails where something else has failed', async () => {
    const make = async (): Promise<string> => {
      throw new Error('the power is cut')
    }
    await assert.rejects(withPresentRoutes(world.ctx, world.organization, make), /the power is cut/)
  })
})

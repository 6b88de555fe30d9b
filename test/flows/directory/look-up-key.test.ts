// The budget for looking up keys, with a clock that stands still: what each look-up costs, and what comes back.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Context } from '../../../src/flows/context.ts'
import { LOOKUP_BUDGET, lookUpKey, refundLookup } from '../../../src/flows/directory/look-up-key.ts'
import { spendLookupBudget } from '../../../src/store/directory/key-lookups.ts'
import { createWorld, type World } from '../../world.ts'

describe('the budget for looking up keys', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newBudget = async () => {
    const { organizationId } = (await world.newMerchant()).organization
    let now = world.ctx.clock.now()
    const ctx: Context = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } }
    return {
      lookUp: async (key: string) => (await lookUpKey(ctx, organizationId, key)).remaining,
      confirmPayout: (keyString: string) => refundLookup(ctx, { organizationId, keyString }),
      left: () => spendLookupBudget(world.db, organizationId, 0, LOOKUP_BUDGET, now),
      advance: (ms: number) => {
        now += ms
      },
    }
  }

  it('holds 1,000: a hit costs 1, a miss 20, and what is no key or cannot be asked costs nothing', async () => {
    const { lookUp, left } = await newBudget()
    assert.equal(await left(), 1_000)
    assert.equal(await lookUp('@ANAGOMEZ'), 999)
    assert.equal(await lookUp('@ANAGOMEZ'), 998)
    assert.equal(await lookUp('@NOEXISTE1'), 978)
    assert.equal(await lookUp('@SUSPENDIDA1'), 958)
    assert.equal(await lookUp('???'), 958)
    assert.equal(await lookUp('@CAIDA1'), 958)
    assert.equal(await left(), 958)
  })

  it('refills at one a second, up to what it holds', async () => {
    const { lookUp, left, advance } = await newBudget()
    await lookUp('@NOEXISTE1')
    advance(15_000)
    assert.equal(await left(), 995)
    advance(3_600_000)
    assert.equal(await left(), 1_000)
  })

  it('gets 2 back for a confirmed payout to a key that was looked up, and nothing for another', async () => {
    const { lookUp, confirmPayout, left } = await newBudget()
    await lookUp('@NOEXISTE1')
    await lookUp('@ANAGOMEZ')
    assert.equal(await left(), 979)
    await confirmPayout('@ANAGOMEZ')
    assert.equal(await left(), 981)
    await confirmPayout('@NOBODYASKED')
    assert.equal(await left(), 981)
    const other = await newBudget()
    await other.lookUp('@NOEXISTE1')
    await other.confirmPayout('@ANAGOMEZ')
    assert.equal(await other.left(), 980, 'another organization’s look-up counts for nothing')
  })
})

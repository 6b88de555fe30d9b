// A commit whose answer was lost is made again, and finds its own row. Workers may have moved that meanwhile. Whoever asked is told what
// is kept for their key, so that the first answer and every later one are the same.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { UNLIMITED_CREDENTIAL } from '../../src/core/organizations/limits.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { createPayin } from '../../src/flows/payins/create.ts'
import { createPayout } from '../../src/flows/payouts/create.ts'
import { CUSTOMER, createWorld, type World } from '../world.ts'

describe('what was made by a commit whose answer was lost', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // As the store does it: written, moved by a worker, and written again.
  const lost = <One, Written>(table: string, write: (one: One) => Promise<Written>) =>
    Object.assign(
      async (one: One): Promise<Written> => {
        await write(one)
        await world.db.query({ text: `update ${table} set version = version + 1, updated_at = now()` })
        return write(one)
      },
      { waiting: 0 },
    )

  it('is answered as it was made: a payin', async () => {
    const insertPayin = lost('payins', world.ctx.batched.insertPayin)
    const made = await createPayin(
      { ...world.ctx, batched: { ...world.ctx.batched, insertPayin } },
      world.organization,
      {
        amountInCents: 5_000_000n,
        reference: 'lost payin',
        customer: null,
        callbackUrl: null,
        way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
      },
      null,
    )
    assert.ok(!isRefusal(made))
    assert.deepEqual([made.version, made.updatedAt], [1, made.createdAt])
  })

  it('is answered as it was made: a payout', async () => {
    const insertPayout = lost('payouts', world.ctx.batched.insertPayout)
    const made = await createPayout(
      { ...world.ctx, batched: { ...world.ctx.batched, insertPayout } },
      world.organization,
      { credentialId: 'rc_stg_lost', limits: UNLIMITED_CREDENTIAL },
      {
        amountInCents: 100_000n,
        reference: 'lost payout',
        customer: { ...CUSTOMER, idType: 'CO_CC' },
        keyString: '@ANAGOMEZ',
        keyType: 'ALPHANUMERIC',
      },
      null,
    )
    assert.ok(!isRefusal(made))
    assert.deepEqual([made.version, made.updatedAt], [1, made.createdAt])
  })
})

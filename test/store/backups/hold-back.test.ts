// Which refunds a restore holds back: those that a payout would give back, from the moment they could be paid. What goes over its rail
// has its reference, and the network knows it again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdBackUnpaid } from '../../../src/store/backups/hold-back.ts'
import { newRefund } from '../../api/http/calls.ts'
import { createWorld, type World } from '../../world.ts'

describe('a restore', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  for (const [stage, way, isHeld] of [
    ['READY', 'KEY', true],
    ['AWAITING_FUNDS', 'KEY', true],
    ['READY', 'CLAIM', true],
    ['READY', 'RAIL', false],
    ['AWAITING_FUNDS', 'RAIL', false],
    ['AWAITING_CLAIM', 'CLAIM', false],
  ] as const)
    it(`${isHeld ? 'holds back' : 'leaves alone'} a refund by ${way} that is ${stage}`, async () => {
      const id = await newRefund(world, world.client)
      const held = world.db.inTransaction(async (tx) => {
        const text = 'update refunds set stage = $2, way = $3, due_at = created_at where refund_id = $1'
        await tx.query({ text, values: [id, stage, way] })
        const hold = { leaseToken: world.ctx.ids.next(), providers: [] }
        const ids = (await holdBackUnpaid(tx, hold)).map((one) => one.id)
        throw new Undone(ids)
      })
      await assert.rejects(held, (error) => error instanceof Undone && error.ids.includes(id) === isHeld)
    })
})

// The books are proven after every test, and know nothing of what was made up here.
class Undone extends Error {
  readonly ids: readonly string[]
  constructor(ids: readonly string[]) {
    super(`held back: ${ids.join(', ')}`)
    this.ids = ids
  }
}

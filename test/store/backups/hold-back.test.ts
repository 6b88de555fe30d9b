// Which refunds a restore holds back: those that a payout would give back, from the moment they could be paid. What goes over its rail
// has its reference, and the network knows it again. Of files of payouts those are held back that have rows without a payout.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdBackUnpaid } from '../../../src/store/backups/hold-back.ts'
import { newRefund } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { openOneOrganizationDatabase } from '../one-organization.ts'
import { IDS } from '../twins.ts'

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

  for (const [rows, isHeld] of [
    ['QUEUED', true],
    ['SENT', false],
  ] as const)
    it(`${isHeld ? 'holds back' : 'leaves alone'} a file of payouts whose rows are ${rows}`, async () => {
      const { id } = await checkedBatch(world, world.client, goodRow(isHeld ? 1 : 2))
      const held = world.db.inTransaction(async (tx) => {
        const batch = `update payout_batches set status = 'PROCESSING', due_at = created_at where batch_id = $1`
        await tx.query({ text: batch, values: [id] })
        const state = 'update payout_batch_rows set state = $2 where batch_id = $1'
        await tx.query({ text: state, values: [id, rows] })
        const hold = { leaseToken: world.ctx.ids.next(), providers: [] }
        const ids = (await holdBackUnpaid(tx, hold)).map((one) => one.id)
        throw new Undone(ids)
      })
      await assert.rejects(held, (error) => error instanceof Undone && error.ids.includes(id) === isHeld)
    })
})

describe('of payouts over a provider, a restore', () => {
  const { readAfter } = openOneOrganizationDatabase()

  for (const [stage, provider, isHeld] of [
    ['CREATED', 'wompi', true],
    ['RESERVED', 'wompi', true],
    ['SENDING', 'wompi', false],
    ['SENT', 'wompi', false],
    ['RESERVED', 'mono', false],
  ] as const)
    it(`${isHeld ? 'holds back' : 'leaves alone'} one that is ${stage}, if ${provider} would pay it again`, async () => {
      const held = await readAfter(
        [`update payouts set stage = '${stage}' where payout_id = '${IDS.sent}'`],
        (tx) => holdBackUnpaid(tx, { leaseToken: IDS.fresh, providers: [provider] }),
      )
      assert.equal(
        held.some(({ kind, id }) => kind === 'payout' && id === IDS.sent),
        isHeld,
      )
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

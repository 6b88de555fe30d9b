// What may not be done to a batch, by how it stands: with which code that is refused, and in which words. It stays as it was.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { advanceBatch } from '../../../src/flows/payout-batches/advance.ts'
import { claimDueBatches } from '../../../src/store/payout-batches/batches.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'

type Call = readonly [method: string, path: string, body: object]

const ACTIONS: Readonly<Record<string, Call>> = {
  submit: ['POST', '/submit', { acceptWarnings: true }],
  cancel: ['POST', '/cancel', {}],
  retry: ['POST', '/retry', {}],
  check: ['POST', '/check', {}],
  'leave out': ['POST', '/leave-out', { rows: [2] }],
  correct: ['PATCH', '/rows/2', { reference: 'otra' }],
}
const changing = (status: string): Record<string, string> => {
  const refused = `BATCH_NOT_EDITABLE The batch is ${status}.`
  return { submit: refused, cancel: refused, check: refused, 'leave out': refused, correct: refused }
}
const tooEarly = (status: string): string =>
  `BATCH_NOT_READY The batch is ${status}: it can be tried again when it is COMPLETED.`

const REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CHECKING: {
    submit: 'BATCH_NOT_READY Its keys are still being looked up.',
    retry: tooEarly('CHECKING'),
  },
  DRAFT: { retry: tooEarly('DRAFT') },
  WAITING: { submit: 'BATCH_NOT_EDITABLE The batch is WAITING.', retry: tooEarly('WAITING') },
  PROCESSING: { ...changing('PROCESSING'), retry: tooEarly('PROCESSING') },
  COMPLETED: {
    ...changing('COMPLETED'),
    retry: 'BATCH_NOT_READY None of its rows has failed and was not tried again.',
  },
  CANCELED: { ...changing('CANCELED'), retry: tooEarly('CANCELED') },
}

describe('a batch', () => {
  let world: World
  let id: string
  before(async () => {
    world = await createWorld()
    id = (await checkedBatch(world, world.client, goodRow(1))).id
  })
  after(() => world[Symbol.asyncDispose]())

  const stands = async () => {
    const read = async (path: string) => (await world.client('GET', `/payout-batches/${id}${path}`)).json
    return [await read(''), (await read('/rows')).data]
  }

  for (const [status, refused] of Object.entries(REFUSED))
    it(`that is ${status} refuses: ${Object.keys(refused).join(', ')}`, async () => {
      await world.db.query({
        text: 'update payout_batches set status = $2, due_at = null where batch_id = $1',
        values: [id, status],
      })
      const before = await stands()
      for (const [action, words] of Object.entries(refused)) {
        const [method, path, body] = ACTIONS[action] ?? assert.fail(action)
        const { json } = await world.client(method, `/payout-batches/${id}${path}`, body)
        assert.equal(`${json.code} ${json.detail}`, words, action)
      }
      assert.deepEqual(await stands(), before)
    })

  for (const status of ['WAITING', 'COMPLETED', 'CANCELED'])
    it(`that is ${status} is not due any more once a worker has looked at it, unless it has changed meanwhile`, async () => {
      const { ctx, db, organization } = world
      const run = (text: string) => db.query({ text, values: [id, status] })
      const dueAt = async () =>
        (await db.query({ text: 'select due_at from payout_batches where batch_id = $1', values: [id] })).rows
      const look = async (meanwhile: string) => {
        await run('update payout_batches set status = $2, due_at = created_at where batch_id = $1')
        const now = ctx.clock.now()
        const lease = { token: ctx.ids.next(), until: now + 60_000 }
        const [claim] = await claimDueBatches(db, organization.organizationId, now, lease, 1)
        assert.ok(claim !== undefined)
        await db.query({
          text: 'update payout_batches set status = $2 where batch_id = $1',
          values: [id, meanwhile],
        })
        assert.equal(await advanceBatch(ctx, claim, organization), false)
        return dueAt()
      }
      assert.deepEqual(await look(status), [{ due_at: null }])
      assert.notDeepEqual(await look('DRAFT'), [{ due_at: null }])
    })
})

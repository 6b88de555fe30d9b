// An act and its entry are committed together, or not at all.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Act } from '../../../src/core/audit/act.ts'
import { sqlState } from '../../../src/store/db.ts'
import { asPerson, entriesOf, joinAsOwner, PERSON } from '../../api/audit/entries.ts'
import { exampleBody, makeSubjects, STAGING_OPERATIONS } from '../../api/http/calls.ts'
import { digestsOf, organizationTables } from '../../store/rows.ts'
import { createWorld, type World } from '../../world.ts'

// What these write by themselves before the act: how far a budget is spent, when an endpoint was last asked, what is put in line step
// by step, and what a simulated network tells us.
const WRITES_BEFORE: Partial<Record<Act, string[]>> = {
  'brebkey.lookup': ['lookup_budgets'],
  'webhook.verify': ['webhook_endpoints'],
  'webhook.recover': ['deliveries'],
  'payin.simulate': ['rail_notices'],
  'payout.simulate': ['rail_notices'],
}
// No type of the database takes it, so an entry with it cannot be written.
const UNWRITABLE = { ...PERSON, sessionId: 'not an id' }

describe('an act whose entry cannot be written', () => {
  let world: World
  let tables: string[]
  before(async () => {
    world = await createWorld()
    tables = await organizationTables(world.db)
  })
  after(() => world[Symbol.asyncDispose]())

  for (const operation of STAGING_OPERATIONS.filter(({ act }) => act !== undefined)) {
    const act = operation.act as Act
    it(`does not happen: ${act}`, async () => {
      const { organization, client } = await world.newMerchant()
      const { organizationId } = organization
      await joinAsOwner(world, organization)
      const made = Object.entries(await makeSubjects(world, client, operation))
      const params = Object.fromEntries(made.map(([name, value]) => [name, decodeURIComponent(value)]))
      await world.api.requestLog.flush()
      await world.ctx.vault(organizationId)
      const rows = async () => {
        const [digests = {}] = await digestsOf(world.db, tables, [organizationId])
        return Object.entries(digests).filter(([table]) => !WRITES_BEFORE[act]?.includes(table))
      }
      const before = await rows()
      const call = { params, body: exampleBody(operation, params) }
      await assert.rejects(
        asPerson(world, organization, operation, call, UNWRITABLE),
        (error) => sqlState(error) === '22P02',
      )
      assert.deepEqual(await rows(), before)
    })
  }
})

describe('an act that fails after its entry was written', () => {
  it('leaves no entry: of many requests under one key, one is done and written down', async () => {
    await using world = await createWorld()
    const { organization, client } = world
    const create = () =>
      client('POST', '/webhook-endpoints', { url: 'https://shop.example/e' }, { 'idempotency-key': 'same' })
    const answers = await Promise.all(Array.from({ length: 8 }, create))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json.id))
    assert.equal(ids.size, 1)
    const entries = (await entriesOf(world, organization)).filter(({ act }) => act === 'webhook.create')
    assert.deepEqual(
      entries.map(({ objectId, outcome }) => [objectId, outcome]),
      [...ids].map((id) => [id, 'done']),
    )
  })
})

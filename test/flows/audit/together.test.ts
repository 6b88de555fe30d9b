// An act and its entry are committed together, or not at all.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Act } from '../../../src/core/audit/act.ts'
import { decideApproval } from '../../../src/flows/approvals/decide.ts'
import { sqlState } from '../../../src/store/db.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { asPerson, entriesOf, joinAsOwner, PERSON } from '../../api/audit/entries.ts'
import { exampleBody, makeSubjects, newApproval, STAGING_OPERATIONS } from '../../api/http/calls.ts'
import { digestsOf, organizationTables } from '../../store/rows.ts'
import { createWorld, type World } from '../../world.ts'
import { personActor } from '../approvals/approving.ts'
import { peopleIn } from '../team/people.ts'

// What these write by themselves before the act: how far a budget is spent, when an endpoint was last asked, what is put in line step
// by step, and what a simulated network tells us.
const WRITES_BEFORE: Partial<Record<Act, string[]>> = {
  'brebkey.lookup': ['lookup_budgets'],
  'beneficiary.write': ['lookup_budgets'],
  'webhook.verify': ['webhook_endpoints'],
  'webhook.recover': ['deliveries'],
  'payin.simulate': ['rail_notices'],
  'payout.simulate': ['rail_notices'],
}
// A key cannot do these; a person shows who they are.
const DECISIONS: readonly Act[] = ['approval.approve', 'approval.refuse']
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

  for (const operation of STAGING_OPERATIONS) {
    const { act } = operation
    if (act === undefined || DECISIONS.includes(act)) continue
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
        asPerson(
          world,
          (await getOrganization(world.db, organizationId)) ?? organization,
          operation,
          call,
          UNWRITABLE,
        ),
        (error) => sqlState(error) === '22P02',
      )
      assert.deepEqual(await rows(), before)
    })
  }

  it('does not happen: a decision about an approval', async () => {
    const { organization, client } = await world.newMerchant()
    const approval = (await client('GET', `/approvals/${await newApproval(world, client)}`)).json
    const people = peopleIn(world)
    const decider = await people.newMember('approver', organization)
    await world.api.requestLog.flush()
    const before = await digestsOf(world.db, tables, [organization.organizationId])
    const request = {
      organizationId: organization.organizationId,
      approvalId: approval.id,
      userId: decider.userId,
      decision: 'REFUSED',
      digest: Buffer.from(approval.digest, 'hex'),
      reason: null,
      given: {},
    } as const
    const actor = { ...personActor(decider), sessionId: 'not an id' }
    await assert.rejects(
      decideApproval({ ...people.ctx, actor }, request),
      (error) => sqlState(error) === '22P02',
    )
    assert.deepEqual(await digestsOf(world.db, tables, [organization.organizationId]), before)
  })
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

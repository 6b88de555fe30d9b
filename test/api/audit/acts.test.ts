// Every operation that may change something is written down with who called it: by keys, all but what they create in bulk; by people,
// everything. So is a refusal. Which act an operation is stands in its declaration.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { recordRefused } from '../../../src/api/audit/refused-acts.ts'
import { lookUpKeyOperation } from '../../../src/api/directory/breb-keys.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { changeOrganizationOperation } from '../../../src/api/organizations/operations.ts'
import { cancelPayinOperation, createPayinOperation } from '../../../src/api/payins/operations.ts'
import { createPayoutOperation } from '../../../src/api/payouts/operations.ts'
import { ACTS, type Act, objectKindOf } from '../../../src/core/audit/act.ts'
import { isRefusal, refuse } from '../../../src/core/refusal.ts'
import { revokeClient } from '../../../src/flows/organizations/issue-credential.ts'
import type { ListedEntry } from '../../../src/store/audit/entries.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { callWith, exampleBody, makeSubjects, STAGING_OPERATIONS } from '../http/calls.ts'
import { asPerson, entriesOf, joinAsOwner, PERSON } from './entries.ts'

// Operations that may change something and are not audited, and why. There is none.
const NOT_AUDITED: Readonly<Record<string, string>> = {}

// Written down more than once: before the network is called, and when it has answered.
const WRITTEN_TWICE: readonly Act[] = ['suspense.return']

const WRITES = STAGING_OPERATIONS.filter(({ method }) => method !== 'GET')
const ACTED = STAGING_OPERATIONS.filter(({ act }) => act !== undefined)

describe('operations and their acts', () => {
  it('every operation that may change something has an act, or a reason to have none', () => {
    assert.ok(WRITES.length > 20)
    const without = WRITES.filter(({ act }) => act === undefined).map(({ operationId }) => operationId)
    assert.deepEqual(without, Object.keys(NOT_AUDITED))
  })

  it('no two operations are the same act', () => {
    const acts = ACTED.map(({ act }) => act)
    assert.equal(new Set(acts).size, acts.length)
  })
})

describe('the audit log', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newest = async (organization: World['organization'], act: Act): Promise<ListedEntry[]> =>
    (await entriesOf(world, organization)).filter((entry) => entry.act === act)

  for (const operation of ACTED) {
    const act = operation.act as Act
    const isOfEveryone = ACTS[act] === 'everyone'
    // A key never decides, and a person shows more than who they are: test/api/approvals and test/console/approvals.test.ts.
    if (operation.refusals.includes('PERSON_REQUIRED')) continue

    it(`${isOfEveryone ? 'has' : 'leaves to the request log'} ${act} by a key`, async () => {
      const { organization, client } = await world.newMerchant()
      const ids = await makeSubjects(world, client, operation)
      const { method, path, body } = callWith(operation, ids)
      const before = await newest(organization, act)
      const headers = { 'x-request-id': `call-${operation.operationId}` }
      const answer = await client(method, path, body, headers)
      assert.equal(answer.status, operation.success.status, answer.text)
      const found = (await newest(organization, act)).slice(before.length)
      const times = WRITTEN_TWICE.includes(act) ? 2 : 1
      assert.equal(found.length, isOfEveryone ? times : 0)
      const [entry] = found
      if (entry === undefined) return
      assert.equal(entry.outcome, 'done')
      assert.equal(entry.objectKind, objectKindOf(act))
      const { actor } = entry
      assert.deepEqual([actor.kind, actor.name, actor.sessionId], ['key', 'test', null])
      assert.equal(actor.requestId, `call-${operation.operationId}`)
      assertObject(entry, operation, ids, answer.json)
    })

    it(`has ${act} by a person`, async () => {
      const { organization, client } = await world.newMerchant()
      const params = Object.fromEntries(
        Object.entries(await makeSubjects(world, client, operation)).map(([name, value]) => [
          name,
          decodeURIComponent(value),
        ]),
      )
      // Who gives roles must have one.
      await joinAsOwner(world, organization)
      const before = await newest(organization, act)
      // As it is by now: a subject may need an older one.
      const known = (await getOrganization(world.db, organization.organizationId)) ?? organization
      const answer = await asPerson(world, known, operation, {
        params,
        body: exampleBody(operation, params),
        ...(operation.method === 'POST' && { idempotencyKey: 'form' }),
      })
      if (isRefusal(answer)) assert.fail(answer.detail)
      const found = (await newest(organization, act)).slice(before.length)
      assert.equal(found.length, WRITTEN_TWICE.includes(act) ? 2 : 1)
      const [entry] = found as [ListedEntry]
      assert.deepEqual([entry.outcome, entry.actor], ['done', PERSON])
      assertObject(entry, operation, params, JSON.parse(answer.body))
    })

    it(`has ${act} that a key without the scope is refused`, async () => {
      const { organization, client } = await world.newMerchant(['ledger:read'])
      const params = Object.keys(operation.params ?? {})
      const ids = Object.fromEntries(params.map((name) => [name, organization.organizationId]))
      const { method, path, body } = callWith(operation, ids)
      // The merchant's own key was made before.
      const before = await newest(organization, act)
      assert.equal((await client(method, path, body)).status, 403)
      const [entry, ...others] = (await newest(organization, act)).slice(before.length)
      assert.deepEqual(others, [])
      if (!isOfEveryone) return assert.equal(entry, undefined)
      assert.deepEqual([entry?.outcome, entry?.refusal], ['refused', 'INSUFFICIENT_SCOPE'])
      assert.equal(entry?.changes, '{}')
      assert.equal(entry?.objectId, params.length === 0 ? null : organization.organizationId)
    })
  }

  // The thing that the path names, or that was created.
  function assertObject(
    entry: ListedEntry,
    operation: Operation,
    ids: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
    answer: any,
  ): void {
    const hasNoId = operation.act === 'brebkey.lookup' || operation.act === 'clock.advance'
    const [named] = Object.keys(operation.params ?? {}).map((name) => ids[name])
    const created =
      answer.id ??
      answer.paymentLinkId ??
      answer.paymentPageId ??
      answer.invitationId ??
      answer.organizationId
    // Of a connection or a payin, and something else than it.
    const isOfAnother = operation.act?.startsWith('movement.') || operation.act === 'refund.create'
    assert.equal(entry.objectId, hasNoId ? null : isOfAnother ? created : (named ?? created))
  }

  it('tells what was changed, from what to what', async () => {
    const { organization, client } = await world.newMerchant()
    await client('PATCH', '/organization', {
      payinExpiryMinutes: 30,
      accentColor: '#123456',
      alarmEmails: ['ana@cafe.example'],
    })
    const [entry] = await newest(organization, 'organization.change')
    assert.deepEqual(JSON.parse(entry?.changes ?? ''), {
      payinExpiryMinutes: { before: 15, after: 30 },
      accentColor: { before: null, after: '#123456' },
      alarmEmails: { before: [], after: ['ana@cafe.example'] },
    })
  })

  it('tells when a client was revoked once, however often it is', async () => {
    const { organization } = await world.newMerchant()
    const { clientId } = await world.oauthClient(organization)
    for (let times = 0; times < 2; times += 1) {
      assert.equal(await revokeClient(world.ctx, clientId), true)
      world.advance(1_000)
    }
    const entries = await newest(organization, 'client.revoke')
    const fields = entries.map(({ changes }) => Object.keys(JSON.parse(changes)))
    assert.deepEqual(fields, [['revokedAt'], []])
  })

  it('holds no secret and no payer, whatever is done', async () => {
    const { organization, client } = await world.newMerchant()
    const answers: string[] = []
    for (const operation of ACTED) {
      const params = await makeSubjects(world, client, operation)
      const { method, path, body } = callWith(operation, params)
      answers.push((await client(method, path, body)).text)
    }
    await asPerson(world, organization, createPayinOperation, { body: brebPayin() })
    const text = JSON.stringify(await entriesOf(world, organization))
    assert.ok(text.length > 5_000)
    for (const { name, idNumber, phone, email } of [CUSTOMER])
      for (const part of [name, idNumber, phone, email]) assert.ok(!text.includes(part), part)
    const secrets = answers.flatMap((answer) => answer.match(/whsec_[\w+/=-]+/g) ?? [])
    assert.ok(secrets.length >= 2)
    for (const secret of secrets) assert.ok(!text.includes(secret))
    assert.doesNotMatch(text, /sealed"|prv_|test_events|ANAGOMEZ/)
  })

  it('has a refusal by a rule, and none of what a key sent wrongly', async () => {
    const { organization, client } = await world.newMerchant()
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${payin.id}/cancel`)
    assert.equal((await client('POST', `/payins/${payin.id}/cancel`)).status, 409)
    assert.equal((await client('PATCH', '/organization', { payinExpiryMinutes: 1 })).status, 400)
    assert.equal((await client('POST', '/payins', brebPayin({ reference: payin.reference }))).status, 409)
    const refused = (await entriesOf(world, organization)).filter(({ outcome }) => outcome === 'refused')
    assert.deepEqual(
      refused.map(({ act, objectId, refusal }) => [act, objectId, refusal]),
      [['payin.cancel', payin.id, 'PAYIN_ALREADY_FINAL']],
    )
  })

  it('has what a person sent wrongly, was refused, or looked for in vain', async () => {
    const { organization } = await world.newMerchant()
    const refused = async (operation: Operation, call: Parameters<typeof asPerson>[3]) =>
      assert.ok(isRefusal(await asPerson(world, organization, operation, call)))
    await refused(changeOrganizationOperation, { body: { payinExpiryMinutes: 1 } })
    await refused(createPayoutOperation, { body: { amountInCents: 1 } })
    await refused(cancelPayinOperation, { params: { payinId: PERSON.id as string } })
    await refused(lookUpKeyOperation, { params: { keyString: '@NOEXISTE1' } })
    const entries = (await entriesOf(world, organization)).filter(({ outcome }) => outcome === 'refused')
    assert.deepEqual(
      entries.map(({ act, objectId, refusal }) => [act, objectId, refusal]),
      [
        ['organization.change', null, 'INVALID_INPUT'],
        ['payout.create', null, 'INVALID_INPUT'],
        ['payin.cancel', PERSON.id, 'NOT_FOUND'],
        ['brebkey.lookup', null, 'KEY_NOT_FOUND'],
      ],
    )
  })

  it('has no refusal of what came too fast, or twice at once, and names a client by its id', async () => {
    const { organization } = await world.newMerchant()
    const { organizationId } = organization
    const clientId = 'rc_test_AbC-123'
    const refused = { act: 'client.revoke', actor: PERSON, organizationId, params: { clientId } } as const
    for (const code of ['RATE_LIMITED', 'IDEMPOTENCY_KEY_IN_USE', 'STORE_UNAVAILABLE', 'NOT_FOUND'] as const)
      await recordRefused(world.ctx, refused, refuse(code, 'It is refused.'))
    const entries = (await entriesOf(world, organization)).filter(({ outcome }) => outcome === 'refused')
    assert.deepEqual(
      entries.map(({ act, objectId, refusal }) => [act, objectId, refusal]),
      [['client.revoke', clientId, 'NOT_FOUND']],
    )
  })

  it('has one entry of what is sent twice under one key', async () => {
    const { organization } = await world.newMerchant()
    const body = brebPayin()
    const create = () =>
      asPerson(world, organization, createPayinOperation, { body, idempotencyKey: 'twice' })
    const [first, second] = [await create(), await create()]
    if (isRefusal(first) || isRefusal(second)) assert.fail('refused')
    assert.equal(JSON.parse(second.body).id, JSON.parse(first.body).id)
    assert.equal((await newest(organization, 'payin.create')).length, 1)
  })

  it('of somebody who is refused again and again, has as many entries as tell it', async () => {
    const { organization, client } = await world.newMerchant(['ledger:read'])
    const path = `/payins/${organization.organizationId}/cancel`
    const answers = await Promise.all(Array.from({ length: 150 }, () => client('POST', path)))
    assert.ok(answers.every(({ status }) => status === 403))
    const { length } = await newest(organization, 'payin.cancel')
    assert.ok(length >= 120 && length < 140, String(length))
  })
})

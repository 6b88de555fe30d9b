// Approvals over the API: rules that bind themselves, lists, and who is refused and why. A key reads, and never decides.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Actor, SERVICE } from '../../../src/core/audit/actor.ts'
import { UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { changeApprovalRules } from '../../../src/flows/approvals/change-rules.ts'
import {
  issueApiKey,
  issueOAuthClient,
  rollApiKey,
} from '../../../src/flows/organizations/issue-credential.ts'
import { createPayout } from '../../../src/flows/payouts/create.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { approvalOf, decideAs, payoutBody, personActor, setRules } from '../../flows/approvals/approving.ts'
import { type People, peopleIn, SITE } from '../../flows/team/people.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'

const one = (kind: string, fromAmountInCents = 0) => ({
  kind,
  tiers: [{ fromAmountInCents, approvers: 1 }],
})

describe('approvals over the API', () => {
  let world: World
  let people: People
  let owner: User
  let other: User
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    owner = await people.newMember('owner')
    other = await people.newMember('administrator')
  })
  after(() => world[Symbol.asyncDispose]())

  const signed = async (user: User, { digest }: { digest: string }) => {
    const { answer } = await people.withPasskey(user)
    return { given: { passkey: answer(Buffer.from(digest, 'hex').toString('base64url')) } }
  }
  // As the console creates one for somebody.
  let count = 0
  const payoutBy = async (user: User, actor: Actor = personActor(user)) => {
    const organization = await getOrganization(world.db, world.organization.organizationId)
    assert.ok(organization)
    const payout = await createPayout(
      { ...people.ctx, actor },
      organization,
      { credentialId: user.userId, limits: UNLIMITED_CREDENTIAL },
      {
        amountInCents: 1_000_000n,
        reference: `by hand ${++count}`,
        keyType: 'ALPHANUMERIC',
        keyString: '@ANAGOMEZ',
        customer: CUSTOMER as never,
      },
      null,
    )
    assert.ok(!isRefusal(payout))
    return payout
  }

  it('there are no rules at first', async () => {
    const { json } = await world.client('GET', '/approval-rules')
    const { organizationId } = world.organization
    assert.deepEqual(json, { rules: [], waitingApprovalId: null, organizationId })
  })

  it('rules that make no sense are refused, each at its place', async () => {
    const bad = [
      {
        kind: 'payout',
        tiers: [
          { fromAmountInCents: 5, approvers: 1 },
          { fromAmountInCents: 5, approvers: 2 },
        ],
      },
      one('payout'),
      one('approval-rule', 100),
    ]
    const { status, json } = await world.client('PUT', '/approval-rules', { rules: bad })
    assert.equal(status, 400)
    assert.deepEqual(
      json.errors.map(({ path }: { path: string }) => path),
      ['/rules/0/tiers/1/fromAmountInCents', '/rules/1/kind', '/rules/2/tiers/0/fromAmountInCents'],
    )
    for (const tiers of [
      [{ fromAmountInCents: 0, approvers: 3 }],
      [{ fromAmountInCents: -1, approvers: 1 }],
      'x',
    ])
      assert.equal(
        (await world.client('PUT', '/approval-rules', { rules: [{ kind: 'payout', tiers }] })).status,
        400,
      )
  })

  it('rules that the team cannot meet are refused: a change of the rules takes one more', async () => {
    const { client, organization } = await world.newMerchant()
    const put = (...rules: object[]) => client('PUT', '/approval-rules', { rules })
    assert.equal((await put(one('payout'))).json.code, 'TOO_FEW_APPROVERS')
    await people.newMember('approver', organization)
    await people.newMember('preparer', organization)
    assert.equal((await put(one('payout'))).status, 200)
    assert.equal((await put(one('approval-rule'))).json.code, 'TOO_FEW_APPROVERS')
    await people.newMember('owner', organization)
    assert.equal((await put(one('approval-rule'))).status, 200)
  })

  it('nobody approves or refuses what they made, owners neither; somebody else does', async () => {
    await setRules(world, [one('payout')])
    const payout = await payoutBy(owner)
    assert.equal(payout.stage, 'AWAITING_APPROVAL')
    const approval = await approvalOf(world, payout.payoutId)
    assert.deepEqual(approval.maker, { kind: 'person', id: owner.userId, name: owner.name })
    for (const decision of ['APPROVED', 'REFUSED'] as const) {
      const refused = await decideAs(people.ctx, owner, approval, decision, await signed(owner, approval))
      assert.ok(isRefusal(refused))
      assert.equal(refused.refused, 'APPROVAL_OWN')
    }
    const decided = await decideAs(people.ctx, other, approval, 'APPROVED', await signed(other, approval))
    assert.ok(!isRefusal(decided))
    assert.equal((await approvalOf(world, payout.payoutId)).status, 'APPROVED')
  })

  it('nobody decides about what was asked for with a key whose secret they have seen, by whatever way', async () => {
    const ctx = { ...people.ctx, actor: personActor(owner) }
    const { organizationId } = world.organization
    const request = { organizationId, name: 'by the owner', scopes: null, expiresAt: null }
    const made = await issueApiKey(ctx, request)
    assert.ok(made)
    const rolled = await rollApiKey(ctx, made.apiKey, 0)
    const keyActor = { ...SERVICE, kind: 'key', id: rolled.apiKey.apiKeyId } as const
    const byKey = await issueApiKey({ ...people.ctx, actor: keyActor }, request)
    const byClient = await issueOAuthClient(ctx, request)
    const others = await issueApiKey({ ...people.ctx, actor: personActor(other) }, request)
    const makers = [
      ['key', rolled.apiKey.apiKeyId, false],
      ['key', byKey?.apiKey.apiKeyId, false],
      ['client', byClient.client.clientId, false],
      ['key', others?.apiKey.apiKeyId, true],
    ] as const
    for (const [kind, id = '', isAllowed] of makers) {
      const payout = await payoutBy(owner, { ...SERVICE, kind, id, name: 'a credential' })
      const approval = await approvalOf(world, payout.payoutId)
      const decided = await decideAs(people.ctx, owner, approval, 'APPROVED', await signed(owner, approval))
      assert.equal(isRefusal(decided) ? decided.refused : 'decided', isAllowed ? 'decided' : 'APPROVAL_OWN')
    }
  })

  it('a key that may do everything is refused, and it is written down', async () => {
    const { json: payout } = await world.client('POST', '/payouts', payoutBody())
    const approval = await approvalOf(world, payout.id)
    for (const way of ['approve', 'refuse']) {
      const { status, json } = await world.client('POST', `/approvals/${approval.id}/${way}`, {
        digest: approval.digest,
      })
      assert.deepEqual([status, json.code], [403, 'PERSON_REQUIRED'])
    }
    assert.equal((await world.client('GET', '/organization')).status, 200, 'with rules too')
    const { json: audit } = await world.client('GET', `/audit?objectId=${approval.id}`)
    const acts = audit.data.map((entry: Record<string, string>) => [entry.act, entry.outcome])
    assert.deepEqual(acts.sort(), [
      ['approval.approve', 'refused'],
      ['approval.refuse', 'refused'],
      ['approval.submit', 'done'],
    ])
    assert.equal((await approvalOf(world, payout.id)).status, 'WAITING')
  })

  it('lists by status, kind and subject, in pages, and only the organization’s own', async () => {
    const { client } = await world.newMerchant()
    const { json: all } = await world.client('GET', '/approvals?pageSize=1')
    assert.equal(all.data.length, 1)
    assert.equal(all.pageInfo.hasNext, true)
    const { json: next } = await world.client(
      'GET',
      `/approvals?pageSize=1&cursor=${all.pageInfo.nextCursor}`,
    )
    assert.notEqual(next.data[0].id, all.data[0].id)
    const { data } = (await world.client('GET', '/approvals')).json
    for (const listed of data)
      assert.deepEqual((await world.client('GET', `/approvals/${listed.id}`)).json, listed)
    assert.ok(data.some(({ decisions }: { decisions: object[] }) => decisions.length === 1))
    const { json: approved } = await world.client('GET', '/approvals?status=APPROVED&kind=payout')
    assert.ok(approved.data.length > 0)
    assert.ok(approved.data.every(({ status }: { status: string }) => status === 'APPROVED'))
    assert.deepEqual((await world.client('GET', '/approvals?kind=refund')).json.data, [])
    assert.deepEqual((await client('GET', '/approvals')).json.data, [])
    assert.equal((await client('GET', `/approvals/${all.data[0].id}`)).status, 404)
    assert.equal((await world.client('GET', `/approvals/${all.data[0].id}`)).json.id, all.data[0].id)
  })

  it('a change of the rules waits while they ask for it, a new one takes its place, and the approved one counts', async () => {
    const { organizationId } = world.organization
    await setRules(world, [one('payout'), one('approval-rule')])
    const propose = (user: User) =>
      changeApprovalRules({ ...people.ctx, actor: personActor(user) }, organizationId, [])
    const first = await propose(owner)
    assert.ok(!isRefusal(first) && first.waiting !== null)
    const second = await propose(owner)
    assert.ok(!isRefusal(second) && second.waiting !== null)
    const { json: rules } = await world.client('GET', '/approval-rules')
    assert.equal(rules.rules.length, 2)
    assert.equal(rules.waitingApprovalId, second.waiting.approvalId)
    const read = async (id: string) => (await world.client('GET', `/approvals/${id}`)).json
    assert.equal((await read(first.waiting.approvalId)).status, 'VOIDED')
    const approval = await read(second.waiting.approvalId)
    const own = await decideAs(people.ctx, owner, approval, 'APPROVED', await signed(owner, approval))
    assert.ok(isRefusal(own) && own.refused === 'APPROVAL_OWN')
    assert.ok(
      !isRefusal(await decideAs(people.ctx, other, approval, 'APPROVED', await signed(other, approval))),
    )
    assert.deepEqual((await world.client('GET', '/approval-rules')).json, {
      rules: [],
      waitingApprovalId: null,
      organizationId,
    })
    const { json: payout } = await world.client('POST', '/payouts', payoutBody())
    assert.equal(payout.stage, null, 'no rule, nobody is asked')
  })

  it('refused rules stay as they were', async () => {
    await setRules(world, [one('approval-rule')])
    const { json } = await world.client('PUT', '/approval-rules', { rules: [] })
    assert.equal(json.rules.length, 1)
    const approval = (await world.client('GET', `/approvals/${json.waitingApprovalId}`)).json
    assert.ok(!isRefusal(await decideAs(people.ctx, other, approval, 'REFUSED')))
    assert.equal((await world.client('GET', '/approval-rules')).json.rules.length, 1)
  })

  it('of many changes at once one waits, and a change that nobody could approve leaves it alone', async () => {
    const change = (rules: object[]) => world.client('PUT', '/approval-rules', { rules })
    const answers = await Promise.all(Array.from({ length: 6 }, () => change([])))
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200).map(({ text }) => text),
      [],
    )
    const waiting = async () =>
      (await world.client('GET', '/approvals?status=WAITING&kind=approval-rule')).json.data
    const [left, ...more] = await waiting()
    assert.equal(more.length, 0)
    const tiers = [{ fromAmountInCents: 0, approvers: 2 }]
    assertProblem(await change([{ kind: 'approval-rule', tiers }]), 'TOO_FEW_APPROVERS')
    assert.deepEqual(await waiting(), [left])
  })
})

// Which rules hold, and whose approvals count, at the moment that matters: when something is made, and when the last person decides.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { verifyApprovals } from '../../../src/flows/approvals/verify.ts'
import { updateApprovalRules } from '../../../src/store/organizations/organizations.ts'
import { deleteMembership, updateRole } from '../../../src/store/team/members.ts'
import { createWorld, type World } from '../../world.ts'
import { refunding } from '../refunds/refunding.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { approvalOf, decideAs, payoutBody, setRules } from './approving.ts'

describe('rules of approvals', () => {
  let world: World
  let people: People
  let carla: User
  let diego: User
  let elena: User
  const answers = new Map<User, (challenge: string) => unknown>()
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    diego = await people.newMember('approver')
    elena = await people.newMember('owner')
    for (const user of [carla, diego, elena]) answers.set(user, (await people.withPasskey(user)).answer)
  })
  after(() => world[Symbol.asyncDispose]())
  // biome-ignore lint/suspicious/noExplicitAny: the approval as the API answers it
  const approve = async (user: User, approval: any) => {
    const decided = await decideAs(people.ctx, user, approval, 'APPROVED', {
      given: { passkey: answers.get(user)?.(Buffer.from(approval.digest, 'hex').toString('base64url')) },
    })
    assert.ok(!isRefusal(decided), JSON.stringify(isRefusal(decided) && decided))
    return decided.approval.status
  }

  const losses: Record<string, (organizationId: string, now: number) => Promise<unknown>> = {
    'is no longer of the team': (organizationId) => deleteMembership(world.db, organizationId, carla.userId),
    'has lost the role': (organizationId, now) =>
      updateRole(world.db, organizationId, carla.userId, 'support', now),
  }
  for (const [what, lose] of Object.entries(losses))
    it(`count no approval of somebody who ${what}`, async () => {
      await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] }])
      const { organizationId } = world.organization
      const { json } = await world.client('POST', '/payouts', payoutBody())
      const approval = await approvalOf(world, json.id)
      assert.equal(await approve(carla, approval), 'WAITING')
      await lose(organizationId, world.ctx.clock.now())
      assert.equal(await approve(diego, approval), 'WAITING')
      assert.equal((await world.client('GET', `/payouts/${json.id}`)).json.stage, 'AWAITING_APPROVAL')
      assert.deepEqual((await verifyApprovals(world.ctx, organizationId)).problems, [])
      assert.equal(await approve(elena, approval), 'APPROVED')
      assert.deepEqual((await verifyApprovals(world.ctx, organizationId)).problems, [])
      await deleteMembership(world.db, organizationId, carla.userId)
      await people.join(carla, 'approver')
      await setRules(world, [])
    })

  it('that nobody could meet are refused, with how many they need and how many there are', async () => {
    const { client } = await world.newMerchant()
    const rules = [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] }]
    const { json } = await client('PUT', '/approval-rules', { rules })
    assert.equal(json.code, 'TOO_FEW_APPROVERS')
    assert.match(json.detail, /need 2 people who may approve; the team has 0/)
  })

  // As a change on another node is, before its notice arrives.
  it('that another node has committed hold for the next payout here', async () => {
    const { organization, client } = await world.newMerchant()
    const { organizationId } = organization
    const asking = (approvers: 0 | 1 | 2) =>
      updateApprovalRules(
        world.db,
        organizationId,
        [{ kind: 'payout', tiers: [{ fromInCents: 0n, approvers }] }],
        world.ctx.clock.now(),
      )
    const waitsFor = async () => {
      const { json } = await client('POST', '/payouts', payoutBody())
      const { json: list } = await client('GET', `/approvals?subjectId=${json.id}`)
      return [json.stage, list.data[0]?.approvers ?? 0]
    }
    await client('GET', '/balance')
    await asking(1)
    assert.deepEqual(await waitsFor(), ['AWAITING_APPROVAL', 1])
    await asking(2)
    assert.deepEqual(await waitsFor(), ['AWAITING_APPROVAL', 2])
    await asking(0)
    assert.deepEqual(await waitsFor(), [null, 0])
  })

  it('that another node has committed hold for the next refund here', async () => {
    const { confirmed, asked } = refunding(() => world)
    const payinId = await confirmed()
    const { organizationId } = world.organization
    const rules = [{ kind: 'refund', tiers: [{ fromInCents: 0n, approvers: 1 }] }] as const
    await updateApprovalRules(world.db, organizationId, rules, world.ctx.clock.now())
    assert.equal((await asked(payinId)).stage, 'AWAITING_APPROVAL')
  })
})

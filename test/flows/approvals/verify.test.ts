// Approvals are proven from what is stored of them. Whatever is changed afterwards in the database is named.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { verifyApprovals } from '../../../src/flows/approvals/verify.ts'
import { verifyApprovalsCommand } from '../../../src/operator/approvals/commands.ts'
import { deletePasskeys } from '../../../src/store/team/passkeys.ts'
import { createWorld, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { approvalOf, decideAs, payoutBody, setRules } from './approving.ts'

describe('the proof of approvals', () => {
  let world: World
  let people: People
  let carla: User
  let diego: User
  let payoutId: string
  let approvalId: string
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    diego = await people.newMember('owner')
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] }])
    const { json } = await world.client('POST', '/payouts', payoutBody())
    payoutId = json.id
    const approval = await approvalOf(world, payoutId)
    approvalId = approval.id
    const challenge = Buffer.from(approval.digest, 'hex').toString('base64url')
    const { answer } = await people.withPasskey(carla, 'EdDSA')
    const { codeAt } = await people.withApp(diego)
    people.pass(60_000)
    for (const [user, given] of [
      [carla, { passkey: answer(challenge) }],
      [diego, { code: codeAt() }],
    ] as const)
      assert.ok(!isRefusal(await decideAs(people.ctx, user, approval, 'APPROVED', { given })))
    // One that waits and one that was withdrawn.
    await world.client('POST', '/payouts', payoutBody())
    const { json: gone } = await world.client('POST', '/payouts', payoutBody())
    await world.client('POST', `/payouts/${gone.id}/cancel`)
    await world.work()
  })
  after(() => world[Symbol.asyncDispose]())

  const verify = () => verifyApprovals(world.ctx, world.organization.organizationId)
  const run = async (text: string) => {
    const { rowCount } = await world.db.query({ text })
    assert.ok(rowCount)
  }

  it('what was decided holds, and says how much of it is signed', async () => {
    assert.deepEqual(await verify(), { approvals: 3, decisions: 2, signed: 1, problems: [] })
    const [row] = await verifyApprovalsCommand(world.ctx, { org: world.organization.organizationId })
    assert.deepEqual(row, {
      organizationId: world.organization.organizationId,
      approvals: 3,
      decisions: 2,
      signed: 1,
    })
  })

  const APPROVAL = () => `approval_id = '${approvalId}'`
  const changes: Record<string, { set: () => string; undo: () => string; problem: RegExp }> = {
    'the text of the approval': {
      set: () =>
        `update approvals set canonical_text = replace(canonical_text, 'COP', 'USD') where ${APPROVAL()}`,
      undo: () =>
        `update approvals set canonical_text = replace(canonical_text, 'USD', 'COP') where ${APPROVAL()}`,
      problem: /digest is not that of the text/,
    },
    'its amount': {
      set: () => `update approvals set amount_cents = amount_cents + 1 where ${APPROVAL()}`,
      undo: () => `update approvals set amount_cents = amount_cents - 1 where ${APPROVAL()}`,
      problem: /something else than the text/,
    },
    'how many had to approve': {
      set: () => `update approvals set approvers = 1 where ${APPROVAL()}`,
      undo: () => `update approvals set approvers = 2 where ${APPROVAL()}`,
      problem: /something else than the text/,
    },
    'its status': {
      set: () => `update approvals set status = 'APPROVED' where status = 'WAITING'`,
      undo: () => `update approvals set status = 'WAITING' where status = 'APPROVED' and not ${APPROVAL()}`,
      problem: /APPROVED with 0 of 2 approvals/,
    },
    'who decided': {
      set: () =>
        `update approval_decisions set user_id = '${world.organization.organizationId}' where user_id = '${carla.userId}'`,
      undo: () =>
        `update approval_decisions set user_id = '${carla.userId}' where user_id = '${world.organization.organizationId}'`,
      problem: /not that of their passkey/,
    },
    'the signature': {
      set: () =>
        `update approval_decisions set signature = set_byte(signature, 3, 255 - get_byte(signature, 3)) where signature is not null`,
      undo: () =>
        `update approval_decisions set signature = set_byte(signature, 3, 255 - get_byte(signature, 3)) where signature is not null`,
      problem: /not signed by its key/,
    },
    'what proved it': {
      set: () => `update approval_decisions set proof = 'SESSION' where proof = 'TOTP'`,
      undo: () => `update approval_decisions set proof = 'TOTP' where proof = 'SESSION'`,
      problem: /has no proof/,
    },
    'the amount of the payout': {
      set: () => `update payouts set amount_cents = amount_cents + 1 where payout_id = '${payoutId}'`,
      undo: () => `update payouts set amount_cents = amount_cents - 1 where payout_id = '${payoutId}'`,
      problem: /payout’s amountInCents is not what was approved/,
    },
    'the entry of the audit log': {
      set: () =>
        `update audit_entries set actor_id = 'x' where act = 'approval.approve' and actor_id = '${diego.userId}'`,
      undo: () =>
        `update audit_entries set actor_id = '${diego.userId}' where act = 'approval.approve' and actor_id = 'x'`,
      problem: /audit log does not say/,
    },
  }
  for (const [what, { set, undo, problem }] of Object.entries(changes))
    it(`shows that somebody has changed ${what}`, async () => {
      await run(set())
      const { problems } = await verify()
      assert.ok(
        problems.some((one) => problem.test(one.problem)),
        JSON.stringify(problems),
      )
      await assert.rejects(verifyApprovalsCommand(world.ctx, {}), problem)
      await run(undo())
      assert.deepEqual((await verify()).problems, [])
    })

  it('a maker who appears among those who decided is named', async () => {
    const maker = `update approvals set maker_kind = 'person', maker_id = '${carla.userId}' where ${APPROVAL()}`
    await run(maker)
    assert.ok((await verify()).problems.some(({ problem }) => /maker’s own/.test(problem)))
    const key = `update approvals set maker_kind = 'key', maker_id = canonical_text::json->'maker'->>'id' where ${APPROVAL()}`
    await run(key)
  })

  it('the signature is still proven when the passkey is gone', async () => {
    await deletePasskeys(world.db, carla.userId)
    assert.deepEqual((await verify()).problems, [])
  })
})

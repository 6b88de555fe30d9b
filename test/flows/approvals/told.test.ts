// What people are told of approvals, and what their attempts cost them: who is still asked, who had decided when it ended, and that only
// wrong codes lock somebody out.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { LOCK_AFTER, LOCK_MS } from '../../../src/core/team/lock.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import { submitForApproval } from '../../../src/flows/approvals/submit.ts'
import { countWaitingFor } from '../../../src/store/approvals/approvals.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { createWorld, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { approvalOf, decideAs, payoutBody, personActor, setRules } from './approving.ts'

describe('an approval that asks two', () => {
  let world: World
  let people: People
  let [carla, diego]: User[] = []
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    diego = await people.newMember('owner')
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] }])
  })
  after(() => world[Symbol.asyncDispose]())

  const waiting = async () => {
    const { id } = (await world.client('POST', '/payouts', payoutBody())).json
    return approvalOf(world, id)
  }
  const waitsFor = (user: User | undefined) =>
    countWaitingFor(world.db, world.organization.organizationId, user?.userId ?? '')
  const approve = async (
    user: User,
    approval: { id: string; digest: string; organizationId: string },
    reason: string | null = null,
  ) => {
    const { answer } = await people.withPasskey(user)
    const passkey = answer(Buffer.from(approval.digest, 'hex').toString('base64url'))
    return decideAs(people.ctx, user, approval, 'APPROVED', { reason, given: { passkey } })
  }
  const refusedAs = async (outcome: ReturnType<typeof decideAs>) => {
    const decided = await outcome
    return isRefusal(decided) ? decided.refused : decided.approval.status
  }

  it('waits for nobody who has decided about it, nor for whoever asked', async () => {
    assert.ok(carla && diego)
    const approval = await waiting()
    assert.deepEqual([await waitsFor(carla), await waitsFor(diego)], [1, 1])
    assert.ok(!isRefusal(await approve(carla, approval)))
    assert.deepEqual([await waitsFor(carla), await waitsFor(diego)], [0, 1])
    const organization = await getOrganization(world.db, world.organization.organizationId)
    assert.ok(organization)
    const asked = {
      organization,
      kind: 'payout',
      subjectId: world.ctx.ids.next(),
      amountInCents: 1n,
    } as const
    const asDiego = { ...people.ctx, actor: personActor(diego) }
    await world.db.inTransaction((tx) => submitForApproval(asDiego, tx, { ...asked, document: {} }))
    assert.deepEqual([await waitsFor(carla), await waitsFor(diego)], [1, 1])
  })

  it('shows who decided, why and when, which is when it has changed last', async () => {
    assert.ok(carla && diego)
    const approval = await waiting()
    const shown: { decisions: Record<string, string>[]; updatedAt: string; decidedAt: string | null }[] = []
    for (const [user, reason] of [
      [carla, 'It was ordered.'],
      [diego, 'It has arrived.'],
    ] as const) {
      world.advance(1_000)
      assert.ok(!isRefusal(await approve(user, approval, reason)))
      shown.push(await approvalOf(world, approval.subjectId))
    }
    const [one, both] = shown
    assert.deepEqual(
      both?.decisions.map(({ userId, reason }) => [userId, reason]),
      [
        [carla.userId, 'It was ordered.'],
        [diego.userId, 'It has arrived.'],
      ],
    )
    const times = both?.decisions.map(({ decidedAt }) => decidedAt)
    assert.deepEqual(times, [one?.updatedAt, both?.updatedAt])
    assert.deepEqual([one?.decidedAt, both?.decidedAt], [null, both?.updatedAt])
    assert.ok(one && both && approval.createdAt < one.updatedAt && one.updatedAt < both.updatedAt)
    const { json } = await world.client('GET', '/audit?act=approval.approve&pageSize=1')
    assert.ok(JSON.stringify(json.data[0]).includes('It has arrived.'), JSON.stringify(json.data[0]))
  })

  it('tells of those who had decided, also when it is withdrawn', async () => {
    assert.ok(carla)
    const approval = await waiting()
    assert.ok(!isRefusal(await approve(carla, approval)))
    assert.equal((await world.client('POST', `/payouts/${approval.subjectId}/cancel`)).status, 200)
    await world.work()
    const { json } = await world.client('GET', `/events?objectId=${approval.id}&type=approval.voided`)
    const deciders = json.data.map(({ data }: { data: { decisions: { userId: string }[] } }) =>
      data.decisions.map(({ userId }) => userId),
    )
    assert.deepEqual(deciders, [[carla.userId]])
  })

  it('locks out whoever guesses codes, and nobody whose code was right or was not looked at', async () => {
    const eva = await people.newMember('approver')
    const { codeAt } = await people.withApp(eva)
    const approval = await waiting()
    const code = async () => {
      const text = 'update users set totp_last_step = 0 where user_id = $1'
      await world.db.query({ text, values: [eva.userId] })
      return codeAt()
    }
    const other = Buffer.alloc(32)
    for (let tried = 0; tried <= LOCK_AFTER; tried += 1) {
      const asked = decideAs(people.ctx, eva, approval, 'APPROVED', {
        digest: other,
        given: { code: await code() },
      })
      assert.equal(await refusedAs(asked), 'APPROVAL_STALE')
    }
    const guess = () =>
      refusedAs(decideAs(people.ctx, eva, approval, 'APPROVED', { given: { code: '000000' } }))
    for (let tried = 1; tried < LOCK_AFTER; tried += 1) assert.equal(await guess(), 'APPROVAL_PROOF_WRONG')
    const given = { code: await code() }
    assert.equal(await refusedAs(decideAs(people.ctx, eva, approval, 'APPROVED', { given })), 'WAITING')
    const next = await waiting()
    for (let tried = 0; tried < LOCK_AFTER; tried += 1) {
      const asked = decideAs(people.ctx, eva, next, 'APPROVED', { given: { code: '000000' } })
      assert.equal(await refusedAs(asked), 'APPROVAL_PROOF_WRONG')
    }
    const locked = await decideAs(people.ctx, eva, next, 'APPROVED', { given: { code: await code() } })
    assert.ok(isRefusal(locked))
    assert.equal(locked.refused, 'RATE_LIMITED')
    const { retryAfterSeconds = 0 } = locked
    assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= LOCK_MS / 1_000, `${retryAfterSeconds}`)
    assert.ok(retryAfterSeconds > LOCK_MS / 2_000, 'it was locked a moment ago')
  })

  it('tells of those who had decided when nobody else does in time, and the log has how it stood before and after', async () => {
    assert.ok(carla)
    const [lapsing, withdrawn] = [await waiting(), await waiting()]
    assert.ok(!isRefusal(await approve(carla, lapsing)))
    await world.client('POST', `/payouts/${withdrawn.subjectId}/cancel`)
    world.advance(7 * DAY_MS)
    await lapseDueApprovals(people.ctx)
    await world.work()
    const { json } = await world.client('GET', `/events?objectId=${lapsing.id}&type=approval.lapsed`)
    assert.deepEqual(
      json.data.map(({ data }: { data: typeof lapsing }) => [data.status, data.decisions[0]?.userId]),
      [['LAPSED', carla.userId]],
    )
    const entries = await entriesOf(world, world.organization)
    const logged = ({ id, digest }: typeof lapsing) =>
      entries
        .filter(({ objectId }) => objectId === id)
        .map(({ act, changes }) => {
          const { status, digestHex } = JSON.parse(changes)
          assert.equal(digestHex?.after ?? digest, digest)
          return [act, status?.before, status?.after, digestHex?.after === digest]
        })
    assert.deepEqual(logged(lapsing), [
      ['approval.submit', null, 'WAITING', true],
      ['approval.approve', null, 'WAITING', true],
      ['approval.lapse', 'WAITING', 'LAPSED', false],
    ])
    assert.deepEqual(logged(withdrawn).slice(1), [['approval.void', 'WAITING', 'VOIDED', false]])
  })
})

// Payouts that people must approve: reserved at once, sent once and only after the last approval, released if refused or forgotten.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { LOCK_AFTER } from '../../../src/core/team/lock.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import type { Context } from '../../../src/flows/context.ts'
import { deleteMembership, updateRole } from '../../../src/store/team/members.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { approvalOf, type Deciding, decideAs, payoutBody, setRules } from './approving.ts'

const TIER = 5_000_000
const RULES = [
  {
    kind: 'payout',
    tiers: [
      { fromAmountInCents: TIER, approvers: 1 },
      { fromAmountInCents: 2 * TIER, approvers: 2 },
    ],
  },
]

describe('a payout that must be approved', () => {
  let world: World
  let people: People
  let ctx: Context
  let carla: User
  let diego: User
  let answers: Map<User, (challenge: string, more?: object) => unknown>
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    ctx = people.ctx
    carla = await people.newMember('approver')
    diego = await people.newMember('owner')
    answers = new Map()
    for (const user of [carla, diego]) answers.set(user, (await people.withPasskey(user)).answer)
    await setRules(world, RULES)
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.work())

  const create = async (amountInCents = TIER) =>
    (await world.client('POST', '/payouts', payoutBody({ amountInCents }))).json
  const read = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
  const balance = async () => (await world.client('GET', '/balance')).json
  const ordersOf = (id: string) => {
    const reference = railReference('payout', world.organization.organizationId, id)
    return world.sandbox.log().filter((entry) => entry.reference === reference)
  }
  const ends = (id: string, status: string) =>
    eventually(
      async () => {
        await world.passTime(1_000)
        return read(id)
      },
      (payout) => payout.status === status,
    )
  const signed = (user: User, { digest }: { digest: string }): Deciding => ({
    given: { passkey: answers.get(user)?.(Buffer.from(digest, 'hex').toString('base64url')) },
  })
  // biome-ignore lint/suspicious/noExplicitAny: the approval as the API answers it
  const approve = (user: User, approval: any, changes: Deciding = {}) =>
    decideAs(ctx, user, approval, 'APPROVED', { ...signed(user, approval), ...changes })
  const refusalOf = async (outcome: Promise<unknown>): Promise<string> => {
    const answer = await outcome
    assert.ok(
      isRefusal(answer),
      JSON.stringify(answer, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    )
    return answer.refused
  }
  const eventsOf = async (approvalId: string): Promise<string[]> => {
    await world.work()
    const { json } = await world.client('GET', `/events?objectId=${approvalId}&pageSize=50`)
    return json.data.map(({ event }: { event: string }) => event)
  }

  it('below the tier it is sent as ever, and nobody is asked', async () => {
    const payout = await create(TIER - 1)
    assert.equal(payout.stage, null)
    await ends(payout.id, 'CONFIRMED')
    const { json } = await world.client('GET', `/approvals?subjectId=${payout.id}`)
    assert.deepEqual(json.data, [])
  })

  it('from the tier on its money is reserved, it says so, and it is not sent however long it waits', async () => {
    const before = await balance()
    const payout = await create()
    assert.equal(payout.status, 'PROCESSING')
    assert.equal(payout.stage, 'AWAITING_APPROVAL')
    const reserved = await balance()
    assert.equal(reserved.reservedInCents, before.reservedInCents + TIER)
    assert.equal(reserved.availableInCents, before.availableInCents - TIER)
    await world.passTime(3_600_000)
    assert.equal((await read(payout.id)).stage, 'AWAITING_APPROVAL')
    assert.equal(ordersOf(payout.id).length, 0)
    const approval = await approvalOf(world, payout.id)
    assert.equal(approval.status, 'WAITING')
    assert.equal(approval.approvers, 1)
    assert.equal(approval.amountInCents, TIER)
    assert.equal(approval.maker.kind, 'key')
    assert.deepEqual(await eventsOf(approval.id), ['approval.waiting'])
    assert.ok(!JSON.stringify(approval).includes('ANAGOMEZ'), 'the receiver is nowhere in it')

    const decided = await approve(carla, approval)
    assert.ok(!isRefusal(decided), JSON.stringify(isRefusal(decided) && decided))
    const confirmed = await ends(payout.id, 'CONFIRMED')
    assert.equal(confirmed.stage, null)
    assert.equal(ordersOf(payout.id).length, 1)
    const approved = await approvalOf(world, payout.id)
    assert.equal(approved.status, 'APPROVED')
    assert.deepEqual(
      approved.decisions.map((one: Record<string, string>) => [one.userId, one.decision, one.proof]),
      [[carla.userId, 'APPROVED', 'PASSKEY']],
    )
    assert.deepEqual(await eventsOf(approval.id), ['approval.waiting', 'approval.approved'])
  })

  it('an Idempotency-Key answers the same again, and there is one payout and one approval', async () => {
    const body = payoutBody({ amountInCents: TIER })
    const first = await world.client('POST', '/payouts', body, { 'idempotency-key': 'approved-once' })
    const second = await world.client('POST', '/payouts', body, { 'idempotency-key': 'approved-once' })
    assert.equal(first.json.stage, 'AWAITING_APPROVAL')
    assert.equal(second.text, first.text)
    await world.client('POST', `/payouts/${first.json.id}/cancel`)
    assert.equal((await approvalOf(world, first.json.id)).status, 'VOIDED')
  })

  it('the second tier asks two, and the first of them releases nothing', async () => {
    const payout = await create(2 * TIER)
    const approval = await approvalOf(world, payout.id)
    assert.equal(approval.approvers, 2)
    const first = await approve(carla, approval)
    assert.ok(!isRefusal(first))
    assert.equal(first.approval.status, 'WAITING')
    await world.passTime(1_000)
    assert.equal((await read(payout.id)).stage, 'AWAITING_APPROVAL')
    assert.equal(await refusalOf(approve(carla, approval)), 'APPROVAL_DECIDED_BEFORE')
    assert.ok(!isRefusal(await approve(diego, approval)))
    await ends(payout.id, 'CONFIRMED')
    assert.equal(ordersOf(payout.id).length, 1)
    assert.deepEqual(await eventsOf(approval.id), [
      'approval.waiting',
      'approval.waiting',
      'approval.approved',
    ])
  })

  it('one refusal ends it, with the reason, and the money is available again', async () => {
    const before = await balance()
    const payout = await create(2 * TIER)
    const approval = await approvalOf(world, payout.id)
    await approve(diego, approval)
    assert.ok(!isRefusal(await decideAs(ctx, carla, approval, 'REFUSED', { reason: 'Not ours.' })))
    const declined = await read(payout.id)
    assert.deepEqual([declined.status, declined.errorCode], ['DECLINED', 'APPROVAL_REFUSED'])
    assert.deepEqual(await balance(), before)
    await world.passTime(1_000)
    assert.equal(ordersOf(payout.id).length, 0)
    const refused = await approvalOf(world, payout.id)
    assert.deepEqual([refused.status, refused.decisions[1].reason], ['REFUSED', 'Not ours.'])
    assert.equal(await refusalOf(approve(diego, approval)), 'APPROVAL_ENDED')
  })

  it('nobody decides for seven days: it ends, and the money is available again', async () => {
    const before = await balance()
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    await world.passTime(7 * DAY_MS - 60_000)
    assert.equal((await read(payout.id)).stage, 'AWAITING_APPROVAL')
    world.advance(60_000)
    assert.equal(await refusalOf(approve(carla, approval)), 'APPROVAL_LAPSED')
    assert.equal((await read(payout.id)).status, 'PROCESSING', 'the worker ends it, not a late decision')
    await world.work()
    const declined = await read(payout.id)
    assert.deepEqual([declined.status, declined.errorCode], ['DECLINED', 'APPROVAL_LAPSED'])
    assert.deepEqual(await balance(), before)
    assert.equal((await approvalOf(world, payout.id)).status, 'LAPSED')
    assert.equal(await refusalOf(approve(carla, approval)), 'APPROVAL_LAPSED')
    assert.equal(ordersOf(payout.id).length, 0)
  })

  it('canceled by the merchant while it waits: the approval is void', async () => {
    const before = await balance()
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const canceled = await world.client('POST', `/payouts/${payout.id}/cancel`)
    assert.equal(canceled.json.status, 'CANCELED')
    assert.equal(canceled.json.stage, null)
    assert.deepEqual(await balance(), before)
    assert.equal((await approvalOf(world, payout.id)).status, 'VOIDED')
    assert.equal(await refusalOf(approve(carla, approval)), 'APPROVAL_ENDED')
    assert.deepEqual(await eventsOf(approval.id), ['approval.waiting', 'approval.voided'])
  })

  it('without enough money it ends at once, and nobody is asked', async () => {
    const { client, organization } = await world.newMerchant()
    await people.newMember('approver', organization)
    await client('PUT', '/approval-rules', {
      rules: [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }],
    })
    const { json: all } = await client('GET', '/balance')
    const cap = 1_200_000_000
    const bodies = Array.from({ length: Math.floor(all.availableInCents / cap) + 1 }, () =>
      payoutBody({ amountInCents: cap }),
    )
    const made = []
    for (const body of bodies) made.push((await client('POST', '/payouts', body)).json)
    assert.ok(
      made.every(({ status }) => status === 'PROCESSING'),
      'the answer is never the outcome',
    )
    await world.work()
    const states = await Promise.all(made.map(async ({ id }) => (await client('GET', `/payouts/${id}`)).json))
    const declined = states.filter(({ status }) => status === 'DECLINED')
    assert.deepEqual(
      declined.map(({ errorCode }) => errorCode),
      ['INSUFFICIENT_FUNDS'],
    )
    const { json } = await client('GET', '/approvals?pageSize=100')
    assert.equal(json.data.length, made.length - 1)
  })

  it('two who decide at once are counted once each, and it is sent once', async () => {
    const payout = await create(2 * TIER)
    const approval = await approvalOf(world, payout.id)
    const outcomes = await Promise.all([carla, diego, carla, diego].map((user) => approve(user, approval)))
    const refused = outcomes.filter(isRefusal).map((one) => one.refused)
    assert.equal(refused.length, 2)
    assert.ok(
      refused.every((code) => ['APPROVAL_DECIDED_BEFORE', 'APPROVAL_ENDED'].includes(code)),
      `${refused}`,
    )
    await ends(payout.id, 'CONFIRMED')
    assert.equal(ordersOf(payout.id).length, 1)
    assert.equal((await approvalOf(world, payout.id)).decisions.length, 2)
  })

  it('approved by one and refused by another at once: one of them counts', async () => {
    const before = await balance()
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const outcomes = await Promise.all([approve(carla, approval), decideAs(ctx, diego, approval, 'REFUSED')])
    assert.equal(outcomes.filter(isRefusal).length, 1)
    const { status } = await approvalOf(world, payout.id)
    const ended = await ends(payout.id, status === 'APPROVED' ? 'CONFIRMED' : 'DECLINED')
    assert.equal(ordersOf(payout.id).length, ended.status === 'CONFIRMED' ? 1 : 0)
    if (ended.status === 'DECLINED') assert.deepEqual(await balance(), before)
  })

  it('a decision and a cancellation at once: one of them counts, and neither waits for ever', async () => {
    for (let round = 0; round < 6; round += 1) {
      const payout = await create()
      const approval = await approvalOf(world, payout.id)
      const [decided, canceled] = await Promise.all([
        approve(carla, approval),
        world.client('POST', `/payouts/${payout.id}/cancel`),
      ])
      // Approved first, it may still be canceled before it is handed over.
      const status = canceled.status === 200 ? 'CANCELED' : 'CONFIRMED'
      if (isRefusal(decided)) assert.equal(canceled.status, 200)
      await ends(payout.id, status)
      assert.equal(ordersOf(payout.id).length, status === 'CONFIRMED' ? 1 : 0)
    }
  })

  it('a decision races the lapse: one of them counts', async () => {
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const before = { ...ctx, clock: { ...ctx.clock, now: () => Date.parse(approval.lapsesAt) - 1 } }
    const late = { ...ctx, clock: { ...ctx.clock, now: () => Date.parse(approval.lapsesAt) } }
    const [decided, lapsed] = await Promise.all([
      decideAs(before, carla, approval, 'APPROVED', signed(carla, approval)),
      lapseDueApprovals(late),
    ])
    assert.equal(isRefusal(decided), lapsed === 1)
    world.advance(7 * DAY_MS)
    await ends(payout.id, lapsed === 1 ? 'DECLINED' : 'CONFIRMED')
    assert.equal(ordersOf(payout.id).length, lapsed === 1 ? 0 : 1)
  })

  it('one whose lapse fails does not keep the others, and its failure is told', async () => {
    const payouts = [await create(), await create()]
    const approvals = await Promise.all(payouts.map(({ id }) => approvalOf(world, id)))
    const lapsesAt = Math.max(...approvals.map((approval) => Date.parse(approval.lapsesAt)))
    const late = { ...ctx, clock: { ...ctx.clock, now: () => lapsesAt } }
    let isBroken = true
    const inTransaction: typeof ctx.db.inTransaction = (...work) => {
      if (!isBroken) return ctx.db.inTransaction(...work)
      isBroken = false
      return Promise.reject(new Error('broken'))
    }
    await assert.rejects(lapseDueApprovals({ ...late, db: { ...ctx.db, inTransaction } }), /broken/)
    assert.equal(await lapseDueApprovals(late), 1, 'the other has lapsed')
    world.advance(7 * DAY_MS)
    for (const { id } of payouts) await ends(id, 'DECLINED')
  })

  it('killed before the commit nothing happened; killed after it the payout is sent once', async () => {
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const dyingAt = (at: string): Context => ({
      ...ctx,
      signals: {
        ...ctx.signals,
        crashPoint: (point) => {
          if (point === at) throw new Error('killed')
        },
      },
    })
    await assert.rejects(
      decideAs(dyingAt('approval-before-commit'), carla, approval, 'APPROVED', signed(carla, approval)),
      /killed/,
    )
    assert.equal((await approvalOf(world, payout.id)).status, 'WAITING')
    await world.passTime(1_000)
    assert.equal(ordersOf(payout.id).length, 0)
    await assert.rejects(
      decideAs(dyingAt('approval-after-commit'), carla, approval, 'APPROVED', signed(carla, approval)),
      /killed/,
    )
    assert.equal((await approvalOf(world, payout.id)).status, 'APPROVED')
    await ends(payout.id, 'CONFIRMED')
    assert.equal(ordersOf(payout.id).length, 1)
  })

  it('a payout that was changed under its approval is not sent: the approval is void and the money is released', async () => {
    const before = await balance()
    const other = await create()
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    await world.db.query({
      text: `update payouts set customer = (select customer from payouts where payout_id = $2) where payout_id = $1`,
      values: [payout.id, other.id],
    })
    assert.equal(await refusalOf(approve(carla, approval)), 'APPROVAL_STALE')
    assert.equal((await approvalOf(world, payout.id)).status, 'VOIDED')
    const [row] = (
      await world.db.query({
        text: 'select status, error_code from payouts where payout_id = $1',
        values: [payout.id],
      })
    ).rows
    assert.deepEqual(row, { status: 'DECLINED', error_code: 'APPROVAL_VOIDED' })
    await world.client('POST', `/payouts/${other.id}/cancel`)
    assert.deepEqual(await balance(), before)
  })

  it('approved late while its key cannot be looked up, it is tried for half an hour from then', async () => {
    const body = payoutBody({ amountInCents: TIER, breb: { keyString: '@CAIDA7' } })
    const { json: payout } = await world.client('POST', '/payouts', body)
    await world.passTime(3 * 3_600_000)
    const approval = await approvalOf(world, payout.id)
    assert.ok(!isRefusal(await approve(carla, approval)))
    await world.work()
    assert.equal((await read(payout.id)).status, 'PROCESSING')
    await world.passTime(29 * 60_000)
    assert.equal((await read(payout.id)).status, 'PROCESSING')
    await world.passTime(3 * 60_000)
    assert.equal((await ends(payout.id, 'DECLINED')).errorCode, 'PARTICIPANT_UNAVAILABLE')
  })

  it('whatever makes it due, the dispatcher leaves it alone', async () => {
    const payout = await create()
    await world.db.query({
      text: `update payouts set due_at = now() - interval '1 day' where payout_id = $1`,
      values: [payout.id],
    })
    await world.passTime(5_000)
    assert.equal(ordersOf(payout.id).length, 0)
    assert.equal((await read(payout.id)).stage, 'AWAITING_APPROVAL')
    await world.client('POST', `/payouts/${payout.id}/cancel`)
  })

  it('another digest than the one that waits is refused, and so is one of another approval', async () => {
    const [one, two] = [await create(), await create()]
    const [approval, other] = [await approvalOf(world, one.id), await approvalOf(world, two.id)]
    assert.equal(await refusalOf(approve(carla, { ...approval, digest: other.digest })), 'APPROVAL_STALE')
    assert.equal(await refusalOf(approve(carla, approval, signed(carla, other))), 'APPROVAL_PROOF_WRONG')
    assert.equal((await approvalOf(world, one.id)).status, 'WAITING')
    for (const { id } of [one, two]) await world.client('POST', `/payouts/${id}/cancel`)
  })

  it('somebody whose role was taken away a second ago is refused', async () => {
    const member = await people.newMember('approver')
    answers.set(member, (await people.withPasskey(member)).answer)
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    await updateRole(world.db, world.organization.organizationId, member.userId, 'preparer', ctx.clock.now())
    assert.equal(await refusalOf(approve(member, approval)), 'INSUFFICIENT_SCOPE')
    assert.equal(await refusalOf(decideAs(ctx, member, approval, 'REFUSED')), 'INSUFFICIENT_SCOPE')
    const stranger = await people.newMember('owner', (await world.newMerchant()).organization)
    assert.equal(await refusalOf(decideAs(ctx, stranger, approval, 'REFUSED')), 'INSUFFICIENT_SCOPE')
    await world.client('POST', `/payouts/${payout.id}/cancel`)
  })

  it('who approved and left counts no more, whatever they are in another organization', async () => {
    const leaving = await people.newMember('approver')
    await people.join(leaving, 'owner', (await world.newMerchant()).organization)
    answers.set(leaving, (await people.withPasskey(leaving)).answer)
    const payout = await create(2 * TIER)
    const approval = await approvalOf(world, payout.id)
    assert.ok(!isRefusal(await approve(leaving, approval)))
    await deleteMembership(world.db, world.organization.organizationId, leaving.userId)
    const second = await approve(carla, approval)
    assert.ok(!isRefusal(second))
    assert.equal(second.approval.status, 'WAITING')
    assert.equal((await read(payout.id)).stage, 'AWAITING_APPROVAL')
    await world.client('POST', `/payouts/${payout.id}/cancel`)
  })

  it('approving takes a passkey of one’s own that signed the digest, or a code that was not used', async () => {
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const given = (proof: Deciding['given']) =>
      decideAs(ctx, carla, approval, 'APPROVED', { given: proof ?? {} })
    assert.equal(await refusalOf(given({})), 'APPROVAL_PROOF_WRONG')
    assert.equal(await refusalOf(approve(carla, approval, signed(diego, approval))), 'APPROVAL_PROOF_WRONG')
    const challenge = Buffer.from(approval.digest, 'hex').toString('base64url')
    const elsewhere = answers.get(carla)?.(challenge, {
      origin: 'https://evil.example',
      rpId: 'evil.example',
    })
    assert.equal(await refusalOf(given({ passkey: elsewhere })), 'APPROVAL_PROOF_WRONG')
    const unverified = answers.get(carla)?.(challenge, { flags: 1 })
    assert.equal(await refusalOf(given({ passkey: unverified })), 'APPROVAL_PROOF_WRONG')
    const { codeAt, enabledBy, recoveryCodes } = await people.withApp(carla)
    assert.equal(await refusalOf(given({ code: enabledBy })), 'APPROVAL_PROOF_WRONG')
    assert.equal(await refusalOf(given({ code: recoveryCodes[0] ?? '' })), 'APPROVAL_PROOF_WRONG')
    people.pass(60_000)
    assert.ok(!isRefusal(await given({ code: codeAt() })))
    assert.deepEqual((await approvalOf(world, payout.id)).decisions[0].proof, 'TOTP')
    await ends(payout.id, 'CONFIRMED')
  })

  it('a code for what is no longer asked is no guess, however often, and stays unused', async () => {
    const member = await people.newMember('approver')
    const { codeAt } = await people.withApp(member)
    people.pass(60_000)
    const payout = await create()
    const approval = await approvalOf(world, payout.id)
    const another = { ...approval, digest: '00'.repeat(32) }
    const code = codeAt()
    for (let tried = 0; tried <= LOCK_AFTER; tried += 1) {
      const refused = refusalOf(decideAs(ctx, member, another, 'APPROVED', { given: { code } }))
      assert.equal(await refused, 'APPROVAL_STALE')
    }
    assert.ok(!isRefusal(await decideAs(ctx, member, approval, 'APPROVED', { given: { code } })))
    await ends(payout.id, 'CONFIRMED')
  })
})

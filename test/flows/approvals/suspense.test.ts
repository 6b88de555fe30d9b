// Returns from suspense that people must approve: from an amount on nothing leaves before, it leaves once, and for what was read.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { lateMoney } from '../../late-money.ts'
import { createWorld, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { decideAs, setRules } from './approving.ts'

const TIER = 5_000_000
const RULES = [{ kind: 'suspense-return', tiers: [{ fromAmountInCents: TIER, approvers: 1 }] }]

describe('a return from suspense that must be approved', () => {
  let world: World
  let people: People
  let carla: User
  let sign: (challenge: string) => unknown
  let rail: PayinRail
  let answers: Awaited<ReturnType<NonNullable<PayinRail['returnPayment']>>>['outcome'][]
  let asked: string[]
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    sign = (await people.withPasskey(carla)).answer
    await setRules(world, RULES)
    rail = world.ctx.networks.payins.BRE_B
    const returnPayment: PayinRail['returnPayment'] = async (reference, ...rest) => {
      asked.push(reference)
      if (answers.shift() === 'unknown') return { outcome: 'unknown', why: 'no answer' } as never
      return (rail.returnPayment as NonNullable<PayinRail['returnPayment']>)(reference, ...rest)
    }
    Object.assign(world.ctx.networks.payins, { BRE_B: { ...rail, returnPayment } })
  })
  beforeEach(() => {
    answers = []
    asked = []
  })
  after(() => world[Symbol.asyncDispose]())

  const giveBack = (id: string) => world.client('POST', `/suspense/${id}/return`)
  const waiting = async (answer: { status: number; json: Record<string, never>; text: string }) => {
    assert.deepEqual([answer.status, answer.json.code], [409, 'APPROVAL_REQUIRED'], answer.text)
    const [{ approvalId }] = answer.json.errors as unknown as [{ approvalId: string }]
    return (await world.client('GET', `/approvals/${approvalId}`)).json
  }
  const approve = (approval: { id: string; digest: string; organizationId: string }) =>
    decideAs(people.ctx, carla, approval, 'APPROVED', {
      given: { passkey: sign(Buffer.from(approval.digest, 'hex').toString('base64url')) },
    })
  const stateOf = async (id: string) => (await world.client('GET', `/suspense/${id}`)).json.state

  it('waits, and leaves once after it was approved, however often and by however many it is asked for', async () => {
    const { suspenseId } = await lateMoney(world, world.client)
    const approval = await waiting(await giveBack(suspenseId))
    assert.deepEqual(
      [approval.kind, approval.amountInCents, approval.subjectId, approval.document.amountInCents],
      ['suspense-return', TIER, suspenseId, String(TIER)],
    )
    const { json: item } = await world.client('GET', `/suspense/${suspenseId}`)
    assert.deepEqual(approval.document, {
      act: 'suspense.return',
      amountInCents: String(TIER),
      ...{ rail: item.rail, paymentId: item.paymentId, payinId: item.payinId, reason: item.reason },
    })
    assert.equal((await waiting(await giveBack(suspenseId))).id, approval.id)
    assert.deepEqual([await stateOf(suspenseId), asked], ['OPEN', []])
    assert.ok(!isRefusal(await approve(approval)))
    assert.deepEqual([await stateOf(suspenseId), asked], ['OPEN', []])
    const all = await Promise.all(Array.from({ length: 6 }, () => giveBack(suspenseId)))
    assert.ok(
      all.some(({ status }) => status === 200),
      all.map(({ text }) => text).join(),
    )
    assert.equal(await stateOf(suspenseId), 'RETURNED')
    assert.equal(new Set(asked).size, 1, 'the network knows one return')
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${suspenseId}`)
    const returned = json.data.filter(({ booking }: { booking: string }) => booking === 'suspense returned')
    assert.equal(returned.length, 1)
    const { json: approvals } = await world.client('GET', `/approvals?subjectId=${suspenseId}`)
    assert.equal(approvals.data.length, 1)
    assert.ok(approvals.data[0].usedAt)
  })

  it('below the tier nobody is asked, nor the operator’s own command above it', async () => {
    const small = await lateMoney(world, world.client, { amountInCents: TIER - 1 })
    assert.equal((await giveBack(small.suspenseId)).json.state, 'RETURNED')
    const large = await lateMoney(world, world.client)
    const cleared = await returnSuspense(world.ctx, large.suspenseId)
    assert.ok('item' in cleared && cleared.item?.state === 'RETURNED')
  })

  it('when the network does not answer it is asked again without a second approval', async () => {
    const { suspenseId } = await lateMoney(world, world.client)
    assert.ok(!isRefusal(await approve(await waiting(await giveBack(suspenseId)))))
    answers = ['unknown']
    assert.equal((await giveBack(suspenseId)).json.state, 'RETURNING')
    assert.equal((await giveBack(suspenseId)).json.state, 'RETURNED')
    assert.equal(new Set(asked).size, 1)
    // Begun, asked again, and ended: each under whoever did it.
    const log = (await entriesOf(world, world.organization)).filter(
      ({ act, objectId, outcome }) =>
        act === 'suspense.return' && objectId === suspenseId && outcome === 'done',
    )
    assert.equal(log.length, 3)
  })

  it('refused, lapsed, or no longer what was approved: nothing leaves', async () => {
    const { suspenseId } = await lateMoney(world, world.client)
    const refused = await waiting(await giveBack(suspenseId))
    assert.ok(!isRefusal(await decideAs(people.ctx, carla, refused, 'REFUSED')))
    const approved = await waiting(await giveBack(suspenseId))
    assert.notEqual(approved.id, refused.id)
    assert.ok(!isRefusal(await approve(approved)))
    const charge = (cents: number) =>
      world.db.query({
        text: 'update suspense_items set charged_back_cents = $2, amount_cents = $3 where suspense_id = $1',
        values: [suspenseId, cents, TIER + cents + (cents === 0 ? 0 : 1)],
      })
    await charge(7)
    const other = await waiting(await giveBack(suspenseId))
    assert.notEqual(other.id, approved.id, 'another amount is another return')
    assert.deepEqual([other.amountInCents, other.document.amountInCents], [TIER + 1, String(TIER + 1)])
    await charge(0)
    const stale = await approve(other)
    assert.ok(isRefusal(stale) && stale.refused === 'APPROVAL_STALE')
    world.advance(7 * DAY_MS)
    assert.notEqual((await waiting(await giveBack(suspenseId))).id, approved.id, 'it has lapsed')
    assert.deepEqual([await stateOf(suspenseId), asked], ['OPEN', []])
    const { json } = await world.client('POST', `/suspense/${suspenseId}/attach`, {
      payinId: (await world.client('GET', `/suspense/${suspenseId}`)).json.payinId,
    })
    assert.equal(json.state, 'ATTACHED', 'what does not leave waits for nobody')
    const left = (await world.client('GET', `/approvals?subjectId=${suspenseId}&status=WAITING`)).json.data[0]
    const late = await approve(left)
    assert.ok(isRefusal(late) && late.refused === 'APPROVAL_STALE')
  })
})

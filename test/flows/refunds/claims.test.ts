// The claim of a refund on its page: the payer names a key, sees whose it is, and the money goes there once; or a person decides; or
// nobody comes.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { presentRefund } from '../../../src/core/refunds/object.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { ROLE_SCOPES, type Role } from '../../../src/core/team/role.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import { getRefund } from '../../../src/store/refunds/refunds.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'
import { approvalOf, decideAs, setRules } from '../approvals/approving.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { AMOUNT, refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }
const DAY_MS = 24 * 3_600_000

describe('a refund that its payer claims', () => {
  let world: World
  let people: People
  let carla: User
  let answerOf: (challenge: string, more?: object) => unknown
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin, PAYER_ACTIONS_PER_MINUTE: '0' } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    answerOf = (await people.withPasskey(carla)).answer
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, balance, chargeBack, confirmed, ends, eventsOf, leftOf, proven, reaches, refund } =
    refunding(() => world)
  afterEach(() => proven())

  const claimable = async (changes: Record<string, unknown> = { inlineCustomer: PAYER }) => {
    const made = await asked(await confirmed(changes), { way: 'CLAIM' })
    return { ...made, path: new URL(made.claimUrl).pathname as string }
  }
  const post = (path: string, fields: Record<string, string>) =>
    world.anonymous('POST', path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const decide = async (refundId: string, isAccepted: boolean) => {
    const approval = await approvalOf(world, refundId)
    const passkey = answerOf(Buffer.from(approval.digest, 'hex').toString('base64url'))
    const decision = isAccepted ? 'APPROVED' : 'REFUSED'
    const decided = await decideAs(people.ctx, carla, approval, decision, { given: { passkey } })
    return isRefusal(decided) ? decided.refused : decided.approval.status
  }

  it('says what it is, takes the payer’s own key, and pays it once however often it is sent', async () => {
    const made = await claimable()
    assert.equal(made.stage, 'AWAITING_CLAIM')
    const page = await world.anonymous('GET', made.path)
    assert.equal(page.status, 200)
    assert.match(page.text, /Recibe tu devolución/)
    assert.match(page.text, /50\.000/)
    const english = await world.anonymous('GET', `${made.path}?lang=en`)
    assert.match(english.text, /Get your refund/)
    const review = await post(made.path, { key: OWN })
    assert.equal(review.status, 200)
    assert.match(review.text, /\*\*\*/)
    assert.doesNotMatch(review.text, /class="note"/)
    assert.equal((await refund(made.id)).stage, 'AWAITING_CLAIM', 'looking a key up changes nothing')
    const sent = await Promise.all([1, 2, 3].map(() => post(made.path, { key: OWN, sure: '1' })))
    for (const { status, headers } of sent) {
      assert.equal(status, 303)
      assert.equal(headers.location, made.path)
    }
    const done = await ends(made.id, 'CONFIRMED')
    assert.equal(done.claim.match, 'SAME')
    const claimedAt = Date.parse(done.claim.claimedAt)
    assert.ok(
      Date.parse(made.createdAt) <= claimedAt && claimedAt <= Date.parse(done.resultAt),
      done.claim.claimedAt,
    )
    assert.equal(done.claimUrl, null)
    assert.deepEqual(leftOf('payout', done.payoutId), [AMOUNT])
    assert.match((await world.anonymous('GET', made.path)).text, /Ya te devolvimos/)
    assert.deepEqual(await eventsOf(made.id), ['refund.confirmed', 'refund.created'])
    assert.equal((await post(made.path, { key: '@OTRA12', sure: '1' })).status, 303)
  })

  it('with somebody else’s key waits for a person: accepted, it is paid', async () => {
    const made = await claimable()
    assert.match((await post(made.path, { key: '@OTRAPERSONA' })).text, /class="note"/)
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    const waits = await reaches(made.id, 'AWAITING_APPROVAL')
    assert.equal(waits.claim.match, 'OTHER')
    await world.passTime(DAY_MS)
    assert.equal((await refund(made.id)).payoutId, null)
    assert.match((await world.anonymous('GET', made.path)).text, /revisando tu llave/)
    assert.equal(await decide(made.id, true), 'APPROVED')
    const done = await ends(made.id, 'CONFIRMED')
    assert.deepEqual(leftOf('payout', done.payoutId), [AMOUNT])
    assert.notEqual(await decide(made.id, true), 'APPROVED', 'it is decided once')
  })

  it('with somebody else’s key is not decided by whoever asked for the refund', async () => {
    const made = await claimable()
    // As the console writes it.
    await world.db.query({
      text: 'update refunds set credential_id = $2 where refund_id = $1',
      values: [made.id, carla.userId],
    })
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await reaches(made.id, 'AWAITING_APPROVAL')
    assert.equal(await decide(made.id, true), 'APPROVAL_OWN')
    assert.equal((await refund(made.id)).payoutId, null)
  })

  it('with somebody else’s key, refused, ends, and what it held is free', async () => {
    const made = await claimable()
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    assert.equal(await decide(made.id, false), 'REFUSED')
    const refused = await refund(made.id)
    assert.equal(refused.status, 'DECLINED')
    assert.equal(refused.errorCode, 'APPROVAL_REFUSED')
    assert.equal((await asked(refused.payinId, { way: 'CLAIM' })).amountInCents, AMOUNT)
  })

  it('with somebody else’s key, and nobody decides for a week, ends', async () => {
    const made = await claimable()
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await world.passTime(7 * DAY_MS)
    await lapseDueApprovals(world.ctx)
    assert.equal((await refund(made.id)).errorCode, 'APPROVAL_LAPSED')
    assert.equal((await refund(made.id)).status, 'DECLINED')
  })

  it('with somebody else’s key is canceled, and nobody can approve it any more', async () => {
    const made = await claimable()
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await reaches(made.id, 'AWAITING_APPROVAL')
    assert.equal((await world.client('POST', `/refunds/${made.id}/cancel`)).status, 200)
    assert.equal((await approvalOf(world, made.id)).status, 'VOIDED')
    assert.notEqual(await decide(made.id, true), 'APPROVED')
    await world.passTime(1_000)
    assert.equal((await refund(made.id)).payoutId, null)
  })

  it('with somebody else’s key, whose payin is charged back, ends with its approval', async () => {
    const made = await claimable()
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await reaches(made.id, 'AWAITING_APPROVAL')
    await chargeBack(made.payinId, BigInt(AMOUNT))
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
    assert.equal((await approvalOf(world, made.id)).status, 'VOIDED')
  })

  it('above the amount of a rule waits for its approval before the payer is asked, and then goes to their own key', async () => {
    const rules = [{ kind: 'refund', tiers: [{ fromAmountInCents: AMOUNT, approvers: 1 }] }]
    await setRules(world, rules)
    const id = await confirmed({ inlineCustomer: PAYER })
    const small = await asked(id, { amountInCents: 1 })
    assert.equal(small.stage, 'READY')
    await world.client('POST', `/refunds/${small.id}/cancel`)
    const made = await asked(id, { way: 'CLAIM' })
    assert.equal(made.stage, 'AWAITING_APPROVAL')
    assert.equal(made.claimUrl, null)
    assert.equal(await decide(made.id, true), 'APPROVED')
    const { claimUrl } = await reaches(made.id, 'AWAITING_CLAIM')
    await post(new URL(claimUrl).pathname, { key: OWN, sure: '1' })
    await ends(made.id, 'CONFIRMED')
    await setRules(world, [])
  })

  it('of a payin without a payer asks who they are, and waits for a person', async () => {
    const made = await claimable({ inlineCustomer: undefined })
    const page = await world.anonymous('GET', made.path)
    assert.match(page.text, /name="idNumber"/)
    const incomplete = await post(made.path, { key: OWN, name: 'Ana Gómez' })
    assert.equal(incomplete.status, 422)
    assert.match(incomplete.text, /aria-invalid/)
    const { name, idType, phone, email } = CUSTOMER
    const typed = { key: OWN, name, idType, idNumber: OWN, phone, email }
    const review = await post(made.path, typed)
    assert.match(review.text, new RegExp(`name="idNumber" value="${OWN}"`))
    await post(made.path, { ...typed, sure: '1' })
    assert.equal((await reaches(made.id, 'AWAITING_APPROVAL')).claim.match, 'UNKNOWN')
    await decide(made.id, true)
    const { payoutId } = await ends(made.id, 'CONFIRMED')
    assert.equal((await world.client('GET', `/payouts/${payoutId}`)).json.inlineCustomer.idNumber, OWN)
  })

  it('with a wrong, missing or suspended key is asked again, and keeps what was typed', async () => {
    const made = await claimable()
    for (const key of ['?', '@NOEXISTE1', '@SUSPENDIDA1', '@CAIDA12']) {
      for (const sure of [{}, { sure: '1' }]) {
        const answer = await post(made.path, { key, ...sure })
        assert.equal(answer.status, 422)
        assert.match(answer.text, new RegExp(`value="${key.replace('?', '\\?')}"`))
      }
    }
    assert.equal((await refund(made.id)).stage, 'AWAITING_CLAIM')
  })

  it('takes no more keys after a dozen', async () => {
    const made = await claimable()
    for (let tried = 0; tried < 12; tried += 1) await post(made.path, { key: '@OTRAPERSONA' })
    const answer = await post(made.path, { key: OWN, sure: '1' })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /muchas llaves/)
  })

  it('shows its page to whoever asked for it and to those who cannot approve, and to nobody who could', async () => {
    const made = await claimable()
    const { organizationId } = world.organization
    const stored = await getRefund(world.db, { organizationId, refundId: made.id })
    assert.ok(stored)
    const seenBy = (role: Role, credentialId: string) => {
      const reader = { kind: 'person', scopes: ROLE_SCOPES[role], credentialId } as const
      return presentRefund(world.ctx.settings, stored, reader).claimUrl
    }
    for (const role of ['preparer', 'support'] as const) assert.equal(seenBy(role, 'person'), made.claimUrl)
    for (const role of ['owner', 'administrator', 'approver', 'accountant', 'developer'] as const)
      assert.equal(seenBy(role, 'person'), null, role)
    assert.equal(seenBy('owner', stored.credentialId), made.claimUrl)
    assert.equal((await refund(made.id)).claimUrl, made.claimUrl)
    // An owner may make a key at any time, and approve.
    const other = (await world.key(['payins:read', 'refunds:write', 'events:read'])).client
    assert.equal((await other('GET', `/refunds/${made.id}`)).json.claimUrl, null)
    assert.equal((await other('GET', `/refunds?payinId=${made.payinId}`)).json.data[0].claimUrl, null)
    const events = await other('GET', `/events?objectId=${made.id}`)
    assert.doesNotMatch(events.text, new RegExp(made.path))
  })

  it('is not found under another address', async () => {
    const made = await claimable()
    assert.equal((await world.anonymous('GET', `${made.path}x`)).status, 404)
    assert.equal((await world.anonymous('GET', '/refund/nonsense')).status, 404)
  })

  it('whose key its bank refuses asks for another key, and pays that once', async () => {
    const payer = { ...CUSTOMER, idNumber: '1000000003' }
    const made = await asked(await confirmedOf(payer), { way: 'CLAIM' })
    const path = new URL(made.claimUrl).pathname
    await post(path, { key: '1000000003', sure: '1' })
    const again = await eventuallyClaim(made.id)
    assert.equal(again.way, 'CLAIM')
    assert.ok(again.errorCode)
    assert.deepEqual(leftOf('payout', again.payoutId), [])
    assert.match((await world.anonymous('GET', path)).text, /llave que escribiste antes/)
    await world.client('POST', `/refunds/${made.id}/cancel`)
  })

  it('that nobody claims ends after thirty days', async () => {
    const made = await claimable()
    await world.passTime(29 * DAY_MS)
    assert.equal((await refund(made.id)).stage, 'AWAITING_CLAIM')
    world.advance(DAY_MS)
    await world.sandbox.advance(DAY_MS)
    // No worker has seen it yet.
    for (const sure of [{}, { sure: '1' }])
      assert.equal((await post(made.path, { key: OWN, ...sure })).status, 303, 'its time is over')
    assert.match((await world.anonymous('GET', made.path)).text, /ya no se puede pedir/)
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CLAIM_EXPIRED')
    assert.match((await world.anonymous('GET', made.path)).text, /ya no se puede pedir/)
  })

  it('whose payer is faster than the worker that ends it keeps the approval that it waits for', async () => {
    const made = await claimable()
    // The worker's clock is ahead, and it has read the refund before the payer came.
    const clock = { ...world.ctx.clock, now: () => Date.parse(made.claimExpiresAt) }
    const ahead = { ...world.ctx, clock }
    const { organizationId } = world.organization
    const due = await claimRefunds(ahead, organizationId, 10)
    const claimed = due.find((one) => one.refund.refundId === made.id)
    assert.ok(claimed)
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await advanceRefund(ahead, claimed, world.organization)
    const { status, stage } = await refund(made.id)
    const approval = await approvalOf(world, made.id)
    assert.deepEqual([status, stage, approval.status], ['PROCESSING', 'AWAITING_APPROVAL', 'WAITING'])
    assert.equal(await decide(made.id, true), 'APPROVED')
  })

  it('asks as many people as a payout of its amount, also where the merchant names the key', async () => {
    await people.newMember('owner')
    await setRules(world, [
      { kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] },
      { kind: 'refund', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
    ])
    for (const [how, approvers] of [
      [{ way: 'CLAIM' }, 2],
      [{ breb: { keyString: OWN } }, 2],
      [{ way: 'RAIL' }, 1],
    ] as const) {
      const made = await asked(await confirmed({ inlineCustomer: PAYER }), how)
      assert.equal(made.stage, 'AWAITING_APPROVAL')
      assert.equal((await approvalOf(world, made.id)).approvers, approvers, made.way)
    }
    await setRules(world, [])
    const claimed = await claimable()
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 2 }] }])
    await post(claimed.path, { key: '@OTRAPERSONA', sure: '1' })
    await reaches(claimed.id, 'AWAITING_APPROVAL')
    assert.equal((await approvalOf(world, claimed.id)).approvers, 2, 'somebody else’s key')
    await setRules(world, [])
  })

  it('after its payin was charged back is not paid, although the payer names a key', async () => {
    const made = await claimable()
    await chargeBack(made.payinId, BigInt(AMOUNT))
    await post(made.path, { key: OWN, sure: '1' })
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
  })

  it('is canceled with its payout while that was not sent', async () => {
    const id = await confirmed({ inlineCustomer: PAYER })
    const before = await balance()
    const made = await asked(id, { way: 'CLAIM' })
    await post(new URL(made.claimUrl).pathname, { key: OWN, sure: '1' })
    // The payout is made, and no worker of payouts has it yet.
    const { organizationId } = world.organization
    const mine = (await claimRefunds(world.ctx, organizationId, 10)).filter(
      (one) => one.refund.refundId === made.id,
    )
    for (const one of mine) await advanceRefund(world.ctx, one, world.organization)
    const { stage, payoutId } = await refund(made.id)
    assert.equal(stage, 'PAYING')
    assert.equal((await balance()).reservedInCents, before.reservedInCents + AMOUNT)
    const canceled = await world.client('POST', `/refunds/${made.id}/cancel`)
    assert.equal(canceled.status, 200)
    await world.passTime(10_000)
    assert.deepEqual(await balance(), before)
    assert.equal((await refund(made.id)).status, 'CANCELED')
    assert.equal((await world.client('GET', `/payouts/${payoutId}`)).json.status, 'CANCELED')
    assert.deepEqual(leftOf('payout', payoutId), [])
  })

  // The network would decline it by itself, if nobody said otherwise.
  const confirmedOf = async (payer: typeof CUSTOMER): Promise<string> => {
    const { id } = (await world.client('POST', '/payins', brebPayin({ inlineCustomer: payer }))).json
    await endPayin(world, world.client, id, 'confirmed')
    return id
  }
  const eventuallyClaim = async (id: string) => {
    for (let turn = 0; turn < 20; turn += 1) {
      await world.passTime(1_000)
      const seen = await refund(id)
      if (seen.stage === 'AWAITING_CLAIM' || seen.stage === 'AWAITING_APPROVAL') return seen
    }
    throw new Error(JSON.stringify(await refund(id)))
  }
})

// The claim of a refund on its page: the payer names a key, sees whose it is, and the money goes there once; or a person decides; or
// nobody comes.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import { decideRefund } from '../../../src/flows/refunds/decide.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'
import { AMOUNT, refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }
const DAY_MS = 24 * 3_600_000

describe('a refund that its payer claims', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
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
  const decide = (refundId: string, isAccepted: boolean) =>
    decideRefund(world.ctx, { organizationId: world.organization.organizationId, refundId }, isAccepted, null)

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
    assert.ok(!('refused' in (await decide(made.id, true))))
    const done = await ends(made.id, 'CONFIRMED')
    assert.deepEqual(leftOf('payout', done.payoutId), [AMOUNT])
    assert.ok('refused' in (await decide(made.id, true)), 'it is decided once')
  })

  it('with somebody else’s key, refused, ends, and what it held is free', async () => {
    const made = await claimable()
    await post(made.path, { key: '@OTRAPERSONA', sure: '1' })
    await decide(made.id, false)
    const refused = await refund(made.id)
    assert.equal(refused.status, 'DECLINED')
    assert.equal(refused.errorCode, 'APPROVAL_REFUSED')
    assert.equal((await asked(refused.payinId, { way: 'CLAIM' })).amountInCents, AMOUNT)
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
    await world.passTime(DAY_MS)
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CLAIM_EXPIRED')
    assert.match((await world.anonymous('GET', made.path)).text, /ya no se puede pedir/)
  })

  it('after its payin was charged back is not paid, although the payer names a key', async () => {
    const made = await claimable()
    await chargeBack(made.payinId, BigInt(AMOUNT))
    await post(made.path, { key: OWN, sure: '1' })
    assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
  })

  it('is canceled with its payout while that was not sent', async () => {
    const made = await claimable()
    const before = await balance()
    await post(made.path, { key: OWN, sure: '1' })
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

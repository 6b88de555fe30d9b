// The network declines the payout of a refund, and pays it after all. What happened to the refund between the two must make no difference to
// what is left of the payin, nor may a second payout of it leave.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { claimWithKey, findClaimable } from '../../../src/flows/refunds/claim.ts'
import { unknown } from '../../../src/rails/rail.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { withDirectory } from '../payouts/key-holders.ts'
import { AMOUNT, refunding } from './refunding.ts'

// The network decides about it when somebody says so.
const OPEN = '1000000007'

describe('a refund whose payout was declined, and is paid after all', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const { ask, asked, leftOf, payin, proven, reaches, refund } = refunding(() => world)
  afterEach(() => proven())

  const declinedOnce = async () => {
    const payer = { inlineCustomer: { ...CUSTOMER, idNumber: OPEN } }
    const { id } = (await world.client('POST', '/payins', brebPayin(payer))).json
    await endPayin(world, world.client, id, 'confirmed')
    const made = await asked(id, { breb: { keyString: OPEN } })
    const { payoutId } = await reaches(made.id, 'PAYING')
    await world.work()
    const told = await world.client('POST', `/sandbox/payouts/${payoutId}/simulate`, { outcome: 'declined' })
    assert.ok(told.status < 300, told.text)
    await reaches(made.id, 'AWAITING_CLAIM')
    return { payinId: id as string, refundId: made.id as string, payoutId: payoutId as string }
  }
  const paysAfterAll = async (payoutId: string) => {
    const reference = railReference('payout', world.organization.organizationId, payoutId)
    assert.equal(
      await notify(world, { type: 'transfer.completed', reference, endToEndId: `E2E-${payoutId}` }),
      200,
    )
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
  }

  it('has given it back, although the merchant had canceled the refund by then', async () => {
    const { payinId, refundId, payoutId } = await declinedOnce()
    const canceled = await world.client('POST', `/refunds/${refundId}/cancel`)
    assert.equal(canceled.status, 200, canceled.text)
    await paysAfterAll(payoutId)
    // The payer has all of the money. As where the network is faster than the merchant (overtaken.test.ts):
    assert.equal((await payin(payinId)).refundedAmountInCents, AMOUNT)
    assert.equal((await ask(payinId, { breb: { keyString: OPEN } })).json.code, 'REFUND_ABOVE_REMAINING')
  })

  it('is told to people where another refund holds what was left', async () => {
    const { payinId, refundId, payoutId } = await declinedOnce()
    await world.client('POST', `/refunds/${refundId}/cancel`)
    const another = await asked(payinId, { breb: { keyString: OPEN } })
    await paysAfterAll(payoutId)
    const shown = await payin(payinId)
    assert.equal(shown.refundedAmountInCents, 0)
    assert.equal((await refund(another.id)).status, 'PROCESSING')
    const { json } = await world.client('GET', '/alarms')
    const told = json.data.find((one: { subjectId: string }) => one.subjectId === payinId)
    assert.deepEqual(
      [told?.kind, told?.detail],
      [
        'payin-contradiction',
        `refund ${refundId} had ended when the network paid ${AMOUNT} cents of it by payout, and 0 cents of the payin were left`,
      ],
    )
  })

  it('is not paid a second time by the payout to the payer’s second key, which was not sent yet', async () => {
    const { refundId, payoutId } = await declinedOnce()
    const { organizationId } = world.organization
    const claimable = await findClaimable(world.ctx, { organizationId, refundId })
    assert.ok(claimable)
    const another = { ...CUSTOMER, name: 'Otra Persona', idNumber: OPEN }
    const claimed = await claimWithKey(world.ctx, claimable, OPEN, another)
    assert.equal(typeof claimed === 'object' && 'stage' in claimed && claimed.stage, 'READY')
    let second = ''
    // The directory is away, so the second payout waits, for up to half an hour.
    await withDirectory(
      world,
      async () => unknown('unavailable', 'away'),
      async () => {
        second = (await reaches(refundId, 'PAYING')).payoutId
        assert.notEqual(second, payoutId)
        const { inlineCustomer } = (await world.client('GET', `/payouts/${second}`)).json
        assert.equal(inlineCustomer.name, CUSTOMER.name, 'it goes to the payer, whoever was typed')
        await paysAfterAll(payoutId)
      },
    )
    for (let turn = 0; turn < 6; turn += 1) await world.passTime(60_000)
    // If the network has the second one, it pays that, too.
    await world.client('POST', `/sandbox/payouts/${second}/simulate`, { outcome: 'confirmed' })
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
    assert.deepEqual(leftOf('payout', second), [], `the refund is ${JSON.stringify(await refund(refundId))}`)
  })
})

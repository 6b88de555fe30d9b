// A payout that pays a refund is held back since a restore, because its provider may have paid it. Nothing but a person ends that.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorNamed } from '../../../src/core/audit/actor.ts'
import type { Context } from '../../../src/flows/context.ts'
import { advanceRefund, claimRefunds } from '../../../src/flows/refunds/advance.ts'
import { holdNow, showHeld } from '../../../src/operator/backups/held.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { moveToProviders } from '../../flows/connections/funds.ts'
import { accepted, connect } from '../../flows/connections/scripted-provider.ts'
import { AMOUNT, refunding } from '../../flows/refunds/refunding.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

const OWN = '1020304050'

describe('the payout of a refund that is held back since a restore', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, chargeBack, confirmed, refund } = refunding(() => world)

  it('stays held back, with its money set aside, when the payin is charged back', async () => {
    const { organizationId } = world.organization
    const payinId = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: OWN } })
    // The payer's own key, so nobody has to approve it.
    const made = await asked(payinId, { breb: { keyString: OWN } })
    assert.equal(made.stage, 'READY')
    const provider = await connect(world, { provider: 'mono', uses: ['BRE_B_OUT'] })
    await moveToProviders(world)
    provider.payout = () => accepted({ state: 'processing', providerId: 'B-1' })
    // The worker of refunds has made the payout, and no worker of payouts has had it yet: then the backup was made.
    const organization = await getOrganization(world.db, organizationId)
    assert.ok(organization)
    for (const claim of await claimRefunds(world.ctx, organizationId, 10))
      await advanceRefund(world.ctx, claim, organization)
    const { stage, payoutId } = await refund(made.id)
    assert.equal(stage, 'PAYING')
    const operator: Context = { ...world.ctx, actor: operatorNamed('maria') }
    assert.deepEqual(await holdNow(operator, {}), { heldBack: [`payout ${payoutId}`] })
    const reserved = (await world.client('GET', '/balance')).json.reservedInCents
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(60_000)
    assert.equal((await world.client('GET', `/payouts/${payoutId}`)).json.status, 'PROCESSING')

    await chargeBack(payinId, BigInt(AMOUNT))
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(60_000)
    const payout = (await world.client('GET', `/payouts/${payoutId}`)).json
    const held = (await showHeld(operator, {})).map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(
      [payout.status, held, (await world.client('GET', '/balance')).json.reservedInCents],
      ['PROCESSING', [`payout ${payoutId}`], reserved],
    )
  })
})

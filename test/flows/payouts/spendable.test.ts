// What the next payout can be paid from: the balance, or the deposits at the merchant's own provider once that pays out.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { readSpendable } from '../../../src/flows/payouts/spendable.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { brebPayin, createWorld, endPayin } from '../../world.ts'
import { connect } from '../connections/scripted-provider.ts'

it('it is the balance until a connection pays out, whatever comes in over others', async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  const spendable = async () => {
    const organization = await getOrganization(world.db, organizationId)
    return Number(await readSpendable(world.db, organization ?? world.organization))
  }
  const { json } = await world.client('POST', '/payins', brebPayin())
  await endPayin(world, world.client, json.id, 'confirmed')
  await world.passTime(DAY_MS)
  const { availableInCents } = (await world.client('GET', '/balance')).json
  assert.ok(availableInCents > 0)
  assert.equal(await spendable(), availableInCents)
  await connect(world, { uses: ['BRE_B_IN', 'PSE_IN'] })
  assert.equal(await spendable(), availableInCents)
  const { connectionId } = await connect(world, { uses: ['BRE_B_OUT'] })
  assert.equal(await spendable(), 0)
  const put = { amountInCents: 70_000, reference: 'deposit' }
  const { status, text } = await world.client('POST', `/connections/${connectionId}/deposits`, put)
  assert.equal(status, 201, text)
  assert.equal(await spendable(), 70_000)
})

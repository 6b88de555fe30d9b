// A payin over a connection belongs to the day in which it was confirmed, from its first moment until before the next.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bookedPayins } from '../../../src/store/connections/connection-days.ts'
import { accepted, connect } from '../../flows/connections/scripted-provider.ts'
import { brebPayin, createWorld } from '../../world.ts'

it('a payin that was confirmed over a connection is one of its own day alone', async () => {
  await using world = await createWorld()
  const provider = await connect(world, { uses: ['BRE_B_IN'] })
  const payment = { paymentId: 'mono:C-1', amountInCents: 5_000_000n }
  provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'paid' })
  const { id } = (await world.client('POST', '/payins', brebPayin())).json
  await world.passTime(60_000)
  const { resultAt } = (await world.client('GET', `/payins/${id}`)).json
  const at = Date.parse(resultAt)
  const { organizationId } = world.organization
  const address = { organizationId, connectionId: provider.connectionId }
  const idsOf = async (from: number, to: number) =>
    (await bookedPayins(world.db, address, from, to)).map((booked) => booked.id)
  assert.deepEqual(await idsOf(at, at + 1), [id])
  assert.deepEqual(await idsOf(at - 86_400_000, at), [])
  assert.deepEqual(await idsOf(at + 1, at + 86_400_000), [])
})

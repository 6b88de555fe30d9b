// Wompi keeps an idempotency key for a day. A payout without an answer that is older would be paid twice if it were sent again, so it is
// searched for; and a search that finds nothing is believed only if it is known to find what is there.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../src/core/instant.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { type Loss, openLossyProxy } from '../rails/conformance/lossy-proxy.ts'
import { offered } from '../rails/port.ts'
import { PAYOUT_BOOKS } from '../sandbox/providers/books.ts'
import { CUSTOMER } from '../world.ts'
import { type ConnectedWorld, createConnectedWorld } from './connected.ts'

const AMOUNT = 5_000_000
const books = offered(PAYOUT_BOOKS.wompi)

async function begin() {
  const world = await createConnectedWorld(['wompi'])
  const isOrder = (method: string, path: string) => method === 'POST' && path.endsWith('/payouts')
  const proxy = await openLossyProxy(offered(world.simulators['wompi-payouts']).url, isOrder)
  await world.connect('wompi', world.client, { credentials: { payoutsUrl: proxy.url } })
  return Object.assign(world, { proxy })
}
type Begun = Awaited<ReturnType<typeof begin>>

async function payout(world: ConnectedWorld, reference: string): Promise<string> {
  const answer = await world.client('POST', '/payouts', {
    amountInCents: AMOUNT,
    currency: 'COP',
    rail: 'BRE_B',
    reference,
    inlineCustomer: CUSTOMER,
    breb: { keyString: 'ecolon@wompi.com' },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.id
}

// One is ordered, and lost. Then Wompi is away for longer than it keeps the key.
async function lostForADay(world: Begun, loss: Loss): Promise<string> {
  world.proxy.lose(loss)
  const id = await payout(world, 'lost')
  await world.work()
  world.proxy.lose(null)
  await world.faults({ ...NO_FAULTS, unavailable: 1 })
  for (let hour = 0; hour < 25; hour += 5) await world.pass(5 * HOUR_MS)
  await world.faults(NO_FAULTS)
  return id
}

const statusOf = async (world: ConnectedWorld, id: string): Promise<string> =>
  (await world.client('GET', `/payouts/${id}`)).json.status
const at = async (world: ConnectedWorld, id: string) => {
  const reference = railReference('payout', world.organization.organizationId, id)
  const ordered = { reference, amountInCents: AMOUNT }
  return {
    made: await books.made(world.simulators, ordered),
    paid: await books.paid(world.simulators, ordered),
  }
}
const ONCE = { made: 1, paid: [BigInt(AMOUNT)] }

describe('a payout whose key Wompi has forgotten', () => {
  it('is not sent again if its order arrived', async () => {
    await using world = await begin()
    await using _proxy = world.proxy
    const id = await lostForADay(world, 'reset')
    assert.equal((await at(world, id)).made, 1)
    for (let day = 0; day < 3; day += 1) await world.pass(24 * HOUR_MS)
    assert.deepEqual([await statusOf(world, id), await at(world, id)], ['CONFIRMED', ONCE])
  })

  it('that never arrived is sent again, once, when the search was seen to find another', async () => {
    await using world = await begin()
    await using _proxy = world.proxy
    const id = await lostForADay(world, 'order')
    for (let day = 0; day < 3; day += 1) await world.pass(24 * HOUR_MS)
    assert.deepEqual([await statusOf(world, id), (await at(world, id)).made], ['PROCESSING', 0])
    const other = await payout(world, 'another')
    for (let day = 0; day < 5; day += 1) await world.pass(24 * HOUR_MS)
    for (const one of [id, other])
      assert.deepEqual([await statusOf(world, one), await at(world, one)], ['CONFIRMED', ONCE])
  })
})

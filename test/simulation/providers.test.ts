// Payments over each provider, and over two at once, under the faults of a bad day: answers are lost after the order was taken, searches
// lag, notices come twice, late or never. Then the faults stop, and what we booked is held against what each provider says it moved.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Provider } from '../../src/core/connections/provider.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { type FaultPlan, NO_FAULTS, STORMY } from '../../src/sandbox/faults.ts'
import { byDepth } from '../depth.ts'
import { PAYIN_BOOKS, PAYOUT_BOOKS, payKey } from '../sandbox/providers/books.ts'
import { CUSTOMER } from '../world.ts'
import { type ConnectedWorld, createConnectedWorld } from './connected.ts'

const SEEDS = process.env.SIM_SEED ? [Number(process.env.SIM_SEED)] : [1]
const STEPS = 6
const FAULTS: FaultPlan = { ...STORMY, latencyMs: 10 }
// Each payment has an amount of its own: what one provider paid cannot pass for another's.
const amountOf = (ordinal: number): number => 5_000_000 + ordinal * 100
// Who pays, and how it ends at the simulated Wompi and PlacetoPay.
const PAYERS = ['1000000001', '1000000003', '9000000002', '1000000001']

describe('under the faults of a provider', () => {
  const cases: readonly (readonly Provider[])[] = [
    ['wompi'],
    ['placetopay'],
    ['mono', 'wompi'],
    ...byDepth<Provider[][]>([], [['mono']]),
  ]
  for (const providers of cases)
    for (const seed of SEEDS)
      it(`every peso is where ${providers.join(' and ')} says it is (seed ${seed})`, async () => {
        await using world = await createConnectedWorld(providers, { seed })
        for (const provider of providers) await world.connect(provider, world.client, { priority: 1 })
        await world.faults(FAULTS)
        const payins: string[] = []
        const payouts: string[] = []
        for (let step = 0; step < STEPS; step += 1) {
          payins.push(...(await newPayins(world, providers, step)))
          if (!providers.includes('placetopay')) payouts.push(...(await newPayouts(world, step)))
          await world.work()
          await payersAct(world, payins)
          await world.pass(((step * 7_919) % 50) * 1_000 + 1_000)
        }
        await world.faults(NO_FAULTS)
        await payersAct(world, payins)
        await passUntilEnded(world, 12, 3 * 60_000)
        await passUntilEnded(world, 10, 60 * 60_000)
        // What is paid twice would be by now.
        for (const _ of [1, 2]) await world.pass(60 * 60_000)
        await assertPayins(world, providers, payins)
        await assertPayouts(world, providers, payouts)
      })
})

async function passUntilEnded(world: ConnectedWorld, turns: number, ms: number): Promise<void> {
  const open = async () =>
    (
      await world.db.query({
        text: `select 1 from payins where status in ('PENDING', 'PROCESSING') union all select 1 from payouts where status in ('PENDING', 'PROCESSING')`,
      })
    ).rows.length
  for (let turn = 0; turn < turns && (await open()) > 0; turn += 1) await world.pass(ms)
}

let count = 0

async function newPayins(
  world: ConnectedWorld,
  providers: readonly Provider[],
  step: number,
): Promise<string[]> {
  const bodies: Record<string, unknown>[] = []
  const inlineCustomer = { ...CUSTOMER, idNumber: PAYERS[step % PAYERS.length] }
  if (providers.includes('mono'))
    bodies.push({ rail: 'BRE_B', breb: { keyType: 'SINGLE_USE' }, inlineCustomer })
  if (providers.some((provider) => provider !== 'mono'))
    bodies.push({
      rail: 'PSE',
      pse: { bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' },
      inlineCustomer,
    })
  const made: string[] = []
  for (const body of [...bodies, ...bodies]) {
    count += 1
    const answer = await world.client('POST', '/payins', {
      amountInCents: amountOf(count),
      currency: 'COP',
      reference: `storm-${count}`,
      ...body,
    })
    assert.equal(answer.status, 201, answer.text)
    made.push(answer.json.id)
  }
  return made
}

const KEYS = ['ecolon@wompi.com', 'noexiste@test.com', 'ecolon@wompi.com']

async function newPayouts(world: ConnectedWorld, step: number): Promise<string[]> {
  count += 1
  const answer = await world.client('POST', '/payouts', {
    amountInCents: amountOf(count),
    currency: 'COP',
    rail: 'BRE_B',
    reference: `storm-payout-${count}`,
    // Mono compares the receiver of a cédula with the key's holder, and knows nobody of this one.
    inlineCustomer: { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900123456' },
    breb: { keyString: KEYS[step % KEYS.length] },
  })
  assert.equal(answer.status, 201, answer.text)
  return [answer.json.id]
}

// Payers of PSE go on to their bank, and payers of a key pay it, once it can be paid.
async function payersAct(world: ConnectedWorld, payins: readonly string[]): Promise<void> {
  for (const id of payins) {
    const { json } = await world.client('GET', `/payins/${id}`)
    if (json.status === 'PENDING' && json.rail === 'PSE') await world.payerGoesOn(id)
    if (json.status === 'PROCESSING' && json.rail === 'BRE_B' && !paidKeys.has(id))
      if (await payKey(world.simulators, json.sourceData.keyString, json.amountInCents)) paidKeys.add(id)
  }
  await world.work()
}
const paidKeys = new Set<string>()

async function assertPayins(
  world: ConnectedWorld,
  providers: readonly Provider[],
  payins: readonly string[],
): Promise<void> {
  assert.ok(payins.length > 0)
  let confirmed = 0
  for (const id of payins) {
    const { json } = await world.client('GET', `/payins/${id}`)
    const { rows } = await world.db.query<{ amount: bigint }>({
      text: `select coalesce(sum(amount_cents), 0)::bigint as amount from suspense_items where payin_id = $1`,
      values: [id],
    })
    const bookedInCents = BigInt(json.confirmedAmountInCents ?? 0) + (rows[0]?.amount ?? 0n)
    const provider = providers.find((each) => (each === 'mono') === (json.rail === 'BRE_B')) as Provider
    const reference = railReference('payin', world.organization.organizationId, id)
    const ordered = { reference, amountInCents: json.amountInCents }
    const paidInCents = sum(await PAYIN_BOOKS[provider].paid(world.simulators, ordered))
    assert.notEqual(json.status, 'PENDING', `${id} has not ended`)
    assert.notEqual(json.status, 'PROCESSING', `${id} has not ended`)
    assert.equal(bookedInCents, paidInCents, `payin ${id} (${json.rail}, ${json.status})`)
    if (json.status === 'CONFIRMED') confirmed += 1
  }
  assert.ok(confirmed > 0, 'some payins were paid')
}

async function assertPayouts(
  world: ConnectedWorld,
  providers: readonly Provider[],
  payouts: readonly string[],
): Promise<void> {
  const ends = new Set<string>()
  for (const id of payouts) {
    const { json } = await world.client('GET', `/payouts/${id}`)
    ends.add(json.status)
    const reference = railReference('payout', world.organization.organizationId, id)
    const ordered = { reference, amountInCents: json.amountInCents }
    const paid = await Promise.all(
      providers.map((each) => PAYOUT_BOOKS[each]?.paid(world.simulators, ordered) ?? []),
    )
    const paidInCents = sum(paid.flat())
    const expected = json.status === 'CONFIRMED' ? BigInt(json.amountInCents) : 0n
    if (json.status === 'PROCESSING') assert.equal(paidInCents, 0n, `payout ${id} is open, and was paid`)
    else assert.equal(paidInCents, expected, `payout ${id} (${json.status}, ${json.errorCode})`)
  }
  if (payouts.length > 0) assert.ok(ends.has('CONFIRMED'), `payouts ended as ${[...ends].join(', ')}`)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

// Payments over each provider, and over two at once, under the faults of a bad day: answers are lost after the order was taken, searches
// lag, notices come twice, late or never. Then the faults stop, and what we booked is held against what each provider says it moved.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Provider } from '../../src/core/connections/provider.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { shortReference } from '../../src/rails/provider.ts'
import { type FaultPlan, NO_FAULTS, STORMY } from '../../src/sandbox/faults.ts'
import { tokenRequest } from '../sandbox/providers/mono-caller.ts'
import { auth } from '../sandbox/providers/placetopay-calls.ts'
import type { Simulated } from '../sandbox/providers/simulated.ts'
import { CUSTOMER } from '../world.ts'
import { type ConnectedWorld, createConnectedWorld } from './connected.ts'

const SEEDS = process.env.SIM_SEED ? [Number(process.env.SIM_SEED)] : [1]
const STEPS = 6
const FAULTS: FaultPlan = { ...STORMY, latencyMs: 10 }
const AMOUNT = 5_000_000
// Who pays, and how it ends at the simulated Wompi and PlacetoPay.
const PAYERS = ['1000000001', '1000000003', '9000000002', '1000000001']

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
type Json = any
type Moved = { paidInCents: bigint }

describe('under the faults of a provider', () => {
  const cases: readonly (readonly Provider[])[] = [['mono'], ['wompi'], ['placetopay'], ['mono', 'wompi']]
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
        for (let turn = 0; turn < 12; turn += 1) await world.pass(3 * 60_000)
        for (let turn = 0; turn < 10; turn += 1) await world.pass(60 * 60_000)
        await assertPayins(world, payins)
        await assertPayouts(world, payouts)
      })
})

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
      amountInCents: AMOUNT,
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
    amountInCents: AMOUNT,
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
    if (json.status === 'PROCESSING' && json.rail === 'BRE_B' && !paidKeys.has(id)) {
      const answer = await mono(world, 'POST', '/sandbox/collections/attempts', {
        amount: { amount: AMOUNT, currency: 'COP' },
        creditor_key_value: json.sourceData.keyString,
      })
      if (answer.status < 300) paidKeys.add(id)
    }
  }
  await world.work()
}
const paidKeys = new Set<string>()

async function assertPayins(world: ConnectedWorld, payins: readonly string[]): Promise<void> {
  assert.ok(payins.length > 0)
  let confirmed = 0
  for (const id of payins) {
    const { json } = await world.client('GET', `/payins/${id}`)
    const { rows } = await world.db.query<{ amount: bigint }>({
      text: `select coalesce(sum(amount_cents), 0)::bigint as amount from suspense_items where payin_id = $1`,
      values: [id],
    })
    const bookedInCents = BigInt(json.confirmedAmountInCents ?? 0) + (rows[0]?.amount ?? 0n)
    const { paidInCents } = await movedIn(world, json)
    assert.notEqual(json.status, 'PENDING', `${id} has not ended`)
    assert.notEqual(json.status, 'PROCESSING', `${id} has not ended`)
    assert.equal(bookedInCents, paidInCents, `payin ${id} (${json.rail}, ${json.status})`)
    if (json.status === 'CONFIRMED') confirmed += 1
  }
  assert.ok(confirmed > 0, 'some payins were paid')
}

async function assertPayouts(world: ConnectedWorld, payouts: readonly string[]): Promise<void> {
  const ends = new Set<string>()
  for (const id of payouts) {
    const { json } = await world.client('GET', `/payouts/${id}`)
    ends.add(json.status)
    const { paidInCents } = await movedOut(world, id)
    const expected = json.status === 'CONFIRMED' ? BigInt(AMOUNT) : 0n
    if (json.status === 'PROCESSING') assert.equal(paidInCents, 0n, `payout ${id} is open, and was paid`)
    else assert.equal(paidInCents, expected, `payout ${id} (${json.status}, ${json.errorCode})`)
  }
  if (payouts.length > 0) assert.ok(ends.has('CONFIRMED'), `payouts ended as ${[...ends].join(', ')}`)
}

async function movedIn(world: ConnectedWorld, payin: Json): Promise<Moved> {
  const reference = railReference('payin', world.organization.organizationId, payin.id)
  const sum = (amounts: readonly (number | bigint)[]) => ({
    paidInCents: amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n),
  })
  if (payin.rail === 'BRE_B') {
    const { json } = await mono(world, 'GET', `/collections?external_id=${reference}&page_size=100`)
    const attempts: Json[] = []
    for (const { id } of json.collections) {
      const listed = await mono(world, 'GET', `/collections/${id}/attempts?page_size=100`)
      attempts.push(...(listed.json.attempts ?? listed.json.collection_attempts ?? []))
    }
    return sum(attempts.filter(({ state }) => state === 'successful').map(({ amount }) => amount.amount))
  }
  if (world.simulators.wompi !== undefined) {
    const { json } = await call(
      world.simulators.wompi.url,
      'GET',
      `/v1/transactions?reference=${reference}`,
      undefined,
      {
        authorization: `Bearer ${world.credentials.wompi.privateKey}`,
      },
    )
    return sum(
      json.data.filter(({ status }: Json) => status === 'APPROVED').map((each: Json) => each.amount_in_cents),
    )
  }
  const simulator = world.simulators.placetopay as unknown as Simulated
  const { json } = await call(simulator.url, 'POST', '/gateway/search', {
    auth: auth(simulator),
    reference: shortReference(reference),
    amount: { currency: 'COP', total: AMOUNT / 100 },
  })
  const approved = (json.transactions ?? []).filter(({ status }: Json) => status.status === 'APPROVED')
  return sum(approved.map(() => AMOUNT))
}

async function movedOut(world: ConnectedWorld, id: string): Promise<Moved> {
  let paidInCents = 0n
  const reference = railReference('payout', world.organization.organizationId, id)
  if (world.simulators.mono !== undefined) {
    const { json } = await mono(world, 'GET', `/outgoing_transfers?external_id=${reference}&page_size=100`)
    for (const { state, amount } of json.transfers ?? json.outgoing_transfers ?? [])
      if (state === 'successful') paidInCents += BigInt(amount.amount)
  }
  const simulator = world.simulators['wompi-payouts']
  if (simulator !== undefined) {
    const headers = {
      'x-api-key': world.credentials['wompi-payouts'].apiKey as string,
      'user-principal-id': world.credentials['wompi-payouts'].userPrincipalId as string,
    }
    const { json } = await call(simulator.url, 'GET', `/v1/payouts?reference=${id}`, undefined, headers)
    const batches = json.data?.records ?? json.records ?? json.data ?? json
    for (const batch of Array.isArray(batches) ? batches : []) {
      const listed = await call(
        simulator.url,
        'GET',
        `/v2/payouts/${batch.id ?? batch.payoutId}/transactions`,
        undefined,
        headers,
      )
      for (const { status, amountInCents } of listed.json.data?.records ?? listed.json.records ?? [])
        if (status === 'APPROVED') paidInCents += BigInt(amountInCents)
    }
  }
  return { paidInCents }
}

async function mono(world: ConnectedWorld, method: string, path: string, body?: unknown) {
  const { url } = world.simulators.mono as { url: string }
  for (;;) {
    const token = await call(url, 'POST', '/api/v1/oauth/token', tokenRequest()).catch(() => undefined)
    if (token?.json?.access_token === undefined) continue
    const headers = { authorization: `Bearer ${token.json.access_token}` }
    return await call(url, method, `/api/v1${path}`, body, headers).catch(() => ({
      status: 599,
      json: undefined,
    }))
  }
}

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Json }> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(1_000),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
  }
}

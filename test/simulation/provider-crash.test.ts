// Workers that die at each point of payments that go over a provider: before and after its call, before and after each commit (some as
// real processes, dying.ts). Whoever comes next, another process or this one, takes over. Then the provider has paid what our books say, once. Mono pays a
// transfer that is ordered twice, so its payouts are killed on their way back to it as well. The API dies while it takes a notice.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Provider } from '../../src/core/connections/provider.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import type { CrashPoint } from '../../src/flows/context.ts'
import { freePort } from '../free-port.ts'
import { type Books, PAYIN_BOOKS, PAYOUT_BOOKS, payKey } from '../sandbox/providers/books.ts'
import { simulateMono, tenantAccountId } from '../sandbox/providers/mono-caller.ts'
import { type Client, CUSTOMER, eventually } from '../world.ts'
import { type ConnectedWorld, createConnectedWorld, DELAY_MS } from './connected.ts'
import { type Mortal, startMortal } from './dying.ts'
import { openSwitchedAddress, type SwitchedAddress } from './switched-address.ts'

type Kind = 'payin' | 'payout'
const PROVIDERS: Readonly<Record<Kind, readonly Provider[]>> = {
  payin: ['mono', 'wompi', 'placetopay'],
  payout: ['mono', 'wompi'],
}
const AMOUNT = 5_000_000
const SECRETS_KEY = 'cd'.repeat(32)
// Longer than any lease, and than a provider that pays twice is given before an order is sent again.
const LATER_SECONDS = 121

// Before an order is sent, all providers are the same, and one process dies for all of them. A reservation knows no network: crash.test.ts
// dies at it.
const BEFORE_ORDER: readonly (readonly [Kind, CrashPoint])[] = [
  ['payin', 'payin-before-rail'],
  ['payout', 'payout-before-rail'],
]
// Whoever takes over finds an order at its provider in that provider's own way, so that is tried with each. Once the answer is there,
// the way is the same for all, and one provider is enough. Mono pays what is ordered twice, so its payouts die everywhere.
const AFTER_ORDER: readonly (readonly [Kind, CrashPoint, readonly Provider[]])[] = [
  ['payin', 'payin-after-rail', PROVIDERS.payin],
  ['payin', 'payin-before-commit', ['placetopay']],
  ['payin', 'payin-after-commit', ['mono']],
  ['payout', 'payout-after-rail', PROVIDERS.payout],
  ['payout', 'payout-before-commit', ['mono']],
  ['payout', 'payout-after-commit', ['mono']],
]
// Every provider's notices of each kind are lost once, before they are written or after.
const WHILE_TOLD: readonly (readonly [Kind, CrashPoint, Provider])[] = [
  ['payin', 'receipt-after-commit', 'mono'],
  ['payin', 'receipt-after-commit', 'wompi'],
  ['payin', 'receipt-before-commit', 'placetopay'],
  ['payout', 'receipt-before-commit', 'wompi'],
  ['payout', 'receipt-after-commit', 'mono'],
]

type Merchant = { organization: { organizationId: string }; client: Client }
type Dying = { nth?: number; provider?: Provider }
type Payment = { provider: Provider; kind: Kind; id: string }
type Owner = Parameters<typeof startMortal>[0]
// Who sends an order and has not written that, and who has not written what it was told, is a real process in every run.
const isRealDeath = (provider: Provider | undefined, point: CrashPoint): boolean =>
  (provider === 'mono' && point === 'payout-after-rail') ||
  (provider === 'placetopay' && point === 'receipt-before-commit')

describe('a process killed while a provider has a payment', () => {
  let world: ConnectedWorld
  let address: SwitchedAddress
  let dataDir: string
  let monoKeys: string[]
  const merchants = new Map<Provider, Merchant>()
  const merchantOf = (provider: Provider): Merchant => merchants.get(provider) as Merchant

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'recaudo-provider-crash-'))
    // The simulators' clocks run like ours, so that what they sign is current.
    address = await openSwitchedAddress()
    const env = { SECRETS_KEY, PUBLIC_URL: address.url }
    world = await createConnectedWorld(PROVIDERS.payin, { env, now: Date.now })
    address.leadTo(world.baseUrl)
    monoKeys = await keysFoundAtOnce()
    for (const provider of PROVIDERS.payin) {
      const merchant = await world.newMerchant()
      merchants.set(provider, merchant)
      await world.connect(provider, merchant.client)
    }
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await address[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const crashingAt = (point: CrashPoint, nth: number) => ({
    DATABASE_URL: world.databaseUrl,
    SECRETS_KEY,
    DATA_DIR: dataDir,
    SANDBOX_PORT: new URL(world.sandbox.url).port,
    CRASH_AT: `${point}:${nth}`,
  })
  const dieAt = async (owner: Owner, point: CrashPoint, { nth = 1, provider }: Dying = {}): Promise<void> => {
    const env = { ...crashingAt(point, nth), PORT: new URL(world.baseUrl).port }
    const worker = await startMortal(owner, '--workers', env, { isReal: isRealDeath(provider, point) })
    await worker.died()
  }
  // Another API takes the notices from now on, and dies of the first.
  const startDying = async (owner: Owner, point: CrashPoint, provider: Provider): Promise<Mortal> => {
    const env = { ...crashingAt(point, 1), PORT: String(await freePort()) }
    const api = await startMortal(owner, '--api', env, { isReal: isRealDeath(provider, point) })
    address.leadTo(api.baseUrl)
    return api
  }
  const diedOfNotice = async ({ isDead, died }: Mortal, { provider }: Payment): Promise<void> => {
    await eventually(
      async () => {
        if (!isDead()) await providersGoOn(provider)
        return isDead()
      },
      (itIs) => itIs,
    )
    await died()
    address.leadTo(world.baseUrl)
  }

  const receiverAt = (provider: Provider) => (provider === 'mono' ? monoKeys.pop() : 'ecolon@wompi.com')
  const create = async (provider: Provider, kind: Kind): Promise<Payment> => {
    const body = kind === 'payin' ? payinBody(provider) : payoutBody(receiverAt(provider))
    const answer = await merchantOf(provider).client('POST', `/${kind}s`, body)
    assert.equal(answer.status, 201, answer.text)
    const { id, rail } = answer.json
    if (kind === 'payin' && rail === 'PSE')
      await world.payerGoesOn(id, merchantOf(provider).organization.organizationId)
    return { provider, kind, id }
  }

  const booksOf = ({ provider, kind }: Payment): Books =>
    (kind === 'payin' ? PAYIN_BOOKS : PAYOUT_BOOKS)[provider] as Books
  const orderedAs = ({ provider, kind, id }: Payment) => ({
    reference: railReference(kind, merchantOf(provider).organization.organizationId, id),
    amountInCents: AMOUNT,
  })
  const made = (payment: Payment) => booksOf(payment).made(world.simulators, orderedAs(payment))
  const stateOf = async ({ provider, kind, id }: Payment) =>
    (await merchantOf(provider).client('GET', `/${kind}s/${id}`)).json

  const noticesOf = async ({ id }: Payment): Promise<number> => {
    const text = 'select 1 from rail_notices where subject_id = $1'
    return (await world.db.query({ text, values: [id] })).rows.length
  }

  const moveClock = async (): Promise<void> => {
    const answer = await world.client('POST', '/sandbox/clock/advance', { seconds: LATER_SECONDS })
    assert.equal(answer.status, 200, answer.text)
  }
  const providersGoOn = async (only = ''): Promise<void> => {
    const simulators = Object.entries(world.simulators).filter(([name]) => name.startsWith(only))
    await Promise.all(simulators.map(([, simulator]) => simulator.advance(DELAY_MS)))
  }
  // Whoever has a key pays it, as soon as it is there.
  const payerPays = async (payment: Payment): Promise<boolean> => {
    const { rail, status, sourceData } = await stateOf(payment)
    if (payment.kind !== 'payin' || rail !== 'BRE_B' || status !== 'PROCESSING') return false
    return payKey(world.simulators, sourceData.keyString, AMOUNT)
  }
  // Everybody does what is due until the payment has ended: we, the provider, and the payer.
  const takeOver = async (payment: Payment, turns = 5): Promise<void> => {
    let isPaid = false
    for (let turn = 0; turn < turns; turn += 1) {
      await moveClock()
      await world.work()
      if (!isPaid) isPaid = await payerPays(payment)
      await providersGoOn()
      await world.work()
      if ((await stateOf(payment)).status === 'CONFIRMED') return
    }
  }
  const assertPaidOnce = async (payment: Payment): Promise<void> => {
    const { status } = await stateOf(payment)
    const what = `the ${payment.kind} over ${payment.provider}`
    assert.equal(status, 'CONFIRMED', what)
    assert.deepEqual(
      await booksOf(payment).paid(world.simulators, orderedAs(payment)),
      [BigInt(AMOUNT)],
      what,
    )
    assert.equal(await made(payment), 1, what)
  }

  for (const [kind, point] of BEFORE_ORDER)
    it(`${kind}s over every provider: ${point}`, async (t) => {
      const payments: Payment[] = []
      for (const provider of PROVIDERS[kind]) payments.push(await create(provider, kind))
      await dieAt(t, point)
      for (const payment of payments) assert.equal(await made(payment), 0)
      for (const payment of payments) await takeOver(payment)
      for (const payment of payments) await assertPaidOnce(payment)
    })

  for (const [kind, point, providers] of AFTER_ORDER)
    for (const provider of providers)
      it(`a ${kind} over ${provider}: ${point}`, async (t) => {
        const payment = await create(provider, kind)
        await dieAt(t, point, { provider })
        assert.equal(await made(payment), 1)
        await takeOver(payment)
        await assertPaidOnce(payment)
      })

  // The first one dies with the order in its hands. The next finds nothing at Mono, writes down that it sends again, and dies. The third
  // sends, and dies before it has written that. Only a search keeps the fourth from paying twice.
  it('a payout over mono, whose order is killed again and again on its way', async (t) => {
    const payment = await create('mono', 'payout')
    const deaths = [
      ['payout-before-rail', 1, 0],
      ['payout-after-commit', 1, 0],
      ['payout-after-rail', 2, 1],
    ] as const
    for (const [point, nth, ordersMade] of deaths) {
      await dieAt(t, point, { nth })
      assert.equal(await made(payment), ordersMade, point)
      await moveClock()
    }
    await takeOver(payment)
    await assertPaidOnce(payment)
  })

  // Nobody asks about a payer at the bank for minutes, unless the provider tells us to.
  for (const point of ['notice-before-commit', 'notice-after-commit'] as const)
    it(`a payin that placetopay has told us of: ${point}`, async (t) => {
      const payment = await create('placetopay', 'payin')
      await world.work()
      await providersGoOn()
      assert.equal((await stateOf(payment)).status, 'PROCESSING')
      await dieAt(t, point)
      await takeOver(payment, 1)
      await assertPaidOnce(payment)
    })

  for (const [kind, point, provider] of WHILE_TOLD)
    it(`the API, when ${provider} tells it of a ${kind}: ${point}`, async (t) => {
      let api = await startDying(t, point, provider)
      const payment = await create(provider, kind)
      await world.work()
      // On a slow machine Mono tells of a new key before anybody pays it, and the API dies of that. Then the next one dies of the payment.
      let earlier = 0
      while (provider === 'mono' && kind === 'payin') {
        earlier = await noticesOf(payment)
        if (await payerPays(payment)) break
        if (api.isDead()) api = await startDying(t, point, provider)
        await moveClock()
        await providersGoOn('mono')
        await world.work()
      }
      await diedOfNotice(api, payment)
      // It may have died of what a provider said again of an earlier payment. Then the next one dies of this.
      while (point === 'receipt-after-commit' && (await noticesOf(payment)) === earlier)
        await diedOfNotice(await startDying(t, point, provider), payment)
      assert.equal((await noticesOf(payment)) > earlier, point === 'receipt-after-commit')
      assert.equal((await stateOf(payment)).resultAt, null)
      // What was written is acted on at once, or with what the provider says next. What was not, it says again, or we ask in time.
      await takeOver(payment, point === 'receipt-after-commit' ? 1 : 5)
      await assertPaidOnce(payment)
    })
})

// Mono may name the holder of a key later, and then the payout waits. What it does with a key comes from the seed and the key, so another
// one shows which it finds at once, as often as one payout asks.
async function keysFoundAtOnce(): Promise<string[]> {
  await using mono = await simulateMono({ seed: 1 })
  const found: string[] = []
  for (let ordinal = 1; found.length < 10; ordinal += 1) {
    const value = `receiver-${ordinal}@example.com`
    const asked = { tenant_account_id: tenantAccountId, format: 'plain_key', value }
    const statuses: number[] = []
    for (const _ of [1, 2, 3]) statuses.push((await mono.send('POST', '/targets/resolve', asked)).status)
    if (statuses.every((status) => status === 200)) found.push(value)
  }
  return found
}

let count = 0

function payinBody(provider: Provider): Record<string, unknown> {
  count += 1
  return {
    amountInCents: AMOUNT,
    currency: 'COP',
    reference: `provider-crash-${count}`,
    inlineCustomer: CUSTOMER,
    ...(provider === 'mono'
      ? { rail: 'BRE_B', breb: { keyType: 'SINGLE_USE' } }
      : { rail: 'PSE', pse: { bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' } }),
  }
}

function payoutBody(keyString: string | undefined): Record<string, unknown> {
  count += 1
  return {
    amountInCents: AMOUNT,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `provider-crash-${count}`,
    // Mono compares the receiver of a cédula with the key's holder, and knows nobody of this one.
    inlineCustomer: { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900123456' },
    breb: { keyString },
  }
}

// The budget for looking up keys, with a clock that stands still: what each look-up costs, and what comes back.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { Context } from '../../../src/flows/context.ts'
import { LOOKUP_BUDGET, lookUpKey, refundLookup } from '../../../src/flows/directory/look-up-key.ts'
import { createContext, createMetrics } from '../../../src/service.ts'
import { openDb } from '../../../src/store/db.ts'
import { spendLookupBudget } from '../../../src/store/directory/key-lookups.ts'
import { entriesOf, PERSON } from '../../api/audit/entries.ts'
import { type Client, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { heldBy, withDirectory } from '../payouts/key-holders.ts'

const SECRETS_KEY = randomBytes(32)

describe('the budget for looking up keys', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: SECRETS_KEY.toString('hex') } })
  })
  after(() => world[Symbol.asyncDispose]())

  const newBudget = async (directory = world.ctx.networks.directory) => {
    const { organization } = await world.newMerchant()
    const { organizationId } = organization
    let now = world.ctx.clock.now()
    const networks = { ...world.ctx.networks, directory }
    const ctx: Context = { ...world.ctx, networks, clock: { ...world.ctx.clock, now: () => now } }
    return {
      lookUp: async (key: string) => (await lookUpKey(ctx, organization, key)).remaining,
      answer: async (key: string) => {
        const { result, remaining } = await lookUpKey(ctx, organization, key)
        return isRefusal(result)
          ? { refused: result.refused, retryAfterSeconds: result.retryAfterSeconds, remaining }
          : { refused: undefined, remaining }
      },
      spend: (cost: number) => spendLookupBudget(world.db, organizationId, cost, LOOKUP_BUDGET, now),
      confirmPayout: (keyString: string) => refundLookup(ctx, { organizationId, keyString }),
      left: () => spendLookupBudget(world.db, organizationId, 0, LOOKUP_BUDGET, now),
      advance: (ms: number) => {
        now += ms
      },
    }
  }

  it('holds 1,000: a hit costs 1, a miss 20, and what is no key or cannot be asked costs nothing', async () => {
    const { lookUp, left } = await newBudget()
    assert.equal(await left(), 1_000)
    assert.equal(await lookUp('@ANAGOMEZ'), 999)
    assert.equal(await lookUp('@ANAGOMEZ'), 998)
    assert.equal(await lookUp('@NOEXISTE1'), 978)
    assert.equal(await lookUp('@SUSPENDIDA1'), 958)
    assert.equal(await lookUp('???'), 958)
    assert.equal(await lookUp('@CAIDA1'), 958)
    assert.equal(await left(), 958)
  })

  it('refills at one a second, up to what it holds', async () => {
    const { lookUp, left, advance } = await newBudget()
    await lookUp('@NOEXISTE1')
    advance(15_000)
    assert.equal(await left(), 995)
    advance(3_600_000)
    assert.equal(await left(), 1_000)
  })

  it('gets 2 back for a confirmed payout to a key that was looked up, and nothing for another', async () => {
    const { lookUp, confirmPayout, left } = await newBudget()
    await lookUp('@NOEXISTE1')
    await lookUp('@ANAGOMEZ')
    assert.equal(await left(), 979)
    await confirmPayout('@ANAGOMEZ')
    assert.equal(await left(), 981)
    await confirmPayout('@NOBODYASKED')
    assert.equal(await left(), 981)
    const other = await newBudget()
    await other.lookUp('@NOEXISTE1')
    await other.confirmPayout('@ANAGOMEZ')
    assert.equal(await other.left(), 980, 'another organization’s look-up counts for nothing')
  })

  it('fifty misses, and not one more, come out of a full budget, however many are asked at once at two nodes', async (t) => {
    const { organization } = await world.newMerchant()
    const otherDb = openDb({ url: world.databaseUrl, poolSize: 10 })
    const other = createContext(world.config, otherDb, [SECRETS_KEY], createMetrics())
    t.after(async () => {
      await other.networks.close()
      await otherDb.close()
    })
    let now = world.ctx.clock.now()
    const clock = { ...world.ctx.clock, now: () => now }
    const nodes = [
      { ...world.ctx, clock },
      { ...other, clock },
    ]
    const guess = async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          lookUpKey(nodes[index % 2] as Context, organization, `@NOEXISTE${index}`),
        ),
      )
      const codes = answers.map(({ result }) => (isRefusal(result) ? result.refused : 'found'))
      return (code: string) => codes.filter((each) => each === code).length
    }
    const first = await guess()
    assert.deepEqual([first('KEY_NOT_FOUND'), first('RATE_LIMITED')], [50, 150])
    assert.equal((await guess())('KEY_NOT_FOUND'), 0)
    now += 59_000
    assert.equal((await guess())('KEY_NOT_FOUND'), 2, 'what a minute less a second refills')
  })

  it('a look-up needs the price of a miss, and is told when that is there again', async () => {
    const budget = await newBudget()
    await budget.spend(981)
    const refused = await budget.answer('@ANAGOMEZ')
    assert.deepEqual(refused, { refused: 'RATE_LIMITED', retryAfterSeconds: 1, remaining: 19 })
    await budget.spend(30)
    const inDebt = await budget.answer('@ANAGOMEZ')
    assert.deepEqual(inDebt, { refused: 'RATE_LIMITED', retryAfterSeconds: 31, remaining: -11 })
    budget.advance(30_999)
    assert.equal((await budget.answer('@ANAGOMEZ')).refused, 'RATE_LIMITED')
    budget.advance(1)
    assert.deepEqual(await budget.answer('@ANAGOMEZ'), { refused: undefined, remaining: 19 })
  })

  it('a holder whom the directory has masked is shown as it masked them', async () => {
    const { organization } = await world.newMerchant()
    await withDirectory(world, heldBy(world, 'J*** P*** R.', '12***34', true), async () => {
      const { result } = await lookUpKey(world.ctx, organization, '1020304050')
      if (isRefusal(result)) assert.fail(result.detail)
      const { name, idNumber, personType } = result.holder.holder
      assert.deepEqual([personType, name, idNumber], ['INDIVIDUAL', 'J*** P*** R.', '12***34'])
    })
  })

  it('a directory that does not answer in time costs as much as a hit', async () => {
    const budget = await newBudget({
      lookUp: async () => ({ outcome: 'unknown', kind: 'timeout', why: 'no answer' }),
    })
    const { refused, remaining } = await budget.answer('@LENTA1')
    assert.deepEqual([refused, remaining], ['DIRECTORY_TIMEOUT', 999])
    assert.equal(await budget.left(), 999)
  })

  it('a person’s look-up is written down with as much of the key as tells it from others', async () => {
    const { organization } = await world.newMerchant()
    await lookUpKey({ ...world.ctx, actor: PERSON }, organization, '300 123 4567')
    const entry = (await entriesOf(world, organization)).at(-1)
    assert.equal(entry?.act, 'brebkey.lookup')
    const { key, keyType } = JSON.parse(entry?.changes ?? '{}')
    assert.deepEqual([key.after, keyType.after], ['******4567', 'PHONE'])
  })

  it('is remembered whoever looked up: who pays only to keys that were looked up may pay to it', async () => {
    for (const actor of [PERSON, world.ctx.actor]) {
      const { organization, client } = await world.newMerchant()
      await client('PATCH', '/organization', { requireKeyLookup: true })
      const payout = { ...PAYOUT, breb: { keyString: '@ANAGOMEZ' } }
      const refused = await client('POST', '/payouts', payout)
      assert.equal(refused.json.code, 'KEY_NOT_LOOKED_UP')
      await lookUpKey({ ...world.ctx, actor }, organization, '@ANAGOMEZ')
      assert.equal((await client('POST', '/payouts', payout)).status, 201)
    }
  })

  it('is remembered for half an hour, and another key is not', async () => {
    const { organization, client } = await world.newMerchant()
    await client('PATCH', '/organization', { requireKeyLookup: true })
    const pay = async (keyString: string) =>
      (await client('POST', '/payouts', { ...PAYOUT, breb: { keyString } })).json.code
    await lookUpKey(world.ctx, organization, '@ANAGOMEZ')
    assert.equal(await pay('3001234567'), 'KEY_NOT_LOOKED_UP')
    world.advance(29 * 60_000)
    assert.equal(await pay('@ANAGOMEZ'), undefined)
    world.advance(60_000)
    assert.equal(await pay('@ANAGOMEZ'), 'KEY_NOT_LOOKED_UP')
  })
})

describe('payouts and the budget for looking up keys', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // The world's clock runs, so the budget refills a little meanwhile: half a payout's price is room enough.
  const newPayer = async () => {
    const { organization, client } = await world.newMerchant()
    const { organizationId } = organization
    const now = world.ctx.clock.now()
    const left = () => spendLookupBudget(world.db, organizationId, 0, LOOKUP_BUDGET, now)
    const spend = (cost: number) => spendLookupBudget(world.db, organizationId, cost, LOOKUP_BUDGET, now)
    const charged = async (keyString: string, errorCode: string, end = world.work): Promise<void> => {
      const before = await left()
      const made = await client('POST', '/payouts', { ...PAYOUT, breb: { keyString } })
      assert.equal(made.status, 201, made.text)
      await world.work()
      await end()
      const { json: payout } = await client('GET', `/payouts/${made.json.id}`)
      assert.equal(payout.errorCode, errorCode)
      const cost = before - (await left())
      assert.ok(cost > 10 && cost <= 20, `${errorCode} cost ${cost}`)
    }
    return { client, left, spend, charged }
  }
  const lookUp = (client: Client, key: string) => client('GET', `/breb/keys/${encodeURIComponent(key)}`)

  it('one that ends for its key costs as much as a look-up that found nothing', async () => {
    const { client, charged, left } = await newPayer()
    await charged('@NOEXISTE1', 'KEY_NOT_FOUND')
    await charged('@SUSPENDIDA1', 'KEY_SUSPENDED')
    const before = await left()
    await client('POST', '/payouts', { ...PAYOUT, breb: { keyString: '@ANAGOMEZ' } })
    await world.passTime(60_000)
    assert.ok((await left()) >= before, 'one that is paid costs nothing')
  })

  for (const code of ['KEY_NOT_FOUND', 'KEY_INVALID'])
    it(`one whose network says ${code} after it took it costs the same`, async () => {
      const { client, left } = await newPayer()
      const stays = { ...PAYOUT, inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
      const { json: payout } = await client('POST', '/payouts', {
        ...stays,
        breb: { keyString: '@ANAGOMEZ' },
      })
      await world.work()
      const before = await left()
      const told = { outcome: 'declined', errorCode: code }
      const simulated = await client('POST', `/sandbox/payouts/${payout.id}/simulate`, told)
      assert.equal(simulated.status, 200, simulated.text)
      await eventually(
        async () => {
          await world.passTime(1_000)
          return (await client('GET', `/payouts/${payout.id}`)).json
        },
        ({ errorCode }) => errorCode === code,
      )
      const cost = before - (await left())
      assert.ok(cost > 10 && cost <= 20, `it cost ${cost}`)
    })

  it('an empty budget goes into debt, and look-ups are refused until it is repaid', async () => {
    const { client, charged, spend } = await newPayer()
    await spend(1_000)
    for (const index of [1, 2, 3, 4, 5]) await charged(`@NOEXISTE${index}`, 'KEY_NOT_FOUND')
    const refused = await lookUp(client, '@ANAGOMEZ')
    assert.equal(refused.status, 429)
    assert.match(
      refused.headers.ratelimit ?? '',
      /^"key-lookups";r=0;t=1[01]\d\d$/,
      'full again after the debt',
    )
    const waitSeconds = Number(refused.headers['retry-after'])
    assert.ok(waitSeconds > 80 && waitSeconds <= 120, `${waitSeconds} seconds`)
    world.advance((waitSeconds - 20) * 1_000)
    assert.equal((await lookUp(client, '@ANAGOMEZ')).status, 429)
    world.advance(20_000)
    assert.equal((await lookUp(client, '@ANAGOMEZ')).status, 200)
  })
})

const PAYOUT = {
  amountInCents: 1,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'a guess',
  inlineCustomer: CUSTOMER,
}

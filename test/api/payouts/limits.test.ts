// What may be paid out in a day, by a key and by its organization, over two nodes; and the hours in which nothing is.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { bogotaDay, endOfDay } from '../../../src/core/bogota-day.ts'
import { DAY_MS, HOUR_MS, isoInstant } from '../../../src/core/instant.ts'
import { type OrganizationLimits, UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import {
  changeApiKeyLimits,
  changeOAuthClientLimits,
  changeOrganizationLimits,
} from '../../../src/flows/organizations/change-limits.ts'
import { createPayout } from '../../../src/flows/payouts/create.ts'
import type { LimitedPayout } from '../../../src/flows/payouts/insert-limited.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { readPayoutUsage } from '../../../src/store/payouts/usage.ts'
import {
  type Answer,
  brebPayin,
  type Client,
  CUSTOMER,
  clientOf,
  createWorld,
  type World,
} from '../../world.ts'
import { newPayout } from '../http/calls.ts'
import { addNode, type Node } from '../http/node.ts'
import { assertProblem } from '../http/problem.ts'

let world: World
let node: Node
before(async () => {
  world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
  node = await addNode(world)
  toHour(12)
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

// Moves the clock to the next time that it is this hour in Bogotá.
function toHour(hour: number): void {
  const now = world.ctx.clock.now()
  const noon = endOfDay(bogotaDay(now)) - DAY_MS + hour * HOUR_MS
  world.advance((noon > now ? noon : noon + DAY_MS) - now)
}

// A merchant with limits, and its client on both nodes.
async function merchantWith(limits: Partial<OrganizationLimits>) {
  const { organization, apiKey, client } = await world.newMerchant()
  const { organizationId } = organization
  if (Object.keys(limits).length > 0) await changeOrganizationLimits(world.ctx, organizationId, limits)
  return { organizationId, apiKey, here: client, there: clientOf(node.baseUrl, { 'x-api-key': apiKey }) }
}

const pay = (client: Client, amountInCents = 100_000, headers = {}): Promise<Answer> =>
  client('POST', '/payouts', newPayout({ amountInCents }), headers)

const usedBy = (organizationId: string, credentialId = '') =>
  readPayoutUsage(world.db, { organizationId, day: bogotaDay(world.ctx.clock.now()), credentialId })

async function keyIdOf(organizationId: string): Promise<string> {
  const { rows } = await world.db.query<{ id: string }>({
    text: 'select api_key_id as id from api_keys where organization_id = $1',
    values: [organizationId],
  })
  return rows[0]?.id ?? ''
}

describe('payouts a day', () => {
  it('stop at their number, over two nodes at once, and the refusal says which limit and until when', async () => {
    const { organizationId, here, there } = await merchantWith({ payoutsPerDay: 10 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => pay(index % 2 === 0 ? here : there)),
    )
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 10)
    const refused = answers.find(({ status }) => status !== 201) as Answer
    assertProblem(refused, 'PAYOUT_LIMIT_REACHED')
    const midnight = endOfDay(bogotaDay(world.ctx.clock.now()))
    assert.equal(
      refused.json.detail,
      `This organization may pay out 10 payouts a day: 0 payouts are left until ${isoInstant(midnight)}.`,
    )
    const untilMidnight = (midnight - world.ctx.clock.now()) / 1_000
    assert.ok(Math.abs(Number(refused.headers['retry-after']) - untilMidnight) < 60)
    assert.deepEqual(await usedBy(organizationId), { payouts: 10, sumInCents: 1_000_000n })
    assert.equal((await here('GET', '/payouts?pageSize=100')).json.data.length, 10)
  })

  it('stop at their sum, and a smaller one still fits', async () => {
    const { here, there } = await merchantWith({ payoutSumPerDay: 1_000_000n })
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => pay(index % 2 === 0 ? here : there, 300_000)),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    const refused = await pay(there, 100_001)
    assertProblem(refused, 'PAYOUT_LIMIT_REACHED')
    assert.match(refused.json.detail, /may pay out 1000000 cents a day: 100000 cents are left/)
    assert.equal((await pay(here, 100_000)).status, 201)
    assertProblem(await pay(here, 1), 'PAYOUT_LIMIT_REACHED')
  })

  it('in one batch, one that is too large takes no share from those that fit', async () => {
    const { here } = await merchantWith({ payoutSumPerDay: 500_000n })
    const answers = await Promise.all([400_000, 300_000, 100_000].map((amount) => pay(here, amount)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 422, 201],
    )
  })

  it('have a limit of the key beside the organization’s, and the stricter one holds', async () => {
    const { organizationId, here } = await merchantWith({ payoutsPerDay: 3 })
    const apiKeyId = await keyIdOf(organizationId)
    await changeApiKeyLimits(world.ctx, { apiKeyId, organizationId }, { payoutsPerDay: 2 })
    for (const _ of [1, 2]) assert.equal((await pay(here)).status, 201)
    const refused = await pay(here)
    assertProblem(refused, 'PAYOUT_LIMIT_REACHED')
    assert.match(refused.json.detail, /^This key or client may pay out 2 payouts/)
    assert.deepEqual(
      await usedBy(organizationId),
      { payouts: 2, sumInCents: 200_000n },
      'neither took a share',
    )
    await changeApiKeyLimits(world.ctx, { apiKeyId, organizationId }, { payoutsPerDay: null })
    assert.equal((await pay(here)).status, 201)
    assert.match((await pay(here)).json.detail, /^This organization may pay out 3 payouts/)
    assert.deepEqual(await usedBy(organizationId, apiKeyId), { payouts: 3, sumInCents: 300_000n })
  })

  it('of one key are not used up by what another key pays out', async () => {
    const { organizationId, here } = await merchantWith({})
    const { json: other } = await here('POST', '/api-keys', { name: 'other' })
    const byOther = clientOf(world.baseUrl, { 'x-api-key': other.secret ?? other.apiKey })
    const limits = { payoutsPerDay: 2 }
    await changeApiKeyLimits(world.ctx, { apiKeyId: other.id, organizationId }, limits)
    for (const _ of [1, 2, 3]) assert.equal((await pay(here)).status, 201)
    for (const _ of [1, 2]) assert.equal((await pay(byOther)).status, 201)
    assertProblem(await pay(byOther), 'PAYOUT_LIMIT_REACHED')
    assert.equal((await pay(here)).status, 201)
  })

  it('begin anew at midnight in Bogotá, and not in UTC', async () => {
    const { here } = await merchantWith({ payoutsPerDay: 1 })
    toHour(18)
    assert.equal((await pay(here)).status, 201)
    toHour(20)
    assertProblem(await pay(here), 'PAYOUT_LIMIT_REACHED')
    toHour(1)
    assert.equal((await pay(here)).status, 201)
    toHour(12)
  })

  it('count for a client as for a key', async () => {
    const { organization } = await world.newMerchant()
    const { organizationId } = organization
    const { clientId, secret } = await world.oauthClient(organization)
    await changeOAuthClientLimits(world.ctx, { clientId, organizationId }, { payoutSumPerDay: 150_000n })
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { json } = await world.anonymous('POST', '/oauth/token', form)
    const client = clientOf(world.baseUrl, { authorization: `Bearer ${json.access_token}` })
    assert.equal((await pay(client)).status, 201)
    assertProblem(await pay(client), 'PAYOUT_LIMIT_REACHED')
  })

  it('are counted before there is a limit, and one below what is used lets nothing more pass that day', async () => {
    const { organizationId, here, there } = await merchantWith({})
    for (const _ of [1, 2, 3]) assert.equal((await pay(here)).status, 201)
    assert.deepEqual(await usedBy(organizationId), { payouts: 3, sumInCents: 300_000n })
    await changeOrganizationLimits(world.ctx, organizationId, { payoutsPerDay: 2 })
    assertProblem(await pay(here), 'PAYOUT_LIMIT_REACHED')
    assertProblem(await pay(there), 'PAYOUT_LIMIT_REACHED')
    // A new day in Bogotá begins.
    toHour(0)
    for (const _ of [1, 2]) assert.equal((await pay(here)).status, 201)
    assertProblem(await pay(there), 'PAYOUT_LIMIT_REACHED')
    toHour(12)
  })

  it('that were declined or canceled give their share not back', async () => {
    const { here } = await merchantWith({ payoutsPerDay: 1 })
    const { json } = await pay(here)
    assert.equal((await here('POST', `/payouts/${json.id}/cancel`)).json.status, 'CANCELED')
    assertProblem(await pay(here), 'PAYOUT_LIMIT_REACHED')
  })

  it('answer a repeated request with its first answer, which takes no second share', async () => {
    const { organizationId, here, there } = await merchantWith({ payoutsPerDay: 2 })
    const key = { 'idempotency-key': 'salary-of-ana' }
    const first = await pay(here, 100_000, key)
    assert.equal(first.status, 201)
    for (const client of [here, there]) {
      const again = await pay(client, 100_000, key)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.text, first.text)
    }
    assert.deepEqual(await usedBy(organizationId), { payouts: 1, sumInCents: 100_000n })
    // In one batch with a repeated one, the last share is for the new one.
    const [again, fresh] = await Promise.all([pay(here, 100_000, key), pay(here)])
    assert.deepEqual([again?.headers['idempotent-replayed'], fresh?.status], ['true', 201])
    assert.equal((await pay(there, 100_000, key)).text, first.text, 'when nothing is left, too')
    assertProblem(await pay(here), 'PAYOUT_LIMIT_REACHED')
  })

  it('refuse with an Idempotency-Key, and the same request passes when there is room', async () => {
    const { organizationId, here } = await merchantWith({ payoutSumPerDay: 50_000n })
    const key = { 'idempotency-key': 'rent' }
    assertProblem(await pay(here, 100_000, key), 'PAYOUT_LIMIT_REACHED')
    await changeOrganizationLimits(world.ctx, organizationId, { payoutSumPerDay: null })
    assert.equal((await pay(here, 100_000, key)).status, 201)
  })

  it('count one once whose insert is repeated because its answer was lost, and it is not refused', async () => {
    const { db, ctx } = world
    for (const payoutsPerDay of [1, 2]) {
      const { organizationId } = await merchantWith({ payoutsPerDay })
      const organization = await getOrganization(db, organizationId)
      assert.ok(organization !== undefined)
      const insertLimitedPayout = Object.assign(
        async (one: LimitedPayout) => {
          await ctx.batched.insertLimitedPayout(one)
          return ctx.batched.insertLimitedPayout(one)
        },
        { waiting: 0 },
      )
      const made = await createPayout(
        { ...ctx, batched: { ...ctx.batched, insertLimitedPayout } },
        organization,
        { credentialId: 'rc_stg_repeated', limits: UNLIMITED_CREDENTIAL },
        {
          amountInCents: 100_000n,
          reference: 'repeated',
          customer: { ...CUSTOMER, idType: 'CO_CC' },
          keyString: '@ANAGOMEZ',
          keyType: 'ALPHANUMERIC',
        },
        null,
      )
      assert.ok(!isRefusal(made))
      assert.deepEqual(await usedBy(organizationId), { payouts: 1, sumInCents: 100_000n })
    }
  })

  it('leave payins alone', async () => {
    const { here } = await merchantWith({ payoutsPerDay: 1, payoutSumPerDay: 1n, quietHours: '00-23' })
    assert.equal((await here('POST', '/payins', brebPayin())).status, 201)
  })

  it('are the operator’s to limit: a merchant cannot, and does not see it among his settings', async () => {
    const { here } = await merchantWith({ payoutsPerDay: 1 })
    const wish = { limits: null, payoutsPerDay: 100, payinExpiryMinutes: 60 }
    const { status, text } = await here('PATCH', '/organization', wish)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /limits|perDay/i)
    assert.equal((await pay(here)).status, 201)
    assertProblem(await pay(here), 'PAYOUT_LIMIT_REACHED')
  })
})

describe('quiet hours', () => {
  it('refuse payouts over midnight in Bogotá, by staging’s clock, and say when they end', async () => {
    const { here, there } = await merchantWith({ quietHours: '22-06' })
    assert.equal((await pay(here)).status, 201)
    toHour(22)
    const endsAt = endOfDay(bogotaDay(world.ctx.clock.now())) + 6 * HOUR_MS
    for (const client of [here, there]) {
      const refused = await pay(client)
      assertProblem(refused, 'QUIET_HOURS')
      assert.equal(
        refused.json.detail,
        `This organization pays out nothing from 22:00 until 06:00 in Bogotá: they end at ${isoInstant(endsAt)}.`,
      )
      assert.ok(Math.abs(Number(refused.headers['retry-after']) - 8 * 3_600) < 60)
    }
    toHour(3)
    assertProblem(await pay(there), 'QUIET_HOURS')
    toHour(6)
    assert.equal((await pay(there)).status, 201)
    toHour(12)
  })

  it('let a repeated request have its first answer', async () => {
    const { here } = await merchantWith({ quietHours: '22-06' })
    const key = { 'idempotency-key': 'before-the-night' }
    const first = await pay(here, 100_000, key)
    toHour(23)
    assert.equal((await pay(here, 100_000, key)).text, first.text)
    toHour(12)
  })
})

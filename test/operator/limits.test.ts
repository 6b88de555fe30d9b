// recaudo key update | client update | org limits: what the operator sets is shown and in force; what is wrong changes nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { organizationLimits, updateClient, updateKey } from '../../src/operator/change-limits.ts'
import { createClient, createKey, rollKey, showClients, showKeys } from '../../src/operator/credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../../src/operator/failure.ts'
import { newPayout } from '../api/http/calls.ts'
import { clientOf, createWorld, type World } from '../world.ts'

const LIMITS = {
  'max-per-second': '50',
  'allow-from': '203.0.113.0/24, 2001:db8::1',
  'payouts-per-day': '100',
  'payout-sum-per-day': '500000000',
}
const SHOWN = {
  maxPerSecond: 50,
  allowedAddresses: '203.0.113.0/24,2001:db8::1/128',
  payoutsPerDay: 100,
  payoutSumPerDay: 500_000_000,
}
const UNLIMITED = { maxPerSecond: null, allowedAddresses: null, payoutsPerDay: null, payoutSumPerDay: null }
const WRONG: Record<string, Record<string, string>> = {
  'max-per-second': { 'max-per-second': '0' },
  'max-per-second that is no number': { 'max-per-second': 'many' },
  'max-per-second that is empty': { 'max-per-second': '' },
  'allow-from': { 'allow-from': '203.0.113.0/33' },
  'allow-from of a name': { 'allow-from': '203.0.113.7,office.example' },
  'allow-from of everybody': { 'allow-from': '0.0.0.0/0' },
  'allow-from that is empty': { 'allow-from': '' },
  'allow-from of too many': { 'allow-from': Array.from({ length: 101 }, () => '203.0.113.7').join(',') },
  'payouts-per-day': { 'payouts-per-day': '0' },
  'payout-sum-per-day': { 'payout-sum-per-day': '-5' },
  'payout-sum-per-day beyond numbers': { 'payout-sum-per-day': '9007199254740993' },
}

const usageFailure = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorFailure && error.exitCode === USAGE_EXIT_CODE && pattern.test(error.message)

describe('the limits of a credential', () => {
  let world: World
  let org: string
  before(async () => {
    world = await createWorld()
    org = world.organization.organizationId
  })
  after(() => world[Symbol.asyncDispose]())
  const shownOf = (row: Record<string, unknown> | undefined) =>
    row && Object.fromEntries(Object.keys(SHOWN).map((name) => [name, row[name]]))
  const keyInList = async (apiKeyId: unknown) =>
    shownOf((await showKeys(world.ctx, { org })).find((row) => row.apiKeyId === apiKeyId))
  const clientInList = async (clientId: unknown) =>
    shownOf((await showClients(world.ctx, { org })).find((row) => row.clientId === clientId))

  it('are set when it is made, changed one by one and taken away, and lists show them', async () => {
    const key = await createKey(world.ctx, { org, ...LIMITS })
    assert.deepEqual(shownOf(key), SHOWN)
    assert.deepEqual(await keyInList(key.apiKeyId), SHOWN)
    const client = await createClient(world.ctx, { org, ...LIMITS })
    assert.deepEqual(shownOf(client), SHOWN)
    assert.deepEqual(await clientInList(client.clientId), SHOWN)

    await updateKey(world.ctx, { 'max-per-second': '7' }, key.apiKeyId as string)
    assert.deepEqual(await keyInList(key.apiKeyId), { ...SHOWN, maxPerSecond: 7 })
    await updateClient(world.ctx, { 'payouts-per-day': 'none' }, client.clientId as string)
    assert.deepEqual(await clientInList(client.clientId), { ...SHOWN, payoutsPerDay: null })
    const none = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, 'none']))
    assert.deepEqual(shownOf(await updateKey(world.ctx, none, key.apiKeyId as string)), UNLIMITED)
    assert.deepEqual(shownOf(await updateClient(world.ctx, none, client.clientId as string)), UNLIMITED)
    assert.deepEqual(shownOf(await createKey(world.ctx, { org })), UNLIMITED)
  })

  it('are inherited by the key that replaces it', async () => {
    const key = await createKey(world.ctx, { org, ...LIMITS })
    assert.deepEqual(shownOf(await rollKey(world.ctx, {}, key.apiKeyId as string)), SHOWN)
  })

  for (const [what, flags] of Object.entries(WRONG)) {
    it(`are refused if they are wrong: ${what}; nothing is made or changed`, async () => {
      const [name = ''] = Object.keys(flags)
      const says = usageFailure(new RegExp(`^--${name}`))
      const key = await createKey(world.ctx, { org, ...LIMITS })
      const client = await createClient(world.ctx, { org, ...LIMITS })
      const before = [await showKeys(world.ctx, { org }), await showClients(world.ctx, { org })]
      await assert.rejects(updateKey(world.ctx, { ...flags }, key.apiKeyId as string), says)
      await assert.rejects(updateClient(world.ctx, { ...flags }, client.clientId as string), says)
      await assert.rejects(createKey(world.ctx, { org, ...flags }), says)
      await assert.rejects(createClient(world.ctx, { org, ...flags }), says)
      assert.deepEqual([await showKeys(world.ctx, { org }), await showClients(world.ctx, { org })], before)
    })
  }

  it('need something to change, and a credential that exists', async () => {
    const key = await createKey(world.ctx, { org })
    await assert.rejects(updateKey(world.ctx, {}, key.apiKeyId as string), usageFailure(/Say what to change/))
    await assert.rejects(updateKey(world.ctx, LIMITS, 'none'), /No API key has the id none/)
    await assert.rejects(updateClient(world.ctx, LIMITS, 'none'), /No client has the id none/)
  })

  it('below what is used today are accepted, and said', async () => {
    const { apiKey, apiKeyId } = await world.key(null)
    const client = clientOf(world.baseUrl, { 'x-api-key': apiKey })
    for (const _ of [1, 2]) assert.equal((await client('POST', '/payouts', newPayout())).status, 201)
    const roomy = await updateKey(world.ctx, { 'payouts-per-day': '3' }, apiKeyId)
    assert.deepEqual([roomy.payoutsToday, roomy.payoutSumToday, roomy.note], [2, 200_000, undefined])
    const full = await updateKey(world.ctx, { 'payout-sum-per-day': '150000' }, apiKeyId)
    assert.match(full.note as string, /^Nothing more is paid out until \d{4}-\d\d-\d\dT05:00:00.000Z/)
    assert.equal((await client('POST', '/payouts', newPayout())).json.code, 'PAYOUT_LIMIT_REACHED')
  })
})

describe('recaudo org limits', () => {
  it('shows, sets and takes away what an organization may, and refuses what is wrong', async () => {
    await using world = await createWorld()
    const { ctx } = world
    const limits = async (flags: Record<string, string> = {}) => {
      const { payoutsPerDay, payoutSumPerDay, quietHours } = await organizationLimits(ctx, flags)
      return { payoutsPerDay, payoutSumPerDay, quietHours }
    }
    assert.deepEqual(await limits(), { payoutsPerDay: null, payoutSumPerDay: null, quietHours: null })
    const set = { payoutsPerDay: 10, payoutSumPerDay: 1_000, quietHours: '22-06' }
    assert.deepEqual(
      await limits({ 'payouts-per-day': '10', 'payout-sum-per-day': '1000', 'quiet-hours': '22-6' }),
      set,
    )
    for (const flags of [
      { 'payouts-per-day': '0' },
      { 'payout-sum-per-day': 'x' },
      { 'quiet-hours': '22' },
      { 'quiet-hours': '08-08' },
      { 'quiet-hours': '' },
    ] as Record<string, string>[])
      await assert.rejects(
        limits({ 'payouts-per-day': '99', ...flags }),
        usageFailure(new RegExp(`^--${Object.keys(flags)[0]}`)),
      )
    assert.deepEqual(await limits(), set, 'nothing was changed')
    const other = await world.newMerchant()
    await assert.rejects(organizationLimits(ctx, {}), /say which with --org/)
    const row = await organizationLimits(ctx, { org: other.organization.organizationId })
    assert.equal(row.quietHours, null)
    const { organizationId } = world.organization
    const open = await organizationLimits(ctx, { org: organizationId, 'quiet-hours': 'none' })
    assert.deepEqual([open.quietHours, open.payoutsPerDay, open.payoutsToday], [null, 10, 0])
  })
})

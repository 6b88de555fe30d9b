// recaudo trigger: every event can be triggered, and every document number does what it promises, on either rail and for payouts.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { EVENT_NAMES } from '../../src/api/events/schema.ts'
import { scenarioOf } from '../../src/sandbox/scenarios.ts'
import { createWorldWithWorkers, type WorldWithWorkers } from '../examples/workspace.ts'
import { createConnectedWorld } from '../simulation/connected.ts'
import { createWorld } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'
import { PRODUCTION } from './production.ts'

const DOCUMENTS = ['01', '03', '05', '07', '11', '13', '15', '17'].map((end) => `10000000${end}`)

type Case = readonly [string[], status: string, ...events: string[]]

describe('recaudo trigger', () => {
  let world: WorldWithWorkers
  let merchant: Merchant
  before(async () => {
    world = await createWorldWithWorkers(300)
    merchant = merchantInProcess(world)
  })
  after(async () => {
    await world.stopWorkers()
    merchant[Symbol.dispose]()
    await world.work()
    await world[Symbol.asyncDispose]()
  })

  const holds = async ([args, status, ...events]: Case): Promise<void> => {
    const message = args.join(' ')
    const end = await merchant.run(['trigger', ...args, '--json'])
    assert.equal(end.code, 0, `${message} ${end.stdout} ${end.stderr}`)
    const { object, events: happened, done, did } = end.json
    assert.deepEqual(
      [object.status ?? object.event, happened.map((event: { event: string }) => event.event), done],
      [status, events, true],
      `${message} ${JSON.stringify(did)}`,
    )
    assert.ok(did.length > 0)
  }
  // A few at a time: each is a process.
  const allHold = async (cases: readonly Case[]): Promise<void> => {
    const waiting = [...cases]
    const take = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await holds(next)
    }
    await Promise.all([take(), take(), take()])
  }

  it('covers every event and every document number with a scenario', async () => {
    const { data } = await merchant.json('trigger', '--list')
    const names = data.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      names.toSorted(),
      [...EVENT_NAMES, ...DOCUMENTS.map((number) => `document:${number}`)].toSorted(),
    )
    for (let number = 1_000_000_000; number < 1_000_000_100; number += 1)
      assert.ok(
        scenarioOf(String(number)) === 'confirmed' || DOCUMENTS.includes(String(number)),
        `${number} does something else`,
      )
  })

  it('triggers every event that does not need the clock moved', () =>
    allHold([
      ...['BRE_B', 'PSE'].flatMap((rail): Case[] => [
        [['payin.confirmed', '--rail', rail], 'CONFIRMED', 'payin.confirmed'],
        [['payin.declined', '--rail', rail], 'DECLINED', 'payin.declined'],
        [['payin.canceled', '--rail', rail], 'CANCELED', 'payin.canceled'],
        [['payin.chargeback', '--rail', rail], 'CONFIRMED', 'payin.confirmed', 'payin.chargeback'],
        [['paymentlink.completed', '--rail', rail], 'COMPLETED', 'paymentlink.completed'],
        [['paymentlink.expired', '--rail', rail], 'EXPIRED', 'paymentlink.expired'],
      ]),
      [['payout.confirmed'], 'CONFIRMED', 'payout.confirmed'],
      [['payout.declined'], 'DECLINED', 'payout.declined'],
      [['payout.canceled'], 'CANCELED', 'payout.canceled'],
      [['webhook.test'], 'webhook.test', 'webhook.test'],
    ]))

  it('does what each document number promises', () =>
    allHold([
      ...['BRE_B', 'PSE'].flatMap((rail): Case[] => [
        [['document:1000000001', '--rail', rail], 'CONFIRMED', 'payin.confirmed'],
        [['document:1000000003', '--rail', rail], 'DECLINED', 'payin.declined'],
        [['document:1000000005', '--rail', rail], 'CANCELED', 'payin.canceled'],
        [['document:1000000011', '--rail', rail], 'CONFIRMED', 'payin.confirmed'],
        [['document:1000000013', '--rail', rail], 'DECLINED', 'payin.declined'],
      ]),
      [['document:1000000007'], 'PROCESSING'],
      [['document:1000000001', '--payout'], 'CONFIRMED', 'payout.confirmed'],
      [['document:1000000003', '--payout'], 'DECLINED', 'payout.declined'],
      [['document:1000000005', '--payout'], 'CANCELED', 'payout.canceled'],
      [['document:1000000007', '--payout'], 'PROCESSING'],
      [['document:1000000011', '--payout'], 'CONFIRMED', 'payout.confirmed'],
      [['document:1000000013', '--payout'], 'DECLINED', 'payout.declined'],
      [['document:1000000017', '--payout'], 'CONFIRMED', 'payout.confirmed'],
    ]))

  // One after the other: all share the clock.
  const later: Case[] = [
    [['document:1000000015'], 'CONFIRMED', 'payin.confirmed'],
    [['document:1000000015', '--rail', 'PSE'], 'CONFIRMED', 'payin.confirmed'],
    [['document:1000000015', '--payout'], 'CONFIRMED', 'payout.confirmed'],
    [['document:1000000017'], 'CONFIRMED', 'payin.confirmed', 'payin.chargeback'],
    [['document:1000000017', '--rail', 'PSE'], 'CONFIRMED', 'payin.confirmed', 'payin.chargeback'],
    [['payin.settled'], 'CONFIRMED', 'payin.confirmed', 'payin.settled'],
    [['payin.settled', '--rail', 'PSE'], 'CONFIRMED', 'payin.confirmed', 'payin.settled'],
  ]
  for (const one of later)
    it(`moves the clock where nothing else works: ${one[0].join(' ')}`, () => holds(one))

  it('shows people what it did and the result', async () => {
    const { code, stdout, stderr } = await merchant.run([
      'trigger',
      'payin.confirmed',
      '--amount-in-cents',
      '123456',
    ])
    assert.equal(code, 0, stderr)
    assert.match(
      stderr,
      /^Made payin \S+ over BRE_B, document 1000000007\.\nTold the network how it ends: confirmed\.\npayin\.confirmed, event \d+, \S+$/m,
    )
    assert.match(stdout, /^confirmed +\$ 1\.234,56$/m)
  })

  it('reports what did not arrive in time', async () => {
    await world.stopWorkers()
    const end = await merchant.run(['trigger', 'paymentlink.expired', '--timeout', '1'])
    assert.equal(end.code, 1)
    assert.match(end.stdout, /paymentlink\.expired did not come within 1 s\. Do the workers run\?$/m)
  })

  it('refuses unknown names, and anything but staging before it creates anything', async () => {
    const unknown = await merchant.run(['trigger', 'payin.confirmd'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /There is no scenario "payin\.confirmd"\. Did you mean payin\.confirmed\?/)
    assert.equal((await merchant.run(['trigger'])).code, 2)
    assert.equal((await merchant.run(['trigger', 'document:1000000002'])).code, 2)
    assert.equal((await merchant.run(['trigger', 'payin.confirmed', '--rail', 'SWIFT'])).code, 2)
    await using production = await createWorld({ env: PRODUCTION })
    using live = merchantInProcess(production)
    const end = await live.run(['trigger', 'payin.confirmed'])
    assert.equal(end.code, 1)
    assert.match(end.stderr, /is not staging: only there can events be made to happen\.$/m)
    assert.deepEqual((await production.client('GET', '/payins')).json.data, [])
    const clock = await live.run(['clock', 'advance', '1h'])
    assert.equal(clock.code, 1)
    assert.match(clock.stderr, /No such address.+ Only staging has it\.$/m)
  })
})

describe('recaudo trigger payout.returned', () => {
  it('pays over the simulator of Mono, which returns it; without a connection it makes nothing', async () => {
    await using world = await createConnectedWorld(['mono'])
    using merchant = merchantInProcess(world)
    const alone = await merchant.run(['trigger', 'payout.returned'])
    assert.equal(alone.code, 1)
    assert.match(
      alone.stderr,
      /Only a provider returns a payout, and no enabled connection to Mono pays out\. Connect its simulator: http\S+\/docs\/guides\/connecting-mono$/m,
    )
    const disabled = await world.connect('mono', world.client, { enabled: false })
    assert.equal((await merchant.run(['trigger', 'payout.returned'])).code, 1)
    assert.deepEqual((await world.client('GET', '/payouts')).json.data, [])

    await world.client('PATCH', `/connections/${disabled}`, { enabled: true })
    let isPassing = false
    const passing = setInterval(async () => {
      if (isPassing) return
      isPassing = true
      await world.pass(500).catch(() => {})
      isPassing = false
    }, 50)
    // Next to nothing is at the provider.
    const { depositedInCents } = (await world.client('GET', '/balance')).json
    const all = { amountInCents: depositedInCents - 100, reference: 'all but a peso' }
    const taken = await world.client('POST', `/connections/${disabled}/withdrawals`, all)
    assert.equal(taken.status, 201, taken.text)
    try {
      const { object, events, done } = await merchant.json('trigger', 'payout.returned')
      const { data } = (await world.client('GET', `/connections/${disabled}/deposits`)).json
      assert.equal(data[0].amountInCents, object.amountInCents - 100, 'what was missing, and no more')
      assert.deepEqual(
        [object.status, object.returnedAt !== null, done],
        ['CONFIRMED', true, true],
        JSON.stringify(object),
      )
      assert.deepEqual(
        events.map(({ event }: { event: string }) => event),
        ['payout.confirmed', 'payout.returned'],
      )
    } finally {
      clearInterval(passing)
    }
  })
})

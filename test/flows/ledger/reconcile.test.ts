// The networks' own record against our books: what agrees, what each side has alone, and that nothing is booked twice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter, endOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { brebPayin, CUSTOMER, eventually, psePayin, type World } from '../../world.ts'
import {
  alarms,
  booksAndInbox,
  compareNow,
  endDay,
  findings,
  openDay,
  passTimeSilently,
  passUntil,
  reconcileAll,
  setFaults,
  silentNetworks,
  today,
} from './reconciling.ts'

const NOTHING = {
  NETWORK_ONLY: 0,
  OURS_ONLY: 0,
  AMOUNT_DIFFERS: 0,
  TRACE_DIFFERS: 0,
  DOUBLED: 0,
  OTHER_DAY: 0,
  UNREADABLE: 0,
}

const payout = (changes: object = {}) => ({
  amountInCents: 100_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'salary',
  inlineCustomer: CUSTOMER,
  breb: { keyString: '@ANAGOMEZ' },
  ...changes,
})

async function create(world: World, path: string, body: object): Promise<string> {
  const { status, json, text } = await world.client('POST', path, body)
  assert.equal(status, 201, text)
  return json.id
}

const statusOf = async (world: World, path: string) => (await world.client('GET', path)).json.status

describe('a day on which the network and we agree', () => {
  it('is matched, line by line and peso by peso, and raises nothing', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await create(world, '/payins', brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000013' } }))
    await create(world, '/payins', brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000017' } }))
    await create(world, '/payins', psePayin())
    await create(world, '/payouts', payout())
    await world.passTime(2_000)
    await world.passTime(20_000)
    await world.passTime(2_000)
    const day = await endDay(world)
    const moved = world.sandbox.log().length
    assert.equal(moved, 6, 'three credits, a chargeback, a debit and one credit of PSE')

    const done = await reconcileAll(world.ctx)
    const ofDay = done.filter(({ claim }) => claim.day === day).map(({ result }) => result)
    assert.deepEqual(ofDay, [
      { outcome: 'compared', lines: 5, organizations: 1, matched: 5, found: NOTHING },
      { outcome: 'compared', lines: 1, organizations: 1, matched: 1, found: NOTHING },
    ])
    assert.deepEqual(await alarms(world), [])
    const { rows } = await world.db.query({
      text: `select sum(matched_in)::bigint as in, sum(matched_in_cents)::bigint as in_cents,
                    sum(matched_out)::bigint as out, sum(matched_out_cents)::bigint as out_cents
               from reconciliations where organization_id = $1`,
      values: [world.organization.organizationId],
    })
    const log = world.sandbox.log()
    const cents = (movements: typeof log) => movements.reduce((sum, one) => sum + one.amountInCents, 0n)
    const [credits = [], others = []] = [true, false].map((isCredit) =>
      log.filter(({ movement }) => (movement === 'credit') === isCredit),
    )
    assert.deepEqual(rows, [{ in: 4n, in_cents: cents(credits), out: 2n, out_cents: cents(others) }])
  })

  it('is done once; running it twice changes nothing', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    await setFaults(world, { lineDoubled: 1 })
    const day = await endDay(world)
    assert.ok((await reconcileAll(world.ctx)).length > 0)
    assert.deepEqual(await reconcileAll(world.ctx), [])
    const first = await booksAndInbox(world)
    for (const _ of [1, 2]) await compareNow(world, day)
    assert.deepEqual(await booksAndInbox(world), first)
  })

  it('is compared again three days after it closed, however often it was compared until then', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    const railsComparedNow = async () =>
      (await reconcileAll(world.ctx)).filter(({ claim }) => claim.day === day).map(({ claim }) => claim.rail)
    assert.deepEqual(await railsComparedNow(), ['BRE_B', 'PSE'])
    for (const _ of [1, 2]) await compareNow(world, day)
    await passUntil(world, endOfDay(day) + 72 * HOUR_MS)
    await compareNow(world, day)
    assert.deepEqual(await railsComparedNow(), [])
    await passUntil(world, endOfDay(day) + 73 * HOUR_MS)
    assert.deepEqual(await railsComparedNow(), ['BRE_B', 'PSE'])
    await compareNow(world, day)
    await passUntil(world, endOfDay(day) + 200 * HOUR_MS)
    assert.deepEqual(await railsComparedNow(), [], 'it was compared again, and that is all')
  })

  it('is not missed after an outage, even if yesterday was compared by hand first', async () => {
    await using world = await openDay()
    const first = today(world)
    await create(world, '/payins', brebPayin())
    await endDay(world)
    await endDay(world)
    const yesterday = await endDay(world)
    await compareNow(world, yesterday)
    const done = (await reconcileAll(world.ctx)).filter(({ claim }) => claim.rail === 'BRE_B')
    assert.deepEqual(
      done.map(({ claim }) => claim.day),
      [first, daysAfter(first, 1)],
    )
  })

  it('never includes today, and begins with yesterday where nothing was ever paid', async () => {
    await using world = await openDay()
    const done = await reconcileAll(world.ctx)
    const days = new Set(done.map(({ claim }) => claim.day))
    assert.equal(days.size, 1)
    assert.ok([...days].every((day) => day < today(world)))
  })

  it('begins with the day of the first payment', async () => {
    await using world = await openDay()
    const first = today(world)
    await create(world, '/payins', brebPayin())
    await endDay(world)
    await endDay(world)
    await endDay(world)
    const done = (await reconcileAll(world.ctx)).filter(({ claim }) => claim.rail === 'PSE')
    assert.deepEqual([done.length, done[0]?.claim.day], [3, first])
  })
})

describe('what the network has and we do not', () => {
  it('a payment whose notice was lost confirms its payin, with one alarm', async () => {
    await using world = await openDay()
    await world.db.query({ text: 'update organizations set payin_expiry_minutes = 1440' })
    await setFaults(world, { noticeLost: 1 })
    await passUntil(world, endOfDay(today(world)) - 2 * HOUR_MS)
    const day = today(world)
    const payinId = await create(world, '/payins', brebPayin())
    await passTimeSilently(world, MINUTE_MS)
    assert.equal(world.sandbox.log().length, 1, 'the payer was debited')
    await passTimeSilently(world, 3 * HOUR_MS)
    assert.equal(await statusOf(world, `/payins/${payinId}`), 'PROCESSING')

    const done = await reconcileAll(silentNetworks(world))
    const result = done.find(({ claim }) => claim.day === day && claim.rail === 'BRE_B')?.result
    assert.deepEqual(result?.outcome === 'compared' && result.found, { ...NOTHING, NETWORK_ONLY: 1 })
    await passTimeSilently(world, 0)
    assert.equal(await statusOf(world, `/payins/${payinId}`), 'CONFIRMED')
    assert.equal((await alarms(world)).length, 1)

    const settled = await compareNow(world, day)
    assert.deepEqual([settled.matched, settled.found], [1, NOTHING])
    assert.deepEqual(
      (await findings(world)).map(({ kind, state }) => [kind, state]),
      [['NETWORK_ONLY', 'RESOLVED']],
    )
    assert.equal((await alarms(world)).length, 1, 'a person should know that a notice was lost')
  })

  it('a payout that it paid is confirmed, and a chargeback is booked', async () => {
    await using world = await openDay()
    const payinId = await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    assert.equal(await statusOf(world, `/payins/${payinId}`), 'CONFIRMED')
    await setFaults(world, { noticeLost: 1 })
    const { status } = await world.client('POST', `/sandbox/payins/${payinId}/simulate`, {
      outcome: 'chargeback',
    })
    assert.equal(status, 200)
    const payoutId = await create(world, '/payouts', payout())
    await passTimeSilently(world, 2_000)
    await passTimeSilently(world, endOfDay(today(world)) + HOUR_MS - world.ctx.clock.now())
    assert.equal(await statusOf(world, `/payouts/${payoutId}`), 'PROCESSING')

    await reconcileAll(silentNetworks(world))
    await passTimeSilently(world, 0)
    assert.equal(await statusOf(world, `/payouts/${payoutId}`), 'CONFIRMED')
    assert.equal((await world.client('GET', `/payins/${payinId}`)).json.settlementStatus, 'REVERSED')
    assert.equal((await alarms(world)).length, 2)
  })

  it('a credit that names nobody goes into the inbox, under the organization for it, with an alarm', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineUnknownReference: 1 })
    const { found } = await compareNow(world, day)
    assert.deepEqual(found, { ...NOTHING, NETWORK_ONLY: 1, OURS_ONLY: 1 })
    const { rows } = await world.db.query<{ notice_id: string; network_update: object }>({
      text: `select notice_id, network_update from rail_notices where organization_id = $1`,
      values: [UNATTRIBUTED_ORGANIZATION],
    })
    const [credit] = world.sandbox.log()
    assert.deepEqual(rows, [
      {
        notice_id: `statement:${day}:${credit?.traceId}`,
        network_update: { kind: 'payin.paid', amountInCents: '5000000', paymentId: credit?.traceId },
      },
    ])
    assert.equal((await alarms(world)).length, 2)
  })
})

describe('what we have and the network does not', () => {
  it('is an alarm, which ends when the line comes late; nothing is booked', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await create(world, '/payouts', payout())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineMissing: 1 })
    const { found, lines } = await compareNow(world, day)
    assert.deepEqual([lines, found], [0, { ...NOTHING, OURS_ONLY: 2 }])
    const told = (await alarms(world)).toSorted()
    assert.equal(told.length, 2)
    assert.match(
      told[0] ?? '',
      /^BRE_B on \S+, credit (?!credit )\S+: we have 5000000 cents that the network/,
    )
    await setFaults(world, {})
    const later = await compareNow(world, day)
    assert.deepEqual([later.matched, later.found], [2, NOTHING])
    assert.deepEqual(await alarms(world), [])
    await setFaults(world, { lineMissing: 1 })
    assert.equal((await compareNow(world, day)).found.OURS_ONLY, 2, 'the network took its lines back')
    assert.equal((await alarms(world)).length, 2)
  })

  it('and was booked right before midnight is judged with the next day', async () => {
    await using world = await openDay()
    const day = today(world)
    await passUntil(world, endOfDay(day) - 3 * MINUTE_MS)
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    await endDay(world)
    await setFaults(world, { lineMissing: 1 })
    const before = (await reconcileAll(world.ctx)).filter(({ claim }) => claim.rail === 'BRE_B')
    assert.deepEqual(
      before.map(({ result }) => result.outcome === 'compared' && result.found.OURS_ONLY),
      before.map(() => 0),
    )
    const next = await endDay(world)
    assert.equal((await compareNow(world, next)).found.OURS_ONLY, 1)
  })

  it('but lists in the statement of another day is no finding', async () => {
    await using world = await openDay()
    const day = today(world)
    await passUntil(world, endOfDay(day) - 2 * MINUTE_MS)
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const lastDay = day === today(world) ? await endDay(world) : day
    assert.equal((await compareNow(world, lastDay)).matched, 1)
    const next = await endDay(world)
    assert.deepEqual((await compareNow(world, next)).found, NOTHING)
  })
})

describe('a statement that is wrong', () => {
  const cases = {
    lineOtherAmount: { AMOUNT_DIFFERS: 1 },
    lineDoubled: { DOUBLED: 1 },
    lineOtherDay: { OTHER_DAY: 1 },
    lineUnknownCurrency: { UNREADABLE: 1, OURS_ONLY: 1 },
  } as const
  for (const [fault, expected] of Object.entries(cases))
    it(`${fault}: each is said once, stored, and books nothing`, async () => {
      await using world = await openDay()
      await create(world, '/payins', brebPayin())
      await world.passTime(2_000)
      const day = await endDay(world)
      await setFaults(world, { [fault]: 1 })
      const before = (await booksAndInbox(world)) as { transfers: bigint; notices: bigint }
      const { found, lines } = await compareNow(world, day)
      assert.deepEqual(found, { ...NOTHING, ...expected })
      const after = (await booksAndInbox(world)) as typeof before & { lines: bigint }
      assert.deepEqual([after.transfers, after.notices], [before.transfers, before.notices])
      assert.equal(Number(after.lines), lines)
      assert.equal((await alarms(world)).length, Object.keys(expected).length)
      await compareNow(world, day)
      assert.equal((await alarms(world)).length, Object.keys(expected).length)
      await setFaults(world, {})
      assert.deepEqual((await compareNow(world, day)).found, NOTHING)
      assert.deepEqual(await alarms(world), [])
    })

  it('lines in another order match all the same, over several pages', async () => {
    await using world = await openDay()
    for (const _ of [1, 2, 3, 4, 5]) await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { statementReordered: 1, pageLines: 2 })
    const { matched, found } = await compareNow(world, day)
    assert.deepEqual([matched, found], [5, NOTHING])
  })

  it('a doubled line counts once, even if a page lies between', async () => {
    await using world = await openDay()
    for (const _ of [1, 2]) await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineDoubled: 1, pageLines: 1 })
    const { matched, lines, found } = await compareNow(world, day)
    assert.deepEqual([lines, matched, found], [4, 2, { ...NOTHING, DOUBLED: 2 }])
    assert.deepEqual(
      (await findings(world)).map(({ times }) => times),
      [2, 2],
    )
  })

  it('a line that cannot be read is kept with its text, under the organization it names', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineUnknownCurrency: 1 })
    await compareNow(world, day)
    const { rows } = await world.db.query<{ organization_id: string; raw: string }>({
      text: 'select organization_id, raw from statement_lines where movement is null',
    })
    assert.equal(rows[0]?.organization_id, world.organization.organizationId)
    assert.match(rows[0]?.raw ?? '', /^the currency is unknown: .*"USD"/)
  })
})

describe('a statement that does not come', () => {
  it('is asked for again, after pauses that double, until the day is complete', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { statementLate: 1 })
    const waits: number[] = []
    for (const _ of [1, 2, 3, 4]) {
      await reconcileAll(world.ctx)
      const { rows } = await world.db.query<{ state: string; due_at: number }>({
        text: `select state, due_at from reconciliation_runs where rail = 'BRE_B' and day = $1`,
        values: [day],
      })
      assert.equal(rows[0]?.state, 'LATE')
      waits.push(Math.round(((rows[0]?.due_at as number) - world.ctx.clock.now()) / MINUTE_MS))
      await passUntil(world, rows[0]?.due_at as number)
    }
    assert.deepEqual(waits, [5, 10, 20, 40])
    await setFaults(world, {})
    const done = await reconcileAll(world.ctx)
    const result = done.find(({ claim }) => claim.day === day && claim.rail === 'BRE_B')?.result
    assert.deepEqual(result?.outcome === 'compared' && [result.matched, result.found], [1, NOTHING])
  })

  it('in part is taken up at the page that is missing, and compared only when it is whole', async () => {
    await using world = await openDay()
    for (const _ of [1, 2, 3, 4]) await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { pageCut: 1, pageLines: 3 })
    await reconcileAll(world.ctx)
    const count = async () =>
      (await world.db.query<{ count: bigint }>({ text: 'select count(*) from reconciliations' })).rows[0]
        ?.count
    assert.equal(await count(), 0n)
    await setFaults(world, { pageLines: 3 })
    const { matched, found } = await compareNow(world, day)
    assert.deepEqual([matched, found], [4, NOTHING])
  })
})

describe('several workers', () => {
  it('one does a day; the others find nothing to do', async () => {
    await using world = await openDay()
    await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    await endDay(world)
    const done = (await Promise.all([1, 2, 3, 4].map(() => reconcileAll(world.ctx)))).flat()
    const days = done.map(({ claim }) => `${claim.rail} ${claim.day}`)
    assert.equal(new Set(days).size, days.length)
    assert.ok(done.every(({ result }) => result.outcome === 'compared'))
  })

  it('a worker that lost its lease stores nothing more', async () => {
    await using world = await openDay()
    for (const _ of [1, 2, 3]) await create(world, '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { pageLines: 1 })
    const linesStored = async () =>
      (await world.db.query<{ times: number }>({ text: 'select times from statement_lines' })).rows
    const asked: (string | null)[] = []
    const { BRE_B } = world.ctx.networks.statement
    const slow = {
      ...world.ctx,
      networks: {
        ...world.ctx.networks,
        statement: {
          BRE_B: async (from: number, to: number, cursor: string | null) => {
            asked.push(cursor)
            // While this worker waits for its second page, another takes the day over and ends it.
            if (asked.length === 2) {
              await eventually(linesStored, (lines) => lines.length === 1)
              world.advance(10 * MINUTE_MS)
              await world.sandbox.advance(10 * MINUTE_MS)
              const other = await reconcileAll(world.ctx)
              assert.ok(other.some(({ claim }) => claim.day === day && claim.rail === 'BRE_B'))
            }
            return await (BRE_B as NonNullable<typeof BRE_B>)(from, to, cursor)
          },
        },
      },
    }
    const done = await reconcileAll(slow)
    assert.deepEqual(done.find(({ claim }) => claim.day === day)?.result, { outcome: 'lost' })
    assert.deepEqual(
      (await linesStored()).map(({ times }) => times),
      [1, 1, 1],
    )
  })
})

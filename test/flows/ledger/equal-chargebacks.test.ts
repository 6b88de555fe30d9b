// Chargebacks of one payment, of equal amounts: their lines and bookings have the same key. One line stands for one booking, on
// whichever day either is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Day, endOfDay } from '../../../src/core/bogota-day.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { StatementLine } from '../../../src/core/connections/statement.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { getRun } from '../../../src/store/ledger/statement-runs.ts'
import { brebPayin, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { alarms, compareNow, endDay, findings, lineOf, listing, openDay, passUntil } from './reconciling.ts'

type Paid = {
  world: World
  credit: StatementLine
  // The network notifies us of a chargeback, which is booked at once.
  chargeBack: (chargebackId: string, pesos?: number) => Promise<void>
  // The network's line of a chargeback at this moment.
  line: (pesos?: number) => StatementLine
  compare: (day: Day, ...lines: StatementLine[]) => Promise<unknown>
}

async function paid(): Promise<Paid> {
  const world = await openDay()
  const { json } = await world.client('POST', '/payins', brebPayin())
  await world.passTime(2_000)
  const [entry] = world.sandbox.log()
  const reference = railReference('payin', world.organization.organizationId, json.id)
  return {
    world,
    credit: lineOf(entry),
    chargeBack: async (chargebackId, pesos = 10_000) => {
      const chargeback = { type: 'collection.chargeback', reference, paymentId: entry?.traceId }
      await notify(world, { ...chargeback, amount: `${pesos}.00`, chargebackId })
      await world.work()
    },
    line: (pesos = 10_000) =>
      lineOf(entry, {
        movement: 'chargeback',
        amountInCents: BigInt(pesos) * 100n,
        occurredAt: world.ctx.clock.now(),
      }),
    compare: (day, ...lines) => compareNow(world, day, 'BRE_B', listing(lines)),
  }
}

async function nextMorning(world: World, day: Day): Promise<void> {
  await passUntil(world, endOfDay(day) + 10 * HOUR_MS)
}

const openKinds = async (world: World) =>
  (await findings(world)).filter(({ state }) => state === 'OPEN').map(({ kind }) => kind)

async function chargedBackInCents(world: World): Promise<bigint | undefined> {
  const { rows } = await world.db.query<{ cents: bigint }>({
    text: 'select charged_back_cents as cents from payins',
  })
  return rows[0]?.cents
}

describe('a chargeback of an amount that was charged back before', () => {
  it('and that we have booked and the network does not list is found, although it lists the first', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    const listed = line()
    const first = await endDay(world)
    await compare(first, credit, listed)
    assert.deepEqual(await findings(world), [])
    await nextMorning(world, first)
    await chargeBack('CB-2')
    const second = await endDay(world)
    await compare(second)
    assert.equal(await chargedBackInCents(world), 2_000_000n)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'])
    await compare(first, credit, listed)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'], 'the line of the first is not its line')
    await compare(second)
    assert.equal((await alarms(world)).length, 1)
  })

  it('and whose notice is lost is found, although the day of the first comes days later', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    const one = line()
    const first = await endDay(world)
    await nextMorning(world, first)
    const other = line()
    const second = await endDay(world)
    await compare(second, other)
    await passUntil(world, endOfDay(second) + 4 * DAY_MS)
    // The last comparison of the second day.
    await compare(second, other)
    assert.deepEqual(await openKinds(world), [], 'the only line has the only booking')
    await compare(first, credit, one)
    assert.equal(await chargedBackInCents(world), 1_000_000n)
    assert.deepEqual(await openKinds(world), ['DOUBLED'])
    assert.equal((await alarms(world)).length, 1)
  })

  it('and that is listed once, later, leaves one of two bookings without a line', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    const first = await endDay(world)
    await nextMorning(world, first)
    await chargeBack('CB-2')
    const second = await endDay(world)
    await compare(first, credit)
    await compare(second)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY', 'OURS_ONLY'])
    await nextMorning(world, second)
    const late = line()
    const third = await endDay(world)
    await compare(third, late)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'])
    await compare(first, credit)
    await compare(second)
    await compare(third, late)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'])
    await compare(third, late, { ...late, networkId: credit.networkId })
    assert.ok((await openKinds(world)).includes('DOUBLED'), 'listed twice on one day, which is said')
  })

  it('and two of which are listed on another day, each with its own line, are no finding', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    const early = line()
    const first = await endDay(world)
    await nextMorning(world, first)
    await chargeBack('CB-1')
    const second = await endDay(world)
    await nextMorning(world, second)
    await chargeBack('CB-2')
    const third = await endDay(world)
    await compare(first, credit, early)
    await compare(second, { ...early, occurredAt: endOfDay(second) - HOUR_MS })
    await compare(third)
    assert.deepEqual(await openKinds(world), [])
  })

  it('and that another day lists no more is looked for again on its own day', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    const first = await endDay(world)
    await nextMorning(world, first)
    const late = line()
    const second = await endDay(world)
    await passUntil(world, endOfDay(second) + 5 * DAY_MS)
    await compare(first, credit)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'])
    await compare(second, late)
    assert.deepEqual(await openKinds(world), [])
    await compare(first, credit)
    assert.equal((await getRun(world.db, 'BRE_B', first))?.dueAt, null)
    await compare(second)
    const dueAt = (await getRun(world.db, 'BRE_B', first))?.dueAt
    assert.ok(dueAt && dueAt <= world.ctx.clock.now(), 'it is due again')
    await compare(first, credit)
    assert.deepEqual(await openKinds(world), ['OURS_ONLY'])
  })

  it('and both of which are booked and listed on one day are no finding, unless one more or one less is listed', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    await chargeBack('CB-2')
    const one = line()
    const day = await endDay(world)
    await compare(day, credit, one, one)
    assert.deepEqual(await openKinds(world), [])
    const { json } = await world.client('GET', '/reconciliations')
    assert.deepEqual([json.data[0].matchedOut.count, json.data[0].matchedOut.amountInCents], [2, 2_000_000])
    await compare(day, credit, one, one, one)
    assert.ok((await openKinds(world)).includes('DOUBLED'))
    await compare(day, credit, one)
    assert.ok((await openKinds(world)).includes('AMOUNT_DIFFERS'))
  })

  it('and one of another amount, both booked and listed on one day, are no finding either', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1')
    await chargeBack('CB-2', 15_000)
    const [one, other, wrong] = [line(), line(15_000), line(14_000)]
    const day = await endDay(world)
    await compare(day, credit, one, other)
    assert.deepEqual(await openKinds(world), [])
    await compare(day, credit, one, wrong)
    assert.ok((await openKinds(world)).includes('AMOUNT_DIFFERS'))
  })

  it('and a third, of which is not known which of the listed ones it is, is not booked as a part', async () => {
    const { credit, chargeBack, line, compare, ...opened } = await paid()
    await using world = opened.world
    await chargeBack('CB-1', 5_000)
    await chargeBack('CB-2', 12_000)
    const listed = [line(5_000), line(9_000), line(12_000)]
    const day = await endDay(world)
    await compare(day, credit, ...listed)
    assert.deepEqual((await openKinds(world)).sort(), ['AMOUNT_DIFFERS', 'DOUBLED'])
    assert.equal(await chargedBackInCents(world), 1_700_000n)
  })
})

// Lines that fit our books at first sight only: listed on two days, under another network's name, with two amounts, under
// another id; and the alarms about many of them.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter, endOfDay } from '../../../src/core/bogota-day.ts'
import type { StatementLine } from '../../../src/core/connections/statement.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { FINDING_KINDS, type FindingKind } from '../../../src/core/ledger/reconciliation.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { brebPayin, CUSTOMER, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import {
  alarms,
  compareNow,
  endDay,
  findings,
  lineOf,
  listing,
  openDay,
  passTimeSilently,
  passUntil,
  setFaults,
  today,
} from './reconciling.ts'

const PAYOUT = {
  amountInCents: 100_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'salary',
  inlineCustomer: CUSTOMER,
  breb: { keyString: '@ANAGOMEZ' },
}

async function create(world: World, path: string, body: object): Promise<string> {
  const { status, json, text } = await world.client('POST', path, body)
  assert.equal(status, 201, text)
  return json.id
}

// What was found, without the kinds that were not.
function foundIn({ found }: { found: Readonly<Record<FindingKind, number>> }): Record<string, number> {
  return Object.fromEntries(
    FINDING_KINDS.filter((kind) => found[kind] > 0).map((kind) => [kind, found[kind]]),
  )
}

const statesOf = async (world: World) =>
  (await findings(world)).map(({ kind, state }) => `${kind} ${state}`).sort()

// A payin that was paid and booked today, and the network's line of it. The day ends.
async function paidDay(world: World): Promise<{ day: string; line: StatementLine }> {
  await create(world, '/payins', brebPayin())
  await world.passTime(2_000)
  const line = lineOf(world.sandbox.log()[0])
  return { day: await endDay(world), line }
}

async function matchedInCents(world: World): Promise<bigint | undefined> {
  const { rows } = await world.db.query<{ cents: bigint }>({
    text: 'select sum(matched_in_cents)::bigint as cents from reconciliations',
  })
  return rows[0]?.cents
}

describe('a line that is listed on two days', () => {
  it('and was booked once is doubled, on the later day, with an alarm', async () => {
    await using world = await openDay()
    const { day, line } = await paidDay(world)
    const next = await endDay(world)
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
    const again = { ...line, occurredAt: line.occurredAt + DAY_MS }
    const compareNext = () => compareNow(world, next, 'BRE_B', listing([again]))
    const { matched, found } = await compareNext()
    assert.deepEqual([foundIn({ found }), matched], [{ DOUBLED: 1 }, 0])
    assert.deepEqual(
      (await findings(world)).map(({ times }) => times),
      [2],
    )
    assert.match((await alarms(world)).join(), new RegExp(`^BRE_B on ${next}, .* 2 times, on several days$`))
    assert.equal(await matchedInCents(world), 5_000_000n, 'it matches once')
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {}, 'said once')
    await compareNext()
    assert.equal((await alarms(world)).length, 1)

    await compareNow(world, next, 'BRE_B', listing([]))
    assert.deepEqual(await statesOf(world), ['DOUBLED RESOLVED'])
    assert.deepEqual(await alarms(world), [])
  })

  it('is no longer doubled when the earlier day lists it no more', async () => {
    await using world = await openDay()
    const { day, line } = await paidDay(world)
    const next = await endDay(world)
    await compareNow(world, day, 'BRE_B', listing([line]))
    const again = { ...line, occurredAt: line.occurredAt + DAY_MS }
    await compareNow(world, next, 'BRE_B', listing([again]))
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([]))), {}, 'it is on the next day')
    assert.deepEqual(foundIn(await compareNow(world, next, 'BRE_B', listing([again]))), {})
    assert.deepEqual(await statesOf(world), ['DOUBLED RESOLVED'])
  })

  it('and was booked from the statement of the first, because its notice was lost, is doubled once', async () => {
    await using world = await openDay()
    await setFaults(world, { noticeLost: 1 })
    await passUntil(world, endOfDay(today(world)) - 2 * HOUR_MS)
    const day = today(world)
    await create(world, '/payins', brebPayin())
    await passTimeSilently(world, MINUTE_MS)
    await passTimeSilently(world, 3 * HOUR_MS)
    const line = lineOf(world.sandbox.log()[0])
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), { NETWORK_ONLY: 1 })
    await passTimeSilently(world, HOUR_MS)
    const next = await endDay(world)
    const compareNext = () => compareNow(world, next, 'BRE_B', listing([line]))
    assert.deepEqual(foundIn(await compareNext()), { DOUBLED: 1, OTHER_DAY: 1 })
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
    assert.deepEqual(foundIn(await compareNext()), { DOUBLED: 1, OTHER_DAY: 1 })
    assert.equal(await matchedInCents(world), 5_000_000n, 'it matches once')
  })

  for (const [when, afterMidnightMs] of [
    ['right before midnight', -3 * MINUTE_MS],
    ['late in the evening of the second', 23 * HOUR_MS],
  ] as const)
    it(`and fits the booking of the second, made ${when}, is doubled on the first`, async () => {
      await using world = await openDay()
      const midnight = endOfDay(today(world))
      const [first, second] = [today(world), daysAfter(today(world), 1)]
      await passUntil(world, midnight + afterMidnightMs)
      await create(world, '/payins', brebPayin())
      await world.passTime(2_000)
      const line = lineOf(world.sandbox.log()[0])
      await passUntil(world, midnight + DAY_MS + HOUR_MS)
      const dated = (occurredAt: number) => listing([{ ...line, occurredAt }])
      assert.deepEqual(foundIn(await compareNow(world, second, 'BRE_B', dated(midnight))), {})
      const { matched, found } = await compareNow(world, first, 'BRE_B', dated(midnight - 1))
      assert.deepEqual([foundIn({ found }), matched], [{ DOUBLED: 1 }, 0])
      assert.equal(await matchedInCents(world), 5_000_000n)
    })

  it('and was booked on a third matches on the day that was compared first, and is doubled on the other', async () => {
    await using world = await openDay()
    const [first, second] = [await endDay(world), await endDay(world)]
    const { day, line } = await paidDay(world)
    const at = (days: number) => listing([{ ...line, occurredAt: line.occurredAt - days * DAY_MS }])
    assert.deepEqual(foundIn(await compareNow(world, second, 'BRE_B', at(1))), {}, 'it is the only one')
    for (const _ of ['once', 'again']) {
      assert.deepEqual(foundIn(await compareNow(world, first, 'BRE_B', at(2))), { DOUBLED: 1 })
      assert.deepEqual(foundIn(await compareNow(world, second, 'BRE_B', at(1))), {})
      assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([]))), {})
    }
    assert.equal(await matchedInCents(world), 5_000_000n, 'it matches once')
    await compareNow(world, second, 'BRE_B', listing([]))
    assert.deepEqual(
      foundIn(await compareNow(world, first, 'BRE_B', at(2))),
      {},
      'the second lists it no more',
    )
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([]))), {})
  })

  it('is doubled however many days lie between', async () => {
    await using world = await openDay()
    const { day, line } = await paidDay(world)
    await compareNow(world, day, 'BRE_B', listing([line]))
    await passUntil(world, endOfDay(daysAfter(day, 33)) + HOUR_MS)
    const late = (days: number) => listing([{ ...line, occurredAt: line.occurredAt + days * DAY_MS }])
    assert.deepEqual(foundIn(await compareNow(world, daysAfter(day, 32), 'BRE_B', late(32))), { DOUBLED: 1 })
    assert.deepEqual(foundIn(await compareNow(world, daysAfter(day, 31), 'BRE_B', late(31))), { DOUBLED: 1 })
  })

  it('is two movements if each has a booking: a payment charged back in parts', async () => {
    await using world = await openDay()
    const { day, line } = await paidDay(world)
    const chargeBack = async (amount: string): Promise<StatementLine> => {
      const { reference, networkId: paymentId } = line
      assert.equal(await notify(world, { type: 'collection.chargeback', reference, paymentId, amount }), 200)
      await world.work()
      const amountInCents = BigInt(amount.replace('.', ''))
      return { ...line, movement: 'chargeback', amountInCents, occurredAt: world.ctx.clock.now() }
    }
    const first = await chargeBack('20000.00')
    const next = await endDay(world)
    const second = await endDay(world)
    // Settled by now, so the second part is booked apart from the first. Its notice is late.
    const late = await chargeBack('30000.00')
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
    assert.deepEqual(foundIn(await compareNow(world, next, 'BRE_B', listing([first]))), {})
    const part = listing([{ ...late, occurredAt: endOfDay(second) - HOUR_MS }])
    const { matched, found } = await compareNow(world, second, 'BRE_B', part)
    assert.deepEqual([foundIn({ found }), matched], [{}, 1])
  })

  it('and is a payout is doubled too', async () => {
    await using world = await openDay()
    await create(world, '/payouts', PAYOUT)
    await world.passTime(2_000)
    const line = lineOf(world.sandbox.log()[0])
    const [day, next] = [await endDay(world), await endDay(world)]
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
    const again = { ...line, occurredAt: line.occurredAt + DAY_MS }
    assert.deepEqual(foundIn(await compareNow(world, next, 'BRE_B', listing([again]))), { DOUBLED: 1 })
  })
})

describe('two networks that give the same id and reference', () => {
  it('each is compared with its own bookings', async () => {
    await using world = await openDay()
    const { day, line } = await paidDay(world)
    const comparePse = () => compareNow(world, day, 'PSE', listing([line]))
    assert.deepEqual(foundIn(await comparePse()), { NETWORK_ONLY: 1 })
    assert.deepEqual(foundIn(await comparePse()), { NETWORK_ONLY: 1 }, 'it is still not booked')
    assert.deepEqual(await statesOf(world), ['NETWORK_ONLY OPEN'])
    await world.passTime(2 * HOUR_MS)
    const [item, ...others] = await listSuspense(world.db, true)
    assert.deepEqual(others, [])
    assert.deepEqual([item?.rail, item?.amountInCents], ['PSE', 5_000_000n])
    assert.deepEqual(foundIn(await comparePse()), {})
    assert.deepEqual(await statesOf(world), ['NETWORK_ONLY RESOLVED'])
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
  })
})

describe('a line with two amounts', () => {
  it('of a credit that we do not know: the lower goes to suspense, and the difference is an alarm', async () => {
    await using world = await openDay()
    const day = await endDay(world)
    const credit: StatementLine = {
      movement: 'credit',
      reference: 'NOBODY-1',
      networkId: 'PAY-TWICE',
      amountInCents: 700n,
      occurredAt: endOfDay(day) - 10 * HOUR_MS,
    }
    const compare = () =>
      compareNow(world, day, 'BRE_B', listing([credit, { ...credit, amountInCents: 900n }]))
    assert.deepEqual(foundIn(await compare()), { NETWORK_ONLY: 1, AMOUNT_DIFFERS: 1, DOUBLED: 1 })
    const open = (await alarms(world)).sort().join('\n')
    assert.match(open, /has 700 cents that we do not have/)
    assert.match(open, /has 900 cents, we have nothing/)
    await world.passTime(2 * HOUR_MS)
    assert.deepEqual(
      (await listSuspense(world.db, false)).map((item) => [item.organizationId, item.amountInCents]),
      [[UNATTRIBUTED_ORGANIZATION, 700n]],
    )
    assert.deepEqual(foundIn(await compare()), { AMOUNT_DIFFERS: 1, DOUBLED: 1 })
    const [differs] = (await findings(world)).filter(({ kind }) => kind === 'AMOUNT_DIFFERS')
    assert.deepEqual([differs?.state, differs?.network_cents, differs?.our_cents], ['OPEN', 900n, 700n])
  })

  it('of a payout that we have not confirmed confirms nothing', async () => {
    await using world = await openDay()
    await setFaults(world, { noticeLost: 1 })
    const id = await create(world, '/payouts', PAYOUT)
    await passTimeSilently(world, 2_000)
    const line = lineOf(world.sandbox.log()[0])
    const day = today(world)
    await passTimeSilently(world, endOfDay(day) + HOUR_MS - world.ctx.clock.now())
    const other = { ...line, amountInCents: line.amountInCents + 100n }
    const compared = await compareNow(world, day, 'BRE_B', listing([line, other]))
    assert.deepEqual(foundIn(compared), { AMOUNT_DIFFERS: 1, DOUBLED: 1 })
    await passTimeSilently(world, 0)
    assert.equal((await world.client('GET', `/payouts/${id}`)).json.status, 'PROCESSING')
  })
})

describe('a payout that is listed under another end-to-end id', () => {
  const OTHER = { networkId: 'E2E-OF-ANOTHER' }

  async function paidOut(world: World): Promise<{ day: string; line: StatementLine }> {
    await create(world, '/payouts', PAYOUT)
    await world.passTime(2_000)
    return { day: await endDay(world), line: lineOf(world.sandbox.log()[0]) }
  }

  it('is a finding with an alarm that names both, until the network corrects it', async () => {
    await using world = await openDay()
    const { day, line } = await paidOut(world)
    const wrong = listing([{ ...line, ...OTHER }])
    const { matched, found } = await compareNow(world, day, 'BRE_B', wrong)
    assert.deepEqual([foundIn({ found }), matched], [{ TRACE_DIFFERS: 1 }, 1])
    const [alarm = ''] = await alarms(world)
    assert.ok(alarm.includes(OTHER.networkId) && alarm.includes(line.networkId), alarm)
    const [finding] = await findings(world)
    assert.deepEqual(
      [finding?.movement, finding?.network_cents, finding?.our_cents],
      ['debit', 100_000n, 100_000n],
    )
    const { json } = await world.client('GET', `/reconciliations?day=${day}&rail=BRE_B`)
    assert.deepEqual(json.data[0].traceDiffers, { count: 1, amountInCents: 100_000 })
    const { json: shown } = await world.client('GET', `/reconciliations/${json.data[0].id}`)
    assert.deepEqual(
      [shown.findings[0].kind, shown.findings[0].networkId, shown.findings[0].networkReference],
      ['TRACE_DIFFERS', OTHER.networkId, line.reference],
    )
    await compareNow(world, day, 'BRE_B', wrong)
    assert.equal((await alarms(world)).length, 1)
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([line]))), {})
    assert.deepEqual([await statesOf(world), await alarms(world)], [['TRACE_DIFFERS RESOLVED'], []])
  })

  it('beside its own id is listed twice, and once under another', async () => {
    await using world = await openDay()
    const { day, line } = await paidOut(world)
    for (const networkId of ['!before', '~after']) {
      const compared = await compareNow(world, day, 'BRE_B', listing([line, { ...line, networkId }]))
      assert.deepEqual(foundIn(compared), { TRACE_DIFFERS: 1, DOUBLED: 1 })
      const { rows } = await world.db.query<{ network_id: string }>({
        text: `select network_id from reconciliation_findings where kind = 'TRACE_DIFFERS'`,
      })
      assert.deepEqual(rows, [{ network_id: networkId }])
    }
  })

  it('is none if we were never told its id', async () => {
    await using world = await openDay()
    const { day, line } = await paidOut(world)
    await world.db.query({ text: 'update payouts set trace_id = null' })
    assert.deepEqual(foundIn(await compareNow(world, day, 'BRE_B', listing([{ ...line, ...OTHER }]))), {})
  })
})

describe('more findings of a kind than alarms', () => {
  it('share one, which ends when the last of them is resolved', async () => {
    await using world = await openDay()
    const day = await endDay(world)
    const numbered = Array.from({ length: 103 }, (_, index) => String(1_000 + index))
    const compare = (left: readonly string[]) =>
      compareNow(
        world,
        day,
        'BRE_B',
        listing(
          [],
          left.map((raw) => ({ reference: '', raw, why: 'nobody can read it' })),
        ),
      )
    const shared = async () => (await alarms(world)).filter((detail) => /more findings/.test(detail))
    await compare(numbered)
    assert.equal((await alarms(world)).length, 101)
    assert.match((await shared()).join(), /: 3 more findings of kind UNREADABLE/)
    await compare(numbered.slice(100))
    assert.deepEqual([(await alarms(world)).length, (await shared()).length], [1, 1], 'the three are there')
    await compare(numbered.slice(102))
    assert.equal((await shared()).length, 1, 'one of the three is there')
    await compare([])
    assert.deepEqual(await alarms(world), [])
  })
})

// The close of a day: equal to the ledger to the cent, frozen, and followed by whatever is learned later.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter, endOfDay } from '../../../src/core/bogota-day.ts'
import { firstIdAt } from '../../../src/core/ids.ts'
import { transfer } from '../../../src/core/ledger/bookings.ts'
import { HELD_ACCOUNTS } from '../../../src/core/ledger/close-columns.ts'
import {
  CLOSES_AFTER_MS,
  closeDigest,
  heldInCents,
  WRITES_END_WITHIN_MS,
} from '../../../src/core/ledger/daily-close.ts'
import { closeNextDue } from '../../../src/flows/ledger/close-days.ts'
import { readDays } from '../../../src/flows/ledger/read-days.ts'
import { verifyCloses } from '../../../src/flows/ledger/verify-closes.ts'
import { changeCharges } from '../../../src/flows/organizations/change-charges.ts'
import { balancesBefore } from '../../../src/store/ledger/balance-at.ts'
import { getClosingMark, passDay } from '../../../src/store/ledger/closing-marks.ts'
import { closesBetween } from '../../../src/store/ledger/daily-closes.ts'
import { postTransfers, readBalances } from '../../../src/store/ledger/transfers.ts'
import { restBetweenParts } from '../../../src/workers/daily-closes.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import { closeAllDue, closeToday, today } from './closing.ts'

const rest = async (): Promise<void> => {}

describe('the close of a day', () => {
  let world: World
  let organizationId: string
  before(async () => {
    world = await createWorld()
    organizationId = world.organization.organizationId
  })
  after(() => world[Symbol.asyncDispose]())

  const paid = async (amountInCents: number): Promise<string> => {
    const { json } = await world.client('POST', '/payins', brebPayin({ amountInCents }))
    await world.passTime(5_000)
    return json.id
  }
  const book = (amountInCents: bigint, transferId: string) =>
    world.db.inTransaction((tx) =>
      postTransfers(
        tx,
        [
          transfer('money in suspense', 'PSE', {
            organizationId,
            transferId,
            subjectId: transferId,
            amountInCents,
          }),
        ],
        0,
      ),
    )

  it('equals the ledger to the cent, and the next day opens with it', async () => {
    await paid(5_000_000)
    await paid(123_457)
    const day = await closeToday(world)
    const [closed, next] = await readDays(world.ctx, organizationId, day, daysAfter(day, 1))
    assert.ok(closed !== undefined && next !== undefined)
    const balances = await readBalances(world.db, organizationId)
    assert.equal(closed.state, 'CLOSED')
    assert.deepEqual(closed.figures.closing, balances)
    assert.equal(closed.figures.columns.confirmed.amountInCents, 5_123_457n)
    assert.equal(closed.figures.columns.confirmed.movements, 2)
    assert.equal(
      heldInCents(closed.figures.closing),
      HELD_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0n),
    )
    assert.equal(next.state, 'OPEN')
    assert.deepEqual(next.figures.opening, closed.figures.closing)
  })

  it('is proven by its own digest and by that of the close before it', async () => {
    await paid(100)
    const first = await closeToday(world)
    await paid(200)
    const second = await closeToday(world)
    const proofs = (await readDays(world.ctx, organizationId, first, second)).map(({ proof }) => proof)
    assert.match(proofs[0]?.digest ?? '', /^[0-9a-f]{64}$/)
    assert.equal(proofs.at(-1)?.previousDigest, proofs[0]?.digest)
    assert.notEqual(proofs.at(-1)?.digest, proofs[0]?.digest)
  })

  it('that is not over is neither closed nor told of, and the answer says which day it is', async () => {
    const day = today(world)
    const { json: early } = await world.client('POST', `/reports/days/${day}/close`)
    assert.deepEqual([early.code, early.detail.startsWith(`${day} ends at midnight`)], ['DAY_NOT_OVER', true])
    const { json: future } = await world.client('GET', `/reports/days/${daysAfter(day, 1)}`)
    assert.match(JSON.stringify(future), new RegExp(`is in the future: today is ${day} in Bogotá`))
  })

  it('is not closed before its time, and not summed while something may still be written', async () => {
    await paid(1_000)
    const day = today(world)
    await world.passTime(endOfDay(day) + CLOSES_AFTER_MS - 60_000 - world.ctx.clock.now())
    assert.equal(await closeNextDue(world.ctx, rest), null)
    await world.passTime(60_000)
    assert.deepEqual(await closeAllDue(world), [])
    assert.equal((await readDays(world.ctx, organizationId, day, day))[0]?.state, 'CLOSING')
    await world.passTime(WRITES_END_WITHIN_MS - 30_000)
    assert.deepEqual(await closeAllDue(world), [])
    await world.passTime(30_000)
    const [closed] = await closeAllDue(world)
    assert.equal(closed?.day, day)
  })

  it('what comes late is booked in the first moment of the open day, and the closed day stays as it was', async () => {
    const day = await closeToday(world)
    const last = (await closesBetween(world.db, organizationId, '1970-01-01', day)).at(-1)
    const late = firstIdAt(endOfDay(day) - 5_000).replace('-0000-0000-', '-7abc-8def-')
    await book(777n, late)
    const stored = await world.db.query<{ transfer_id: string; created_at: number }>({
      text: 'select transfer_id, created_at from ledger_transfers where organization_id = $1 and subject_id = $2',
      values: [organizationId, late],
    })
    const mark = await getClosingMark(world.db, organizationId)
    assert.equal(stored.rows[0]?.created_at, mark?.openFrom)
    assert.equal(stored.rows[0]?.transfer_id.slice(0, 13), firstIdAt(mark?.openFrom as number).slice(0, 13))
    assert.equal(stored.rows[0]?.transfer_id.slice(13), late.slice(13))
    assert.deepEqual((await closesBetween(world.db, organizationId, '1970-01-01', day)).at(-1), last)
    const [open] = await readDays(world.ctx, organizationId, today(world), today(world))
    assert.equal(open?.figures.columns.suspenseIn.amountInCents, 777n)
    // Money in suspense without an item would not be proven.
    await world.db.inTransaction((tx) =>
      postTransfers(
        tx,
        [
          transfer('suspense returned', 'PSE', {
            organizationId,
            transferId: world.ctx.ids.next(),
            subjectId: late,
            amountInCents: 777n,
          }),
        ],
        0,
      ),
    )
  })

  it('days without a movement are closed with the balance of the day before', async () => {
    await closeToday(world)
    const quiet = today(world)
    await world.passTime(3 * 86_400_000)
    await closeAllDue(world)
    await world.passTime(WRITES_END_WITHIN_MS)
    await closeAllDue(world)
    const days = await readDays(world.ctx, organizationId, daysAfter(quiet, -1), daysAfter(quiet, 2))
    assert.deepEqual(
      days.map(({ state }) => state),
      ['CLOSED', 'CLOSED', 'CLOSED', 'CLOSED'],
    )
    assert.deepEqual(days[2]?.figures.closing, days[0]?.figures.closing)
    assert.equal(days[2]?.figures.movements, 0)
    assert.equal(days[2]?.proof, null)
  })

  it('two workers close a day once, with the same figures', async () => {
    await paid(2_000)
    const day = today(world)
    await world.passTime(endOfDay(day) + CLOSES_AFTER_MS - world.ctx.clock.now())
    await closeAllDue(world)
    await world.passTime(WRITES_END_WITHIN_MS)
    await Promise.all([closeAllDue(world), closeAllDue(world), closeAllDue(world)])
    const closes = await closesBetween(world.db, organizationId, day, day)
    assert.equal(closes.length, 1)
    const proof = await verifyCloses(world.ctx, organizationId, day, rest)
    const all = await closesBetween(world.db, organizationId, '2000-01-01', day)
    assert.deepEqual([proof.problem, proof.days], [null, all.length])
  })

  it('whoever comes late to a day that is passed changes nothing', async () => {
    const mark = await getClosingMark(world.db, organizationId)
    assert.ok(mark !== undefined)
    const earlier = daysAfter(mark.nextDay, -1)
    assert.equal(await passDay(world.db, organizationId, earlier, earlier, 0), false)
    assert.deepEqual(await getClosingMark(world.db, organizationId), mark)
  })

  it('is found out when a transfer, a figure or a close was changed', async () => {
    await paid(3_000)
    const day = await closeToday(world)
    const problem = async () => (await verifyCloses(world.ctx, organizationId, day, rest)).problem
    const change = async (text: string, back: string, found: RegExp) => {
      await world.db.query({ text, values: [organizationId, day] })
      assert.match((await problem())?.detail ?? '', found)
      await world.db.query({ text: back, values: [organizationId, day] })
      assert.equal(await problem(), null)
    }
    assert.equal(await problem(), null)
    const newest = `(select max(transfer_id::text)::uuid from ledger_transfers
                      where organization_id = $1 and created_at < $2::date + interval '29 hours')`
    const ofNewest = (changed: string) =>
      `update ledger_transfers set ${changed} where organization_id = $1 and transfer_id = ${newest}`
    for (const [changed, back] of [
      ['amount_cents = amount_cents + 1', 'amount_cents = amount_cents - 1'],
      ["created_at = created_at - interval '1 ms'", "created_at = created_at + interval '1 ms'"],
      ["part = part || 'x'", 'part = left(part, -1)'],
      ["booking = booking || 'x'", 'booking = left(booking, -1)'],
      ["debit_account = debit_account || 'x'", 'debit_account = left(debit_account, -1)'],
      ["credit_account = credit_account || 'x'", 'credit_account = left(credit_account, -1)'],
    ] as const)
      await change(ofNewest(changed), ofNewest(back), /transfers of the day/)
    await change(
      `update daily_closes set figures = replace(figures::text, '"movements"', '"movements" ')::json where organization_id = $1 and day = $2`,
      `update daily_closes set figures = replace(figures::text, '"movements" ', '"movements"')::json where organization_id = $1 and day = $2`,
      /figures/,
    )
    await change(
      `update daily_closes set previous_digest = null where organization_id = $1 and day = $2`,
      `update daily_closes c set previous_digest = (select digest from daily_closes p where p.organization_id = $1 and p.day < $2 order by day desc limit 1)
        where organization_id = $1 and day = $2`,
      /does not follow/,
    )
    // Whoever knows how a close is digested writes a digest that fits, and the ledger says otherwise.
    const [written] = await closesBetween(world.db, organizationId, day, day)
    assert.ok(written !== undefined)
    const figures = written.figuresText.replace(
      /"movements":(\d+)/,
      (_, count) => `"movements":${Number(count) + 1}`,
    )
    assert.notEqual(figures, written.figuresText)
    const forged = closeDigest({ organizationId, day, previousDigest: written.previousDigest, figures })
    const write = (text: string, digest: Buffer) =>
      world.db.query({
        text: 'update daily_closes set figures = $3, digest = $4 where organization_id = $1 and day = $2',
        values: [organizationId, day, text, digest],
      })
    await write(figures, forged)
    assert.match((await problem())?.detail ?? '', /those of the ledger/)
    await write(written.figuresText, written.digest)
    assert.equal(await problem(), null)
  })

  it('a fee with its IVA is booked when the payin is settled, in columns of their own', async () => {
    const charges = {
      payoutFees: {},
      fees: { BRE_B: { fixedInCents: 50_000n, basisPoints: 100, taxBasisPoints: 1_900 } },
      withholdings: [{ rail: 'BRE_B' as const, from: '2020-01-01', basisPoints: 150 }],
    }
    // Until then nothing waits for its settlement any more.
    await world.passTime(3 * 86_400_000)
    await changeCharges(world.ctx, organizationId, () => charges)
    const before = await readBalances(world.db, organizationId)
    const payinId = await paid(10_000_000)
    assert.equal((await readBalances(world.db, organizationId)).FEES, before.FEES)
    await world.passTime(3 * 86_400_000)
    const { json } = await world.client('GET', `/payins/${payinId}`)
    assert.equal(json.settlementStatus, 'SETTLED')
    const settled = await readBalances(world.db, organizationId)
    assert.equal(settled.FEES - before.FEES, 150_000n + 28_500n)
    assert.equal(settled.WITHHELD - before.WITHHELD, 150_000n)
    const day = await closeToday(world)
    const closes = await closesBetween(world.db, organizationId, daysAfter(day, -4), day)
    const { columns } = closes.at(-1)?.figures ?? assert.fail()
    assert.equal(columns.fees.amountInCents, 150_000n)
    assert.equal(columns.feeTax.amountInCents, 28_500n)
    assert.equal(columns.withheld.amountInCents, 150_000n)
    await changeCharges(world.ctx, organizationId, () => ({ fees: {}, payoutFees: {}, withholdings: [] }))
  })

  it('leaves the database seven tenths of the time, and two seconds after a part at most', async () => {
    const restAfterPart = restBetweenParts()
    const startedAt = performance.now()
    while (performance.now() - startedAt < 10) {}
    const tookMs = performance.now() - startedAt
    await restAfterPart()
    const restedMs = performance.now() - startedAt - tookMs
    // A timer may come a little early.
    assert.ok(restedMs >= Math.min(2_000, (tookMs * 7) / 3) - 2, `${restedMs} ms after ${tookMs} ms`)
  })

  it('a balance of the past is what the ledger had then', async () => {
    const before = await readBalances(world.db, organizationId)
    const then = firstIdAt(world.ctx.clock.now() + 1)
    await world.passTime(1_000)
    await paid(4_000)
    assert.deepEqual(await balancesBefore(world.db, organizationId, then), before)
    await closeToday(world)
    assert.deepEqual(await balancesBefore(world.db, organizationId, then), before)
  })
})

// The networks' own record, as the wire gives it: everything in their log, page by page, and each way in which it can be wrong.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FaultPlan } from '../../src/sandbox/faults.ts'
import { collection, DELAY_MS, type Harness, START, session, startHarness, transfer } from './harness.ts'

const FROM = '2026-03-02T05:00:00.000Z'
const TO = '2026-03-03T05:00:00.000Z'
const DAY = `from=${FROM}&to=${TO}`

async function afterPayments(): Promise<Harness> {
  const harness = await startHarness()
  await harness.breb('PUT', '/collections/P1', collection())
  await harness.breb('PUT', '/transfers/O1', transfer())
  await harness.pse('PUT', '/sessions/S1', session())
  await harness.sandbox.advance(DELAY_MS)
  await harness.sandbox.advance(24 * 3_600_000)
  return harness
}

const faults = (harness: Harness, plan: Partial<FaultPlan>) =>
  harness.control('PUT', '/faults', { seed: 7, plan })
const statement = async (harness: Harness, network: 'breb' | 'pse', query = '') =>
  (await harness[network]('GET', `/statements?${DAY}${query}`)).json

describe('a statement', () => {
  it('has everything that moved that day, once, and nothing of another network or day', async () => {
    await using harness = await afterPayments()
    const breb = await statement(harness, 'breb')
    assert.equal(breb.count, 2)
    const [credit, debit] = breb.entries
    assert.deepEqual([credit.type, credit.reference, credit.endToEndId], ['CREDIT', 'P1', null])
    assert.deepEqual([debit.type, debit.reference, debit.paymentId], ['DEBIT', 'O1', null])
    assert.equal(credit.occurredAt, new Date(START + DELAY_MS).toISOString())
    assert.deepEqual([breb.nextCursor, breb.complete], [null, true])
    const pse = await statement(harness, 'pse')
    assert.deepEqual([pse.count, pse.entries[0].reference], [1, 'S1'])
    const next = `/statements?from=${TO}&to=2026-03-04T05:00:00.000Z`
    const { json } = await harness.breb('GET', next)
    assert.deepEqual(json, { count: 0, entries: [], nextCursor: null, complete: false })
  })

  it('comes page by page', async () => {
    await using harness = await afterPayments()
    const first = await statement(harness, 'breb', '&limit=1')
    const second = await statement(harness, 'breb', `&limit=1&cursor=${first.nextCursor}`)
    assert.deepEqual([first.entries[0].reference, second.entries[0].reference], ['P1', 'O1'])
    assert.equal(second.nextCursor, null)
  })

  it('refuses times and cursors that are none', async () => {
    await using harness = await startHarness()
    for (const query of ['', `from=${FROM}`, `from=${TO}&to=${FROM}`, `${DAY}&cursor=x`, `${DAY}&limit=0`])
      assert.equal((await harness.breb('GET', `/statements?${query}`)).status, 400, query)
  })

  it('is late, cut, short, doubled, mixed up or wrong, as the plan says', async () => {
    await using harness = await afterPayments()
    const whole = await statement(harness, 'breb')
    const under = async (plan: Partial<FaultPlan>) => {
      await faults(harness, plan)
      return await statement(harness, 'breb')
    }
    assert.equal((await under({ statementLate: 1 })).complete, false)
    assert.deepEqual((await under({ lineMissing: 1 })).entries, [])
    assert.equal((await under({ lineDoubled: 1 })).count, 4)
    const cut = await under({ pageCut: 1 })
    assert.deepEqual([cut.count, cut.entries.length], [2, 1])
    const otherAmount = await under({ lineOtherAmount: 1 })
    assert.notEqual(otherAmount.entries[0].amount, whole.entries[0].amount)
    const otherDay = await under({ lineOtherDay: 1 })
    assert.equal(otherDay.entries[0].occurredAt.slice(0, 10), '2026-03-01')
    assert.match((await under({ lineUnknownReference: 1 })).entries[0].reference, /^UNKNOWN-/)
    assert.equal((await under({ lineUnknownCurrency: 1 })).entries[0].currency, 'USD')
    const mixed = await under({ statementReordered: 1 })
    assert.deepEqual(
      mixed.entries.map(({ type }: { type: string }) => type).sort(),
      whole.entries.map(({ type }: { type: string }) => type).sort(),
    )
    assert.equal((await under({ pageLines: 1 })).count, 1)
    assert.deepEqual(await under({}), whole)
  })
})

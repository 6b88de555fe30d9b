// GET /reconciliations: a merchant sees each of its days, what was found in it, and nothing of anybody else.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareNow, endDay, openDay, setFaults } from '../../flows/ledger/reconciling.ts'
import { insertReconciledDay } from '../../reconciled-day.ts'
import { brebPayin, createWorld } from '../../world.ts'

describe('GET /reconciliations', () => {
  it('shows a day with what was counted, and its findings', async () => {
    await using world = await openDay()
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await world.client('POST', '/payins', brebPayin())
    await world.passTime(2_000)
    const day = await endDay(world)
    await setFaults(world, { lineDoubled: 1 })
    await compareNow(world, day)
    const { json: list } = await world.client('GET', `/reconciliations?rail=BRE_B&day=${day}`)
    const [one] = list.data
    assert.deepEqual(
      [one.day, one.rail, one.run, one.matchedIn, one.doubled.count, one.openFindings],
      [day, 'BRE_B', 1, { count: 2, amountInCents: 10_000_000 }, 2, 2],
    )
    const { json: first } = await world.client('GET', `/reconciliations/${one.id}?pageSize=1`)
    const next = `/reconciliations/${one.id}?pageSize=1&cursor=${first.pageInfo.nextCursor}`
    const { json: second } = await world.client('GET', next)
    const findings = [...first.findings, ...second.findings]
    assert.equal(second.pageInfo.hasNext, false)
    assert.ok(findings.some(({ subjectId }) => subjectId === payin.id))
    for (const finding of findings) {
      const { kind, state, movement, networkAmountInCents, bookedAmountInCents, times } = finding
      assert.deepEqual(
        [kind, state, movement, networkAmountInCents, bookedAmountInCents, times],
        ['DOUBLED', 'OPEN', 'credit', 5_000_000, 5_000_000, 2],
      )
    }
    await setFaults(world, {})
    await compareNow(world, day)
    const { json: again } = await world.client('GET', `/reconciliations/${one.id}`)
    assert.deepEqual([again.id, again.run, again.openFindings, again.doubled.count], [one.id, 2, 0, 0])
    assert.deepEqual(
      findings.map(({ resolvedAt }) => resolvedAt),
      [null, null],
    )
    type Resolved = { state: string; createdAt: string; resolvedAt: string }
    assert.deepEqual(
      again.findings.map((one: Resolved) => [one.state, one.resolvedAt >= one.createdAt]),
      [
        ['RESOLVED', true],
        ['RESOLVED', true],
      ],
    )
  })

  it('takes ledger:read, refuses a day that is none, and hides what is another’s', async () => {
    await using world = await createWorld()
    const id = await insertReconciledDay(world)
    const { client: withoutScope } = await world.key(['payins:read'])
    assert.equal((await withoutScope('GET', '/reconciliations')).status, 403)
    for (const day of ['2026-02-30', 'today', '0000-01-01', '2026-11-14T00:00:00Z'])
      assert.equal((await world.client('GET', `/reconciliations?day=${day}`)).status, 400, day)
    const stranger = await world.newMerchant()
    assert.deepEqual((await stranger.client('GET', '/reconciliations')).json.data, [])
    assert.equal((await stranger.client('GET', `/reconciliations/${id}`)).status, 404)
    assert.equal((await world.client('GET', '/reconciliations/none')).status, 404)
  })
})

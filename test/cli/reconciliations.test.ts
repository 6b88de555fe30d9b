// recaudo reconciliations: what agreed with a network's record of a day, and each kind of what did not.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FINDING_KINDS } from '../../src/core/ledger/reconciliation.ts'
import { type OrganizationTotals, writeReconciliations } from '../../src/store/ledger/reconciliations.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

const DAY = '2026-11-14'
const tally = (count: number) => ({ count, amountInCents: BigInt(count) * 100_000n })

describe('recaudo reconciliations', () => {
  let world: World
  let merchant: Merchant
  let reconciliationId: string
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    reconciliationId = world.ctx.ids.next()
    const { organizationId } = world.organization
    const found = FINDING_KINDS.map((kind, index) => [kind, tally(index + 3)])
    const totals = {
      organizationId,
      reconciliationId,
      matchedIn: tally(1),
      matchedOut: tally(2),
      found: Object.fromEntries(found) as OrganizationTotals['found'],
    }
    const now = world.ctx.clock.now()
    await writeReconciliations(world.db, { rail: 'PSE', day: DAY, run: 1, from: 0, to: 0 }, [totals], now)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('lists each day with what came in and what went out, by rail and day', async () => {
    const { stdout } = await merchant.run(['reconciliations', 'list', '--rail', 'PSE', '--day', DAY])
    const sums = '1 +\\$ 1\\.000,00 +2 +\\$ 2\\.000,00 +0 +\\S+Z'
    assert.match(stdout, new RegExp(`^${reconciliationId} +${DAY} +PSE +${sums}$`, 'm'))
    for (const filter of [
      ['--rail', 'BRE_B'],
      ['--day', '2026-11-13'],
    ])
      assert.deepEqual((await merchant.json('reconciliations', 'list', ...filter)).data, [])
  })

  it('shows each kind of difference under its own name', async () => {
    const { stdout } = await merchant.run(['reconciliations', 'get', reconciliationId])
    const names = [
      'matched in',
      'matched out',
      'only the network',
      'only the books',
      'other amount',
      'other end-to-end id',
      'listed twice',
      'other day',
      'unreadable',
    ]
    for (const [index, name] of names.entries())
      assert.match(stdout, new RegExp(`^${name} +${index + 1}, \\$ ${index + 1}\\.000,00$`, 'm'))
  })
})

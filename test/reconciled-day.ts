// A day that was compared, for tests that only need one to look at.

import { FINDING_KINDS } from '../src/core/ledger/reconciliation.ts'
import type { OrganizationTotals } from '../src/store/ledger/reconciliations.ts'
import { reconciliationList, writeReconciliations } from '../src/store/ledger/reconciliations.ts'
import type { World } from './world.ts'

export async function insertReconciledDay(
  world: World,
  day = '2026-11-14',
  organizationId = world.organization.organizationId,
): Promise<string> {
  const none = { count: 0, amountInCents: 0n }
  const found = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, none])) as OrganizationTotals['found']
  const matchedIn = { count: 1, amountInCents: 5_000_000n }
  const totals = {
    organizationId,
    matchedIn,
    matchedOut: none,
    found,
    reconciliationId: world.ctx.ids.next(),
  }
  const now = world.ctx.clock.now()
  await writeReconciliations(world.db, { rail: 'PSE', day, run: 1, from: 0, to: 0 }, [totals], now)
  const list = reconciliationList(world.db, organizationId, { rail: 'PSE', day })
  const [row] = await list.seek({ direction: 'older', from: null }, 1)
  if (row === undefined) throw new Error('the day was not written')
  return row.reconciliationId
}

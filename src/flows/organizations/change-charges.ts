// The operator changes what an organization's payments cost. It holds for payins that are settled and payouts that are made from then on;
// what was charged or agreed stays.

import type { Charges } from '../../core/ledger/charges.ts'
import { lockOrganization, updateCharges } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

export async function changeCharges(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>,
  organizationId: string,
  changed: (before: Charges) => Charges,
): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId)
    if (organization === undefined) throw new Error('an organization that was just read is not there')
    const before = organization.charges
    const after = changed(before)
    await updateCharges(tx, organizationId, after)
    const act = { act: 'organization.charges', before, after } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: organizationId })
  })
  ctx.signals.workAdded('settings', organizationId)
}

// A merchant changes its settings. The row is locked, so concurrent changes to different fields do not undo each other.

import { distinctEmails } from '../../core/contact.ts'
import type { Organization, OrganizationSettings } from '../../core/organizations/organization.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockOrganization, updateOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

export async function changeOrganization(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>,
  organizationId: string,
  changes: Partial<OrganizationSettings>,
): Promise<Organization | Refusal> {
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId)
    if (organization === undefined) return refuse('NOT_FOUND', 'The organization no longer exists.')
    const merged = { ...organization, ...changes, updatedAt: ctx.clock.now() }
    const changed = { ...merged, alarmEmails: distinctEmails(merged.alarmEmails) }
    await updateOrganization(tx, changed)
    const act = { act: 'organization.change', before: organization, after: changed } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: organizationId })
    return changed
  })
  // Committed: whoever keeps the old settings in memory drops them before we answer.
  ctx.signals.workAdded('settings', organizationId)
  return outcome
}

// A new merchant. In staging it starts with money, so that payouts work at once.

import { bogotaDay, startOfDay } from '../../core/bogota-day.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { closesAt } from '../../core/ledger/daily-close.ts'
import { newOrganization, type Organization } from '../../core/organizations/organization.ts'
import { insertClosingMark } from '../../store/ledger/closing-marks.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import { insertOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

const STAGING_OPENING_CENTS = 1_000_000_000n * 100n

export async function createOrganization(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings'>,
  name: string,
  organizationId = ctx.ids.next(),
): Promise<Organization> {
  const now = ctx.clock.now()
  const organization = newOrganization(organizationId, name, now)
  await ctx.db.inTransaction(async (tx) => {
    await insertOrganization(tx, organization)
    const nextDay = bogotaDay(now)
    await insertClosingMark(tx, {
      organizationId,
      openFrom: startOfDay(nextDay),
      nextDay,
      dueAt: closesAt(nextDay),
    })
    const made = { act: 'organization.create', before: null, after: organization } as const
    await recordAct(ctx, tx, { ...made, organizationId, objectId: organizationId })
    if (ctx.settings.environment !== 'staging') return
    const entry = { organizationId, transferId: ctx.ids.next(), subjectId: organizationId }
    const opening = transfer('opening balance', 'BRE_B', { ...entry, amountInCents: STAGING_OPENING_CENTS })
    await postTransfers(tx, [opening], PAYOUT_SLOT)
  })
  return organization
}

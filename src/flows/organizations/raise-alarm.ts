// Tells a person about what looks like abuse. While the alarm is open it is not repeated, whichever process sees more of it.

import { type AbuseKind, abuseDetail, subjectIdOf } from '../../core/organizations/abuse.ts'
import { insertAbuseAlarm } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'

export type ReportedAbuse = {
  readonly organizationId: string
  readonly kind: AbuseKind
  // An address, a credential or an organization.
  readonly who: string
  readonly address: string | null
}

export async function raiseAbuseAlarm(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  { organizationId, kind, who, address }: ReportedAbuse,
): Promise<void> {
  const alarm = { alarmId: ctx.ids.next(), kind, detail: abuseDetail(kind, who, address) }
  await insertAbuseAlarm(ctx.db, organizationId, subjectIdOf(who), alarm, ctx.clock.now())
}

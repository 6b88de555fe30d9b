// A person has looked at an alarm, and it need not be shown any more.

import { resolveAlarm as resolve } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

// False if no open alarm has this id.
export function resolveAlarm(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  alarmId: string,
): Promise<boolean> {
  return ctx.db.inTransaction(async (tx) => {
    const resolvedAt = ctx.clock.now()
    const alarm = await resolve(tx, alarmId, resolvedAt)
    if (alarm === undefined) return false
    const { organizationId } = alarm
    const act = { act: 'alarm.resolve', before: { resolvedAt: null }, after: { resolvedAt } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: alarmId })
    return true
  })
}

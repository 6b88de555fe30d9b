// Money that names no payin of ours: it goes to suspense, and a person is told. A payment goes there once, however often
// the network reports it.

import { transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { insertSuspenseItem } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

export async function suspendUnknownPayment(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals'>,
  notice: StoredNotice,
  { amountInCents, paymentId }: { amountInCents: bigint; paymentId: string },
): Promise<void> {
  const { organizationId, rail, subjectId } = notice
  const reason = organizationId === UNATTRIBUTED_ORGANIZATION ? 'UNATTRIBUTED' : 'UNKNOWN_PAYIN'
  const now = ctx.clock.now()
  const suspenseId = ctx.ids.next()
  const name = notice.reference ?? `payin ${subjectId}`
  const detail = `${rail} reported payment ${paymentId} of ${amountInCents} cents for ${name}, which we do not know`
  await ctx.db.inTransaction(async (tx) => {
    const item = {
      organizationId,
      suspenseId,
      rail,
      paymentId,
      amountInCents,
      reason,
      createdAt: now,
    } as const
    if (await insertSuspenseItem(tx, item)) {
      const transferId = ctx.ids.next()
      const entry = { organizationId, transferId, subjectId: suspenseId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer('money in suspense', rail, entry)], PAYOUT_SLOT)
    }
    const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
    await insertAlarm(tx, organizationId, subjectId, alarm, now)
    await finishNotice(tx, notice)
    ctx.signals.crashPoint('notice-before-commit')
  })
  ctx.signals.crashPoint('notice-after-commit')
}

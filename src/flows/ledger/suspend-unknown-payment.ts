// Money that names no payin of ours: it goes to suspense, and a person is told. A payment goes there once, however often
// the network reports it, and not at all if it is counted somewhere under its right name.

import { transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { insertSuspenseItem, type PaymentPlace, placesOfPayment } from '../../store/ledger/suspense.ts'
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
  const reported = `${rail} reported payment ${paymentId} of ${amountInCents} cents for ${name}, which we do not know`
  await ctx.db.inTransaction(async (tx) => {
    const places = await placesOfPayment(tx, { rail, paymentId })
    const elsewhere = places.find(
      (place) => place.kind === 'payin' || place.organizationId !== organizationId,
    )
    const item = {
      organizationId,
      suspenseId,
      rail,
      paymentId,
      amountInCents,
      reason,
      createdAt: now,
    } as const
    if (elsewhere === undefined && (await insertSuspenseItem(tx, item))) {
      const transferId = ctx.ids.next()
      const entry = { organizationId, transferId, subjectId: suspenseId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer('money in suspense', rail, entry)], PAYOUT_SLOT)
    }
    const detail =
      elsewhere === undefined ? reported : `${reported}; ${inWords(elsewhere)}, so it is not booked again`
    const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
    await insertAlarm(tx, organizationId, subjectId, alarm, now)
    await finishNotice(tx, notice)
    ctx.signals.crashPoint('notice-before-commit')
  })
  ctx.signals.crashPoint('notice-after-commit')
}

function inWords({ kind, organizationId, id }: PaymentPlace): string {
  const counted = kind === 'payin' ? `confirmed payin ${id}` : `is in suspense as ${id}`
  return `it ${counted} of organization ${organizationId}`
}

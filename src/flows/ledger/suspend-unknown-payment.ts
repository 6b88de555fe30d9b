// Money that names no payin of ours: it goes to suspense, and a person is told. A payment goes there once, however often
// the network reports it, and not at all if it is counted somewhere under its right name.

import { MINUTE_MS } from '../../core/instant.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { placeInWords } from '../../core/payins/settle.ts'
import { deferNotice, finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { insertSuspenseItem, placesOfPayment } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'
import { leaveOnePlace } from './leave-one-place.ts'

// The payment may be on its way into a payin, or into suspense under another name, in transactions that cannot see ours. They are
// over by now, so the notice comes again and looks once more.
const LOOK_AGAIN_AFTER_MS = MINUTE_MS

export async function suspendUnknownPayment(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  notice: StoredNotice,
  { amountInCents, paymentId }: { amountInCents: bigint; paymentId: string },
): Promise<void> {
  const { organizationId, rail, subjectId } = notice
  const reason = organizationId === UNATTRIBUTED_ORGANIZATION ? 'UNATTRIBUTED' : 'UNKNOWN_PAYIN'
  const now = ctx.clock.now()
  const suspenseId = ctx.ids.next()
  const name = notice.reference ?? `payin ${subjectId}`
  const unknown = name === '' ? 'without a reference' : `for ${name}, which we do not know`
  const reported = `${rail} reported payment ${paymentId} of ${amountInCents} cents ${unknown}`
  await leaveOnePlace(ctx, { rail, paymentId })
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
    const isNew = elsewhere === undefined && (await insertSuspenseItem(tx, item))
    if (isNew) {
      const transferId = ctx.ids.next()
      const entry = { organizationId, transferId, subjectId: suspenseId, amountInCents }
      await postTransfers(tx, [transfer('money in suspense', rail, entry)], PAYOUT_SLOT)
    }
    const detail =
      elsewhere === undefined
        ? reported
        : `${reported}; ${placeInWords(elsewhere)}, so it is not booked again`
    const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
    await insertAlarm(tx, organizationId, subjectId, alarm, now)
    if (isNew) await deferNotice(tx, notice, now + LOOK_AGAIN_AFTER_MS)
    else await finishNotice(tx, notice)
    ctx.signals.crashPoint('notice-before-commit')
  })
  ctx.signals.crashPoint('notice-after-commit')
  ctx.signals.workAdded('shown', organizationId)
}

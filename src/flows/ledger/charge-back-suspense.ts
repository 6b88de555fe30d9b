// The network takes back a payment that is in suspense, or was: the books follow it, and what cannot be is shown to a person.

import { transfer } from '../../core/ledger/bookings.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockSuspenseOfPayment, moveSuspenseItem, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

// Absent: the payment itself was not told yet, or is on its way back to the payer and nobody knows whether it arrives.
export async function chargeBackSuspense(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  notice: StoredNotice,
  taken: { amountInCents: bigint; paymentId: string },
): Promise<'written' | 'absent'> {
  const { organizationId, rail } = notice
  return ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseOfPayment(tx, { organizationId, rail, paymentId: taken.paymentId })
    if (item === undefined || item.state === 'RETURNING') return 'absent'
    const now = ctx.clock.now()
    const booking = BOOKING_OF[item.state]
    if (booking !== undefined) {
      await moveSuspenseItem(tx, item, 'CHARGED_BACK', item.attachedTo, now)
      const { suspenseId: subjectId, amountInCents } = item
      const of = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer(booking, rail, of)], PAYOUT_SLOT)
    }
    const problem = problemOf(item, taken.amountInCents)
    if (problem !== undefined) {
      const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail: problem } as const
      await insertAlarm(tx, organizationId, item.payinId, alarm, now)
    }
    await finishNotice(tx, notice)
    return 'written'
  })
}

const BOOKING_OF = {
  OPEN: 'suspense charged back',
  ATTACHED: 'suspense charged back after attaching',
  RETURNED: undefined,
  CHARGED_BACK: undefined,
} as const

function problemOf(item: SuspenseItem, takenInCents: bigint): string | undefined {
  if (item.state === 'RETURNED')
    return `the network charged back payment ${item.paymentId}, which was returned`
  return takenInCents === item.amountInCents
    ? undefined
    : `the network charged back ${takenInCents} cents of ${item.amountInCents}`
}

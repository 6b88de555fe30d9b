// The network charges back a payment that is or was in suspense. The books follow, and a contradiction raises an alarm.

import { transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockSuspenseOfPayment, moveSuspenseItem, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

// Absent: the payment itself was not reported yet, or it is on its way back to the payer and its arrival is unknown.
export async function chargeBackSuspense(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  notice: StoredNotice,
  chargeback: { amountInCents: bigint; paymentId: string },
): Promise<'written' | 'absent'> {
  const { rail } = notice
  const { paymentId } = chargeback
  return ctx.db.inTransaction(async (tx) => {
    const item =
      (await lockSuspenseOfPayment(tx, { organizationId: notice.organizationId, rail, paymentId })) ??
      // It may have come under a name of nobody.
      (await lockSuspenseOfPayment(tx, { organizationId: UNATTRIBUTED_ORGANIZATION, rail, paymentId }))
    if (item === undefined || item.state === 'RETURNING') return 'absent'
    const now = ctx.clock.now()
    const booking = CHARGEBACK_BOOKINGS[item.state]
    if (booking !== undefined) {
      await moveSuspenseItem(tx, item, 'CHARGED_BACK', item.attachedTo, now)
      const { organizationId, suspenseId: subjectId, amountInCents } = item
      const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer(booking, rail, entry)], PAYOUT_SLOT)
    }
    const problem = problemOf(item, chargeback.amountInCents)
    if (problem !== undefined) {
      const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail: problem } as const
      await insertAlarm(tx, item.organizationId, item.payinId ?? item.suspenseId, alarm, now)
    }
    await finishNotice(tx, notice)
    return 'written'
  })
}

const CHARGEBACK_BOOKINGS = {
  OPEN: 'suspense charged back',
  ATTACHED: 'suspense charged back after attaching',
  RETURNED: undefined,
  CHARGED_BACK: undefined,
} as const

function problemOf(item: SuspenseItem, chargedBackInCents: bigint): string | undefined {
  if (item.state === 'RETURNED')
    return `the network charged back payment ${item.paymentId}, which was returned`
  return chargedBackInCents === item.amountInCents
    ? undefined
    : `the network charged back ${chargedBackInCents} cents of ${item.amountInCents}`
}

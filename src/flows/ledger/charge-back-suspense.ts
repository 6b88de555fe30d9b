// The network charges back a payment that is or was in suspense. The books follow, and a contradiction raises an alarm.

import { isoInstant } from '../../core/instant.ts'
import { type Booking, transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import {
  chargeBackSuspenseItem,
  leftInCents,
  lockSuspenseOfPayment,
  type SuspenseItem,
} from '../../store/ledger/suspense.ts'
import { bookingsOf, PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

// Absent: the payment itself was not reported yet, or we are returning it to the payer and the network has not said yet whether
// it did. The notice is applied again later.
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
    const problem = await bookPart(ctx, tx, item, chargeback.amountInCents)
    if (problem !== undefined) {
      const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail: problem } as const
      await insertAlarm(tx, item.organizationId, item.payinId ?? item.suspenseId, alarm, ctx.clock.now())
    }
    await finishNotice(tx, notice)
    return 'written'
  })
}

const CHARGEBACK_BOOKINGS: Readonly<Record<'OPEN' | 'ATTACHED', Booking>> = {
  OPEN: 'suspense charged back',
  ATTACHED: 'suspense charged back after attaching',
}

// Books what the network took, but never more than is left. Returns what a person must look at.
async function bookPart(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  item: SuspenseItem,
  chargedBackInCents: bigint,
): Promise<string | undefined> {
  const { organizationId, suspenseId, paymentId, state, rail } = item
  if (state === 'RETURNED') return `the network charged back payment ${paymentId}, which was returned`
  const inWords = `the network charged back ${chargedBackInCents} cents of ${item.amountInCents}`
  if (state !== 'OPEN' && state !== 'ATTACHED')
    return chargedBackInCents === item.amountInCents ? undefined : inWords
  const now = ctx.clock.now()
  const booking = CHARGEBACK_BOOKINGS[state]
  // As with a payin, an item is booked once in each way, because a second part may be the first one reported again.
  if (item.chargedBackInCents > 0n && (await bookingsOf(tx, organizationId, suspenseId)).includes(booking))
    return `${inWords} at ${isoInstant(now)}, and this is not booked: an earlier part is`
  const left = leftInCents(item)
  const taken = chargedBackInCents < left ? chargedBackInCents : left
  await chargeBackSuspenseItem(tx, item, taken, now)
  const entry = { organizationId, subjectId: suspenseId, amountInCents: taken, createdAt: now }
  await postTransfers(tx, [transfer(booking, rail, { ...entry, transferId: ctx.ids.next() })], PAYOUT_SLOT)
  return chargedBackInCents === left ? undefined : inWords
}

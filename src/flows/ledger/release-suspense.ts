// A payin was confirmed by a payment that is in suspense as well: under no name, or because both happened at once. The item is
// released, in a transaction of its organization alone. Whoever asks again finds it released.

import { transfer } from '../../core/ledger/bookings.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { contradictsSuspense } from '../../core/payins/settle.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import {
  isFree,
  lockSuspenseOfPayment,
  moveSuspenseItem,
  type PaymentAddress,
  type SuspenseItem,
} from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

// False if some of the payment is elsewhere, and stays there: somebody returned it, attached it, or it was another amount. Then a
// person is told, and the payin's money must not be spent.
export async function releaseSuspense(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>,
  payin: Payin,
): Promise<boolean> {
  const { organizationId, source, progress } = payin
  if (progress.paymentId === null) return true
  const address = { organizationId, rail: source.rail, paymentId: progress.paymentId }
  let isReleased = true
  for (const item of await ctx.batched.suspenseOfPayment(address))
    if (!isCountedFor(payin, item) && !(await releaseItem(ctx, payin, item))) isReleased = false
  return isReleased
}

export async function releaseItem(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  payin: Payin,
  address: PaymentAddress,
): Promise<boolean> {
  const confirmedInCents = payin.confirmedAmountInCents as bigint
  const now = ctx.clock.now()
  const held = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseOfPayment(tx, address)
    if (item === undefined || isCountedFor(payin, item)) return undefined
    if (!isFree(item) || item.amountInCents !== confirmedInCents) return item
    const { organizationId, suspenseId: subjectId, amountInCents, rail } = item
    const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents, createdAt: now }
    await moveSuspenseItem(tx, item, 'COUNTED', payin.payinId, now)
    await postTransfers(tx, [transfer('suspense released', rail, entry)], PAYOUT_SLOT)
    return undefined
  })
  if (held === undefined) return true
  const facts = { ...held, isFree: isFree(held), isOwn: held.organizationId === payin.organizationId }
  const detail = contradictsSuspense(address.paymentId, confirmedInCents, facts)
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(ctx.db, payin.organizationId, payin.payinId, alarm, now)
  return false
}

function isCountedFor({ payinId }: Payin, { state, attachedTo }: SuspenseItem): boolean {
  return state === 'COUNTED' && attachedTo === payinId
}

// A payment is in suspense and somewhere else as well: it has confirmed a payin, or went to suspense under two names at once. The
// item is released, in a transaction of its organization alone. Whoever asks again finds it released.

import { transfer } from '../../core/ledger/bookings.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { contradictsSuspense } from '../../core/payins/settle.ts'
import type { Queryable } from '../../store/db.ts'
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
  const place = placeOfPayin(payin)
  for (const item of await ctx.batched.suspenseOfPayment(address))
    if (!isCountedAt(place, item) && !(await releaseItem(ctx, place, item))) isReleased = false
  return isReleased
}

// Where the payment is counted, and stays: by a payin, or in suspense of an organization that the network named.
export type CountedPlace = {
  organizationId: string
  payinId: string | null
  subjectId: string
  amountInCents: bigint
  suspenseId?: string
}

export function placeOfPayin({ organizationId, payinId, confirmedAmountInCents }: Payin): CountedPlace {
  const amountInCents = confirmedAmountInCents as bigint
  return { organizationId, payinId, subjectId: payinId, amountInCents }
}

export async function releaseItem(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  place: CountedPlace,
  address: PaymentAddress,
): Promise<boolean> {
  const now = ctx.clock.now()
  const held = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseOfPayment(tx, address)
    if (item === undefined || isCountedAt(place, item)) return undefined
    if (!isFree(item) || item.amountInCents !== place.amountInCents) return item
    const { organizationId, suspenseId: subjectId, amountInCents, rail } = item
    const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents }
    await moveSuspenseItem(tx, item, 'COUNTED', place.payinId, now)
    await postTransfers(tx, [transfer('suspense released', rail, entry)], PAYOUT_SLOT)
    if (place.suspenseId !== undefined) await raiseTwoMerchants(ctx, tx, item, place.suspenseId)
    return undefined
  })
  if (held === undefined) return true
  const facts = { ...held, isFree: isFree(held), isOwn: held.organizationId === place.organizationId }
  const detail = contradictsSuspense(address.paymentId, place.amountInCents, facts)
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(ctx.db, place.organizationId, place.subjectId, alarm, now)
  return false
}

// Money of nobody is released in silence. A merchant who was named is another matter: the other may be the wrong one. Once the item is
// released nobody looks at it again, so the alarm is written with it.
async function raiseTwoMerchants(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  { organizationId, payinId, suspenseId, paymentId }: SuspenseItem,
  keptAs: string,
): Promise<void> {
  if (organizationId === UNATTRIBUTED_ORGANIZATION) return
  const detail = `payment ${paymentId} was in suspense of two merchants; it stays there as ${keptAs}, and ${suspenseId} was released`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(tx, organizationId, payinId ?? suspenseId, alarm, ctx.clock.now())
}

// One that was released for another item has no payin, and holds nothing: whoever has the payment now, it is not in two places.
function isCountedAt({ payinId }: CountedPlace, { state, attachedTo }: SuspenseItem): boolean {
  return state === 'COUNTED' && (attachedTo === null || attachedTo === payinId)
}

// A payment that its network named in two ways can be counted in two places: by a payin and in suspense, or in suspense of two
// merchants. One place keeps it, and items elsewhere are released. What cannot be released is under an alarm, and nobody may return
// or attach any of it.

import { DAY_MS } from '../../core/instant.ts'
import type { PaymentPlace } from '../../core/payins/settle.ts'
import {
  isFree,
  placesOfPayment,
  type SuspenseItem,
  suspenseOfPayments,
  suspenseToWatch,
} from '../../store/ledger/suspense.ts'
import type { Needs } from '../context.ts'
import { type CountedPlace, placeOfPayin, releaseItem } from './release-suspense.ts'

type Payment = Pick<SuspenseItem, 'rail' | 'paymentId'>

// A payin may be confirmed by money that a person dealt with before. Payins live for a day at most, and their networks are asked
// for some days more.
const WATCH_AFTER_DECISION_MS = 7 * DAY_MS

// Looks for every payment in suspense in all organizations: two index look-ups for each organization and item. A payin is confirmed
// without such a look, so that confirmations cost the same whatever the number of merchants. Returns how many items were released.
export async function leaveEachInOnePlace(ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>): Promise<number> {
  let released = 0
  for (const item of await suspenseToWatch(ctx.db, ctx.clock.now() - WATCH_AFTER_DECISION_MS))
    released += await leaveOnePlace(ctx, item)
  return released
}

// A payin that the payment has confirmed keeps it, or else an item that somebody has decided about, or else that of the organization
// with the greatest id: money of nobody goes to whom the network named. Whoever looks comes to the same place.
export async function leaveOnePlace(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>,
  payment: Payment,
): Promise<number> {
  const places = await placesOfPayment(ctx.db, payment)
  if (places.length < 2) return 0
  const items = await itemsAt(ctx, payment, places)
  const keeper = await keeperOf(ctx, places, items)
  let released = 0
  for (const item of items) {
    if (item.suspenseId === keeper?.suspenseId || keeper === undefined) continue
    if (await releaseItem(ctx, keeper, item)) released += 1
  }
  return released
}

async function keeperOf(
  ctx: Needs<'batched'>,
  places: readonly PaymentPlace[],
  items: readonly SuspenseItem[],
): Promise<CountedPlace | undefined> {
  const confirmed = places.find(({ kind }) => kind === 'payin')
  if (confirmed !== undefined) {
    const { organizationId, id: payinId } = confirmed
    const payin = await ctx.batched.getPayin({ organizationId, payinId })
    return payin && placeOfPayin(payin)
  }
  // An item that is being returned may be free again, so it is no decision yet.
  const decided = items.find((item) => item.state !== 'RETURNING' && !isFree(item))
  const item = decided ?? items.toSorted((a, b) => (a.organizationId < b.organizationId ? 1 : -1))[0]
  return item && { ...item, subjectId: item.payinId ?? item.suspenseId }
}

async function itemsAt(
  ctx: Needs<'db'>,
  { rail, paymentId }: Payment,
  places: readonly PaymentPlace[],
): Promise<SuspenseItem[]> {
  const owners = places.filter(({ kind }) => kind === 'suspense').map(({ organizationId }) => organizationId)
  const found = await suspenseOfPayments(
    ctx.db,
    owners.map((organizationId) => ({ organizationId, rail, paymentId })),
  )
  return owners.flatMap((owner, index) => found[index]?.filter((item) => item.organizationId === owner) ?? [])
}

// Writes payouts that have a limit a day. What the day has used is locked before it is compared, in the transaction that writes the
// payouts and counts them: of two at once, whatever the process, one sees the other.

import { bogotaDay } from '../../core/bogota-day.ts'
import {
  hasPayoutLimits,
  type PayoutLimits,
  type ReachedLimit,
  reachedLimit,
} from '../../core/organizations/limits.ts'
import type { Db, Queryable } from '../../store/db.ts'
import type { InsertedPayment } from '../../store/locked-connections.ts'
import { insertPayouts, type NewPayout } from '../../store/payouts/payouts.ts'
import { lockPayoutUsage, type UsageAddress, WHOLE_ORGANIZATION } from '../../store/payouts/usage.ts'

export type LimitedPayout = NewPayout & {
  limits: { credential: PayoutLimits; organization: PayoutLimits }
}
// Nothing was written if a limit was reached, or if it is not `inserted` because it was there before.
export type LimitedInsert = InsertedPayment & { reached?: ReachedLimit }

export function isLimitedPayout({ limits }: LimitedPayout): boolean {
  return hasPayoutLimits(limits.credential) || hasPayoutLimits(limits.organization)
}

export function insertLimitedPayouts(db: Db, batch: LimitedPayout[]): Promise<LimitedInsert[]> {
  return db.inTransaction((tx) => insertWithinLimits(tx, batch))
}

export async function insertWithinLimits(tx: Queryable, batch: LimitedPayout[]): Promise<LimitedInsert[]> {
  const outcomes = new Map<LimitedPayout, LimitedInsert>()
  let waiting = batch
  while (waiting.length > 0) {
    const used = await lockPayoutUsage(tx, batch.flatMap(addressesOf))
    const shares = new Map(used.map((one) => [nameOf(one), { ...one }]))
    const admitted = waiting.filter((one) => {
      const reached = takeShare(shares, one)
      outcomes.set(one, { inserted: false, ...(reached && { reached }) })
      return reached === undefined
    })
    const inserted = await insertPayouts(tx, admitted)
    for (const [index, one] of admitted.entries()) outcomes.set(one, inserted[index] as LimitedInsert)
    // What was there before has used nothing: another may have its share.
    const isAllCounted = inserted.every((one) => one.inserted)
    waiting = isAllCounted ? [] : waiting.filter((one) => outcomes.get(one)?.reached !== undefined)
  }
  return batch.map((one) => outcomes.get(one) as LimitedInsert)
}

type Shares = Map<string, { payouts: number; sumInCents: bigint }>

// Takes from both or from neither.
function takeShare(shares: Shares, one: LimitedPayout): ReachedLimit | undefined {
  const { amountInCents } = one.payout
  const [whole, own] = addressesOf(one).map((address) => shares.get(nameOf(address)))
  if (whole === undefined || own === undefined) throw new Error('what was locked is not there')
  const reached =
    reachedLimit('credential', one.limits.credential, own, amountInCents) ??
    reachedLimit('organization', one.limits.organization, whole, amountInCents)
  if (reached !== undefined) return reached
  for (const share of [whole, own]) {
    share.payouts += 1
    share.sumInCents += amountInCents
  }
  return undefined
}

function addressesOf({ payout, credentialId }: NewPayout): [UsageAddress, UsageAddress] {
  const of = { organizationId: payout.organizationId, day: bogotaDay(payout.createdAt) }
  return [
    { ...of, credentialId: WHOLE_ORGANIZATION },
    { ...of, credentialId },
  ]
}

function nameOf({ organizationId, day, credentialId }: UsageAddress): string {
  return `${organizationId} ${day} ${credentialId}`
}

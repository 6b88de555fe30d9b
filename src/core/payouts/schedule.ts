// When to ask a network about a payout that it may have. Its notice usually comes first.

import { patientBackoffMs } from '../backoff.ts'
import { DAY_MS, type Instant } from '../instant.ts'
import type { Payout } from './payout.ts'

// A network that has the payout needs some time to decide, and is not asked sooner or more often.
const QUERY_AFTER_MS = 20_000
// After this long without a decision of the network, a person must ask it.
const UNRESOLVED_AFTER_MS = DAY_MS

// After this many questions without a decision. `isAtNetwork`: the network says that it has the payout. The pauses grow to a day;
// one question falls on the end of the day after which a person is told.
export function askAgainAt(payout: Payout, attempts: number, isAtNetwork: boolean, now: Instant): Instant {
  const pause = Math.max(patientBackoffMs(attempts), isAtNetwork ? QUERY_AFTER_MS : 0)
  const alarmAt = unresolvedAt(payout)
  return now < alarmAt ? Math.min(now + pause, alarmAt) : now + pause
}

export function isUnresolved(payout: Payout, now: Instant): boolean {
  const isHandedOver = payout.stage === 'SENDING' || payout.stage === 'SENT'
  return isHandedOver && now >= unresolvedAt(payout)
}

function unresolvedAt(payout: Payout): Instant {
  return payout.updatedAt + UNRESOLVED_AFTER_MS
}

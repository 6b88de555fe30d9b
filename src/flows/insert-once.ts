// Inserts something and records the response for its Idempotency-Key. Two requests with the same key, in different
// processes, meet at the key's record: one waits for the other, and the loser's insert is undone.

import { type Refusal, refuse } from '../core/refusal.ts'
import { LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import type { InsertedPayment } from '../store/locked-connections.ts'
import { AnsweredBefore } from './context.ts'
import { ConnectionGone, RulesReplaced } from './payment-route.ts'

// True if it was written. False if something conflicted, and then nothing was written.
export async function insertOnce(
  hasIdempotencyKey: boolean,
  insert: () => Promise<InsertedPayment>,
): Promise<boolean | Refusal> {
  try {
    const { inserted, isConnectionGone, areRulesReplaced } = await insert()
    if (isConnectionGone) throw new ConnectionGone()
    if (areRulesReplaced) throw new RulesReplaced()
    return inserted
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return refuseInUse()
    if (hasIdempotencyKey && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

export function refuseInUse(): Refusal {
  return refuse(
    'IDEMPOTENCY_KEY_IN_USE',
    'Another request with the same key or reference is still running.',
    {
      retryAfterSeconds: 1,
    },
  )
}

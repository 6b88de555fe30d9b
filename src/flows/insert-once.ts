// Inserts something and records the response for its Idempotency-Key. Two requests with the same key, in different
// processes, meet at the key's record: one waits for the other, and the loser's insert is undone.

import { type Refusal, refuse } from '../core/refusal.ts'
import { LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { AnsweredBefore } from './context.ts'
import { ConnectionGone } from './payment-route.ts'

// True if it was written. False if something conflicted, and then nothing was written.
export async function insertOnce(
  hasIdempotencyKey: boolean,
  insert: () => Promise<{ inserted: boolean; isConnectionGone?: true }>,
): Promise<boolean | Refusal> {
  try {
    const { inserted, isConnectionGone } = await insert()
    if (isConnectionGone) throw new ConnectionGone()
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

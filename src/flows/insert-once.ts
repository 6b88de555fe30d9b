// Inserts something together with the answer kept for its Idempotency-Key. Two requests with one key, in different processes,
// meet at the key's record: one waits for the other, and the loser's insert is undone.

import { type Refusal, refuse } from '../core/refusal.ts'
import { LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { AnsweredBefore } from './context.ts'

// True where it was written; false where something stood in its way, and nothing was.
export async function insertOnce(
  isRemembered: boolean,
  insert: () => Promise<{ inserted: boolean }>,
): Promise<boolean | Refusal> {
  try {
    return (await insert()).inserted
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return refuseInUse()
    if (isRemembered && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
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

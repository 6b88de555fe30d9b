// Whoever changes the schema holds this lock to the end of the transaction. Others wait, or leave it to the one.

import type { Queryable } from './db.ts'

// Any constant will do, as long as every version of Recaudo uses the same.
const SCHEMA_LOCK = 727_322_836

export async function lockSchema(tx: Queryable): Promise<void> {
  await tx.query({ text: 'set local lock_timeout = 0' })
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [SCHEMA_LOCK] })
}

// False if another has the lock.
export async function tryLockSchema(tx: Queryable): Promise<boolean> {
  const result = await tx.query<{ locked: boolean }>({
    text: 'select pg_try_advisory_xact_lock($1) as locked',
    values: [SCHEMA_LOCK],
  })
  return result.rows[0]?.locked === true
}

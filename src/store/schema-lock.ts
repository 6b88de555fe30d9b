// Whoever changes the schema holds this lock to the end of the transaction. Others wait, or leave it to the one.

import type { Queryable } from './db.ts'

// Any constant will do, as long as every version of Recaudo uses the same.
const SCHEMA_LOCK = 727_322_836
// Adding and dropping partitions takes a moment. What takes longer is a migration.
const SESSION_LOCK_WAIT_MS = 30_000

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

// Until the connection is closed. Fails with `lock not available` if another has not finished within the time.
export async function lockSchemaForSession(session: Queryable): Promise<void> {
  await session.query({ text: `set lock_timeout = ${SESSION_LOCK_WAIT_MS}` })
  await session.query({ text: 'select pg_advisory_lock($1)', values: [SCHEMA_LOCK] })
  await session.query({ text: 'set lock_timeout = 0' })
}

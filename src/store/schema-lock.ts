// Whoever changes the schema holds this lock to the end of the transaction. Others wait.

import type { Queryable } from './db.ts'

// Any constant will do, as long as every version of Recaudo uses the same.
const SCHEMA_LOCK = 727_322_836

export async function lockSchema(tx: Queryable): Promise<void> {
  await tx.query({ text: 'set local lock_timeout = 0' })
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [SCHEMA_LOCK] })
}

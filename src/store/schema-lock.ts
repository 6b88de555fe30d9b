// Whoever changes the schema holds this lock to the end of the transaction. Others wait, or leave it to the one. They wait outside of
// any transaction, and ask again: an index that is built beside the service waits for the transactions that may have an older view of
// the data, and so the two would wait for each other.

import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Queryable } from './db.ts'

// Any constant will do, as long as every version of Recaudo uses the same.
const SCHEMA_LOCK = 727_322_836
const POLL_MS = 50

export async function withSchemaLock<Result>(
  db: Db,
  work: (tx: Queryable) => Promise<Result>,
  options?: { timeoutMs: number },
): Promise<Result> {
  for (;;) {
    const done = await db.inTransaction(
      async (tx) => ((await tryLockSchema(tx)) ? { result: await work(tx) } : undefined),
      options,
    )
    if (done !== undefined) return done.result
    await delay(POLL_MS)
  }
}

// False if another has the lock.
export async function tryLockSchema(tx: Queryable): Promise<boolean> {
  return asked(tx, 'select pg_try_advisory_xact_lock($1) as locked')
}

// Until the connection is closed; to be called outside of a transaction. False if another has not finished within the time.
export async function lockSchemaForSession(session: Queryable, waitMs: number): Promise<boolean> {
  const endMs = performance.now() + waitMs
  while (!(await asked(session, 'select pg_try_advisory_lock($1) as locked'))) {
    if (performance.now() >= endMs) return false
    await delay(POLL_MS)
  }
  return true
}

async function asked(queryable: Queryable, text: string): Promise<boolean> {
  const { rows } = await queryable.query<{ locked: boolean }>({ text, values: [SCHEMA_LOCK] })
  return rows[0]?.locked === true
}

// How often somebody was wrong, by digests of an account and of a network address. An attempt is counted before it is checked, and
// given back if it was right: many at once are counted one by one, under the lock of the row.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type LockRule = { readonly after: number; readonly windowMs: number; readonly lockMs: number }

// Whoever gets here is not locked: a lock that is written is over.
const IS_OVER = '(f.since <= $3 or f.locked_until is not null)'

// False if it is locked. A count begins anew once its window or its lock has passed.
export async function countAttempt(
  db: Queryable,
  subject: Buffer,
  now: Instant,
  { after, windowMs, lockMs }: LockRule,
): Promise<boolean> {
  const result = await db.query({
    text: `insert into sign_in_failures as f (subject, since, failures)
           values ($1, $2, 1)
               on conflict (subject) do update
              set since = case when ${IS_OVER} then excluded.since else f.since end,
                  failures = case when ${IS_OVER} then 1 else f.failures + 1 end,
                  locked_until = case when not ${IS_OVER} and f.failures + 1 >= $5 then $4::timestamptz end
            where f.locked_until is null or f.locked_until <= $2`,
    values: [subject, isoInstant(now), isoInstant(now - windowMs), isoInstant(now + lockMs), after],
  })
  return result.rowCount === 1
}

// Undefined if it is not locked.
export async function lockedUntil(db: Queryable, subject: Buffer): Promise<Instant | undefined> {
  const result = await db.query<{ until: Instant | null }>({
    text: 'select locked_until as until from sign_in_failures where subject = $1',
    values: [subject],
  })
  return result.rows[0]?.until ?? undefined
}

// It was right, or not looked at.
export async function giveBackAttempt(db: Queryable, subject: Buffer): Promise<void> {
  await db.query({
    text: `update sign_in_failures
              set failures = greatest(failures - 1, 0), locked_until = null
            where subject = $1`,
    values: [subject],
  })
}

export async function forgetAttempts(db: Queryable, subject: Buffer): Promise<void> {
  await db.query({ text: 'delete from sign_in_failures where subject = $1', values: [subject] })
}

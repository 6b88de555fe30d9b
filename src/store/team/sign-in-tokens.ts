// Tokens and challenges that work once. Only digests are stored. Whoever takes one deletes it, so that of many who try at once one
// has it.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { SignInToken, TokenPurpose } from '../../core/team/sign-in.ts'
import type { Queryable } from '../db.ts'

export async function insertToken(db: Queryable, digest: Buffer, token: SignInToken): Promise<void> {
  await db.query({
    text: `insert into sign_in_tokens (digest, purpose, user_id, note, expires_at) values ($1, $2, $3, $4, $5)`,
    values: [digest, token.purpose, token.userId, token.note, isoInstant(token.expiresAt)],
  })
}

export type FoundToken = Pick<SignInToken, 'userId' | 'note'>

// Undefined if it is none, or was taken, or has expired.
export async function takeToken(
  db: Queryable,
  digest: Buffer,
  purpose: TokenPurpose,
  now: Instant,
): Promise<FoundToken | undefined> {
  const result = await db.query<FoundToken>({
    text: `delete from sign_in_tokens
            where digest = $1 and purpose = $2 and expires_at > $3
        returning user_id as "userId", note`,
    values: [digest, purpose, isoInstant(now)],
  })
  return result.rows[0]
}

// Without taking it.
export async function findToken(
  db: Queryable,
  digest: Buffer,
  purpose: TokenPurpose,
  now: Instant,
): Promise<FoundToken | undefined> {
  const result = await db.query<FoundToken>({
    text: `select user_id as "userId", note
             from sign_in_tokens
            where digest = $1 and purpose = $2 and expires_at > $3`,
    values: [digest, purpose, isoInstant(now)],
  })
  return result.rows[0]
}

// What was begun as this person works no more.
export async function deleteTokensOf(db: Queryable, userId: string): Promise<void> {
  await db.query({ text: 'delete from sign_in_tokens where user_id = $1', values: [userId] })
}

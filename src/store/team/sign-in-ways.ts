// How a person signs in: their password, authenticator app and recovery codes. What is checked before it is written is read
// under the lock of the person's row.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { SignInWays } from '../../core/team/sign-in.ts'
import type { Queryable } from '../db.ts'

const WAYS_COLUMNS = `u.user_id as "userId", u.email, u.password_hash as "passwordHash", u.sealed_totp as "sealedTotp",
  u.totp_enabled_at as "totpEnabledAt", u.totp_last_step::integer as "totpLastStep",
  u.recovery_digests as "recoveryDigests",
  (select count(*)::integer from passkeys p where p.user_id = u.user_id) as passkeys,
  (select count(*)::integer from external_identities i where i.user_id = u.user_id) as "externalIdentities"`

export async function findWaysByEmail(db: Queryable, email: string): Promise<SignInWays | undefined> {
  const result = await db.query<SignInWays>({
    name: 'ways-by-email',
    text: `select ${WAYS_COLUMNS} from users u where u.email = $1`,
    values: [email],
  })
  return result.rows[0]
}

export async function getWays(db: Queryable, userId: string): Promise<SignInWays | undefined> {
  const result = await db.query<SignInWays>({
    name: 'ways-of-user',
    text: `select ${WAYS_COLUMNS} from users u where u.user_id = $1`,
    values: [userId],
  })
  return result.rows[0]
}

// Until the transaction ends, nobody else changes how this person signs in.
export async function lockUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query({
    text: 'select from users where user_id = $1 for no key update',
    values: [userId],
  })
}

// Null: without one.
export async function setPassword(
  db: Queryable,
  userId: string,
  hash: string | null,
  at: Instant,
): Promise<void> {
  await db.query({
    text: 'update users set password_hash = $2, updated_at = $3 where user_id = $1',
    values: [userId, hash, isoInstant(at)],
  })
}

// It counts once a first code was typed.
export async function setTotp(db: Queryable, userId: string, sealed: Buffer, at: Instant): Promise<void> {
  await db.query({
    text: 'update users set sealed_totp = $2, totp_last_step = 0, updated_at = $3 where user_id = $1',
    values: [userId, sealed, isoInstant(at)],
  })
}

export async function enableTotp(
  db: Queryable,
  userId: string,
  recoveryDigests: readonly Buffer[],
  at: Instant,
): Promise<void> {
  await db.query({
    text: `update users set totp_enabled_at = $3, recovery_digests = $2, updated_at = $3 where user_id = $1`,
    values: [userId, recoveryDigests, isoInstant(at)],
  })
}

export async function clearTotp(db: Queryable, userId: string, at: Instant): Promise<void> {
  await db.query({
    text: `update users set sealed_totp = null, totp_enabled_at = null, recovery_digests = '{}', updated_at = $2
            where user_id = $1`,
    values: [userId, isoInstant(at)],
  })
}

// Codes up to this step are used up. False if they were already.
export async function useTotpStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  const result = await db.query({
    text: 'update users set totp_last_step = $2 where user_id = $1 and totp_last_step < $2',
    values: [userId, step],
  })
  return result.rowCount === 1
}

// False if it is none of theirs, or used up.
export async function useRecoveryDigest(db: Queryable, userId: string, digest: Buffer): Promise<boolean> {
  const result = await db.query({
    text: `update users
              set recovery_digests = array_remove(recovery_digests, $2::bytea)
            where user_id = $1 and recovery_digests @> array[$2::bytea]`,
    values: [userId, digest],
  })
  return result.rowCount === 1
}

export async function setRecoveryDigests(
  db: Queryable,
  userId: string,
  digests: readonly Buffer[],
  at: Instant,
): Promise<void> {
  await db.query({
    text: 'update users set recovery_digests = $2, updated_at = $3 where user_id = $1',
    values: [userId, digests, isoInstant(at)],
  })
}

// False if somebody has this identity already.
export async function insertExternalIdentity(
  db: Queryable,
  identity: { issuer: string; subject: string; userId: string; at: Instant },
): Promise<boolean> {
  const { issuer, subject, userId, at } = identity
  const result = await db.query({
    text: `insert into external_identities (issuer, subject, user_id, created_at)
           values ($1, $2, $3, $4)
               on conflict (issuer, subject) do nothing`,
    values: [issuer, subject, userId, isoInstant(at)],
  })
  return result.rowCount === 1
}

// Whoever is known at the company is linked anew when they next sign in.
export async function deleteExternalIdentities(db: Queryable, userId: string): Promise<void> {
  await db.query({ text: 'delete from external_identities where user_id = $1', values: [userId] })
}

export async function findByIdentity(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const result = await db.query<{ userId: string }>({
    text: 'select user_id as "userId" from external_identities where issuer = $1 and subject = $2',
    values: [issuer, subject],
  })
  return result.rows[0]?.userId
}

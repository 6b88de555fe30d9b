// Passkeys: found by the id that their authenticator gave them, before anybody says who they are.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Passkey } from '../../core/team/passkey.ts'
import type { Queryable } from '../db.ts'

const PASSKEY_COLUMNS = `credential_id as "credentialId", user_id as "userId", public_key as "publicKey", algorithm,
  sign_count::double precision as "signCount", name, created_at as "createdAt", last_used_at as "lastUsedAt"`

// False if it is known already.
export async function insertPasskey(db: Queryable, passkey: Passkey): Promise<boolean> {
  const result = await db.query({
    text: `insert into passkeys (credential_id, user_id, public_key, algorithm, sign_count, name, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)
               on conflict (credential_id) do nothing`,
    values: [
      passkey.credentialId,
      passkey.userId,
      passkey.publicKey,
      passkey.algorithm,
      passkey.signCount,
      passkey.name,
      isoInstant(passkey.createdAt),
    ],
  })
  return result.rowCount === 1
}

export async function findPasskey(db: Queryable, credentialId: Buffer): Promise<Passkey | undefined> {
  const result = await db.query<Passkey>({
    text: `select ${PASSKEY_COLUMNS} from passkeys where credential_id = $1`,
    values: [credentialId],
  })
  return result.rows[0]
}

export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  const result = await db.query<Passkey>({
    text: `select ${PASSKEY_COLUMNS} from passkeys where user_id = $1 order by created_at, credential_id`,
    values: [userId],
  })
  return result.rows
}

// Writes what it counts now. False if it has signed in since it was read and counted as far or farther: a copy did.
export async function usePasskey(
  db: Queryable,
  credentialId: Buffer,
  signCount: number,
  at: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: `update passkeys
              set sign_count = $2, last_used_at = $3
            where credential_id = $1 and (sign_count < $2 or sign_count = 0 and $2 = 0)`,
    values: [credentialId, signCount, isoInstant(at)],
  })
  return result.rowCount === 1
}

export async function renamePasskey(
  db: Queryable,
  userId: string,
  credentialId: Buffer,
  name: string,
): Promise<boolean> {
  const result = await db.query({
    text: 'update passkeys set name = $3 where user_id = $1 and credential_id = $2',
    values: [userId, credentialId, name],
  })
  return result.rowCount === 1
}

export async function deletePasskey(db: Queryable, userId: string, credentialId: Buffer): Promise<void> {
  await db.query({
    text: 'delete from passkeys where user_id = $1 and credential_id = $2',
    values: [userId, credentialId],
  })
}

export async function deletePasskeys(db: Queryable, userId: string): Promise<void> {
  await db.query({ text: 'delete from passkeys where user_id = $1', values: [userId] })
}

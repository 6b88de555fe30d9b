// Every key that has ever signed, retired ones too: what they signed about a payment is still to be read.

import type { Instant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { SigningKey } from './credentials.ts'

export type StatementKeyRow = SigningKey & { retiredAt: Instant | null }

// The newest first.
export async function listStatementKeys(db: Queryable): Promise<StatementKeyRow[]> {
  const result = await db.query<StatementKeyRow>({
    text: `select key_id as "keyId", public_jwk as "publicJwk", sealed_private as "sealedPrivate", created_at as "createdAt",
                  retired_at as "retiredAt"
             from signing_keys
            order by created_at desc, key_id`,
  })
  return result.rows
}

// Ends keys that sign access tokens. The service never does: its role may add keys, and the tables' owner retires them.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

// Every token that another key signed is worth nothing from now on.
export async function retireOtherSigningKeys(db: Queryable, keyId: string, now: Instant): Promise<number> {
  const result = await db.query({
    text: `update signing_keys set retired_at = $2 where key_id <> $1 and retired_at is null`,
    values: [keyId, isoInstant(now)],
  })
  return result.rowCount ?? 0
}

// What is known of a payout beside the payout itself: who asked for it, and what its network said of it on its own.

import type { PayoutUpdate } from '../../core/connections/notice.ts'
import type { Instant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { PayoutAddress } from './payouts.ts'

export type Requester = { kind: 'apiKey' | 'client'; name: string; shownAs: string }

// Null if the payout is older than the record of who asked.
export async function readPayoutCredential(
  db: Queryable,
  { organizationId, payoutId }: PayoutAddress,
): Promise<string | null> {
  const result = await db.query<{ credentialId: string | null }>({
    text: `select credential_id as "credentialId" from payouts where organization_id = $1 and payout_id = $2`,
    values: [organizationId, payoutId],
  })
  return result.rows[0]?.credentialId ?? null
}

// Names and prefixes are shown to the merchant anyway. A revoked credential keeps its row.
export async function readCredentialName(
  db: Queryable,
  organizationId: string,
  credentialId: string,
): Promise<Requester | undefined> {
  const result = await db.query<Requester>({
    text: `select 'apiKey' as kind, name, display_prefix as "shownAs"
             from api_keys
            where organization_id = $1 and api_key_id::text = $2
            union all
           select 'client', name, client_id
             from oauth_clients
            where organization_id = $1 and client_id = $2`,
    values: [organizationId, credentialId],
  })
  return result.rows[0]
}

export type PayoutNotice = {
  occurredAt: Instant
  receivedAt: Instant
  kind: PayoutUpdate['kind']
  networkCode: string
  traceId: string | null
}

// In the order in which they came, for as long as notices are kept.
export async function listPayoutNotices(
  db: Queryable,
  { organizationId, payoutId }: PayoutAddress,
): Promise<PayoutNotice[]> {
  const result = await db.query<PayoutNotice>({
    text: `select occurred_at as "occurredAt", received_at as "receivedAt", network_update->>'kind' as kind,
                  network_code as "networkCode", network_update->>'traceId' as "traceId"
             from rail_notices
            where organization_id = $1 and subject_id = $2 and subject_kind = 'payout'
            order by received_at, notice_id`,
    values: [organizationId, payoutId],
  })
  return result.rows
}

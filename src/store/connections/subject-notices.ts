// What networks have said about one payment on their own, as it was understood.

import type { NetworkUpdate } from '../../core/connections/notice.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type SubjectNotice = {
  rail: Rail
  noticeId: string
  kind: NetworkUpdate['kind']
  networkCode: string
  // Null where it names none.
  amountInCents: bigint | null
  occurredAt: Instant
  receivedAt: Instant
  state: 'WAITING' | 'DONE' | 'ORPHAN'
}

// More than a person reads. A network that repeats itself for days has one row for each of its ids.
const MAX_NOTICES = 100

// In the order in which they came, for as long as notices are kept.
export async function noticesOfSubject(
  db: Queryable,
  organizationId: string,
  subjectId: string,
): Promise<SubjectNotice[]> {
  const result = await db.query<SubjectNotice>({
    text: `select rail, notice_id as "noticeId", network_update->>'kind' as kind, network_code as "networkCode",
                  (network_update->>'amountInCents')::bigint as "amountInCents", occurred_at as "occurredAt",
                  received_at as "receivedAt", state
             from rail_notices
            where organization_id = $1 and subject_id = $2
            order by received_at, notice_id
            limit ${MAX_NOTICES}`,
    values: [organizationId, subjectId],
  })
  return result.rows
}

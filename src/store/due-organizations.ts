// First step of a claim: which organizations have due work. The second step claims it within one organization.

import { type Instant, isoInstant } from '../core/instant.ts'
import type { Queryable } from './db.ts'

export type WorkTable = 'payins' | 'payouts' | 'payment_links' | 'rail_notices'

export async function organizationsWithDue(db: Queryable, table: WorkTable, now: Instant): Promise<string[]> {
  const result = await db.query<{ organization_id: string }>({
    name: `organizations-with-due-${table}`,
    text: `select organization_id
             from organizations o
            where exists (select 1 from ${table} w where w.organization_id = o.organization_id and w.due_at <= $1)`,
    values: [isoInstant(now)],
  })
  return result.rows.map((row) => row.organization_id)
}

// Who made what, as the audit log has it.

import type { Queryable } from '../db.ts'

// Far more than of one person ever work at a time.
const MAX_LOOKED_AT = 1_000

// The ids of the keys and clients whose secret a person has seen, and of the endpoints that they made, whether or not they still
// work. Of a key that was rolled the successor is the one whose secret was seen.
export async function idsMadeBy(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<ReadonlySet<string>> {
  const result = await db.query<{ id: string | null }>({
    text: `select case act when 'apikey.roll' then changes -> 'replacedBy' ->> 'after' else object_id end as id
             from audit_entries
            where organization_id = $1 and actor_id = $2 and actor_kind = 'person' and outcome = 'done'
              and act in ('apikey.create', 'apikey.roll', 'client.create', 'client.roll', 'webhook.create')
            order by entry_id desc
            limit ${MAX_LOOKED_AT}`,
    values: [organizationId, userId],
  })
  return new Set(result.rows.map(({ id }) => id ?? ''))
}

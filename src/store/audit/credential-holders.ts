// Who has seen the secret of a key or client: whoever made it or rolled it. If that was done with another key, whoever has seen that
// one's. The audit log knows; it is kept longer than any key.

import type { Queryable } from '../db.ts'

// As people's ids.
export async function credentialHolders(
  db: Queryable,
  organizationId: string,
  credentialId: string,
): Promise<string[]> {
  const result = await db.query<{ userId: string }>({
    name: 'credential-holders',
    text: `with recursive holders (kind, id) as (
             select 'key', $2::text
              union
             select e.actor_kind, e.actor_id
               from holders h
               join audit_entries e
                 on e.organization_id = $1 and e.outcome = 'done'
                and (e.object_id = h.id and e.act in ('apikey.create', 'client.create', 'client.roll')
                     -- The entry is the old key's, and names the new one.
                     or e.act = 'apikey.roll' and e.changes #>> '{replacedBy,after}' = h.id)
              where h.kind in ('key', 'client') and e.actor_id is not null
           )
           select distinct id as "userId" from holders where kind = 'person'`,
    values: [organizationId, credentialId],
  })
  return result.rows.map(({ userId }) => userId)
}

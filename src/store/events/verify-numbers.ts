// Proves the numbers of events: in each organization one follows the other, and the last is the one that its counter says.

import type { Queryable } from '../db.ts'

export type NumbersProblem = { readonly organizationId: string; readonly detail: string }

export async function verifyEventNumbers(db: Queryable): Promise<NumbersProblem[]> {
  const { rows } = await db.query<{ organization_id: string; detail: string }>({
    text: `with numbered as (
             select organization_id, sequence,
                    lag(sequence) over own as before,
                    first_value(sequence) over own as first
               from events
              where sequence is not null
             window own as (partition by organization_id order by sequence))
           select organization_id,
                  case when before = sequence then concat('the number ', sequence, ' was given twice')
                       else concat('no event has the number ', before + 1) end as detail
             from numbered
            where sequence <> before + 1 and not (first > 1 and sequence - first < ${BORDER})
            union all
           select organization_id, concat('the last event has the number ', n.last, ', and the counter says ', coalesce(c.last_sequence, 0))
             from (select organization_id, max(sequence) as last from numbered group by organization_id) n
             left join event_counters c using (organization_id)
            where n.last is distinct from c.last_sequence
            order by organization_id, detail`,
  })
  return rows.map((row) => ({ organizationId: row.organization_id, detail: row.detail }))
}

// Old events leave by the time of their ids, and numbers are given in the order of commits: where the oldest month has left, a few
// numbers at its border may be among those that left.
const BORDER = 1_000

// Whether everybody has been told of the events before one: then they may leave.

import type { Queryable } from '../db.ts'

// Why not, in the words of the log. Asked in the order in which an event goes its way, so that none slips through in between.
export async function undeliveredBefore(db: Queryable, eventId: string): Promise<string | null> {
  for (const [because, text] of Object.entries(UNDELIVERED)) {
    const found = await db.query({ text, values: [eventId] })
    if (found.rowCount !== 0) return because
  }
  return null
}

const UNDELIVERED = {
  'events have no number yet': 'select from events where sequence is null and event_id < $1 limit 1',
  'events were never sent': `select
      from first_attempt_batches b
     cross join unnest(b.event_ids) as i (id)
     where i.id < $1
     limit 1`,
  'deliveries are to be tried again':
    'select from deliveries where due_at is not null and event_id < $1 limit 1',
}

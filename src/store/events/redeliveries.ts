// Requests to send an event again, for listeners of the stream: they have no endpoint that a delivery could belong to. Numbered
// under the counter's lock, so a reader that follows the numbers sees every request.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { EVENT_COLUMNS, type EventFilters, lockCounter, type StoredEvent, withSequence } from './events.ts'

export type EventAddress = { organizationId: string; eventId: string }

// Takes the sequencer's lock and, like the sequencer, before anything else: call it first in a transaction.
export async function insertRedelivery(
  tx: Queryable,
  { organizationId, eventId }: EventAddress,
  now: Instant,
): Promise<void> {
  await lockCounter(tx, organizationId)
  await tx.query({
    text: `with counted as (
             update event_counters
                set last_redelivery = last_redelivery + 1
              where organization_id = $1
          returning last_redelivery
           )
           insert into redeliveries (organization_id, number, event_id, requested_at)
           select $1, last_redelivery, $2, $3
             from counted`,
    values: [organizationId, eventId, isoInstant(now)],
  })
}

export type Redelivery = { number: number; event: StoredEvent }

// In the order of the requests, after the given number. Not filtered: a reader that skips a request must still move past its
// number.
export async function listRedeliveries(
  db: Queryable,
  organizationId: string,
  after: number,
  limit: number,
): Promise<Redelivery[]> {
  const result = await db.query<StoredEvent & { sequence: bigint; number: bigint }>({
    name: 'list-redeliveries',
    text: `select number, ${EVENT_COLUMNS}
             from redeliveries
             join events using (organization_id, event_id)
            where organization_id = $1 and number > $2
            order by number
            limit $3`,
    values: [organizationId, after, limit],
  })
  return result.rows.map(({ number, ...event }) => ({ number: Number(number), event: withSequence(event) }))
}

export function matchesFilter({ event }: Redelivery, { type, objectId }: EventFilters): boolean {
  return (
    (type === undefined || event.type === type) && (objectId === undefined || event.objectId === objectId)
  )
}

// Alarms about connections whose credentials the provider refuses: one for each address that does, until it lets us in again.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { ConnectionAddress } from './connections.ts'

// Raised each time that it begins, also if the last one was resolved by a person.
export async function insertRefusedAlarm(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  alarm: { alarmId: string; detail: string },
  now: Instant,
): Promise<void> {
  await db.query({
    text: `insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
           values ($1, $2, 'connection-refused', $3, $4, $5)
               on conflict do nothing`,
    values: [organizationId, alarm.alarmId, connectionId, alarm.detail, isoInstant(now)],
  })
}

// Whatever was told about this address is over.
export async function resolveRefusedAlarm(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  url: string,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `update alarms
              set resolved_at = $4
            where organization_id = $1 and subject_id = $2 and kind = 'connection-refused'
              and position($3 in detail) > 0 and resolved_at is null`,
    values: [organizationId, connectionId, ` at ${url}: `, isoInstant(now)],
  })
}

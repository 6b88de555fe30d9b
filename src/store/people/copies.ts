// Texts that hold a person too: events, kept answers, and what endpoints answered. One text in them is put in place of another.

import type { Queryable } from '../db.ts'

export type EventText = { readonly eventId: string; readonly data: string }

// Of one payin, payout or link.
export async function eventsOfObject(
  db: Queryable,
  organizationId: string,
  objectId: string,
): Promise<EventText[]> {
  const result = await db.query<EventText>({
    // Each half has an index of its own.
    text: `select event_id as "eventId", data
             from events
            where organization_id = $1 and object_id = $2 and sequence is not null
            union all
           select event_id, data
             from events
            where organization_id = $1 and object_id = $2 and sequence is null`,
    values: [organizationId, objectId],
  })
  return result.rows
}

// False if somebody else has rewritten it meanwhile.
export async function replaceEventData(
  db: Queryable,
  organizationId: string,
  { eventId, data }: EventText,
  replacement: string,
): Promise<boolean> {
  const result = await db.query({
    text: `update events
              set data = $4
            where organization_id = $1 and event_id = $2 and data = $3`,
    values: [organizationId, eventId, data, replacement],
  })
  return result.rowCount === 1
}

// What endpoints answered to these events.
export async function blankResponses(
  db: Queryable,
  organizationId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query({
    text: `update delivery_attempts
              set response = ''
            where organization_id = $1 and event_id = any($2::uuid[]) and response <> ''`,
    values: [organizationId, eventIds],
  })
}

export type KeptAnswer = { readonly key: string; readonly body: string }

// In the order of their keys.
export async function listKeptAnswers(
  db: Queryable,
  organizationId: string,
  afterKey: string,
  limit: number,
): Promise<KeptAnswer[]> {
  const result = await db.query<KeptAnswer>({
    text: `select idempotency_key as key, body
             from idempotency_records
            where organization_id = $1 and idempotency_key > $2
            order by idempotency_key
            limit $3`,
    values: [organizationId, afterKey, limit],
  })
  return result.rows
}

// False if the key was used for another request meanwhile.
export async function replaceKeptAnswer(
  db: Queryable,
  organizationId: string,
  { key, body }: KeptAnswer,
  replacement: string,
): Promise<boolean> {
  const result = await db.query({
    text: `update idempotency_records
              set body = $4
            where organization_id = $1 and idempotency_key = $2 and body = $3`,
    values: [organizationId, key, body, replacement],
  })
  return result.rowCount === 1
}

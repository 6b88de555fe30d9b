// Texts that hold a person too: events, kept answers, and what endpoints answered. One text in them is put in place of another.

import { unpackText } from '../../core/events/packed-text.ts'
import type { Queryable } from '../db.ts'
import { textPacker } from '../events/text-packer.ts'

// `stored` is the text as the row has it.
export type EventText = { readonly eventId: string; readonly data: string; readonly stored: string }

// Of one payin, payout or link.
export async function eventsOfObject(
  db: Queryable,
  organizationId: string,
  objectId: string,
): Promise<EventText[]> {
  const result = await db.query<Omit<EventText, 'data'>>({
    // Each half has an index of its own.
    text: `select event_id as "eventId", data as stored
             from events
            where organization_id = $1 and object_id = $2 and sequence is not null
            union all
           select event_id, data
             from events
            where organization_id = $1 and object_id = $2 and sequence is null`,
    values: [organizationId, objectId],
  })
  return result.rows.map(({ eventId, stored }) => ({ eventId, data: unpackText(stored), stored }))
}

// False if somebody else has rewritten it meanwhile.
export async function replaceEventData(
  db: Queryable,
  organizationId: string,
  { eventId, stored }: EventText,
  replacement: string,
): Promise<boolean> {
  const pack = await textPacker(db)
  const result = await db.query({
    text: `update events
              set data = $4
            where organization_id = $1 and event_id = $2 and data = $3`,
    values: [organizationId, eventId, stored, pack(replacement)],
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

export type KeptAnswer = { readonly key: string; readonly body: string; readonly stored: string }

// In the order of their keys.
export async function listKeptAnswers(
  db: Queryable,
  organizationId: string,
  afterKey: string,
  limit: number,
): Promise<KeptAnswer[]> {
  const result = await db.query<Omit<KeptAnswer, 'body'>>({
    text: `select idempotency_key as key, body as stored
             from idempotency_records
            where organization_id = $1 and idempotency_key > $2
            order by idempotency_key
            limit $3`,
    values: [organizationId, afterKey, limit],
  })
  return result.rows.map(({ key, stored }) => ({ key, body: unpackText(stored), stored }))
}

// False if the key was used for another request meanwhile.
export async function replaceKeptAnswer(
  db: Queryable,
  organizationId: string,
  { key, stored }: KeptAnswer,
  replacement: string,
): Promise<boolean> {
  const pack = await textPacker(db)
  const result = await db.query({
    text: `update idempotency_records
              set body = $4
            where organization_id = $1 and idempotency_key = $2 and body = $3`,
    values: [organizationId, key, stored, pack(replacement)],
  })
  return result.rowCount === 1
}

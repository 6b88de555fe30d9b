// Payins, payouts and links as they are found: the columns that their words are made of, rows behind a mark, and the marks.

import type { Customer } from '../../core/people/customer.ts'
import type { Sealed } from '../../core/people/sealed.ts'
import type { Worded } from '../../core/search/fact.ts'
import type { Queryable } from '../db.ts'

type Place = {
  readonly table: string
  readonly id: string
  readonly amounts: string
  readonly ownKey: string
  readonly receiverKey: string
  readonly traces: string
}

const NO_KEY = 'null::text'

const PLACES: Readonly<Record<Worded, Place>> = {
  payin: {
    table: 'payins',
    id: 'payin_id',
    amounts: 'array[amount_cents, confirmed_amount_cents]',
    ownKey: 'key_string',
    receiverKey: NO_KEY,
    traces: 'array[trace_id, payment_id, provider_id]',
  },
  payout: {
    table: 'payouts',
    id: 'payout_id',
    amounts: 'array[amount_cents]',
    ownKey: NO_KEY,
    receiverKey: 'key_string',
    traces: 'array[trace_id, provider_id]',
  },
  paymentlink: {
    table: 'payment_links',
    id: 'payment_link_id',
    amounts: 'array[amount_cents]',
    ownKey: NO_KEY,
    receiverKey: NO_KEY,
    traces: 'array[]::text[]',
  },
}

export type SearchedRow = {
  readonly objectId: string
  readonly reference: string
  readonly amounts: readonly (string | null)[]
  readonly ownKey: string | null
  readonly traces: readonly (string | null)[]
  readonly customer: Customer | Sealed | null
  // Plain only in payouts from before people were sealed.
  readonly keyString: string | null
}

const columnsOf = ({ id, amounts, ownKey, receiverKey, traces }: Place): string =>
  `${id} as "objectId", reference, ${amounts}::text[] as amounts, ${ownKey} as "ownKey", ${traces} as traces, customer,
   ${receiverKey} as "keyString"`

// In the order of ids.
export async function searchedBetween(
  db: Queryable,
  resource: Worded,
  organizationId: string,
  afterId: string,
  throughId: string,
  limit: number,
): Promise<SearchedRow[]> {
  const place = PLACES[resource]
  const result = await db.query<SearchedRow>({
    name: `searched-between-${resource}`,
    text: `select ${columnsOf(place)}
             from ${place.table}
            where organization_id = $1 and ${place.id} > $2 and ${place.id} <= $3
            order by ${place.id}
            limit $4`,
    values: [organizationId, afterId, throughId, limit],
  })
  return result.rows
}

// Those that have no words yet, newest first.
export async function newestUnworded(
  db: Queryable,
  resource: Worded,
  organizationId: string,
  limit: number,
): Promise<SearchedRow[]> {
  const place = PLACES[resource]
  const result = await db.query<SearchedRow>({
    name: `newest-unworded-${resource}`,
    text: `select ${columnsOf(place)}
             from ${place.table}
            where organization_id = $1
              and ${place.id} > coalesce((select ${resource} from search_marks where organization_id = $1),
                                         '00000000-0000-0000-0000-000000000000')
            order by ${place.id} desc
            limit $2`,
    values: [organizationId, limit],
  })
  return result.rows
}

export async function searchedRows(
  db: Queryable,
  resource: Worded,
  organizationId: string,
  objectIds: readonly string[],
): Promise<SearchedRow[]> {
  const place = PLACES[resource]
  const result = await db.query<SearchedRow>({
    name: `searched-rows-${resource}`,
    text: `select ${columnsOf(place)} from ${place.table} where organization_id = $1 and ${place.id} = any($2::uuid[])`,
    values: [organizationId, objectIds],
  })
  return result.rows
}

// The attempts on links are payins, which have no events of their own.
export async function attemptsOnLinks(
  db: Queryable,
  organizationId: string,
  paymentLinkIds: readonly string[],
): Promise<string[]> {
  const result = await db.query<{ payin_id: string }>({
    name: 'attempts-on-links',
    text: `select payin_id from payins where organization_id = $1 and payment_link_id = any($2::uuid[])`,
    values: [organizationId, paymentLinkIds],
  })
  return result.rows.map((row) => row.payin_id)
}

// As it is written, newest first. So many of one reference are enough, and read first: in the order of ids the planner would read
// the organization's rows one by one.
export async function objectsWithReference(
  db: Queryable,
  resource: Worded,
  organizationId: string,
  reference: string,
  limit: number,
): Promise<string[]> {
  const { table, id } = PLACES[resource]
  const result = await db.query<{ id: string }>({
    name: `objects-with-reference-${resource}`,
    text: `with named as materialized (
             select ${id} as id
               from ${table}
              where organization_id = $1 and reference = $2
              limit ${MAX_OF_ONE_REFERENCE}
           )
           select id from named order by id desc limit $3`,
    values: [organizationId, reference, limit],
  })
  return result.rows.map((row) => row.id)
}

const MAX_OF_ONE_REFERENCE = 200

export type SearchMark = { readonly organizationId: string; readonly after: string; readonly through: string }

// Organizations whose people have digests further than their rows have words, and how far each is.
export async function behindPeople(db: Queryable, resource: Worded, limit: number): Promise<SearchMark[]> {
  const result = await db.query<SearchMark>({
    name: `behind-people-${resource}`,
    text: `select p.organization_id as "organizationId", p.through,
                  coalesce(m.${resource}, '00000000-0000-0000-0000-000000000000') as after
             from people_marks p
             left join search_marks m on m.organization_id = p.organization_id
            where p.resource = $1 and p.through > coalesce(m.${resource}, '00000000-0000-0000-0000-000000000000')
            limit $2`,
    values: [resource, limit],
  })
  return result.rows
}

// A mark never moves back.
export async function moveSearchMark(
  db: Queryable,
  organizationId: string,
  resource: Worded,
  through: string,
): Promise<void> {
  await db.query({
    text: `insert into search_marks as m (organization_id, ${resource})
           values ($1, $2)
               on conflict (organization_id) do update
              set ${resource} = greatest(m.${resource}, excluded.${resource})`,
    values: [organizationId, through],
  })
}

type EventMark = { readonly organizationId: string; readonly after: bigint }

export async function behindEvents(db: Queryable, limit: number): Promise<EventMark[]> {
  const result = await db.query<EventMark>({
    name: 'behind-events',
    text: `select c.organization_id as "organizationId", coalesce(m.event_sequence, 0) as after
             from event_counters c
             left join search_marks m on m.organization_id = c.organization_id
            where c.last_sequence > coalesce(m.event_sequence, 0)
            limit $1`,
    values: [limit],
  })
  return result.rows
}

export type ToldOf = { readonly sequence: bigint; readonly type: string; readonly objectId: string }

// What events tell of, in the order of their numbers.
export async function toldAfter(
  db: Queryable,
  organizationId: string,
  after: bigint,
  limit: number,
): Promise<ToldOf[]> {
  const result = await db.query<ToldOf>({
    name: 'told-after',
    text: `select sequence, type, object_id as "objectId"
             from events
            where organization_id = $1 and sequence > $2
            order by sequence
            limit $3`,
    values: [organizationId, after, limit],
  })
  return result.rows
}

export async function moveEventMark(db: Queryable, organizationId: string, sequence: bigint): Promise<void> {
  await db.query({
    text: `insert into search_marks as m (organization_id, event_sequence)
           values ($1, $2)
               on conflict (organization_id) do update
              set event_sequence = greatest(m.event_sequence, excluded.event_sequence)`,
    values: [organizationId, sequence],
  })
}

// What a page of the console shows of an object, as a short mark that differs whenever the page would. One statement reads the
// marks of many objects, on whichever machines they are.

import type { Queryable } from './db.ts'

export const MARKED_OBJECTS = ['payins', 'payouts', 'refunds', 'links', 'pages', 'events'] as const
export type MarkedObject = (typeof MARKED_OBJECTS)[number]

export type ObjectAddress = { readonly organizationId: string; readonly id: string }

// The newest event of an object and how often it was sent: its page shows both.
const NEWEST_EVENT = (id: string): string => `
  (select concat_ws('/', e.sequence, (select count(*)
                                        from delivery_attempts a
                                       where a.organization_id = e.organization_id and a.event_id = e.event_id))
     from events e
    where e.organization_id = o.organization_id and e.object_id = o.${id} and e.sequence is not null
    order by e.sequence desc
    limit 1)`

const objectOf = (table: string, id: string, columns: string): string => `
  select o.organization_id, o.${id} as id, concat_ws('/', o.version, ${columns}, ${NEWEST_EVENT(id)}) as mark
    from ${table} o
   where (o.organization_id, o.${id}) in (select * from unnest($1::uuid[], $2::uuid[]))`

const STATEMENTS: Readonly<Record<MarkedObject, string>> = {
  payins: objectOf(
    'payins',
    'payin_id',
    'o.rail_stage, o.attempts, o.bank_url, o.key_string, o.customer is null',
  ),
  payouts: objectOf('payouts', 'payout_id', 'o.stage, o.attempts'),
  refunds: objectOf('refunds', 'refund_id', 'o.stage, o.attempts'),
  links: objectOf(
    'payment_links',
    'payment_link_id',
    `(select string_agg(concat_ws('/', p.payin_id, p.version), ' ' order by p.payin_id)
        from payins p
       where p.organization_id = o.organization_id and p.payment_link_id = o.payment_link_id)`,
  ),
  pages: objectOf('payment_pages', 'payment_page_id', 'o.held_pieces'),
  events: `
    select o.organization_id, o.event_id as id,
           concat_ws('/', o.sequence,
                     (select count(*)
                        from delivery_attempts a
                       where a.organization_id = o.organization_id and a.event_id = o.event_id),
                     (select string_agg(concat_ws('/', d.state, d.due_at), ' ' order by d.endpoint_id)
                        from deliveries d
                       where d.organization_id = o.organization_id and d.event_id = o.event_id)) as mark
      from events o
     where (o.organization_id, o.event_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
}

// Null for one that does not exist.
export async function objectMarks(
  db: Queryable,
  kind: MarkedObject,
  addresses: readonly ObjectAddress[],
): Promise<(string | null)[]> {
  const result = await db.query<{ organization_id: string; id: string; mark: string }>({
    name: `shown-marks-${kind}`,
    text: STATEMENTS[kind],
    values: [addresses.map(({ organizationId }) => organizationId), addresses.map(({ id }) => id)],
  })
  const marks = new Map(result.rows.map((row) => [`${row.organization_id} ${row.id}`, row.mark]))
  return addresses.map(({ organizationId, id }) => marks.get(`${organizationId} ${id}`) ?? null)
}

// What hardly any signal tells of: open alarms, money that waits for a decision, and how far the days are closed.
export const MARKED_SETS = ['alarms', 'suspense', 'days'] as const
export type MarkedSet = (typeof MARKED_SETS)[number]

const SET_STATEMENTS: Readonly<Record<MarkedSet, string>> = {
  alarms: `
    select organization_id, concat_ws('/', count(*), max(alarm_id::text)) as mark
      from alarms
     where organization_id = any($1) and resolved_at is null
     group by organization_id`,
  suspense: `
    select organization_id, concat_ws('/', count(*), max(suspense_id::text), max(updated_at)) as mark
      from suspense_items
     where organization_id = any($1) and state in ('OPEN', 'RETURNING')
     group by organization_id`,
  days: `
    select organization_id, concat_ws('/', open_from, next_day) as mark
      from closing_marks
     where organization_id = any($1)`,
}

// Of each organization. Null where there are none.
export async function setMarks(
  db: Queryable,
  set: MarkedSet,
  organizationIds: readonly string[],
): Promise<(string | null)[]> {
  const result = await db.query<{ organization_id: string; mark: string }>({
    name: `shown-marks-${set}`,
    text: SET_STATEMENTS[set],
    values: [organizationIds],
  })
  const marks = new Map(result.rows.map((row) => [row.organization_id, row.mark]))
  return organizationIds.map((organizationId) => marks.get(organizationId) ?? null)
}

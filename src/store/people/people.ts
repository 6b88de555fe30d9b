// The people in payins, payouts, payment links, rows of batches and the beneficiary book: looked through in the order of ids, found by digest, sealed and erased.

import type { Customer } from '../../core/people/customer.ts'
import { ERASED, type Sealed } from '../../core/people/sealed.ts'
import type { Queryable } from '../db.ts'
import { tableOfOrganizations } from '../scoped-statement.ts'

type Place = {
  table: string
  id: string
  isOpen: string
  key: string
  alsoSet: string
  alsoErased: string
  // What the merchant noted on it stands beside the person.
  hasNote: boolean
}

const NO_KEY = `null as "keyString", null as "keyStringSent"`

const PLACES = {
  payin: {
    table: 'payins',
    id: 'payin_id',
    // A refund of it has yet to find its payer, too.
    isOpen: `(status in ('PENDING', 'PROCESSING') or refund_cents > refunded_cents)`,
    key: NO_KEY,
    alsoSet: '',
    // The browser that the payer was on our page with.
    alsoErased: ', payer_device = null',
    hasNote: true,
  },
  payout: {
    table: 'payouts',
    id: 'payout_id',
    isOpen: `status = 'PROCESSING'`,
    key: `key_string as "keyString", key_string_sent as "keyStringSent"`,
    // A sealed receiver holds the key too.
    alsoSet: `, key_string = '', key_string_sent = null`,
    alsoErased: '',
    hasNote: true,
  },
  paymentlink: {
    table: 'payment_links',
    id: 'payment_link_id',
    isOpen: `status = 'PENDING'`,
    key: NO_KEY,
    alsoSet: '',
    alsoErased: '',
    hasNote: true,
  },
  // A row of a file of payouts. Once it is a payout, that one says whether it is open.
  batchrow: {
    table: 'payout_batch_rows',
    id: 'row_id',
    isOpen: `state = 'QUEUED'`,
    key: NO_KEY,
    alsoSet: '',
    // Nobody is paid by it any more.
    alsoErased: `, key_digest = null, state = case when state = 'DRAFT' then 'LEFT_OUT' else state end`,
    hasNote: false,
  },
  beneficiary: {
    table: 'beneficiaries',
    id: 'beneficiary_id',
    isOpen: 'false',
    key: NO_KEY,
    alsoSet: '',
    // Nobody is found by the document any more.
    alsoErased: `, document_digest = decode(replace(beneficiary_id::text, '-', ''), 'hex'), verified_at = null, verified_by = null`,
    hasNote: false,
  },
} as const satisfies Record<string, Place>

export type PersonResource = keyof typeof PLACES
export const PERSON_RESOURCES = Object.keys(PLACES) as PersonResource[]

export type StoredPerson = {
  readonly objectId: string
  readonly isOpen: boolean
  readonly customer: Customer | Sealed | null
  // As it is stored: nothing is written over a newer one.
  readonly customerText: string | null
  readonly keyString: string | null
  readonly keyStringSent: string | null
}

const columnsOf = ({ id, isOpen, key }: Place): string =>
  `${id} as "objectId", ${isOpen} as "isOpen", customer, customer::text as "customerText", ${key}`

// Organizations that have something between their mark and an id, without those that are left out.
export async function organizationsBehindMark(
  db: Queryable,
  resource: PersonResource,
  beforeId: string,
  limit: number,
  leftOut: readonly string[],
): Promise<string[]> {
  const { table, id }: Place = PLACES[resource]
  const result = await db.query<{ organization_id: string }>({
    name: `organizations-behind-mark-${resource}`,
    text: `select o.organization_id
             from ${await tableOfOrganizations(db)} o
             left join people_marks m on m.organization_id = o.organization_id and m.resource = $1
            where o.organization_id <> all($4::uuid[])
              and exists (select 1
                            from ${table} t
                           where t.organization_id = o.organization_id
                             and t.${id} > coalesce(m.through, '00000000-0000-0000-0000-000000000000'::uuid)
                             and t.${id} < $2)
            limit $3`,
    values: [resource, beforeId, limit, leftOut],
  })
  return result.rows.map((row) => row.organization_id)
}

// In the order of ids, behind the organization's mark and before an id.
export async function listPeople(
  db: Queryable,
  resource: PersonResource,
  organizationId: string,
  afterId: string,
  beforeId: string,
  limit: number,
): Promise<StoredPerson[]> {
  const place: Place = PLACES[resource]
  const result = await db.query<StoredPerson>({
    name: `list-people-${resource}`,
    text: `select ${columnsOf(place)}
             from ${place.table}
            where organization_id = $1 and ${place.id} > $2 and ${place.id} < $3
            order by ${place.id}
            limit $4`,
    values: [organizationId, afterId, beforeId, limit],
  })
  return result.rows
}

export async function getPeople(
  db: Queryable,
  resource: PersonResource,
  organizationId: string,
  objectIds: readonly string[],
): Promise<StoredPerson[]> {
  const place: Place = PLACES[resource]
  const result = await db.query<StoredPerson>({
    text: `select ${columnsOf(place)}
             from ${place.table}
            where organization_id = $1 and ${place.id} = any($2::uuid[])
            order by ${place.id}`,
    values: [organizationId, objectIds],
  })
  return result.rows
}

// False if somebody else has changed the person meanwhile. It is a new version: whoever has read the row before, with the person as
// they were, decides again and tells nobody of them.
export async function replacePerson(
  db: Queryable,
  resource: PersonResource,
  organizationId: string,
  { objectId, customerText }: Pick<StoredPerson, 'objectId' | 'customerText'>,
  sealed: Sealed,
  // Put in place of what was noted, if anything was.
  note: Sealed | null = null,
): Promise<boolean> {
  const { table, id, alsoSet, alsoErased, hasNote }: Place = PLACES[resource]
  const result = await db.query({
    text: `update ${table}
              set customer = $4,${hasNote ? ' note = case when note is null then null else coalesce($5, note) end,' : ''}
                  version = version + 1 ${alsoSet}${sealed.sealed === ERASED ? alsoErased : ''}
            where organization_id = $1 and ${id} = $2 and customer::text = $3`,
    values: [
      organizationId,
      objectId,
      customerText,
      JSON.stringify(sealed),
      ...(hasNote ? [note && JSON.stringify(note)] : []),
    ],
  })
  return result.rowCount === 1
}

// What was noted on a link. A new version, as above.
export async function replaceLinkNote(
  db: Queryable,
  organizationId: string,
  paymentLinkId: string,
  sealed: Sealed,
): Promise<void> {
  await db.query({
    text: `update payment_links
              set note = $3, version = version + 1
            where organization_id = $1 and payment_link_id = $2 and note is not null`,
    values: [organizationId, paymentLinkId, JSON.stringify(sealed)],
  })
}

// The links that these payins were attempts on.
export async function linksOfPayins(
  db: Queryable,
  organizationId: string,
  payinIds: readonly string[],
): Promise<string[]> {
  const result = await db.query<{ payment_link_id: string }>({
    text: `select distinct payment_link_id
             from payins
            where organization_id = $1 and payin_id = any($2::uuid[]) and payment_link_id is not null`,
    values: [organizationId, payinIds],
  })
  return result.rows.map((row) => row.payment_link_id)
}

export async function readMark(
  db: Queryable,
  organizationId: string,
  resource: PersonResource,
): Promise<string> {
  const result = await db.query<{ through: string }>({
    text: 'select through from people_marks where organization_id = $1 and resource = $2',
    values: [organizationId, resource],
  })
  return result.rows[0]?.through ?? '00000000-0000-0000-0000-000000000000'
}

// A mark never moves back.
export async function moveMark(
  db: Queryable,
  organizationId: string,
  resource: PersonResource,
  through: string,
): Promise<void> {
  await db.query({
    text: `insert into people_marks as m (organization_id, resource, through)
           values ($1, $2, $3)
               on conflict (organization_id, resource) do update
              set through = greatest(m.through, excluded.through)`,
    values: [organizationId, resource, through],
  })
}

// Money that belongs to no open payin, until a person decides or a payin counts it.

import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import type { PaymentPlace, SuspenseReason } from '../../core/payins/settle.ts'
import type { Queryable } from '../db.ts'
import { isDistributed } from '../distribute.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'
import { scopedStatement } from '../scoped-statement.ts'

export const SUSPENSE_STATES = [
  'OPEN',
  'RETURNING',
  'RETURNED',
  'ATTACHED',
  'CHARGED_BACK',
  'COUNTED',
] as const
export type SuspenseState = (typeof SUSPENSE_STATES)[number]

export type SuspenseItem = {
  organizationId: string
  suspenseId: string
  // Null for money that names no payin we know.
  payinId: string | null
  rail: Rail
  paymentId: string
  // What arrived. What is left of it is the item's: see leftInCents.
  amountInCents: bigint
  chargedBackInCents: bigint
  reason: SuspenseReason
  state: SuspenseState
  // The payin that got it.
  attachedTo: string | null
  // What staff wrote about it, sealed.
  note: string | null
  createdAt: Instant
  updatedAt: Instant
}

// Nobody has decided about any of it.
export function isFree({ state, chargedBackInCents }: SuspenseItem): boolean {
  return state === 'OPEN' && chargedBackInCents === 0n
}

export function leftInCents({ amountInCents, chargedBackInCents }: SuspenseItem): bigint {
  return amountInCents - chargedBackInCents
}

const COLUMNS = `organization_id as "organizationId", suspense_id as "suspenseId", payin_id as "payinId", rail,
  payment_id as "paymentId", amount_cents as "amountInCents", charged_back_cents as "chargedBackInCents", reason, state,
  attached_to as "attachedTo", note, created_at as "createdAt", updated_at as "updatedAt"`

export async function listSuspense(db: Queryable, all: boolean): Promise<SuspenseItem[]> {
  const result = await db.query<SuspenseItem>({
    text: `select ${COLUMNS}
             from suspense_items
            where $1 or state in ('OPEN', 'RETURNING')
            order by created_at`,
    values: [all],
  })
  return result.rows
}

// The items that hold money, or held some until a person decided about it not long ago.
export async function suspenseToWatch(db: Queryable, decidedSince: Instant): Promise<SuspenseItem[]> {
  const result = await db.query<SuspenseItem>({
    text: `select ${COLUMNS}
             from suspense_items
            where state in ('OPEN', 'RETURNING') or (state <> 'COUNTED' and updated_at >= $1)
            order by organization_id, suspense_id`,
    values: [isoInstant(decidedSince)],
  })
  return result.rows
}

export type SuspenseAddress = { readonly organizationId: string; readonly suspenseId: string }

// Undecided: somebody has yet to decide about it, or it is on its way back.
export type SuspenseFilters = IdBounds & {
  state?: SuspenseState
  isUndecided?: boolean
  reason?: SuspenseReason
  rail?: Rail
  payinId?: string
  amountInCents?: bigint
}

export const UNDECIDED_STATES: readonly SuspenseState[] = ['OPEN', 'RETURNING']
const UNDECIDED = `state in ('OPEN', 'RETURNING')`

export const suspenseList = listOf<SuspenseFilters, SuspenseItem, SuspenseItem>({
  table: 'suspense_items',
  idColumn: 'suspense_id',
  columns: COLUMNS,
  cases: ({ state, isUndecided, reason, rail, payinId, amountInCents }): ListCase[] => {
    const hasIndex = isUndecided === true || (state !== undefined && UNDECIDED_STATES.includes(state))
    return [
      {
        ...(hasIndex && { indexed: UNDECIDED }),
        also: [
          ['state', state],
          ['reason', reason],
          ['rail', rail],
          ['payin_id', payinId],
          ['amount_cents', amountInCents?.toString()],
        ],
      },
    ]
  },
  read: (row) => row,
})

// Money for a payin over a connection is in the merchant's account at its provider. What names no payin came over a network of ours.
export async function isAtProvider(
  tx: Queryable,
  { organizationId, payinId }: Pick<SuspenseItem, 'organizationId' | 'payinId'>,
): Promise<boolean> {
  if (payinId === null) return false
  const { rows } = await tx.query<{ is_connected: boolean }>({
    name: 'is-suspense-at-provider',
    text: `select connection_id is not null as is_connected from payins where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId],
  })
  return rows[0]?.is_connected === true
}

export async function getSuspenseItem(
  db: Queryable,
  { organizationId, suspenseId }: SuspenseAddress,
): Promise<SuspenseItem | undefined> {
  const result = await db.query<SuspenseItem>({
    text: `select ${COLUMNS} from suspense_items where organization_id = $1 and suspense_id = $2`,
    values: [organizationId, suspenseId],
  })
  return result.rows[0]
}

// An operator names the item alone. Whose it is is looked for everywhere, without a lock.
export async function ownerOfSuspense(db: Queryable, suspenseId: string): Promise<string | undefined> {
  const result = await db.query<{ organization_id: string }>({
    text: `select organization_id from suspense_items where suspense_id = $1`,
    values: [suspenseId],
  })
  return result.rows[0]?.organization_id
}

export async function lockSuspenseItem(
  tx: Queryable,
  { organizationId, suspenseId }: SuspenseAddress,
): Promise<SuspenseItem | undefined> {
  const result = await tx.query<SuspenseItem>({
    text: `select ${COLUMNS} from suspense_items where organization_id = $1 and suspense_id = $2 for update`,
    values: [organizationId, suspenseId],
  })
  return result.rows[0]
}

// Of an item that is locked.
export async function setSuspenseNote(
  tx: Queryable,
  { organizationId, suspenseId }: SuspenseAddress,
  note: string | null,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `update suspense_items set note = $3, updated_at = $4 where organization_id = $1 and suspense_id = $2`,
    values: [organizationId, suspenseId, note, isoInstant(now)],
  })
}

// False if the payment is in suspense already.
export async function insertSuspenseItem(
  tx: Queryable,
  item: Omit<SuspenseItem, 'payinId' | 'chargedBackInCents' | 'state' | 'attachedTo' | 'note' | 'updatedAt'>,
): Promise<boolean> {
  const result = await tx.query({
    text: `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state,
                                       created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, 'OPEN', $7, $7)
               on conflict (organization_id, rail, payment_id) do nothing`,
    values: [
      item.organizationId,
      item.suspenseId,
      item.rail,
      item.paymentId,
      item.amountInCents.toString(),
      item.reason,
      isoInstant(item.createdAt),
    ],
  })
  return result.rowCount === 1
}

// Whether money came for the payin, or for another attempt on its link, and was not counted. Whatever became of it, it has moved.
export async function isMoneyInSuspense(
  db: Queryable,
  { organizationId, payinId, paymentLinkId }: Pick<Payin, 'organizationId' | 'payinId' | 'paymentLinkId'>,
): Promise<boolean> {
  const result = await db.query({
    name: 'is-money-in-suspense',
    text: `select
             from suspense_items
            where organization_id = $1
              and payin_id = any(array(select payin_id from payins where organization_id = $1 and payment_link_id = $3
                                        union all
                                       select $2::uuid))
            limit 1`,
    values: [organizationId, payinId, paymentLinkId],
  })
  return result.rowCount === 1
}

export type PaymentAddress = { organizationId: string; rail: Rail; paymentId: string }

// The items of payments that are or were in suspense, in the organization or of nobody: none, mostly. The organization's own comes
// first. One statement serves many concurrent readers.
export async function suspenseOfPayments(
  db: Queryable,
  payments: readonly PaymentAddress[],
): Promise<SuspenseItem[][]> {
  const organizationIds = payments.map(({ organizationId }) => organizationId)
  const result = await db.query<SuspenseItem>(
    await suspenseOfPaymentsStatement(db, organizationIds, [
      organizationIds,
      payments.map(({ rail }) => rail),
      payments.map(({ paymentId }) => paymentId),
      UNATTRIBUTED_ORGANIZATION,
    ]),
  )
  return payments.map(({ organizationId, rail, paymentId }) =>
    [organizationId, UNATTRIBUTED_ORGANIZATION].flatMap((owner) =>
      result.rows.filter(
        (item) => item.organizationId === owner && item.rail === rail && item.paymentId === paymentId,
      ),
    ),
  )
}

const suspenseOfPaymentsStatement = scopedStatement(
  'suspense-of-payments',
  4,
  (scope) => `
  select ${COLUMNS}
    from suspense_items
   where (organization_id, rail, payment_id) in (
           select o.organization_id, k.rail, k.payment_id
             from unnest($1::uuid[], $2::text[], $3::text[]) as k (organization_id, rail, payment_id)
            cross join lateral (values (k.organization_id), ($4::uuid)) as o (organization_id))
     ${scope === null ? '' : `and organization_id in (${scope}::uuid, $4::uuid)`}`,
)

// Where a payment of a network is counted, in any organization: one payment is one payment, whatever name it comes under. Payins
// come first. This takes two index look-ups for each organization, which is why it is only asked about money that goes to suspense,
// that the network names in two ways, or that a person decides about.
export async function placesOfPayment(
  db: Queryable,
  { rail, paymentId }: { rail: Rail; paymentId: string },
): Promise<PaymentPlace[]> {
  const result = await db.query<PaymentPlace>({
    text: (await isDistributed(db)) ? PLACES_ON_ANY_MACHINE : PLACES,
    values: [rail, paymentId],
  })
  return result.rows
}

const PLACES = `
  select o.organization_id as "organizationId", place.kind, place.id
    from organizations o
   cross join lateral (
           (select 'payin' as kind, payin_id as id
              from payins
             where organization_id = o.organization_id and rail = $1 and payment_id = $2 and status = 'CONFIRMED'
             limit 1)
         union all
           (select 'suspense' as kind, suspense_id as id
              from suspense_items
             where organization_id = o.organization_id and rail = $1 and payment_id = $2 and state <> 'COUNTED'
             limit 1)) as place
   order by place.kind, o.organization_id`

// A distributed PostgreSQL takes no look-up for each organization. Each machine joins what it has.
const PLACES_ON_ANY_MACHINE = `
  select p.organization_id as "organizationId", 'payin' as kind, p.payin_id as id
    from organizations o
    join payins p on p.organization_id = o.organization_id
   where p.rail = $1 and p.payment_id = $2 and p.status = 'CONFIRMED'
   union all
  select s.organization_id, 'suspense', s.suspense_id
    from organizations o
    join suspense_items s on s.organization_id = o.organization_id
   where s.rail = $1 and s.payment_id = $2 and s.state <> 'COUNTED'
   order by kind, "organizationId"`

export async function lockSuspenseOfPayment(
  tx: Queryable,
  payment: PaymentAddress,
): Promise<SuspenseItem | undefined> {
  const result = await tx.query<SuspenseItem>({
    text: `select ${COLUMNS}
             from suspense_items
            where organization_id = $1 and rail = $2 and payment_id = $3
              for update`,
    values: [payment.organizationId, payment.rail, payment.paymentId],
  })
  return result.rows[0]
}

export async function moveSuspenseItem(
  tx: Queryable,
  item: SuspenseItem,
  state: SuspenseState,
  attachedTo: string | null,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `update suspense_items
              set state = $3, attached_to = $4, updated_at = $5
            where organization_id = $1 and suspense_id = $2`,
    values: [item.organizationId, item.suspenseId, state, attachedTo, isoInstant(now)],
  })
}

// The item keeps its state while something of it is left.
export async function chargeBackSuspenseItem(
  tx: Queryable,
  item: SuspenseItem,
  takenInCents: bigint,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `update suspense_items
              set charged_back_cents = charged_back_cents + $3, updated_at = $4,
                  state = case when charged_back_cents + $3 = amount_cents then 'CHARGED_BACK' else state end
            where organization_id = $1 and suspense_id = $2`,
    values: [item.organizationId, item.suspenseId, takenInCents.toString(), isoInstant(now)],
  })
}

// Payment links as rows: inserted in batches, found by id or by their page's token, listed, and ended once.

import type { NewEvent } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import {
  PAYMENT_LINK_STATUSES,
  type PaymentLink,
  type PaymentLinkStatus,
} from '../../core/payment-links/payment-link.ts'
import type { Queryable } from '../db.ts'
import {
  type IdempotencyRecord,
  insertRecordsOf,
  keyIsFree,
  RECORD_COLUMNS,
  recordColumns,
} from '../idempotency.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'
import { anchoredOrganization, fromAnchored, isAnchored, scopedStatement } from '../scoped-statement.ts'

export type NewPaymentLink = { link: PaymentLink; record: IdempotencyRecord | null }

// `inserted` is false if the idempotency key was already used. Nothing of that link was then written.
export async function insertLinks(db: Queryable, batch: NewPaymentLink[]): Promise<{ inserted: boolean }[]> {
  const result = await db.query<{ payment_link_id: string }>(
    await insertLinksStatement(
      db,
      batch.map(({ link }) => link.organizationId),
      [JSON.stringify(batch.map(insertRow))],
    ),
  )
  const inserted = new Set(result.rows.map((row) => row.payment_link_id))
  return batch.map(({ link }) => ({ inserted: inserted.has(link.paymentLinkId) }))
}

const insertLinksStatement = scopedStatement(
  'insert-payment-links',
  1,
  (scope) => `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, payment_link_id uuid, token text, amount_cents bigint, reference text, callback_url text,
             rail text, customer json, note json, bank text, payment_page_id uuid, pieces integer, created_at timestamptz, expires_at timestamptz, ${RECORD_COLUMNS})
  ), inserted as (
    insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                               callback_url, rail, customer, note, bank, payment_page_id, pieces, created_at, updated_at,
                               expires_at, due_at)
    select ${anchoredOrganization(scope, 'i')}, payment_link_id, decode(token, 'hex'), 1, 'PENDING', amount_cents, 'COP', reference, callback_url,
           rail, customer, note, bank, payment_page_id, pieces, created_at, created_at, expires_at, expires_at
      from ${fromAnchored(scope, 'incoming i')}
     where ${isAnchored(scope)} and ${keyIsFree(scope)}
        on conflict do nothing
 returning organization_id, payment_link_id
  ), ${insertRecordsOf('payment_link_id', scope)}
  select payment_link_id from inserted`,
)

function insertRow({ link, record }: NewPaymentLink): Record<string, unknown> {
  return {
    organization_id: link.organizationId,
    payment_link_id: link.paymentLinkId,
    token: link.token.toString('hex'),
    amount_cents: Number(link.amountInCents),
    reference: link.reference,
    callback_url: link.callbackUrl,
    rail: link.rail,
    customer: link.customer,
    note: link.note,
    bank: link.bank,
    payment_page_id: link.paymentPageId,
    pieces: link.pieces,
    created_at: isoInstant(link.createdAt),
    expires_at: isoInstant(link.expiresAt),
    ...recordColumns(record),
  }
}

export const LINK_COLUMNS = `organization_id as "organizationId", payment_link_id as "paymentLinkId", token, version, status,
  amount_cents as "amountInCents", currency, reference, callback_url as "callbackUrl", rail, customer, note, bank,
  payment_page_id as "paymentPageId", pieces,
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt", completed_at as "completedAt"`

export async function getLink(
  db: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<PaymentLink | undefined> {
  const result = await db.query<PaymentLink>({
    name: 'get-payment-link',
    text: `select ${LINK_COLUMNS} from payment_links where organization_id = $1 and payment_link_id = $2`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0]
}

// In no order.
export async function getLinks(
  db: Queryable,
  organizationId: string,
  paymentLinkIds: readonly string[],
): Promise<PaymentLink[]> {
  const result = await db.query<PaymentLink>({
    name: 'get-payment-links',
    text: `select ${LINK_COLUMNS} from payment_links where organization_id = $1 and payment_link_id = any($2::uuid[])`,
    values: [organizationId, paymentLinkIds],
  })
  return result.rows
}

export async function getLinkByToken(
  db: Queryable,
  organizationId: string,
  token: Buffer,
): Promise<PaymentLink | undefined> {
  const result = await db.query<PaymentLink>({
    name: 'get-payment-link-by-token',
    text: `select ${LINK_COLUMNS} from payment_links where organization_id = $1 and token = $2`,
    values: [organizationId, token],
  })
  return result.rows[0]
}

export async function lockLink(
  tx: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<PaymentLink | undefined> {
  const result = await tx.query<PaymentLink>({
    name: 'lock-payment-link',
    text: `select ${LINK_COLUMNS} from payment_links where organization_id = $1 and payment_link_id = $2 for update`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0]
}

// An attempt that is open, or may still be paid, or was begun since an id.
const KEEPS_LINK = `(p.status in ('PENDING', 'PROCESSING') or p.rail_stage = 'TO_CLOSE' or p.payin_id >= $3)`

// A page's link on which nobody is paying, made before an id and not locked by anybody: the oldest there is.
export async function lockIdleLink(
  tx: Queryable,
  organizationId: string,
  paymentPageId: string,
  beforeId: string,
): Promise<PaymentLink | undefined> {
  const result = await tx.query<PaymentLink>({
    name: 'lock-idle-link',
    text: `select ${LINK_COLUMNS}
             from payment_links l
            where organization_id = $1 and (payment_page_id, status) = ($2, 'PENDING') and payment_link_id < $3
              and not exists (select 1
                                from payins p
                               where p.organization_id = $1 and p.payment_link_id = l.payment_link_id and ${KEEPS_LINK})
            order by payment_link_id
            limit 1
              for update of l skip locked`,
    values: [organizationId, paymentPageId, beforeId],
  })
  return result.rows[0]
}

// Ends a link and writes its event. Returns false, and writes nothing, if the version has changed. A page's link stays due until
// its page has counted it.
export async function endPaymentLink(
  tx: Queryable,
  next: PaymentLink,
  expectedVersion: number,
  event: NewEvent,
): Promise<boolean> {
  const result = await tx.query({
    name: 'end-payment-link',
    text: `with ended as (
             update payment_links
                set status = $4, version = $5, updated_at = $6, completed_at = $7,
                    due_at = case when payment_page_id is not null then $6::timestamptz end
              where organization_id = $1 and payment_link_id = $2 and version = $3
          returning organization_id, payment_link_id
           ), emitted as (
             insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
             select organization_id, $8, $9, 'paymentlink', payment_link_id, $5, $10, $6 from ended
           )
           select 1 from ended`,
    values: [
      next.organizationId,
      next.paymentLinkId,
      expectedVersion,
      next.status,
      next.version,
      isoInstant(next.updatedAt),
      isoOrNull(next.completedAt),
      event.eventId,
      event.type,
      event.data,
    ],
  })
  return result.rowCount === 1
}

// Of a link that has ended: whether its page has yet to count it.
export async function isLinkDue(tx: Queryable, link: PaymentLink): Promise<boolean> {
  const result = await tx.query({
    name: 'payment-link-is-due',
    text: `select 1 from payment_links where organization_id = $1 and payment_link_id = $2 and due_at is not null`,
    values: [link.organizationId, link.paymentLinkId],
  })
  return result.rowCount === 1
}

export async function deferLink(db: Queryable, link: PaymentLink, dueAt: Instant | null): Promise<void> {
  await db.query({
    name: 'defer-payment-link',
    text: `update payment_links set due_at = $3 where organization_id = $1 and payment_link_id = $2 and version = $4`,
    values: [link.organizationId, link.paymentLinkId, isoOrNull(dueAt), link.version],
  })
}

export async function claimDueLinks(
  db: Queryable,
  organizationId: string,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<PaymentLink[]> {
  const result = await db.query<PaymentLink>({
    name: 'claim-due-links',
    text: `update payment_links
              set due_at = $3
            where organization_id = $1
              and payment_link_id = any(array(select payment_link_id
                                                from payment_links
                                               where organization_id = $1 and due_at <= $2
                                               order by due_at
                                               limit $4
                                                 for update skip locked))
        returning ${LINK_COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(until), limit],
  })
  return result.rows
}

export type LinkFilters = IdBounds & {
  status?: PaymentLinkStatus
  reference?: string
}

export const linkList = listOf<LinkFilters, PaymentLink, PaymentLink>({
  table: 'payment_links',
  idColumn: 'payment_link_id',
  columns: LINK_COLUMNS,
  cases: ({ status, reference }): ListCase[] => {
    if (reference === undefined) return [{ key: status === undefined ? [] : [['status', status]] }]
    return (status === undefined ? PAYMENT_LINK_STATUSES : [status]).map((oneStatus) => ({
      key: [
        ['reference', reference],
        ['status', oneStatus],
      ],
    }))
  },
  read: (link) => link,
})

export type PageLinkFilters = IdBounds & { paymentPageId: string; status?: PaymentLinkStatus }

// The links that a payment page made.
export const pageLinkList = listOf<PageLinkFilters, PaymentLink, PaymentLink>({
  table: 'payment_links',
  idColumn: 'payment_link_id',
  columns: LINK_COLUMNS,
  cases: ({ status, paymentPageId }): ListCase[] =>
    (status === undefined ? PAYMENT_LINK_STATUSES : [status]).map((oneStatus) => ({
      key: [
        ['payment_page_id', paymentPageId],
        ['status', oneStatus],
      ],
      indexed: 'payment_page_id is not null',
    })),
  read: (link) => link,
})

// Payment pages as rows. Whoever changes one has its lock, so that what its links hold and what was paid add up.

import type { NewEvent } from '../../core/events/event.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import {
  PAYMENT_PAGE_STATUSES,
  type PaymentPage,
  type PaymentPageStatus,
} from '../../core/payment-pages/payment-page.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'

export const PAGE_COLUMNS = `organization_id as "organizationId", payment_page_id as "paymentPageId", token, version, status, name, description,
  items, image, metadata, amount_cents as "amountInCents", min_amount_cents as "minAmountInCents",
  max_amount_cents as "maxAmountInCents", currency, reference, callback_url as "callbackUrl", rail,
  valid_until as "validUntil", max_payments as "maxPayments", max_pieces as "maxPieces", held_payments as "heldPayments",
  held_pieces as "heldPieces", paid_payments as "paidPayments", paid_pieces as "paidPieces", paid_cents as "paidInCents",
  created_at as "createdAt", updated_at as "updatedAt"`

export async function insertPage(tx: Queryable, page: PaymentPage): Promise<void> {
  await tx.query({
    name: 'insert-payment-page',
    text: `insert into payment_pages (organization_id, payment_page_id, token, currency, created_at, version, status, name,
                                      description, items, image, metadata, amount_cents, min_amount_cents, max_amount_cents,
                                      reference, callback_url, rail, valid_until, max_payments, max_pieces, held_payments,
                                      held_pieces, paid_payments, paid_pieces, paid_cents, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
                   $25, $26, $27)`,
    values: [
      page.organizationId,
      page.paymentPageId,
      page.token,
      page.currency,
      isoInstant(page.createdAt),
      ...changingValues(page),
    ],
  })
}

// In the order of the two statements that write them.
function changingValues(page: PaymentPage): unknown[] {
  return [
    page.version,
    page.status,
    page.name,
    page.description,
    page.items && JSON.stringify(page.items),
    page.image,
    page.metadata && JSON.stringify(page.metadata),
    page.amountInCents,
    page.minAmountInCents,
    page.maxAmountInCents,
    page.reference,
    page.callbackUrl,
    page.rail,
    isoOrNull(page.validUntil),
    page.maxPayments,
    page.maxPieces,
    page.heldPayments,
    page.heldPieces,
    page.paidPayments,
    page.paidPieces,
    page.paidInCents,
    isoInstant(page.updatedAt),
  ]
}

export async function getPage(
  db: Queryable,
  organizationId: string,
  paymentPageId: string,
): Promise<PaymentPage | undefined> {
  const result = await db.query<PaymentPage>({
    name: 'get-payment-page',
    text: `select ${PAGE_COLUMNS} from payment_pages where organization_id = $1 and payment_page_id = $2`,
    values: [organizationId, paymentPageId],
  })
  return result.rows[0]
}

export async function getPageByToken(
  db: Queryable,
  organizationId: string,
  token: Buffer,
): Promise<PaymentPage | undefined> {
  const result = await db.query<PaymentPage>({
    name: 'get-payment-page-by-token',
    text: `select ${PAGE_COLUMNS} from payment_pages where organization_id = $1 and token = $2`,
    values: [organizationId, token],
  })
  return result.rows[0]
}

export async function lockPage(
  tx: Queryable,
  organizationId: string,
  paymentPageId: string,
): Promise<PaymentPage | undefined> {
  const result = await tx.query<PaymentPage>({
    name: 'lock-payment-page',
    text: `select ${PAGE_COLUMNS} from payment_pages where organization_id = $1 and payment_page_id = $2 for update`,
    values: [organizationId, paymentPageId],
  })
  return result.rows[0]
}

// Writes a page that the caller has locked, with the events that tell of it.
export async function updatePage(
  tx: Queryable,
  page: PaymentPage,
  events: readonly NewEvent[],
): Promise<void> {
  await tx.query({
    name: 'update-payment-page',
    text: `with updated as (
             update payment_pages
                set version = $3, status = $4, name = $5, description = $6, items = $7, image = $8, metadata = $9,
                    amount_cents = $10, min_amount_cents = $11, max_amount_cents = $12, reference = $13, callback_url = $14,
                    rail = $15, valid_until = $16, max_payments = $17, max_pieces = $18, held_payments = $19,
                    held_pieces = $20, paid_payments = $21, paid_pieces = $22, paid_cents = $23, updated_at = $24
              where organization_id = $1 and payment_page_id = $2
          returning organization_id, payment_page_id
           ), emitted as (
             insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
             select u.organization_id, e.event_id, e.type, 'paymentpage', u.payment_page_id, e.version, e.data, e.created_at
               from updated u
              cross join json_to_recordset($25) as e (event_id uuid, type text, version integer, data text,
                                                      created_at timestamptz)
           )
           select 1 from updated`,
    values: [
      page.organizationId,
      page.paymentPageId,
      ...changingValues(page),
      JSON.stringify(
        events.map(({ eventId, type, version, data, createdAt }) => ({
          event_id: eventId,
          type,
          version,
          data,
          created_at: isoInstant(createdAt),
        })),
      ),
    ],
  })
}

export type PageFilters = IdBounds & {
  status?: PaymentPageStatus
  reference?: string
}

export const pageList = listOf<PageFilters, PaymentPage, PaymentPage>({
  table: 'payment_pages',
  idColumn: 'payment_page_id',
  columns: PAGE_COLUMNS,
  cases: ({ status, reference }): ListCase[] => {
    if (reference === undefined) return [{ key: status === undefined ? [] : [['status', status]] }]
    return (status === undefined ? PAYMENT_PAGE_STATUSES : [status]).map((oneStatus) => ({
      key: [
        ['reference', reference],
        ['status', oneStatus],
      ],
    }))
  },
  read: (page) => page,
})

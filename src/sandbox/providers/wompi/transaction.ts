// A PSE transaction at Wompi, as its API shows it and as its events tell it.

import { createHash } from 'node:crypto'
import { type Instant, isoInstant } from '../../../core/instant.ts'
import { WOMPI } from './credentials.ts'

export type TransactionStatus = 'PENDING' | 'APPROVED' | 'DECLINED' | 'ERROR'

export type Transaction = {
  readonly id: string
  readonly createdAt: Instant
  readonly finalizedAt: Instant | null
  readonly status: TransactionStatus
  readonly statusMessage: string | null
  readonly reference: string
  readonly amountInCents: number
  readonly customerEmail: string
  readonly customerData: unknown
  readonly redirectUrl: string | null
  readonly paymentMethod: Readonly<Record<string, unknown>>
  /** Where the payer goes on to the bank. It is not there at once. */
  readonly pageUrl: string | null
}

export function presentTransaction(transaction: Transaction): Record<string, unknown> {
  const { pageUrl, id, finalizedAt } = transaction
  const ticket =
    pageUrl === null ? {} : { async_payment_url: pageUrl, ticket_id: ticketOf(id), return_code: 'SUCCESS' }
  return {
    id,
    created_at: isoInstant(transaction.createdAt),
    finalized_at: finalizedAt === null ? null : isoInstant(finalizedAt),
    amount_in_cents: transaction.amountInCents,
    reference: transaction.reference,
    customer_email: transaction.customerEmail,
    currency: 'COP',
    payment_method_type: 'PSE',
    payment_method: { ...transaction.paymentMethod, ...(pageUrl !== null && { extra: ticket }) },
    status: transaction.status,
    status_message: transaction.statusMessage,
    redirect_url: transaction.redirectUrl,
    customer_data: transaction.customerData,
    payment_source_id: null,
    payment_link_id: null,
    shipping_address: null,
    billing_data: null,
  }
}

export const ticketOf = (id: string): string => id.replaceAll('-', '')

const SIGNED = ['transaction.id', 'transaction.status', 'transaction.amount_in_cents'] as const

/** The event about a transaction, with the signature inside. A repetition is the same text. */
export function transactionEvent(transaction: Transaction, at: Instant): string {
  const { payment_method: _method, customer_data: _data, ...shown } = presentTransaction(transaction)
  const timestamp = Math.floor(at / 1_000)
  return JSON.stringify({
    event: 'transaction.updated',
    data: { transaction: shown },
    environment: 'test',
    signature: {
      properties: SIGNED,
      checksum: eventChecksum(
        [transaction.id, transaction.status, transaction.amountInCents],
        timestamp,
        WOMPI.eventsSecret,
      ),
    },
    timestamp,
    sent_at: isoInstant(at),
  })
}

/** The values that the event names, in their order, then its time and the secret: SHA-256 in hex. */
export function eventChecksum(
  values: readonly (string | number)[],
  timestamp: number,
  secret: string,
): string {
  return createHash('sha256')
    .update(values.join('') + timestamp + secret)
    .digest('hex')
}

/** What a merchant signs in a new transaction: reference, amount, currency, expiration if there is one, and the secret. */
export function integritySignature(
  reference: string,
  amountInCents: number,
  currency: string,
  expirationTime: string | undefined,
  secret: string,
): string {
  return createHash('sha256')
    .update(`${reference}${amountInCents}${currency}${expirationTime ?? ''}${secret}`)
    .digest('hex')
}

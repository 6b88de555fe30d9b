// A PSE transaction at PlacetoPay, as its gateway shows it and as its notifications tell it.

import { createHash } from 'node:crypto'
import { BOGOTA_OFFSET_MS } from '../../../core/bogota-day.ts'
import { type Instant, isoInstant } from '../../../core/instant.ts'
import { PLACETOPAY } from './credentials.ts'
import { isOpen, type Step } from './outcomes.ts'

export type Amount = { readonly currency: string; readonly total: number; readonly taxes?: unknown }

export type Transaction = {
  readonly internalReference: number
  readonly reference: string
  readonly description: string
  readonly amount: Amount
  readonly bankName: string
  readonly step: Step
  readonly changedAt: Instant
  /** What is still to come, each after the delay. */
  readonly steps: readonly Step[]
  /** Both only of a transaction that was approved at some time. */
  readonly authorization: string | null
  readonly receipt: string | null
  readonly processUrl: string
  readonly returnUrl: string
  readonly notificationUrl: string | null
}

export function presentTransaction(transaction: Transaction): Record<string, unknown> {
  const { internalReference, reference, step, processUrl, returnUrl } = transaction
  return {
    status: presentStatus(step, transaction.changedAt),
    internalReference,
    reference,
    franchise: 'pse',
    issuerName: transaction.bankName,
    amount: transaction.amount,
    authorization: transaction.authorization,
    receipt: transaction.receipt,
    provider: 'ACH',
    processorFields: {},
    // Spelt so by the provider. It is the CUS, the number by which banks know the payment.
    additional: { trazabilyCode: String(CUS_FROM + internalReference) },
    ...(isOpen(step.status) && { redirection: { processURL: processUrl, returnURL: returnUrl } }),
  }
}

const CUS_FROM = 3_000_000_000

export const presentStatus = (
  { status, reason, message }: { status: string; reason: string | number; message: string },
  at: Instant,
) => ({
  status,
  reason,
  message,
  date: bogotaTime(at),
})

/** 2026-01-01T12:00:00-05:00 */
export const bogotaTime = (at: Instant): string => `${isoInstant(at - BOGOTA_OFFSET_MS).slice(0, 19)}-05:00`

/** What the notification address is told. The amount is neither said nor signed. */
export function notification({ internalReference, reference, step, changedAt }: Transaction): string {
  return JSON.stringify({
    status: presentStatus(step, changedAt),
    internalReference,
    reference,
    signature: notificationSignature(internalReference, step.status, PLACETOPAY.secretKey),
  })
}

/** As the text has it. Its sample is as long as a SHA-1, and another paragraph wants a header over other values: both are left aside. */
export function notificationSignature(internalReference: number, status: string, secretKey: string): string {
  return createHash('sha256').update(`${internalReference}${status}${secretKey}`).digest('hex')
}

// The day that is reconciled: a million payments of ten merchants, whose ids follow from their numbers, so that the books can be
// written by one statement and the network's record can be computed by a server that shares nothing with them.

import { railReference } from '../src/core/connections/reference.ts'
import { isoInstant } from '../src/core/instant.ts'

export const LINES = 1_000_000
// Every so many lines, the network leaves one out.
export const MISSING_EVERY = 100_000
// The time between two payments, so that all of them fit into the day.
export const STEP_MS = 86

// A UUIDv7 of the payment's time, with its number in the last digits. `counterpart` tells a payin from its booking.
export function idOf(number: number, atMs: number, counterpart: '8' | '9'): string {
  const time = atMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${counterpart}000-${number.toString(16).padStart(12, '0')}`
}

export function lineText(number: number, startMs: number, organizationIds: readonly string[]): string {
  const atMs = startMs + number * STEP_MS
  const organizationId = organizationIds[number % organizationIds.length] as string
  const reference = railReference('payin', organizationId, idOf(number, atMs, '8'))
  return `{"type":"CREDIT","reference":"${reference}","paymentId":"PAY${number}","endToEndId":null,"amount":"50000.00","currency":"COP","occurredAt":"${isoInstant(atMs)}"}`
}

// How Wompi has its messages signed: SHA-256 over the parts, without anything between them, and the secret at the end.

import { hash, timingSafeEqual } from 'node:crypto'

// What is charged. Whoever changes an amount on the way would have to know the secret.
export function integritySignature(
  charged: {
    readonly reference: string
    readonly amountInCents: number
    readonly currency: string
    readonly expirationTime?: string
  },
  integritySecret: string,
): string {
  const { reference, amountInCents, currency, expirationTime = '' } = charged
  return hash('sha256', `${reference}${amountInCents}${currency}${expirationTime}${integritySecret}`, 'hex')
}

// The values that the event itself names, in its order, and its time: seconds in payments, milliseconds in payouts.
export function eventChecksum(
  values: readonly (string | number | boolean)[],
  timestamp: number,
  eventsSecret: string,
): string {
  return hash('sha256', `${values.join('')}${timestamp}${eventsSecret}`, 'hex')
}

export function isSameChecksum(presented: string, expected: string): boolean {
  const ours = Buffer.from(expected)
  const theirs = Buffer.from(presented.toLowerCase())
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}

// What we sign about a payment: a text short enough for a QR code. Its form is in check.ts, which reads it.

import { railReference } from '../connections/reference.ts'
import type { Instant } from '../instant.ts'
import { centsToNumber } from '../money.ts'
import type { Organization } from '../organizations/organization.ts'
import type { Payin } from '../payins/payin.ts'
import type { Payout } from '../payouts/payout.ts'
import { decodeUuidToken, encodeUuidToken, uuidBytes, uuidText } from '../uuid-token.ts'

// In the order in which they are signed. JSON, so a fact that is not there is null or missing at the end.
export type StatementFields = readonly unknown[]

// Bytes of the longest texts in a statement, as JSON. With them a statement and its address fit into one QR code.
const MAX_BYTES = { name: 72, taxId: 24, reference: 96, trace: 64, key: 80 } as const

// The largest code that we draw (qr-code.ts).
const QR_MAX_BYTES = 666

/**
 * The address of a receipt or of evidence carries both ids, which have 62 random bits each, and nothing that depends on
 * SECRETS_KEY: a receipt on paper must be found when that key was changed long ago.
 */
export function receiptIdOf(organizationId: string, paymentId: string): string {
  return encodeUuidToken(organizationId, uuidBytes(paymentId))
}

export function readReceiptId(receiptId: string): { organizationId: string; paymentId: string } | undefined {
  const token = decodeUuidToken(receiptId)
  return token && { organizationId: token.uuid, paymentId: uuidText(token.bytes) }
}

/** What the books must say of a payment for a statement about it to hold. */
export type PaymentFacts = {
  // Null where the books do not know it any more: a merchant that was renamed, a receiver who was erased.
  readonly merchant: string | null
  readonly key: string | null
  readonly amountInCents: number
  readonly reference: string
  readonly rail: string
  // In seconds. A payout that has ended since was stated with the first of them.
  readonly times: readonly number[]
}

export function factsOfPayin(payin: Payin): PaymentFacts {
  return {
    merchant: cutOrNull(payin.frozenOrder.merchantName, MAX_BYTES.name),
    key: null,
    amountInCents: centsToNumber(payin.confirmedAmountInCents ?? payin.amountInCents),
    reference: cut(payin.reference, MAX_BYTES.reference),
    rail: payin.source.rail,
    times: [seconds(payin.resultAt ?? payin.updatedAt)],
  }
}

export function factsOfPayout(payout: Payout, keyString: string | null): PaymentFacts {
  const { createdAt, resultAt } = payout
  return {
    merchant: null,
    key: cutOrNull(keyString, MAX_BYTES.key),
    amountInCents: centsToNumber(payout.amountInCents),
    reference: cut(payout.reference, MAX_BYTES.reference),
    rail: 'BRE_B',
    times: [createdAt, ...(resultAt === null ? [] : [resultAt])].map(seconds),
  }
}

export function payinStatementFields(organization: Organization, payin: Payin): StatementFields {
  const { progress } = payin
  return [
    'payin',
    ...whoFacts(organization, payin.frozenOrder.merchantName ?? organization.name),
    ...inOrder(factsOfPayin(payin)),
    cutOrNull(progress.traceId ?? progress.paymentId, MAX_BYTES.trace),
  ]
}

/** `keyString` is null if the receiver was erased. */
export function payoutStatementFields(
  organization: Organization,
  payout: Payout,
  keyString: string | null,
): StatementFields {
  return [
    'payout',
    ...whoFacts(organization, organization.name),
    ...inOrder(factsOfPayout(payout, keyString)),
    cutOrNull(payout.traceId, MAX_BYTES.trace),
    payout.status,
    cutOrNull(keyString, MAX_BYTES.key),
  ]
}

/** The same facts and the whole evidence, too long for a QR code. */
export function evidenceStatementFields(facts: StatementFields, evidence: object): StatementFields {
  return ['evidence', ...facts.slice(1), evidence]
}

/** What the network calls a payout of ours, from the first order on. */
export function networkReferenceOf({ organizationId, payoutId }: Payout): string {
  return railReference('payout', organizationId, payoutId)
}

export function unsignedStatement(keyId: string, receiptId: string, facts: StatementFields): string {
  return `recaudo1.${keyId}.${receiptId}.${Buffer.from(JSON.stringify(facts)).toString('base64url')}`
}

export function signedBytes(unsigned: string): Buffer {
  return Buffer.from(`recaudo receipt\n${unsigned}`)
}

/** The text of the QR code: an address that any camera opens, or the statement alone where that is too long. */
export function qrTextOf(verifyUrl: string, statement: string): string {
  const address = `${verifyUrl}#${statement}`
  return Buffer.byteLength(address) <= QR_MAX_BYTES ? address : statement
}

function inOrder({ amountInCents, times, reference, rail }: PaymentFacts): StatementFields {
  return [amountInCents, times.at(-1), reference, rail]
}

function whoFacts({ taxId }: Organization, name: string): StatementFields {
  return [cut(name, MAX_BYTES.name), cutOrNull(taxId, MAX_BYTES.taxId)]
}

// Ends in … where something is missing. Whole characters only.
function cut(text: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text
  const characters = [...text]
  while (jsonBytes(`${characters.join('')}…`) > maxBytes) characters.pop()
  return `${characters.join('')}…`
}

function cutOrNull(text: string | null, maxBytes: number): string | null {
  return text === null ? null : cut(text, maxBytes)
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

function seconds(instant: Instant): number {
  return Math.floor(instant / 1_000)
}

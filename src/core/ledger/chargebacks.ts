// Which chargeback a network speaks of. It may tell of the same one twice: in a notice and in its statement, or in two notices.
// The same one is booked once, a different one is booked again.

import { isFromStatement } from '../connections/notice.ts'

// What a network has reported. Its own id of the chargeback is null where it gives none, as in a statement: then the
// payment and the amount must do.
export type ReportedChargeback = {
  readonly noticeId: string
  readonly chargebackId: string | null
  readonly amountInCents: bigint
}

// A chargeback that is in the books, with the amount that was reported. Less was booked if less was left.
export type BookedChargeback = Pick<ReportedChargeback, 'chargebackId' | 'amountInCents'>

export type ChargebackFacts = {
  readonly booked: readonly BookedChargeback[]
  // What was reported before of chargebacks of the same payment.
  readonly reportedBefore: readonly ReportedChargeback[]
}

// `matched`: the books have it from elsewhere, under no id or reported without one. `doubtful`: it may be one that is
// booked, reported again, or another of the same amount.
export type Recognition = 'new' | 'known' | 'matched' | 'other amount' | 'doubtful'

export function recognizeChargeback(reported: ReportedChargeback, facts: ChargebackFacts): Recognition {
  const { booked, reportedBefore } = facts
  const { chargebackId } = reported
  const sameId = [...booked, ...reportedBefore].filter(
    (other) => chargebackId !== null && other.chargebackId === chargebackId,
  )
  if (sameId.length > 0) return sameId.some((other) => isOfAmount(other, reported)) ? 'known' : 'other amount'
  // What was booked under another id is another chargeback.
  const candidates = booked.filter(
    (part) => isOfAmount(part, reported) && (chargebackId === null || part.chargebackId === null),
  )
  if (candidates.length > takenBefore(reported, facts)) return 'matched'
  return candidates.length > 0 && chargebackId === null ? 'doubtful' : 'new'
}

// In one way of telling, a network tells of each chargeback once, or again under the same id. So what it has reported before in the
// same way stands for as many of those that are booked.
function takenBefore(reported: ReportedChargeback, { booked, reportedBefore }: ChargebackFacts): number {
  const others = reportedBefore.filter(
    (other) =>
      isOfAmount(other, reported) &&
      isFromStatement(other.noticeId) === isFromStatement(reported.noticeId) &&
      (reported.chargebackId === null || !booked.some((part) => isBookedAs(part, other))),
  )
  return new Set(others.map((other) => other.chargebackId ?? other.noticeId)).size
}

function isBookedAs(part: BookedChargeback, { chargebackId }: ReportedChargeback): boolean {
  return chargebackId !== null && part.chargebackId === chargebackId
}

function isOfAmount(one: BookedChargeback, other: BookedChargeback): boolean {
  return one.amountInCents === other.amountInCents
}

// A chargeback's name in the books, beside the subject and the booking: one subject is charged back in as many parts as it has
// names.
export function chargebackPart({ chargebackId, amountInCents }: BookedChargeback): string {
  return chargebackId === null ? `${amountInCents}` : `${amountInCents} ${chargebackId}`
}

// Bookings from before chargebacks had names have none, and what was booked is all that is known of them.
export function readChargebackPart(part: string, bookedInCents: bigint): BookedChargeback {
  const [amount = '', chargebackId] = part.split(' ')
  return {
    chargebackId: chargebackId ?? null,
    amountInCents: amount === '' ? bookedInCents : BigInt(amount),
  }
}

export function chargebackInWords(reported: ReportedChargeback, ofInCents: bigint): string {
  const id = reported.chargebackId === null ? '' : `chargeback ${reported.chargebackId}, `
  return `the network charged back ${reported.amountInCents} cents of ${ofInCents} (${id}notice ${reported.noticeId})`
}

// Why a chargeback that is not new is not booked, if a person must look at it.
export const WHY_NOT_BOOKED: Readonly<Record<Exclude<Recognition, 'new'>, string | undefined>> = {
  known: undefined,
  matched: undefined,
  'other amount': 'not booked: it was reported with another amount',
  doubtful: 'not booked: one of this amount is, and this may be the same',
}

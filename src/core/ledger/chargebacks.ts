// Which chargeback a network speaks of. It may tell of the same one twice: in a notice and in its statement, or in two notices.
// The same one is booked once, a different one is booked again.

import { isFromStatement } from '../connections/notice.ts'

// What a network has told. Its own id of the chargeback is null where it gives none, as in a statement: then the
// payment and the amount must do.
export type ToldChargeback = {
  readonly noticeId: string
  readonly chargebackId: string | null
  readonly amountInCents: bigint
}

// A chargeback that is in the books, with the amount that was told. Less was booked if less was left.
export type BookedChargeback = Pick<ToldChargeback, 'chargebackId' | 'amountInCents'>

export type ChargebackFacts = {
  readonly booked: readonly BookedChargeback[]
  // What was told before of chargebacks of the same payment.
  readonly toldBefore: readonly ToldChargeback[]
}

// `matched`: the books have it from elsewhere, under no id or told without one. `doubtful`: it may be one that is
// booked, told again, or another of the same amount.
export type Recognition = 'new' | 'known' | 'matched' | 'other amount' | 'doubtful'

export function recognizeChargeback(told: ToldChargeback, facts: ChargebackFacts): Recognition {
  const { booked, toldBefore } = facts
  const { chargebackId } = told
  const sameId = [...booked, ...toldBefore].filter(
    (other) => chargebackId !== null && other.chargebackId === chargebackId,
  )
  if (sameId.length > 0) return sameId.some((other) => isOfAmount(other, told)) ? 'known' : 'other amount'
  // What was booked under another id is another chargeback.
  const candidates = booked.filter(
    (part) => isOfAmount(part, told) && (chargebackId === null || part.chargebackId === null),
  )
  if (candidates.length > takenBefore(told, facts)) return 'matched'
  return candidates.length > 0 && chargebackId === null ? 'doubtful' : 'new'
}

// In one way of telling, a network tells of each chargeback once, or again under the same id. So what it has told before in the
// same way stands for as many of those that are booked.
function takenBefore(told: ToldChargeback, { booked, toldBefore }: ChargebackFacts): number {
  const others = toldBefore.filter(
    (other) =>
      isOfAmount(other, told) &&
      isFromStatement(other.noticeId) === isFromStatement(told.noticeId) &&
      (told.chargebackId === null || !booked.some((part) => isBookedAs(part, other))),
  )
  return new Set(others.map((other) => other.chargebackId ?? other.noticeId)).size
}

function isBookedAs(part: BookedChargeback, { chargebackId }: ToldChargeback): boolean {
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

export function chargebackInWords(told: ToldChargeback, ofInCents: bigint): string {
  const id = told.chargebackId === null ? '' : `chargeback ${told.chargebackId}, `
  return `the network charged back ${told.amountInCents} cents of ${ofInCents} (${id}notice ${told.noticeId})`
}

// Why a chargeback that is not new is not booked, if a person must look at it.
export const NOT_BOOKED: Readonly<Record<Exclude<Recognition, 'new'>, string | undefined>> = {
  known: undefined,
  matched: undefined,
  'other amount': 'not booked: it was told with another amount',
  doubtful: 'not booked: one of this amount is, and this may be the same',
}

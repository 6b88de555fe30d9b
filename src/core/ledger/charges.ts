// What is charged of a payin: our fee with the IVA on it, and taxes that are withheld. It is taken when the money is settled, as
// gateways in Colombia do: a payin that is charged back before that has cost nothing, and what is charged comes from money that is
// there. A payout costs a fee with its IVA beside its amount: agreed and set aside when it is made, and taken when it is paid. A payment over a connection is charged by its provider, not by us. The operator sets the rates; without any, nothing is
// charged.

import { type Day, parseDay } from '../bogota-day.ts'
import { RAILS, type Rail } from '../connections/rail.ts'
import type { Booking } from './bookings.ts'

// In hundredths of a percent: 2.65 % is 265.
export type BasisPoints = number
const WHOLE = 10_000n

export type Fee = {
  readonly fixedInCents: bigint
  readonly basisPoints: BasisPoints
  // The IVA on the fee.
  readonly taxBasisPoints: BasisPoints
}

// Of all payins over the rail that are settled from this day on, until a later row of the rail. Zero: nothing from then on.
export type Withholding = { readonly rail: Rail; readonly from: Day; readonly basisPoints: BasisPoints }

export type Charges = {
  readonly fees: Fees
  readonly payoutFees: Fees
  readonly withholdings: readonly Withholding[]
}

export type Fees = Readonly<Partial<Record<Rail, Fee>>>

export const NO_CHARGES: Charges = { fees: {}, payoutFees: {}, withholdings: [] }

export type Charge = { readonly booking: Booking; readonly amountInCents: bigint }

// Together never more than the amount: nobody owes for having been paid.
export function chargesOf(charges: Charges, rail: Rail, amountInCents: bigint, day: Day): Charge[] {
  const fee = charges.fees[rail]
  const feeInCents = fee === undefined ? 0n : fee.fixedInCents + share(amountInCents, fee.basisPoints)
  const wanted: Charge[] = [
    { booking: 'payin withholding', amountInCents: share(amountInCents, withholdingOn(charges, rail, day)) },
    { booking: 'payin fee', amountInCents: feeInCents },
    { booking: 'payin fee tax', amountInCents: share(feeInCents, fee?.taxBasisPoints ?? 0) },
  ]
  let leftInCents = amountInCents
  return wanted.flatMap(({ booking, amountInCents: asked }) => {
    const taken = asked < leftInCents ? asked : leftInCents
    leftInCents -= taken
    return taken > 0n ? [{ booking, amountInCents: taken }] : []
  })
}

// What a payout costs beside its amount.
export type PayoutFee = { readonly feeInCents: bigint; readonly feeTaxInCents: bigint }

export const NO_PAYOUT_FEE: PayoutFee = { feeInCents: 0n, feeTaxInCents: 0n }

export function payoutFeeOf({ payoutFees }: Charges, rail: Rail, amountInCents: bigint): PayoutFee {
  const fee = payoutFees[rail]
  if (fee === undefined) return NO_PAYOUT_FEE
  const feeInCents = fee.fixedInCents + share(amountInCents, fee.basisPoints)
  return { feeInCents, feeTaxInCents: share(feeInCents, fee.taxBasisPoints) }
}

function withholdingOn({ withholdings }: Charges, rail: Rail, day: Day): BasisPoints {
  const inForce = withholdings.filter((one) => one.rail === rail && one.from <= day)
  return inForce.toSorted((one, other) => (one.from < other.from ? 1 : -1))[0]?.basisPoints ?? 0
}

// To the nearest cent; half a cent is rounded up.
function share(amountInCents: bigint, basisPoints: BasisPoints): bigint {
  return (amountInCents * BigInt(basisPoints) + WHOLE / 2n) / WHOLE
}

// As it is stored: amounts are numbers in JSON.
export type StoredCharges = {
  readonly fees?: StoredFees
  readonly payoutFees?: StoredFees
  readonly withholdings?: readonly Withholding[]
}

type StoredFees = Readonly<
  Partial<Record<Rail, { fixedInCents: number; basisPoints: number; taxBasisPoints: number }>>
>

export function readCharges({ fees = {}, payoutFees = {}, withholdings = [] }: StoredCharges): Charges {
  return { fees: readFees(fees), payoutFees: readFees(payoutFees), withholdings }
}

function readFees(fees: StoredFees): Fees {
  const read = RAILS.flatMap((rail) => {
    const fee = fees[rail]
    return fee === undefined ? [] : [[rail, { ...fee, fixedInCents: BigInt(fee.fixedInCents) }] as const]
  })
  return Object.fromEntries(read)
}

export function writtenCharges({ fees, payoutFees, withholdings }: Charges): StoredCharges {
  return { fees: writtenFees(fees), payoutFees: writtenFees(payoutFees), withholdings }
}

function writtenFees(fees: Fees): StoredFees {
  const written = Object.entries(fees).map(([rail, fee]) => [
    rail,
    { ...fee, fixedInCents: Number(fee.fixedInCents) },
  ])
  return Object.fromEntries(written)
}

// '2.65' or '19' percent. Undefined for anything else, and for more than 100.
export function parsePercent(text: string): BasisPoints | undefined {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const basisPoints = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return basisPoints <= Number(WHOLE) ? basisPoints : undefined
}

// '2026-01-01:1.5': from which day, how many percent. Undefined for anything else.
export function parseWithholding(rail: Rail, text: string): Withholding | undefined {
  const [day = '', percent = ''] = text.split(':')
  const from = parseDay(day)
  const basisPoints = parsePercent(percent)
  return from === undefined || basisPoints === undefined ? undefined : { rail, from, basisPoints }
}

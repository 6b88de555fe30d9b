// Which payins money in suspense may be meant for, and why each fits. A person decides; this only puts the likeliest first.

import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts'
import type { Payin } from '../payins/payin.ts'

// NAMED: the network named this payin. The key is that of the named payin, and so is the payer.
export const FITS = ['NAMED', 'SAME_AMOUNT', 'SAME_KEY', 'SAME_PAYER', 'NEAR_IN_TIME'] as const
export type Fit = (typeof FITS)[number]

export type Candidate = { readonly payin: Payin; readonly fits: readonly Fit[] }

// Payers pay late rather than early: a payin may have been made a week before its money, and hardly ever after it.
export const CANDIDATE_WINDOW = { beforeMs: 7 * DAY_MS, afterMs: DAY_MS }
const NEAR_MS = HOUR_MS
export const MAX_CANDIDATES = 20

export type ArrivedMoney = {
  readonly payinId: string | null
  readonly amountInCents: bigint
  readonly createdAt: Instant
}

export function candidatesFor(
  money: ArrivedMoney,
  payins: readonly Payin[],
  ofSamePayer: ReadonlySet<string>,
): Candidate[] {
  const named = payins.find(({ payinId }) => payinId === money.payinId)
  const distance = ({ createdAt }: Payin) => Math.abs(money.createdAt - createdAt)
  return payins
    .map((payin) => ({ payin, fits: fitsOf(money, named, payin, ofSamePayer) }))
    .filter(({ fits }) => fits.some((fit) => fit !== 'NEAR_IN_TIME'))
    .toSorted((a, b) => rankOf(b) - rankOf(a) || distance(a.payin) - distance(b.payin))
    .slice(0, MAX_CANDIDATES)
}

function fitsOf(
  money: ArrivedMoney,
  named: Payin | undefined,
  payin: Payin,
  ofSamePayer: ReadonlySet<string>,
): Fit[] {
  const key = named && keyOf(named)
  const isOther = payin.payinId !== named?.payinId
  const holds: Readonly<Record<Fit, boolean>> = {
    NAMED: payin.payinId === money.payinId,
    SAME_AMOUNT: payin.amountInCents === money.amountInCents,
    SAME_KEY: isOther && key !== undefined && key !== null && keyOf(payin) === key,
    SAME_PAYER: isOther && ofSamePayer.has(payin.payinId),
    NEAR_IN_TIME: Math.abs(money.createdAt - payin.createdAt) <= NEAR_MS,
  }
  return FITS.filter((fit) => holds[fit])
}

export function keyOf({ source }: Payin): string | null {
  return source.rail === 'BRE_B' ? source.keyString : null
}

// What the network named comes first. A payin that has its money already needs it less.
function rankOf({ payin, fits }: Candidate): number {
  const wanted = payin.status === 'CONFIRMED' ? 0 : 1
  return (fits.includes('NAMED') ? 20 : 0) + 2 * fits.length + wanted
}

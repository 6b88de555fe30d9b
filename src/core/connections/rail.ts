// The networks that carry money, and the maximum amount of one payment over each.

import { BOGOTA_OFFSET_MS } from '../bogota-day.ts'
import type { Instant } from '../instant.ts'

export const RAILS = ['BRE_B', 'PSE'] as const
export type Rail = (typeof RAILS)[number]

// Bre-B caps one payment at 1,000 UVB. The UVB is set each year by decree: add a row when it is published.
const UVB_PESOS_BY_YEAR: readonly { fromYear: number; pesos: bigint }[] = [
  { fromYear: 2026, pesos: 12_110n },
  { fromYear: 2025, pesos: 11_552n },
]
const BREB_CAP_UVB = 1_000n

export function maximumInCents(rail: Rail, now: Instant, pseMaximumInCents: bigint): bigint {
  return rail === 'PSE' ? pseMaximumInCents : brebMaximumInCents(now)
}

// What the widest of some rails carries. Null if there are none.
export function widestMaximumInCents(
  rails: readonly Rail[],
  now: Instant,
  pseMaximumInCents: bigint,
): bigint | null {
  const all = rails.map((rail) => maximumInCents(rail, now, pseMaximumInCents))
  return all.reduce<bigint | null>((most, each) => (most === null || each > most ? each : most), null)
}

// The year changes at midnight in Bogotá, not in UTC. A year without a row uses the last known one.
function brebMaximumInCents(now: Instant): bigint {
  const year = new Date(now - BOGOTA_OFFSET_MS).getUTCFullYear()
  const row = UVB_PESOS_BY_YEAR.find((uvb) => uvb.fromYear <= year) ?? UVB_PESOS_BY_YEAR.at(-1)
  return (row as { pesos: bigint }).pesos * BREB_CAP_UVB * 100n
}

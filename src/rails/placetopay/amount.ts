// Cents as PlacetoPay writes them: a JSON number of pesos. No arithmetic is done on it. Its text is read, so no cent is lost.

import { centsToPesos } from '../../core/money.ts'

// Undefined if the number would be another amount. That begins far above any rail's limit.
export function pesosOfCents(cents: bigint): number | undefined {
  const pesos = centsToPesos(cents)
  return centsOfPesos(pesos) === cents ? pesos : undefined
}

// Undefined if it is not an amount above zero with at most two decimals.
export function centsOfPesos(total: unknown): bigint | undefined {
  if (typeof total !== 'number' && typeof total !== 'string') return undefined
  const [, whole, decimals = ''] = PESOS.exec(String(total)) ?? []
  if (whole === undefined) return undefined
  const cents = BigInt(whole + decimals.padEnd(2, '0'))
  return cents > 0n ? cents : undefined
}

const PESOS = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?$/

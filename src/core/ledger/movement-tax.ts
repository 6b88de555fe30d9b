// The tax on movements of money (GMF, the four per thousand). What a merchant pays out is its own disposal of money, and the bank that
// takes the tax says what it took: here it is only estimated, and never booked.

import type { Day } from '../bogota-day.ts'

type Rate = { readonly from: Day; readonly perThousand: bigint }

// The newest first. Ley 1111 de 2006 made the rate of four per thousand lasting.
const RATES: readonly Rate[] = [{ from: '2007-01-01', perThousand: 4n }]

// Half a cent is rounded up.
export function estimatedMovementTax(paidOutInCents: bigint, day: Day): bigint {
  const perThousand = RATES.find(({ from }) => from <= day)?.perThousand ?? 0n
  return (paidOutInCents * perThousand + 500n) / 1_000n
}

// Money is whole cents in a bigint. Pesos appear only at the edges, where people and JSON want them.

export type Currency = 'COP'

// Exact for every amount a rail can carry: caps lie far below 2^53 cents.
export function centsToPesos(cents: bigint): number {
  return Number(cents) / 100
}

export function centsToNumber(cents: bigint): number {
  return Number(cents)
}

// 1234567n → '12345.67', the way networks write amounts.
export function centsToDecimal(cents: bigint): string {
  if (cents < 0n) return `-${centsToDecimal(-cents)}`
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

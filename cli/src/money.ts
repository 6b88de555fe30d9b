// Amounts as Colombians write them: 5000000 cents are $ 50.000,00.

export function pesos(cents: number | null | undefined): string | null {
  if (cents === null || cents === undefined) return null
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, '.')
  return `${cents < 0 ? '-' : ''}$ ${whole},${digits.slice(-2)}`
}

// Cents as typed: digits only, since a dot means thousands to some and cents to others.
export function readCents(text: string): number | undefined {
  const cents = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(cents) ? cents : undefined
}

// Amounts as people type them: 1.250.000 or 1250000,50 in Spanish, 1,250,000 or 1250000.50 in English. Both are read in both
// languages where they cannot be mistaken.

// Cents. Undefined if it is no amount, or one that may mean two.
export function typedCents(text: string): number | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  const digits = SPACED.test(typed) ? typed.replaceAll(/\s/g, '') : typed
  const [, pesos, cents = ''] =
    READ.map((pattern) => pattern.exec(digits)).find((match) => match !== null) ?? []
  if (pesos === undefined) return undefined
  const value = Number(pesos.replaceAll(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
  return Number.isSafeInteger(value) ? value : undefined
}

// A space stands between thousands. Anywhere else it may part pesos from cents, or two amounts.
const SPACED = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/

// Without separators, with dots, with commas. Three digits behind a single separator are thousands, two or one are cents.
const READ = [
  /^(\d+)(?:[.,](\d{1,2}))?$/,
  /^(\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))?$/,
  /^(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/,
]

// What makes a secret no secret: it is published, short, or made of little. Production refuses to start with such a one.
// Chance cannot be measured in one value, so this finds what nobody draws by chance, and lets the rest pass.

// These were, or are, in the source code.
const PUBLISHED: ReadonlySet<string> = new Set(['staging-only-notification-key', 'staging-only-secret'])

// Why the secret is too weak, as the end of a sentence; undefined if it may be used.
export function weaknessOf(secret: string, minimumLength: number): string | undefined {
  if (PUBLISHED.has(secret)) return 'it stands in the source code, which everybody can read'
  const codes = [...secret].map((character) => character.codePointAt(0) as number)
  if (codes.length < minimumLength) return `it has ${codes.length} characters, and needs ${minimumLength}`
  return isPatterned(codes) ? 'it is a pattern, not drawn by chance' : undefined
}

export function weaknessOfKey(key: Uint8Array): string | undefined {
  return isPatterned([...key]) ? 'its bytes are a pattern, not drawn by chance' : undefined
}

// Few different values, the same few in turn, or values in a row. 32 hex digits drawn by chance have fewer than 8 different
// ones once in 20 million draws, and 64 practically never.
function isPatterned(values: readonly number[]): boolean {
  if (values.length < 2) return false
  if (new Set(values).size < Math.min(ENOUGH_DIFFERENT, values.length / 4)) return true
  const steps = values.slice(1).map((value, index) => value - (values[index] as number))
  return new Set(steps).size === 1 || hasPeriod(values)
}

const ENOUGH_DIFFERENT = 8

function hasPeriod(values: readonly number[]): boolean {
  for (let period = 1; period <= values.length / 2; period += 1) {
    if (values.every((value, index) => index < period || value === values[index - period])) return true
  }
  return false
}

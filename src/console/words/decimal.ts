// An amount as the API writes it in a sentence: 1250000.50

export function centsOf(written: string): bigint {
  const [whole = '0', cents = ''] = written.replace('-', '').split('.')
  const positive = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
  return written.startsWith('-') ? -positive : positive
}

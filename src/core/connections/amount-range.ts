// Amounts that can be paid, as ranges: each connection takes some, each rail carries some, and what a payer may choose is what is left
// of both.

export type AmountRange = { readonly leastInCents: bigint; readonly mostInCents: bigint }

// In order, without overlaps.
export function mergedRanges(ranges: readonly AmountRange[]): AmountRange[] {
  const merged: AmountRange[] = []
  for (const range of ranges.toSorted((a, b) => (a.leastInCents < b.leastInCents ? -1 : 1))) {
    const last = merged.at(-1)
    if (last === undefined || range.leastInCents > last.mostInCents + 1n) merged.push(range)
    else if (range.mostInCents > last.mostInCents)
      merged[merged.length - 1] = { ...last, mostInCents: range.mostInCents }
  }
  return merged
}

// What of the ranges lies between both limits. Null: there is no upper one.
export function rangesWithin(
  ranges: readonly AmountRange[],
  leastInCents: bigint,
  mostInCents: bigint | null,
): AmountRange[] {
  return ranges
    .map((range) => ({
      leastInCents: range.leastInCents > leastInCents ? range.leastInCents : leastInCents,
      mostInCents: mostInCents === null || range.mostInCents < mostInCents ? range.mostInCents : mostInCents,
    }))
    .filter((range) => range.leastInCents <= range.mostInCents)
}

export function isInRanges(ranges: readonly AmountRange[], amountInCents: bigint): boolean {
  return rangesWithin(ranges, amountInCents, amountInCents).length > 0
}

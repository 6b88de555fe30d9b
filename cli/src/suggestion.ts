// Finds the word that was likely meant: the one with the fewest letter changes, if they are few enough.

export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distanceBetween(typed.toLowerCase(), word) }))
    .sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance <= maxChanges(best.word) ? best.word : undefined
}

function maxChanges(word: string): number {
  return Math.max(1, Math.floor(word.length / 3))
}

// The number of letters that are added, removed, replaced or swapped with their neighbour.
function distanceBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const before = rows[i - 1] as number[]
      const changed = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? (rows[i - 2]?.[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY
      row.push(Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + changed, swapped))
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}

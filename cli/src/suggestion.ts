// The word somebody likely meant: the one that takes the fewest changes of a letter, if those are few.

export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distanceBetween(typed.toLowerCase(), word) }))
    .sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance <= mostChanges(best.word) ? best.word : undefined
}

function mostChanges(word: string): number {
  return Math.max(1, Math.floor(word.length / 3))
}

// Letters added, left out, replaced, or two that changed places.
function distanceBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
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

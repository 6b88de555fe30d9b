// Chance that repeats: the same seed draws the same numbers (mulberry32).

export type Random = {
  // A whole number from 0 up to the limit, which is outside.
  readonly below: (limit: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  // True once in so many times.
  readonly oneIn: (times: number) => boolean
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    oneIn: (times) => below(times) === 0,
  }
}

// Says whether a series of measurements grows. The first third of a run is warm-up and does not count. What counts is the slope
// after Theil and Sen, the median of the slopes between all pairs of points: peaks, collections and single steps do not move it.
// A leak goes on to the end, a cache that fills does not: the last third must rise too.

export type MeasuredValue = { readonly atSeconds: number; readonly value: number }

export type GrowthAllowance = {
  // What may come and go without meaning anything, in the unit of the values.
  readonly floor: number
  // The same, as a share of what is there.
  readonly share: number
}

export type Verdict =
  | { readonly kind: 'steady' | 'grows'; readonly from: number; readonly to: number; readonly rise: number }
  // Too few points to tell.
  | { readonly kind: 'unjudged' }

// Fewer in the two thirds that count, and chance decides.
const MIN_POINTS = 12
// Of the allowance: what the last third alone must rise by.
const LAST_SHARE = 0.25
// Slopes of all pairs of so many points are half a million.
const MAX_POINTS = 1_000

export function judgeGrowth(points: readonly MeasuredValue[], { floor, share }: GrowthAllowance): Verdict {
  const judged = sinceWarmUp(points)
  if (judged.length < MIN_POINTS) return { kind: 'unjudged' }
  const last = judged.slice(Math.floor(judged.length / 2))
  const middle = judged.slice(0, judged.length - last.length)
  const [from, to] = [medianOf(middle), medianOf(last)]
  const allowed = Math.max(floor, share * Math.abs(from))
  const rise = riseOf(judged)
  const grows = rise > allowed && riseOf(last) > allowed * LAST_SHARE
  return { kind: grows ? 'grows' : 'steady', from, to, rise }
}

// What grows with every payment because it is kept: how much more of it each further payment leaves, in the middle third and in the
// last. One that costs more and more is growth too.
export function judgeCost(
  points: readonly (MeasuredValue & { readonly payments: number })[],
  { floor, share }: GrowthAllowance,
): Verdict {
  const judged = sinceWarmUp(points)
  if (judged.length < MIN_POINTS) return { kind: 'unjudged' }
  const half = Math.floor(judged.length / 2)
  const from = costOf(judged.slice(0, half + 1))
  const to = costOf(judged.slice(half))
  if (from === undefined || to === undefined) return { kind: 'unjudged' }
  const rise = to - from
  return { kind: rise > Math.max(floor, share * from) ? 'grows' : 'steady', from, to, rise }
}

function costOf(points: readonly (MeasuredValue & { readonly payments: number })[]): number | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || last.payments <= first.payments) return undefined
  return (last.value - first.value) / (last.payments - first.payments)
}

function sinceWarmUp<Each extends MeasuredValue>(points: readonly Each[]): Each[] {
  const from = points[0]?.atSeconds ?? 0
  const to = points.at(-1)?.atSeconds ?? 0
  return points.filter(({ atSeconds }) => atSeconds >= from + (to - from) / 3)
}

function riseOf(points: readonly MeasuredValue[]): number {
  const sparse = thinned(points)
  const [first, last] = [sparse[0], sparse.at(-1)]
  if (first === undefined || last === undefined) return 0
  const slopes: number[] = []
  for (const [at, one] of sparse.entries())
    for (const other of sparse.slice(at + 1))
      if (other.atSeconds > one.atSeconds)
        slopes.push((other.value - one.value) / (other.atSeconds - one.atSeconds))
  return slopes.length === 0 ? 0 : middleOf(slopes) * (last.atSeconds - first.atSeconds)
}

function thinned(points: readonly MeasuredValue[]): readonly MeasuredValue[] {
  const every = Math.ceil(points.length / MAX_POINTS)
  return every <= 1 ? points : points.filter((_, at) => at % every === 0)
}

function medianOf(points: readonly MeasuredValue[]): number {
  return middleOf(points.map(({ value }) => value))
}

function middleOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = sorted.length >> 1
  const upper = sorted[at] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[at - 1] ?? Number.NaN)) / 2
}

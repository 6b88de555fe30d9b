// Partitions by time. Ids hold the time they were made (ids.ts), so a range of ids is a range of time. The partitions of a table
// follow each other without a gap: the first begins before all time, and only what lies beyond the last falls into the default
// partition.

import { firstIdAt, instantOfId } from './ids.ts'
import type { Instant } from './instant.ts'

export type Period = 'month' | 'day'

// Ids from the one bound up to the other, which is outside. Null is before all time.
export type Bounds = { readonly from: string | null; readonly to: string }

// So many whole periods are prepared after the one that is under way.
const PERIODS_AHEAD: Readonly<Record<Period, number>> = { month: 2, day: 3 }

// Which partitions come after the last one. If time has jumped, the first of them reaches from there to the end of the period
// that is under way: nothing was written in between.
export function missingPartitions(lastTo: string | null, period: Period, now: Instant): Bounds[] {
  const missing: Bounds[] = []
  let from = lastTo
  let to = endOfPeriod(period, now)
  for (let ahead = 0; ahead <= PERIODS_AHEAD[period]; ahead += 1, to = endOfPeriod(period, to)) {
    const bound = firstIdAt(to)
    if (from !== null && from >= bound) continue
    missing.push({ from, to: bound })
    from = bound
  }
  return missing
}

// The first instant after the period that this one is in, by UTC.
export function endOfPeriod(period: Period, instant: Instant): Instant {
  const date = new Date(instant)
  return period === 'day'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

// Those of which every id is older than the time, oldest first.
export function partitionsBefore<Partition extends Bounds>(
  partitions: readonly Partition[],
  time: Instant,
): Partition[] {
  const bound = firstIdAt(time)
  return partitions.filter(({ to }) => to <= bound)
}

// Named after the day on which it ends, such as events_to_20261201.
export function partitionName(table: string, { to }: Bounds): string {
  return `${table}_to_${new Date(instantOfId(to)).toISOString().slice(0, 10).replaceAll('-', '')}`
}

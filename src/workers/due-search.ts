// Searches a queue for owners of due work, and remembers where the queue begins. A look starts there, so it does not read again
// and again over what was done: rows that an old snapshot keeps stand in the index, dead, for as long as the snapshot lives.
// What turns up behind the beginning is found by a sweep: a transaction that committed late, a process whose clock is behind.

import type { Instant } from '../core/instant.ts'
import type { DuePage } from '../store/due-work.ts'

export type DueQueue<Place> = {
  now: () => Instant
  placeBefore: (time: Instant) => Place
  oldest: (after: Place, limit: number) => Promise<DuePage<Place>>
  newest: (limit: number) => Promise<string[]>
  // If patient, it may take longer than other statements.
  earliest: (isPatient: boolean) => Promise<Instant | null>
}

export type DueSearch = {
  // The owners of due work. With a backlog those of one page more than the last time, and of the newest work: within some
  // looks all are found, and none waits for another's backlog.
  look: () => Promise<string[]>
  // Nothing more of this owner is due.
  forget: (owner: string) => void
  // As far as is known, nothing is due that is older. The next look begins there.
  from: () => Instant
  // When the first was due that the look, or the pass that it is part of, has found.
  firstAt: () => Instant
}

// Rows read in one look, when so much is due. It takes a few milliseconds.
const PAGE_SIZE = 10_000
const NEWEST_SIZE = 1_000
// Longer than nearly any transaction between making a time or an id and its commit. What takes longer waits for a sweep.
export const LATE_COMMIT_MS = 1_000
const SWEEP_EVERY_MS = 2_000
// A sweep that takes long, because of an old snapshot, is made less often: it may cost a twentieth of the time.
const SWEEP_SHARE = 20
const SLOW_SWEEP_MS = 1_000

export type SearchOptions = { pageSize?: number; sweepEveryMs?: number }

export function createDueSearch<Place>(
  queue: DueQueue<Place>,
  { pageSize = PAGE_SIZE, sweepEveryMs = SWEEP_EVERY_MS }: SearchOptions = {},
): DueSearch {
  let from: Instant | undefined
  let firstAt: Instant = 0
  let nextSweepAtMs = 0
  // The last sweep took long, or failed.
  let isSlow = false
  // Where the next page begins, while a pass over a backlog is under way.
  let cursor: Place | null = null
  let found = new Set<string>()
  let foundInLastPass = new Set<string>()

  const sweep = async (): Promise<void> => {
    const startedAtMs = performance.now()
    nextSweepAtMs = Number.POSITIVE_INFINITY
    try {
      const first = await queue.earliest(isSlow)
      isSlow = performance.now() - startedAtMs > SLOW_SWEEP_MS
      const settled = queue.now() - LATE_COMMIT_MS
      from = Math.min(from ?? settled, first ?? settled)
    } catch (error) {
      isSlow = true
      throw error
    } finally {
      const tookMs = performance.now() - startedAtMs
      nextSweepAtMs = performance.now() + Math.max(sweepEveryMs, SWEEP_SHARE * tookMs)
    }
  }

  const look = async (): Promise<string[]> => {
    if (from === undefined) await sweep()
    // A look does not wait for a sweep, and meets the same failure.
    else if (performance.now() >= nextSweepAtMs) void sweep().catch(() => {})
    const startedFrom = from as unknown as Instant
    const settled = queue.now() - LATE_COMMIT_MS
    const isFirstPage = cursor === null
    const page = await queue.oldest(cursor ?? queue.placeBefore(startedFrom), pageSize)
    if (isFirstPage) firstAt = page.firstAt ?? settled
    // A sweep that ended meanwhile has found something older.
    if (isFirstPage && from === startedFrom) from = Math.min(settled, firstAt)
    if (isFirstPage && page.end === null) {
      found.clear()
      foundInLastPass.clear()
      return page.owners
    }
    cursor = page.end
    for (const owner of [...page.owners, ...(await queue.newest(NEWEST_SIZE))]) found.add(owner)
    const all = [...found.union(foundInLastPass)]
    if (cursor === null) {
      foundInLastPass = found
      found = new Set()
    }
    return all
  }

  return {
    look,
    forget: (owner) => {
      found.delete(owner)
      foundInLastPass.delete(owner)
    },
    from: () => from ?? 0,
    firstAt: () => firstAt,
  }
}

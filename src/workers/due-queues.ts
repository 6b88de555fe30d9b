// The queues that workers search: rows that are due, and events without a number.

import { firstIdAt } from '../core/ids.ts'
import type { Context } from '../flows/context.ts'
import {
  earliestDue,
  newestDue,
  oldestDue,
  placeBefore,
  WORK_QUEUES,
  type WorkQueue,
} from '../store/due-work.ts'
import { earliestUnsequenced, newestUnsequenced, oldestUnsequenced } from '../store/events/events.ts'
import { createDueSearch, type DueSearch, type SearchOptions } from './due-search.ts'

export type DueSearches = Readonly<Record<WorkQueue | 'events', DueSearch>>

export function createSearches(ctx: Context): DueSearches {
  const searches = WORK_QUEUES.map((queue) => [queue, searchFor(ctx, queue)])
  return { ...Object.fromEntries(searches), events: searchForUnsequenced(ctx) }
}

export function searchFor(ctx: Context, queue: WorkQueue, options?: SearchOptions): DueSearch {
  const { db, clock } = ctx
  return createDueSearch(
    {
      now: clock.now,
      placeBefore,
      oldest: (after, limit) => oldestDue(db, queue, clock.now(), after, limit),
      newest: (limit) => newestDue(db, queue, clock.now(), limit),
      earliest: (isPatient) => earliestDue(db, queue, clock.now(), isPatient),
    },
    options,
  )
}

// A look reads an event to find whose it is, and a turn of the sequencer numbers some 1,500: with a backlog, a larger page would be
// read several times over.
const EVENTS_PER_LOOK = 4_000

export function searchForUnsequenced(
  { db, clock }: Context,
  options: SearchOptions = { pageSize: EVENTS_PER_LOOK },
): DueSearch {
  return createDueSearch(
    {
      now: clock.now,
      placeBefore: firstIdAt,
      oldest: (after, limit) => oldestUnsequenced(db, after, limit),
      newest: (limit) => newestUnsequenced(db, limit),
      earliest: (isPatient) => earliestUnsequenced(db, isPatient),
    },
    options,
  )
}

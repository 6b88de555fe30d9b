// The queues that workers search: rows that are due, and events without a number.

import { firstIdAt } from '../core/ids.ts'
import type { Context } from '../flows/context.ts'
import { earliestDue, newestDue, oldestDue, placeBefore, type WorkQueue } from '../store/due-work.ts'
import { earliestUnsequenced, newestUnsequenced, oldestUnsequenced } from '../store/events/events.ts'
import { createDueSearch, type DueSearch, type SearchOptions } from './due-search.ts'

export function searchFor(ctx: Context, queue: WorkQueue, options?: SearchOptions): DueSearch {
  const { db, clock } = ctx
  return createDueSearch(
    {
      now: clock.now,
      placeBefore,
      oldest: (after, limit) => oldestDue(db, queue, clock.now(), after, limit),
      newest: (limit) => newestDue(db, queue, clock.now(), limit),
      earliest: () => earliestDue(db, queue, clock.now()),
    },
    options,
  )
}

export function searchForUnsequenced({ db, clock }: Context, options?: SearchOptions): DueSearch {
  return createDueSearch(
    {
      now: clock.now,
      placeBefore: firstIdAt,
      oldest: (after, limit) => oldestUnsequenced(db, after, limit),
      newest: (limit) => newestUnsequenced(db, limit),
      earliest: () => earliestUnsequenced(db),
    },
    options,
  )
}

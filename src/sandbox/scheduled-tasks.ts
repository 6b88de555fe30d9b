// Runs what is due in the networks, with one timer for the next due time. Tasks run in order of their due time and as of that
// time, however late we are, so a clock that jumps an hour has the same result as an hour of waiting.

import type { Instant } from '../core/instant.ts'
import { MAX_WAIT_MS } from './clock.ts'
import { RETRY_FULL_DISK_MS, runUnlessDiskFull } from './full-disk.ts'
import type { NetworkContext } from './network-context.ts'
import type { Notifier } from './notifier.ts'
import { runTask } from './outcomes.ts'
import type { Task } from './records.ts'

export type ScheduledTasks = {
  /** Runs what is due and starts sending its notices. Call it after anything was stored. */
  catchUp: () => void
  /** The same, if nothing was stored since. Usually there is nothing to do. */
  catchUpIfDue: () => void
  /** Moves the clock. When it resolves, everything due has happened, and its notices were attempted once. */
  advance: (ms: number) => Promise<void>
  stop: () => void
}

// A commit costs more than its statements.
const TASKS_PER_TRANSACTION = 50
const NEVER = Number.POSITIVE_INFINITY

export function createScheduledTasks(context: NetworkContext, notifier: Notifier): ScheduledTasks {
  const { storage, clock } = context
  let timer: NodeJS.Timeout | undefined
  let nextDue: Instant = 0
  let stopped = false

  function catchUp(): void {
    if (stopped) return
    const hadRoom = runUnlessDiskFull(() => {
      while (isDue(storage.nextTask())) storage.transaction(runDueTasks)
      notifier.sendDue()
    })
    nextDue = hadRoom
      ? Math.min(storage.nextTask()?.due ?? NEVER, notifier.nextDue() ?? NEVER)
      : clock.now() + RETRY_FULL_DISK_MS
    clearTimeout(timer)
    timer = setTimeout(catchUp, Math.max(0, Math.min(nextDue - clock.now(), MAX_WAIT_MS)))
  }

  const isDue = (task: Task | undefined): task is Task => task !== undefined && task.due <= clock.now()

  function runDueTasks(): void {
    for (let done = 0; done < TASKS_PER_TRANSACTION; done += 1) {
      const task = storage.nextTask()
      if (!isDue(task)) return
      storage.removeTask(task.id)
      runTask(context, task)
    }
  }

  return {
    catchUp,
    catchUpIfDue: () => {
      if (clock.now() >= nextDue) catchUp()
    },
    advance: async (ms) => {
      clock.advance(ms)
      const until = clock.now()
      catchUp()
      await notifier.settled(until)
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

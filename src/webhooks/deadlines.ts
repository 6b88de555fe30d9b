// One time limit for many operations in progress, kept by a single timer. Otherwise thousands of attempts a second would
// each create and clear one. All share one limit, so the oldest always expires next, and a list in order of arrival is enough.

export type Deadlines = {
  readonly begin: (expire: () => void) => Deadline
  readonly end: (deadline: Deadline) => void
}

export type Deadline = {
  readonly dueMs: number
  readonly expire: () => void
  before: Deadline | undefined
  after: Deadline | undefined
  isOver: boolean
}

export function deadlinesAfter(limitMs: number): Deadlines {
  let oldest: Deadline | undefined
  let newest: Deadline | undefined
  let timer: NodeJS.Timeout | undefined

  const watch = (inMs: number): void => {
    // The sockets keep the process alive while anything is in progress.
    timer = setTimeout(expireDue, inMs).unref()
  }

  const expireDue = (): void => {
    timer = undefined
    const nowMs = performance.now()
    while (oldest !== undefined && oldest.dueMs <= nowMs) {
      const due = oldest
      end(due)
      due.expire()
    }
    if (oldest !== undefined && timer === undefined) watch(Math.ceil(oldest.dueMs - nowMs))
  }

  // A linked list, not a Set: a Set that is filled and emptied without end leaves its old tables linked to the new ones, and
  // the garbage collector then copies thousands of finished attempts (measured: a third of the throughput).
  const end = (deadline: Deadline): void => {
    if (deadline.isOver) return
    deadline.isOver = true
    const { before, after } = deadline
    if (before === undefined) oldest = after
    else before.after = after
    if (after === undefined) newest = before
    else after.before = before
    deadline.before = undefined
    deadline.after = undefined
  }

  const begin = (expire: () => void): Deadline => {
    const dueMs = performance.now() + limitMs
    const deadline = { dueMs, expire, before: newest, after: undefined, isOver: false }
    if (newest === undefined) oldest = deadline
    else newest.after = deadline
    newest = deadline
    if (timer === undefined) watch(limitMs)
    return deadline
  }

  return { begin, end }
}

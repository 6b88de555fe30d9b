// Batches concurrent calls. Calls that arrive while a batch runs join the next one, so many requests share one statement and
// one commit, and each still gets its own result. There is no timer: an idle statement starts its batch at the end of the
// current turn of the event loop, or, with `waitsForFairShare`, as soon as a fair share of the callers is waiting.

import { type Failure, failureOf } from './db.ts'

export type BatchedStatement<Item, Result> = {
  (item: Item): Promise<Result>
  readonly waiting: number
}

export type BatchOptions<Item, Result> = {
  // Returns one result for each item, in order. If the statement itself fails, the items are run again one by one, so that one
  // bad item never fails the others.
  run: (items: Item[]) => Promise<Result[]>
  // Batches that run at once. More hide a slow commit; one makes the largest batches.
  concurrency: number
  // While a batch runs, another starts only with its fair share of the callers, and then at once. This makes fewer and larger
  // batches, which is best if each caller is a request whose own handling costs the most. Without it, waiting calls start
  // whenever the concurrency allows.
  waitsForFairShare?: boolean
  maxItems: number
  // Where the items of a batch may be on different machines, those of each owner run as a batch of their own: what one machine
  // refuses or delays does not concern the others.
  apart?: { isNeeded: () => Promise<boolean>; ownerOf: (item: Item) => string }
  // With this many waiting, further callers are refused at once, so that an overload does not fill the memory.
  maxWaiting: number
  onBatch?: (size: number) => void
}

export class BatchFull extends Error {
  override name = 'BatchFull'
}

// More than an even share of the callers for each batch, because some callers are always elsewhere.
const FAIR_SHARE = 4 / 3
// The caller estimate decays by this factor with each batch: a peak is forgotten within a hundred or so.
const CALLERS_DECAY = 0.99
// A smaller batch starts at the end of the turn, so that the calls behind it can join.
const MIN_EARLY_BATCH = 4

type Call<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

export function batchedStatement<Item, Result>(
  options: BatchOptions<Item, Result>,
): BatchedStatement<Item, Result> {
  let queue: Call<Item, Result>[] = []
  let running = 0
  let isStartScheduled = false
  let inFlight = 0
  // Recent number of callers, waiting and in flight.
  let recentCallers = 0
  const { apart } = options
  // Asked with the first batch.
  let runsApart: boolean | undefined

  const isFairShare = (): boolean => queue.length * options.concurrency >= recentCallers * FAIR_SHARE
  const canStart = (): boolean =>
    queue.length > 0 &&
    running < options.concurrency &&
    (running === 0 || options.waitsForFairShare !== true || isFairShare())

  // Otherwise callers that arrive in one turn would share one batch, return in one turn, and so on forever: the database idle
  // while we work, and we while it works.
  const canStartEarly = (): boolean =>
    options.waitsForFairShare === true && queue.length >= MIN_EARLY_BATCH && isFairShare() && canStart()

  const schedule = (): void => {
    if (canStartEarly()) startBatch()
    if (isStartScheduled || !canStart()) return
    isStartScheduled = true
    setImmediate(() => {
      isStartScheduled = false
      while (canStart()) startBatch()
    })
  }

  const startBatch = (): void => {
    const calls = queue.length <= options.maxItems ? queue : queue.slice(0, options.maxItems)
    queue = queue.length <= options.maxItems ? [] : queue.slice(options.maxItems)
    running += 1
    inFlight += calls.length
    recentCallers = Math.max(inFlight + queue.length, recentCallers * CALLERS_DECAY)
    options.onBatch?.(calls.length)
    const onDone = (): void => {
      running -= 1
      inFlight -= calls.length
      // Before the results are delivered, so that the database works while we do.
      schedule()
    }
    if (apart === undefined || runsApart === false) void settle(options.run, calls, rejectWaiting, onDone)
    else void settleApart(apart, calls, onDone)
  }

  const settleApart = async (
    { isNeeded, ownerOf }: NonNullable<typeof apart>,
    calls: Call<Item, Result>[],
    onDone: () => void,
  ): Promise<void> => {
    try {
      runsApart ??= await isNeeded()
    } catch (error) {
      onDone()
      for (const call of calls) call.reject(error)
      return
    }
    if (!runsApart) return settle(options.run, calls, rejectWaiting, onDone)
    const groups = Map.groupBy(calls, ({ item }) => ownerOf(item))
    await Promise.all(
      [...groups.values()].map((group) => settle(options.run, group, rejectWaiting, () => {})),
    )
    onDone()
  }

  // Behind a database that does not answer, those who wait would wait as long again.
  const rejectWaiting = (error: unknown): void => {
    for (const waiting of queue.splice(0)) waiting.reject(error)
  }

  const call = (item: Item): Promise<Result> => {
    if (queue.length >= options.maxWaiting)
      return Promise.reject(new BatchFull('too many calls wait for a batch'))
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
  }
  return Object.defineProperty(call, 'waiting', { get: () => queue.length }) as BatchedStatement<Item, Result>
}

type Ran<Result> = { results: Result[] } | { error: unknown }

async function settle<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
  onUnanswered: (error: unknown) => void,
  onDone: () => void,
): Promise<void> {
  const ran = await runAll(run, calls)
  if ('error' in ran && failureOf(ran.error) === 'unanswered') onUnanswered(ran.error)
  if ('error' in ran && calls.length > 1 && failureOf(ran.error) !== 'unanswered') {
    await settleOneByOne(run, calls, onUnanswered, failureOf(ran.error))
    onDone()
    return
  }
  onDone()
  for (const [index, call] of calls.entries())
    if ('error' in ran) call.reject(ran.error)
    else call.resolve(ran.results[index] as Result)
}

// One after the other, so that whoever conflicts with another of the batch sees it. Side by side after a lock timeout: each may
// wait as long again, and all of them in turn would wait too long.
async function settleOneByOne<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
  onUnanswered: (error: unknown) => void,
  failure: Failure,
): Promise<void> {
  const alone = (call: Call<Item, Result>) => settle(run, [call], onUnanswered, () => {})
  if (failure === 'lock timeout') await Promise.all(calls.map(alone))
  else for (const call of calls) await alone(call)
}

async function runAll<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
): Promise<Ran<Result>> {
  try {
    return { results: await run(calls.map((call) => call.item)) }
  } catch (error) {
    return { error }
  }
}

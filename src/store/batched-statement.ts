// Batches concurrent calls. Calls that arrive while a batch runs join the next one, so many requests share one statement and
// one commit, and each still gets its own result. There is no timer: an idle statement starts its batch at the end of the
// current turn of the event loop, or, with `waitsForFairShare`, as soon as a fair share of the callers is waiting.

export type BatchedStatement<Item, Result> = {
  (item: Item): Promise<Result>
  readonly waiting: number
}

export type BatchOptions<Item, Result> = {
  // Returns one result for each item, in order. If it throws, the items are run again one by one, so that one
  // bad item never fails the others.
  run: (items: Item[]) => Promise<Result[]>
  // Batches that run at once. More hide a slow commit; one makes the largest batches.
  concurrency: number
  // While a batch runs, another starts only with its fair share of the callers, and then at once. This makes fewer and larger
  // batches, which is best if each caller is a request whose own handling costs the most. Without it, waiting calls start
  // whenever the concurrency allows.
  waitsForFairShare?: boolean
  maxItems: number
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
    void settle(options.run, calls, () => {
      running -= 1
      inFlight -= calls.length
      // Before the results are delivered, so that the database works while we do.
      schedule()
    })
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

async function settle<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
  onDone: () => void,
): Promise<void> {
  let results: Result[]
  try {
    results = await run(calls.map((call) => call.item))
  } catch (error) {
    if (calls.length === 1) {
      onDone()
      calls[0]?.reject(error)
      return
    }
    for (const call of calls) await settle(run, [call], () => {})
    onDone()
    return
  }
  onDone()
  for (const [index, call] of calls.entries()) call.resolve(results[index] as Result)
}

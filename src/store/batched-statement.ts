// Concurrent callers travel together. Calls that arrive while a batch is under way join the next one, so that many
// requests share one statement and one commit, and each still gets its own answer. No timer: an idle batch leaves at the
// end of the current turn of the event loop, or, where lanes are to be filled, as soon as a fair share of the callers is aboard.

export type BatchedStatement<Item, Result> = {
  (item: Item): Promise<Result>
  readonly waiting: number
}

export type BatchOptions<Item, Result> = {
  // Answers one result for each item, in order. If it throws, the items are run again one by one, so that one
  // bad item never fails its neighbours.
  run: (items: Item[]) => Promise<Result[]>
  // Batches under way at once. More hide a slow commit; one makes the largest batches.
  concurrency: number
  // 'lanes': a further lane leaves with its fair share of the callers only, and then at once. That makes fewer and larger
  // batches, which is best where each caller is a request whose own handling costs the most. Otherwise whoever waits takes
  // the next free lane.
  waitsForFairShare?: boolean
  maxItems: number
  // Beyond this the caller is refused at once: memory is not a queue.
  maxWaiting: number
  onBatch?: (size: number) => void
}

export class BatchFull extends Error {
  override name = 'BatchFull'
}

// More than an even share of the crowd for each lane: some of the crowd is always elsewhere.
const FAIR_SHARE = 4 / 3
// What is kept of the crowd at each departure: it is forgotten within a hundred or so.
const CROWD_KEPT = 0.99
// Fewer than this leave at the end of the turn, so that those behind them can come along.
const MIN_EARLY = 4

type Call<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

export function batchedStatement<Item, Result>(
  options: BatchOptions<Item, Result>,
): BatchedStatement<Item, Result> {
  let queue: Call<Item, Result>[] = []
  let running = 0
  let departurePlanned = false
  let underWay = 0
  // How many callers there are lately, waiting and under way together.
  let crowd = 0

  const isFairShare = (): boolean => queue.length * options.concurrency >= crowd * FAIR_SHARE
  const mayLeave = (): boolean =>
    queue.length > 0 &&
    running < options.concurrency &&
    (running === 0 || options.waitsForFairShare !== true || isFairShare())

  // Callers that came in one turn would otherwise leave in one batch, come back in one turn, and so on for ever: the store
  // idle while we work, and we while it does.
  const leavesEarly = (): boolean =>
    options.waitsForFairShare === true && queue.length >= MIN_EARLY && isFairShare() && mayLeave()

  const leave = (): void => {
    if (leavesEarly()) depart()
    if (departurePlanned || !mayLeave()) return
    departurePlanned = true
    setImmediate(() => {
      departurePlanned = false
      while (mayLeave()) depart()
    })
  }

  const depart = (): void => {
    const calls = queue.length <= options.maxItems ? queue : queue.slice(0, options.maxItems)
    queue = queue.length <= options.maxItems ? [] : queue.slice(options.maxItems)
    running += 1
    underWay += calls.length
    crowd = Math.max(underWay + queue.length, crowd * CROWD_KEPT)
    options.onBatch?.(calls.length)
    void settle(options.run, calls, () => {
      running -= 1
      underWay -= calls.length
      // Before the answers are written: the store works while we do.
      leave()
    })
  }

  const call = (item: Item): Promise<Result> => {
    if (queue.length >= options.maxWaiting)
      return Promise.reject(new BatchFull('too many calls wait for a batch'))
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      leave()
    })
  }
  return Object.defineProperty(call, 'waiting', { get: () => queue.length }) as BatchedStatement<Item, Result>
}

async function settle<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
  arrive: () => void,
): Promise<void> {
  let results: Result[]
  try {
    results = await run(calls.map((call) => call.item))
  } catch (error) {
    if (calls.length === 1) {
      arrive()
      calls[0]?.reject(error)
      return
    }
    for (const call of calls) await settle(run, [call], () => {})
    arrive()
    return
  }
  arrive()
  for (const [index, call] of calls.entries()) call.resolve(results[index] as Result)
}

// Concurrent callers travel together. Calls that arrive while a batch is under way join the next one, so that many
// requests share one statement and one commit, and each still gets its own answer. No timer: an idle batch leaves at the
// end of the current turn of the event loop.

export type Batch<Item, Result> = {
  (item: Item): Promise<Result>
  readonly waiting: number
}

export type BatchOptions<Item, Result> = {
  // Answers one result for each item, in order. If it throws, the items are run again one by one, so that one
  // bad item never fails its neighbours.
  run: (items: Item[]) => Promise<Result[]>
  // Batches under way at once. More hide a slow commit; one makes the largest batches.
  lanes: number
  maxItems: number
  // Beyond this the caller is refused at once: memory is not a queue.
  maxWaiting: number
  onBatch?: (size: number) => void
}

export class BatchFull extends Error {
  override name = 'BatchFull'
}

type Call<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): Batch<Item, Result> {
  let queue: Call<Item, Result>[] = []
  let lanesBusy = 0
  let departurePlanned = false

  const planDeparture = (): void => {
    if (departurePlanned || lanesBusy >= options.lanes || queue.length === 0) return
    departurePlanned = true
    setImmediate(() => {
      departurePlanned = false
      while (lanesBusy < options.lanes && queue.length > 0) depart()
    })
  }

  const depart = (): void => {
    const calls = queue.length <= options.maxItems ? queue : queue.slice(0, options.maxItems)
    queue = queue.length <= options.maxItems ? [] : queue.slice(options.maxItems)
    lanesBusy += 1
    options.onBatch?.(calls.length)
    void settle(options.run, calls).then(() => {
      lanesBusy -= 1
      planDeparture()
    })
  }

  const call = (item: Item): Promise<Result> => {
    if (queue.length >= options.maxWaiting)
      return Promise.reject(new BatchFull('too many calls wait for a batch'))
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      planDeparture()
    })
  }
  return Object.defineProperty(call, 'waiting', { get: () => queue.length }) as Batch<Item, Result>
}

async function settle<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  calls: Call<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(calls.map((call) => call.item))
    for (const [index, call] of calls.entries()) call.resolve(results[index] as Result)
  } catch (error) {
    if (calls.length === 1) {
      calls[0]?.reject(error)
      return
    }
    for (const call of calls) await settle(run, [call])
  }
}

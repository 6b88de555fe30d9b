// Works a list off, several at a time, each worker with a number of its own.

export async function inParallel<Item>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item, worker: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async (number: number): Promise<void> => {
    for (;;) {
      const item = items[next]
      next += 1
      if (item === undefined) return
      await work(item, number)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, (_, index) => worker(index + 1)))
}

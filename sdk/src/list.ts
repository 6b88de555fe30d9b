// A list that is its first page when awaited, and all its entries when iterated. Nothing is asked for until one of the two
// is done.

/** `await` gives the first page, `for await` every entry of every page. */
export type List<Page extends { data: unknown[] }> = PromiseLike<Page> & AsyncIterable<Page['data'][number]>

type Paged = {
  data: unknown[]
  pageInfo?: { hasNext: boolean; nextCursor: string | null }
  hasMore?: boolean
  nextAfter?: number
}

// The most the server gives at once: whoever wants everything is best served with the fewest calls.
const PAGE_SIZE = 100

export function listOf<Page extends Paged, Query extends object>(
  read: (query: Query) => Promise<Page>,
  query: Query,
): List<Page> {
  let first: Promise<Page> | undefined
  return {
    then: (resolve, reject) => {
      first ??= read(query)
      return first.then(resolve, reject)
    },
    async *[Symbol.asyncIterator]() {
      for (let next: Query | undefined = { pageSize: PAGE_SIZE, ...query }; next; ) {
        const { data, pageInfo, hasMore, nextAfter }: Page = await read(next)
        yield* data
        next = pageInfo?.hasNext
          ? { ...next, cursor: pageInfo.nextCursor }
          : hasMore
            ? { ...next, after: nextAfter }
            : undefined
      }
    },
  }
}

// A list that gives its first page when awaited and all its entries when iterated. Nothing is requested until then.

/** `await` gives the first page, `for await` every entry of every page. */
export type List<Page extends { data: unknown[] }> = PromiseLike<Page> & AsyncIterable<Page['data'][number]>

type Paged = {
  data: unknown[]
  pageInfo?: { hasNext: boolean; nextCursor: string | null }
  hasMore?: boolean
  nextAfter?: number
}

// The server's largest page, because reading everything should take as few calls as possible.
const PAGE_SIZE = 100

export function listOf<Page extends Paged, Query extends object>(
  read: (query: Query | undefined) => Promise<Page>,
  query?: Query,
): List<Page> {
  let first: Promise<Page> | undefined
  return {
    then: (resolve, reject) => {
      first ??= read(query)
      return first.then(resolve, reject)
    },
    async *[Symbol.asyncIterator]() {
      for (let next = { pageSize: PAGE_SIZE, ...query } as Query | undefined; next; ) {
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

// Reads Mono's lists, which come in pages. A list that is cut, or that holds what was not searched for, is not an answer: nobody may
// conclude from it that something is absent.

import { Type } from '../../core/json-schema.ts'
import type { Call, Gateway } from '../gateway.ts'
import { type Unknown, unknown } from '../rail.ts'
import { reader, undecided, unreadable } from '../wire-format.ts'

export type ListCall = Pick<Call, 'resource' | 'id' | 'part' | 'query'> & {
  readonly reference: string
  readonly deadlineMs: number
  // What the list is called in the answer. Where the documentation is silent, there are several.
  readonly names: readonly string[]
  readonly pageSize: number
  readonly maxPages: number
}

export type Listed<Entry> = { readonly outcome: 'listed'; readonly entries: readonly Entry[] }

export async function readList<Entry>(
  gateway: Gateway,
  { maxPages, ...call }: ListCall,
  readEntry: (entry: unknown) => Entry | undefined,
): Promise<Listed<Entry> | Unknown> {
  const entries: Entry[] = []
  for (let pageNumber = 1; ; pageNumber += 1) {
    const page = await readPageOf(gateway, call, pageNumber, readEntry)
    if (page.outcome === 'unknown') return page
    entries.push(...page.entries)
    const { pages, items = entries.length } = page
    if (pageNumber >= pages)
      return items === entries.length
        ? { outcome: 'listed', entries }
        : unreadable(`the list has ${entries.length} entries of ${items}`)
    if (pageNumber >= maxPages)
      return unknown('undecided', `the list has ${pages} pages, and at most ${maxPages} are read`)
  }
}

type Page<Entry> = Listed<Entry> & { readonly pages: number; readonly items: number | undefined }

export async function readPageOf<Entry>(
  gateway: Gateway,
  { names, pageSize, query, ...call }: Omit<ListCall, 'maxPages'>,
  pageNumber: number,
  readEntry: (entry: unknown) => Entry | undefined,
): Promise<Page<Entry> | Unknown> {
  const reply = await gateway.ask({
    ...call,
    method: 'GET',
    query: { ...query, page_number: String(pageNumber), page_size: String(pageSize) },
    mayAskAgain: true,
  })
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'refused') return undecided(reply)
  const page = readPage(reply.body, names)
  if (page?.pagination.page_number !== pageNumber) return unreadable('the answer is not the page asked for')
  const entries: Entry[] = []
  for (const entry of page.list) {
    const read = readEntry(entry)
    if (read === undefined) return unreadable('the list holds what was not asked for')
    entries.push(read)
  }
  const { total_pages: pages, total_items: items } = page.pagination
  return { outcome: 'listed', entries, pages, items }
}

// What we ordered under a reference. The search answers for it alone: an entry of another one shows that nothing was searched for.
export function searchByReference<Entry extends { readonly external_id: string }>(
  gateway: Gateway,
  { reference, ...call }: Pick<ListCall, 'resource' | 'reference' | 'deadlineMs' | 'names'>,
  readEntry: (entry: unknown) => Entry | undefined,
): Promise<Listed<Entry> | Unknown> {
  const search = {
    ...call,
    reference,
    id: null,
    query: { external_id: reference },
    pageSize: 10,
    maxPages: 1,
  }
  return readList(gateway, search, (entry) => {
    const read = readEntry(entry)
    return read?.external_id === reference ? read : undefined
  })
}

function readPage(body: unknown, names: readonly string[]) {
  const page = readPagination(body)
  const named = body as Readonly<Record<string, unknown>>
  const list = page && names.map((name) => named[name]).find(Array.isArray)
  return list && { ...page, list: list as unknown[] }
}

const readPagination = reader(
  Type.Object({
    pagination: Type.Object({
      page_number: Type.Integer({ minimum: 1 }),
      total_pages: Type.Integer({ minimum: 0 }),
      total_items: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  }),
)

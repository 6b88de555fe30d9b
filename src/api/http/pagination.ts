// Cursor pages. A cursor holds a direction and the id of the row next to the page. It is sealed with the organization,
// the list and the filters, so it opens only for the same query.
//
// Rows are ordered by id, ids never change, and a bound excludes the row it names. So a row that existed when paging
// began appears exactly once, whatever is written meanwhile.

import { firstIdAt } from '../../core/ids.ts'
import { Type } from '../../core/json-schema.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { openToken, type SealingKey, sealToken } from '../../core/seal.ts'
import { uuidBytes, uuidText } from '../../core/uuid-token.ts'
import type { PageStart, RowList } from '../../store/keyset-list.ts'
import { DateTime, Nullable } from './schema.ts'

export const PAGE_SIZE = { minimum: 1, default: 10, maximum: 100 } as const

// The query parameters that every list takes.
export const PAGE_QUERY = {
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`nextCursor` or `previousCursor` of an earlier page.' }),
  ),
  pageSize: Type.Optional(
    Type.Integer({
      minimum: PAGE_SIZE.minimum,
      maximum: PAGE_SIZE.maximum,
      default: PAGE_SIZE.default,
      description: 'Entries a page.',
    }),
  ),
}

export const TIME_QUERY = {
  createdFrom: Type.Optional(DateTime('Only what was created at this time or later.')),
  createdTo: Type.Optional(DateTime('Only what was created at this time or earlier.')),
}

// Ids contain their creation time, so a time range is an id range.
export function idBounds(range: { createdFrom?: string; createdTo?: string }): {
  fromId?: string
  beforeId?: string
} {
  return {
    ...(range.createdFrom !== undefined && { fromId: firstIdAt(Date.parse(range.createdFrom)) }),
    ...(range.createdTo !== undefined && { beforeId: firstIdAt(Date.parse(range.createdTo) + 1) }),
  }
}

export const PageInfoObject = Type.Object({
  hasNext: Type.Boolean({ description: 'Another page follows.' }),
  hasPrevious: Type.Boolean({ description: 'A previous page exists.' }),
  nextCursor: Nullable(Type.String({ description: 'Cursor of the next page, or null.' })),
  previousCursor: Nullable(Type.String({ description: 'Cursor of the previous page, or null.' })),
})

export type PageInfo = {
  hasNext: boolean
  hasPrevious: boolean
  nextCursor: string | null
  previousCursor: string | null
}

export type PageSource<Row> = RowList<Row> & { idOf: (row: Row) => string }

export type CursorSeal = { key: SealingKey; context: string }

export async function readPage<Row>(
  source: PageSource<Row>,
  seal: CursorSeal,
  cursor: string | undefined,
  pageSize: number,
): Promise<{ rows: Row[]; pageInfo: PageInfo } | Refusal> {
  const seek: PageStart | undefined =
    cursor === undefined ? { direction: 'older', from: null } : openCursor(seal, cursor)
  if (seek === undefined)
    return refuse('CURSOR_INVALID', 'The cursor does not belong to this list and these filters.')

  const found = await source.seek(seek, pageSize + 1)
  const hasMore = found.length > pageSize
  const rows = found.slice(0, pageSize)
  if (seek.direction === 'newer') rows.reverse()
  const hasRowsBehind = seek.from !== null && (await source.exists(opposite(seek.direction), seek.from))
  const hasNext = seek.direction === 'older' ? hasMore : hasRowsBehind
  const hasPrevious = seek.direction === 'older' ? hasRowsBehind : hasMore

  const first = rows[0]
  const last = rows.at(-1)
  // An empty page lies beyond its cursor's row, so the cursor back must include that row.
  const newestId = first === undefined ? adjacentId(seek.from as string, -1) : source.idOf(first)
  const oldestId = last === undefined ? adjacentId(seek.from as string, +1) : source.idOf(last)
  return {
    rows,
    pageInfo: {
      hasNext,
      hasPrevious,
      nextCursor: hasNext ? sealCursor(seal, 'older', oldestId) : null,
      previousCursor: hasPrevious ? sealCursor(seal, 'newer', newestId) : null,
    },
  }
}

function opposite(direction: PageStart['direction']): PageStart['direction'] {
  return direction === 'older' ? 'newer' : 'older'
}

// Ids are 128-bit numbers. The adjacent id turns an exclusive bound into an inclusive one.
function adjacentId(id: string | null, step: 1 | -1): string {
  if (id === null) return uuidText(Buffer.alloc(16))
  const value = BigInt(`0x${id.replaceAll('-', '')}`) + BigInt(step)
  return uuidText(Buffer.from(value.toString(16).padStart(32, '0'), 'hex'))
}

const OLDER = 0
const NEWER = 1

function sealCursor(seal: CursorSeal, direction: PageStart['direction'], id: string): string {
  const payload = Buffer.concat([Buffer.of(direction === 'older' ? OLDER : NEWER), uuidBytes(id)])
  return sealToken(seal.key, payload, seal.context)
}

function openCursor(seal: CursorSeal, cursor: string): PageStart | undefined {
  const payload = openToken(seal.key, cursor, seal.context)
  if (payload?.length !== 17) return undefined
  return { direction: payload[0] === OLDER ? 'older' : 'newer', from: uuidText(payload.subarray(1)) }
}

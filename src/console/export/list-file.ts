// A list as a file: exactly what its address shows, over all of its pages, in the same order, with people as the role may see them.
// Rows are read in parts and sent as they come, however many there are.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { bogotaDay } from '../../core/bogota-day.ts'
import type { ListDefinition, ListView } from '../lists/definition.ts'
import { type ListQuery, readQuery, startOf } from '../lists/list-query.ts'
import { titleOf } from '../lists/list-title.ts'
import { LIST_WORDS } from '../lists/words.ts'
import type { Page, Sent } from '../page.ts'
import { eyesOf } from '../people.ts'
import { tooFastPage } from '../problem-pages.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { type FileRows, MAX_SHEET_ROWS, xlsx } from './xlsx.ts'

export type FileKind = 'csv' | 'xlsx'

// So few that nothing of them is left when the next are read.
const ROWS_AT_A_TIME = 250
// A file takes long where there is much. Others must still get their pages.
const MAX_FILES = 8
const MAX_FILES_PER_ORGANIZATION = 2
const RETRY_AFTER_SECONDS = 10
// Whoever takes nothing for so long has gone away, and whoever takes longer than that is as good as gone: others wait for the place.
export const EXPORT_TIME_LIMITS = { idleMs: 60_000, totalMs: 30 * 60_000 }

const TYPE: Readonly<Record<FileKind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const open = new Map<string, number>()

export async function sendListFile<Row>(
  visit: Visit,
  definition: ListDefinition<Row>,
  kind: FileKind,
): Promise<Page | Sent> {
  const { ctx, organization, language, request, reply } = visit
  const eyes = await eyesOf(visit)
  // From here on nothing is waited for until it is counted as open.
  if (!isRoom(organization.organizationId)) {
    reply.header('retry-after', RETRY_AFTER_SECONDS)
    return tooFastPage(visit, visit.home, RETRY_AFTER_SECONDS)
  }
  const blind = { visit, words: LIST_WORDS[language], states: STATES[language], now: ctx.clock.now() }
  const query = readQuery(definition, new URLSearchParams(request.url.split('?')[1] ?? ''), blind)
  const view: ListView = { ...blind, eyes }
  const columns = [...definition.columns, ...definition.alsoInFiles]
  const heads = columns.map(({ name }) => view.words.columns[name])
  const rows = valuesOf(view, definition, query)
  const name = `${titleOf(visit, definition)} ${bogotaDay(view.now)}`
  const content = kind === 'csv' ? csvText(heads, rows, view) : xlsx({ name, heads, rows })
  return sendStream(visit, reply, content, kind, name)
}

async function* valuesOf<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
): AsyncGenerator<FileRows> {
  const { ctx, organization } = view.visit
  const columns = [...definition.columns, ...definition.alsoInFiles]
  const list = definition.open(ctx.db, organization.organizationId, query.filters)
  const { direction } = startOf({ order: query.order, position: null })
  let sent = 0
  for (let from: string | null = null; sent < MAX_SHEET_ROWS; ) {
    const { rows, readTo } = await list.page({ direction, from }, ROWS_AT_A_TIME)
    yield rows.map((row) => columns.map((column) => column.value(row, view)))
    sent += rows.length
    const last = rows.at(-1)
    const next: string | null =
      rows.length === ROWS_AT_A_TIME && last !== undefined ? definition.idOf(last) : readTo
    if (next === null) return
    from = next
  }
}

async function* csvText(
  heads: readonly string[],
  rows: AsyncIterable<FileRows>,
  { visit }: ListView,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK +
    csvLine(
      heads.map((head) => ({ text: head })),
      visit.language,
    )
  for await (const part of rows) yield part.map((row) => csvLine(row, visit.language)).join('')
}

function sendStream(
  { organization }: Visit,
  reply: FastifyReply,
  content: AsyncIterable<string | Buffer>,
  kind: FileKind,
  name: string,
): Sent {
  const { organizationId } = organization
  open.set(organizationId, (open.get(organizationId) ?? 0) + 1)
  // Also for the last part, behind which nothing is asked for.
  const total = setTimeout(() => reply.raw.destroy(), EXPORT_TIME_LIMITS.totalMs).unref()
  reply.raw.once('close', () => {
    clearTimeout(total)
    const left = (open.get(organizationId) ?? 1) - 1
    if (left > 0) open.set(organizationId, left)
    else open.delete(organizationId)
  })
  const file = `${name.replaceAll(' ', '-')}.${kind}`
  void reply
    .headers(PRIVATE_HEADERS)
    .header(
      'content-disposition',
      `attachment; filename="${asciiName(file)}"; filename*=UTF-8''${encodeURIComponent(file)}`,
    )
    .type(TYPE[kind])
    .send(Readable.from(endedInTime(reply, content), { objectMode: false }))
  return 'sent'
}

// The next part is read when there is room for it: whoever stands still asks for none.
async function* endedInTime(
  { raw }: FastifyReply,
  content: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  for await (const part of content) {
    const idle = setTimeout(() => raw.destroy(), EXPORT_TIME_LIMITS.idleMs).unref()
    yield part
    clearTimeout(idle)
  }
}

function isRoom(organizationId: string): boolean {
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  return all < MAX_FILES && (open.get(organizationId) ?? 0) < MAX_FILES_PER_ORGANIZATION
}

function asciiName(name: string): string {
  return name.normalize('NFD').replaceAll(/[^\w.-]/g, '')
}

// A list as a file: exactly what its address shows, over all of its pages, in the same order, with people as the role may see them.
// Rows are read in parts and sent as they come, however many there are.

import {
  FILE_RETRY_AFTER_SECONDS,
  type FileKind,
  hasRoomForFile,
  sendFile,
} from '../../api/export/send-file.ts'
import { type FileRows, MAX_SHEET_ROWS } from '../../api/export/xlsx.ts'
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

// So few that nothing of them is left when the next are read.
const ROWS_AT_A_TIME = 250

export async function sendListFile<Row>(
  visit: Visit,
  definition: ListDefinition<Row>,
  kind: FileKind,
): Promise<Page | Sent> {
  const { ctx, organization, language, request, reply } = visit
  const { organizationId } = organization
  const eyes = await eyesOf(visit)
  // From here on nothing is waited for until it is counted as open.
  if (!hasRoomForFile(organizationId)) {
    reply.header('retry-after', FILE_RETRY_AFTER_SECONDS)
    return tooFastPage(visit, visit.home, FILE_RETRY_AFTER_SECONDS)
  }
  const blind = { visit, words: LIST_WORDS[language], states: STATES[language], now: ctx.clock.now() }
  const query = readQuery(definition, new URLSearchParams(request.url.split('?')[1] ?? ''), blind)
  const view: ListView = { ...blind, eyes, tab: query.filters.tab }
  const columns = [...definition.columns, ...definition.alsoInFiles]
  const heads = columns.map(({ name }) => view.words.columns[name])
  const rows = valuesOf(view, definition, query)
  const name = `${titleOf(visit, definition)} ${bogotaDay(view.now)}`
  sendFile(reply.headers(PRIVATE_HEADERS), { organizationId, kind, name, language, heads, rows })
  return 'sent'
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

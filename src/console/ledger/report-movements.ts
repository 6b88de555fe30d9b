// The movements of a day: those of a column, or all; with the third party as the role may see it. And as a file.

import { hasRoomForFile, sendFile } from '../../api/export/send-file.ts'
import { movementFilters, reportFile } from '../../api/ledger/report-files.ts'
import { listMovementsOperation } from '../../api/ledger/report-movements.ts'
import { REPORT_WORDS } from '../../api/ledger/report-words.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { BOOKING_WORDS } from '../../core/ledger/booking-words.ts'
import { CLOSE_COLUMN_NAMES, type CloseColumn } from '../../core/ledger/close-columns.ts'
import { type Movement, type PeopleReader, readMovements } from '../../flows/ledger/read-movements.ts'
import { transferList } from '../../store/ledger/transfers.ts'
import { amountText, clockText, dayText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page, Sent } from '../page.ts'
import { customerSeen, eyesOf, type PeopleEyes } from '../people.ts'
import { tooFastPage } from '../problem-pages.ts'
import type { PageRoute } from '../route.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import { may, type Visit } from '../visit.ts'
import { callBlock } from './report-call.ts'
import { dayOfPath, noDayPage } from './report-day.ts'
import { REPORT_PAGE_WORDS } from './report-page-words.ts'

const SHOWN_AT_ONCE = 50

function columnOf({ request }: Visit): CloseColumn | undefined {
  const { column } = request.query as { column?: unknown }
  return CLOSE_COLUMN_NAMES.find((name) => name === column)
}

function peopleSeen(visit: Visit, eyes: PeopleEyes): PeopleReader {
  const seesPayers = may(visit, 'payins:read')
  const seesReceivers = may(visit, 'payouts:read')
  return ({ kind, personId, customer }) =>
    (kind === 'payout' ? seesReceivers : seesPayers) ? customerSeen(eyes, personId, customer) : null
}

async function movementsPage(visit: Visit): Promise<Page | undefined> {
  const day = dayOfPath(visit)
  if (day === undefined) return noDayPage(visit)
  const { ctx, organization, language, home, request } = visit
  const words = REPORT_PAGE_WORDS[language]
  const column = columnOf(visit)
  const { after } = request.query as { after?: unknown }
  const from = typeof after === 'string' && isUuid(after) ? after : null
  const { organizationId } = organization
  const list = transferList(ctx.db, organizationId, movementFilters(day, column))
  const found = await list.seek({ direction: 'older', from }, SHOWN_AT_ONCE + 1)
  const shown = found.slice(0, SHOWN_AT_ONCE)
  const people = peopleSeen(visit, await eyesOf(visit))
  const movements = await readMovements(ctx.db, organizationId, shown, people)
  const chosen = column === undefined ? '' : `column=${column}&`
  const older =
    found.length > SHOWN_AT_ONCE &&
    html`<nav class="pager"><a class="button" rel="next" href="?${chosen}after=${shown.at(-1)?.transferId}">${words.older}${icon('right')}</a></nav>`
  const file = (kind: 'csv' | 'xlsx') =>
    html`<a class="button" href="${home}/reports/${day}/movements.${kind}?${chosen}language=${language}" download>${icon('download')}${words[kind]}</a>`
  const title = column === undefined ? words.movements : REPORT_WORDS[language].columns[column]
  const content = html`<p class="crumb"><a href="${home}/reports/${day}">${icon('left')}${dayText(day, ctx.clock.now(), language)}</a></p><div class="head"><h1>${title}</h1><div class="head-actions">${file('csv')}${file('xlsx')}</div></div>${
    movements.length === 0
      ? html`<section class="empty"><h2>${words.none}</h2></section>`
      : movementsTable(visit, movements)
  }${older}${callBlock(visit, listMovementsOperation, { params: { day }, ...(column !== undefined && { query: { column } }) })}`
  return { title: `${title} ${day}`, section: 'reports', content }
}

function movementsTable(visit: Visit, movements: readonly Movement[]): Html {
  const { heads } = REPORT_WORDS[visit.language]
  const titles = [
    heads.bookedAt,
    heads.ownDay,
    heads.booking,
    heads.amount,
    heads.reference,
    heads.networkId,
    heads.name,
    heads.idNumber,
  ]
  const head = titles.map(
    (title) => html`<th scope="col"${title !== heads.amount && html` class="text"`}>${title}</th>`,
  )
  const label = REPORT_PAGE_WORDS[visit.language].movements
  return html`<div class="card report" role="region" aria-label="${label}" tabindex="0"><table class="stacks"><thead><tr>${head}</tr></thead><tbody>${movements.map((one) => movementRow(visit, one))}</tbody></table></div>`
}

// On a narrow screen each cell stands in a line of its own, with its head before it.
function cell(head: string, shown: string | Html | null): Html {
  return shown === null
    ? html`<td class="text none">–</td>`
    : html`<td class="text" data-head="${head}">${shown}</td>`
}

const PATHS = {
  payin: '/payins',
  payout: '/payouts',
  refund: '/refunds',
  'payout-batch': '/batches',
  suspense: '/suspense',
} as const

function movementRow({ home, language }: Visit, movement: Movement): Html {
  const { heads } = REPORT_WORDS[language]
  const { transfer, ownDay, subjectKind, reference, networkId, thirdParty } = movement
  const path = subjectKind === null ? undefined : PATHS[subjectKind]
  const named = reference ?? transfer.subjectId.slice(0, 8)
  const about = path === undefined ? named : html`<a href="${home}${path}/${transfer.subjectId}">${named}</a>`
  const document =
    thirdParty === null
      ? null
      : [thirdParty.idNumber, thirdParty.checkDigit].filter((part) => part !== null).join('-')
  return html`<tr><th scope="row"><time>${clockText(transfer.createdAt, language)}</time></th>${cell(heads.ownDay, ownDay)}${cell(heads.booking, BOOKING_WORDS[language][transfer.booking])}<td class="sum">${amountText(transfer.amountInCents, language)}</td>${cell(heads.reference, about)}${cell(heads.networkId, networkId)}${cell(heads.name, thirdParty?.name ?? null)}${cell(heads.idNumber, document)}</tr>`
}

async function sendMovements(visit: Visit, kind: 'csv' | 'xlsx'): Promise<Page | Sent | undefined> {
  const day = dayOfPath(visit)
  if (day === undefined) return noDayPage(visit)
  const { ctx, organization, language, reply, home } = visit
  const people = peopleSeen(visit, await eyesOf(visit))
  const report = { report: 'movements', day, column: columnOf(visit) } as const
  const file = await reportFile(ctx, organization, report, { kind, language }, people)
  if (!hasRoomForFile(organization.organizationId)) return tooFastPage(visit, home, 10)
  sendFile(reply.headers(PRIVATE_HEADERS), file)
  return 'sent'
}

export const movementRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/reports/:day/movements', scope: 'ledger:read', show: movementsPage },
  ...(['csv', 'xlsx'] as const).map(
    (kind): PageRoute => ({
      method: 'GET',
      path: `/reports/:day/movements.${kind}`,
      scope: 'ledger:read',
      isStream: true,
      show: (visit) => sendMovements(visit, kind),
    }),
  ),
]

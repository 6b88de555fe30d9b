// The accountant's pages: a month with its days, and its file.

import { hasRoomForFile, sendFile } from '../../api/export/send-file.ts'
import { reportFile } from '../../api/ledger/report-files.ts'
import { type MonthSums, sumsOfMonth } from '../../api/ledger/report-schema.ts'
import { REPORT_WORDS } from '../../api/ledger/report-words.ts'
import { getMonthOperation } from '../../api/ledger/reports.ts'
import { bogotaDay, daysAfter } from '../../core/bogota-day.ts'
import { type Html, html } from '../../core/html.ts'
import { CLOSE_COLUMN_NAMES, type CloseColumn } from '../../core/ledger/close-columns.ts'
import { heldInCents } from '../../core/ledger/daily-close.ts'
import { type Month, monthOf, type ReportedDay, readDays } from '../../flows/ledger/read-days.ts'
import { amountText, dayText, monthText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page, Sent } from '../page.ts'
import { tooFastPage } from '../problem-pages.ts'
import type { PageRoute, Route } from '../route.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import type { Visit } from '../visit.ts'
import { callBlock } from './report-call.ts'
import { dayRoutes, dayStateMark, watchesOf } from './report-day.ts'
import { movementRoutes } from './report-movements.ts'
import { REPORT_PAGE_WORDS } from './report-page-words.ts'

type ShownMonth = { readonly name: string; readonly month: Month }

// The month that is asked for, or the current one where it is none that there is.
function monthAsked({ ctx, organization, request }: Visit): ShownMonth {
  const now = ctx.clock.now()
  const { month: asked } = request.query as { month?: unknown }
  const found = typeof asked === 'string' ? monthOf(asked, organization, now) : undefined
  if (found !== undefined && !('path' in found)) return { name: asked as string, month: found }
  const name = bogotaDay(now).slice(0, 7)
  return { name, month: monthOf(name, organization, now) as Month }
}

async function reportsPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language } = visit
  const words = REPORT_PAGE_WORDS[language]
  const { name, month } = monthAsked(visit)
  const days = await readDays(ctx, organization.organizationId, month.from, month.until)
  const content = html`<p class="on-paper">${words.paper(organization.name, organization.taxId)}</p><div class="head"><h1>${words.title}</h1><div class="head-actions">${monthSwitch(visit, name)}${fileLinks(visit, `/reports/month`, `month=${name}`)}</div></div><p class="page-hint">${words.lead}</p><h2 class="report-title">${words.month(monthText(name, language))}</h2>${monthTable(visit, days.toReversed())}${callBlock(visit, getMonthOperation, { params: { month: name } })}`
  return { title: words.title, section: 'reports', content, ...watchesOf(days) }
}

function monthSwitch({ organization, ctx, language }: Visit, name: string): Html {
  const words = REPORT_PAGE_WORDS[language]
  const before = daysAfter(`${name}-01`, -1).slice(0, 7)
  const after = daysAfter(`${name}-01`, 31).slice(0, 7)
  const isFirst = before < bogotaDay(organization.createdAt).slice(0, 7)
  const isLast = after > bogotaDay(ctx.clock.now()).slice(0, 7)
  return html`${!isFirst && html`<a class="button" href="?month=${before}">${icon('left')}${words.before}</a>`}${!isLast && html`<a class="button" href="?month=${after}">${words.after}${icon('right')}</a>`}`
}

export function fileLinks({ home, language }: Visit, path: string, query: string): Html {
  const words = REPORT_PAGE_WORDS[language]
  const link = (kind: 'csv' | 'xlsx') =>
    html`<a class="button" href="${home}${path}.${kind}?${query}" download>${icon('download')}${words[kind]}</a>`
  return html`${link('csv')}${link('xlsx')}`
}

function monthTable(visit: Visit, days: readonly ReportedDay[]): Html {
  const { language } = visit
  const words = REPORT_PAGE_WORDS[language]
  const { columns, heads } = REPORT_WORDS[language]
  const sums = sumsOfMonth(days)
  // The others have no movement in the month.
  const moved = CLOSE_COLUMN_NAMES.filter((column) => sums.columns[column].movements > 0)
  const titles = [heads.opening, ...moved.map((name) => columns[name])]
  const head = html`<th scope="col">${words.day}</th><th scope="col" class="state">${heads.state}</th>${titles.map((title) => html`<th scope="col">${title}</th>`)}<th scope="col" class="closing">${heads.closing}</th>`
  return html`<div class="card report" role="region" aria-label="${words.table}" tabindex="0"><table class="stacks"><thead><tr>${head}</tr></thead><tbody>${days.map((day) => dayRow(visit, day, moved))}</tbody><tfoot>${totalRow(visit, sums, moved)}</tfoot></table></div>`
}

function dayRow(visit: Visit, { day, state, figures }: ReportedDay, moved: readonly CloseColumn[]): Html {
  const { home, language, ctx } = visit
  const { columns, heads } = REPORT_WORDS[language]
  const path = `${home}/reports/${day}`
  const amount = (cents: bigint) => amountText(cents, language)
  const cells = moved.map((column) => {
    const { amountInCents, movements } = figures.columns[column]
    return movements === 0
      ? html`<td class="none">–</td>`
      : html`<td data-head="${columns[column]}"><a href="${path}/movements?column=${column}">${amount(amountInCents)}</a></td>`
  })
  return html`<tr id="day-${day}"><th scope="row"><a href="${path}">${dayText(day, ctx.clock.now(), language)}</a></th><td class="state">${dayStateMark(visit, state)}</td><td data-head="${heads.opening}">${amount(heldInCents(figures.opening))}</td>${cells}<td class="closing" data-head="${heads.closing}">${amount(heldInCents(figures.closing))}</td></tr>`
}

function totalRow({ language }: Visit, { columns }: MonthSums, moved: readonly CloseColumn[]): Html {
  const names = REPORT_WORDS[language].columns
  const cells = moved.map(
    (column) =>
      html`<td data-head="${names[column]}">${amountText(columns[column].amountInCents, language)}</td>`,
  )
  return html`<tr><th scope="row">${REPORT_PAGE_WORDS[language].total}</th><td></td><td></td>${cells}<td class="closing"></td></tr>`
}

async function sendMonthFile(visit: Visit, kind: 'csv' | 'xlsx'): Promise<Page | Sent> {
  const { ctx, organization, language, reply } = visit
  const { name, month } = monthAsked(visit)
  const report = { report: 'month', month: name, ...month } as const
  const file = await reportFile(ctx, organization, report, { kind, language })
  if (!hasRoomForFile(organization.organizationId)) return tooFastPage(visit, visit.home, 10)
  sendFile(reply.headers(PRIVATE_HEADERS), file)
  return 'sent'
}

const files = (['csv', 'xlsx'] as const).map(
  (kind): PageRoute => ({
    method: 'GET',
    path: `/reports/month.${kind}`,
    scope: 'ledger:read',
    isStream: true,
    show: (visit) => sendMonthFile(visit, kind),
  }),
)

export const reportRoutes: readonly Route[] = [
  { method: 'GET', path: '/reports', scope: 'ledger:read', show: reportsPage },
  ...files,
  ...dayRoutes,
  ...movementRoutes,
]

// A day on one page, on paper too: what it was made of, every number with the movements behind it, and what proves it.

import { REPORT_WORDS } from '../../api/ledger/report-words.ts'
import { closeDayOperation, getDayOperation } from '../../api/ledger/reports.ts'
import { bogotaDay, type Day, endOfDay, parseDay } from '../../core/bogota-day.ts'
import { type Html, html } from '../../core/html.ts'
import { ACCOUNT_WORDS } from '../../core/ledger/booking-words.ts'
import { CLOSE_COLUMN_NAMES, CLOSE_COLUMNS, HELD_ACCOUNTS } from '../../core/ledger/close-columns.ts'
import { heldInCents } from '../../core/ledger/daily-close.ts'
import { estimatedMovementTax } from '../../core/ledger/movement-tax.ts'
import type { DayState } from '../../flows/ledger/close-days.ts'
import { dayProblem, type ReportedDay, readDays } from '../../flows/ledger/read-days.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, countText, dayText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { callBlock } from './report-call.ts'
import { REPORT_PAGE_WORDS } from './report-page-words.ts'

const TONES = { OPEN: 'wait', CLOSING: 'wait', CLOSED: 'good' } as const satisfies Record<DayState, string>

export function dayStateMark({ language }: Visit, state: DayState): Html {
  return statusMark(state, REPORT_WORDS[language].states[state], TONES[state])
}

// A closed day never changes.
export function watchesOf(days: readonly ReportedDay[]): Pick<Page, 'watches'> {
  return days.every(({ state }) => state === 'CLOSED') ? {} : { watches: ['movements', 'days'] }
}

// Undefined for a day that is none, is to come, or was before the organization.
export function dayOfPath({ ctx, organization, request }: Visit): string | undefined {
  const { day } = request.params as { day: string }
  return dayProblem('/day', day, organization, ctx.clock.now()) === undefined ? day : undefined
}

// Says what is wrong with the day, and leads back to the days that there are.
export function noDayPage({ ctx, organization, request, language, home }: Visit): Page {
  const words = REPORT_PAGE_WORDS[language]
  const { none, future, before } = words.noDayBecause
  const day = parseDay((request.params as { day: string }).day)
  const now = ctx.clock.now()
  const first = bogotaDay(organization.createdAt)
  const text = (one: Day) => dayText(one, now, language)
  const why = day === undefined ? none : day < first ? before(text(first)) : future(text(bogotaDay(now)))
  const content = html`<section class="problem"><p class="problem-mark">${icon('warning')}</p><h1>${words.noDay}</h1><p>${why}</p><p><a class="button" href="${home}/reports">${words.title}</a></p></section>`
  return { title: words.noDay, section: 'reports', status: 404, content }
}

async function dayPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const day = dayOfPath(visit)
  if (day === undefined) return noDayPage(visit)
  const { ctx, organization, language, home } = visit
  const [reported] = await readDays(ctx, organization.organizationId, day, day)
  if (reported === undefined) return undefined
  const words = REPORT_PAGE_WORDS[language]
  const title = dayText(day, ctx.clock.now(), language)
  const query = `language=${language}`
  const file = (kind: 'csv' | 'xlsx') =>
    html`<a class="button" href="${home}/reports/${day}/movements.${kind}?${query}" download>${icon('download')}${words[kind]}</a>`
  const content = html`<p class="on-paper">${words.paper(organization.name, organization.taxId)}</p><p class="crumb"><a href="${home}/reports?month=${day.slice(0, 7)}">${icon('left')}${words.title}</a></p><div class="head"><h1>${title} ${dayStateMark(visit, reported.state)}</h1><div class="head-actions">${closeButton(visit, form, reported)}${file('csv')}${file('xlsx')}</div></div>${problemSummary(visit, form, [])}${figuresCard(visit, reported)}${balancesCard(visit, reported)}${proofCard(visit, reported)}${callBlock(visit, getDayOperation, { params: { day } })}`
  return { title: `${words.title} ${day}`, section: 'reports', content, ...watchesOf([reported]) }
}

function closeButton(visit: Visit, form: FormState, { day, state }: ReportedDay): Html | false {
  if (state !== 'OPEN' || endOfDay(day) > visit.ctx.clock.now()) return false
  const { close, closeSure } = REPORT_PAGE_WORDS[visit.language]
  return actionButton(visit, form, {
    action: `/reports/${day}/close`,
    operation: closeDayOperation,
    submit: close,
    confirm: closeSure,
    call: { params: { day } },
  })
}

const SIGN = { 1: '+', 0: '', [-1]: '−' } as const

function figuresCard({ home, language, organization }: Visit, { day, figures }: ReportedDay): Html {
  const words = REPORT_PAGE_WORDS[language]
  const { columns, heads } = REPORT_WORDS[language]
  const { pucAccounts, estimatesMovementTax } = organization.accounting
  const movementsPath = `${home}/reports/${day}/movements`
  const rows = CLOSE_COLUMN_NAMES.filter((column) => figures.columns[column].movements > 0).map((column) => {
    const { movements, amountInCents } = figures.columns[column]
    const href = `${movementsPath}?column=${column}`
    return html`<tr><th scope="row">${columns[column]}</th><td class="soft aside">${pucAccounts[column] ?? '–'}</td><td><a href="${href}">${countText(movements, language)}</a></td><td><a href="${href}">${SIGN[CLOSE_COLUMNS[column]]} ${amountText(amountInCents, language)}</a></td></tr>`
  })
  const balance = (name: string, cents: bigint) =>
    html`<tr class="report-balance"><th scope="row">${name}</th><td class="soft aside">${pucAccounts.balance ?? '–'}</td><td></td><td>${amountText(cents, language)}</td></tr>`
  const tax = estimatedMovementTax(figures.columns.paidOut.amountInCents, day)
  const taxRow =
    estimatesMovementTax &&
    html`<tr><th scope="row">${heads.movementTax}<br><small class="soft">${words.estimate}</small></th><td class="soft aside">${pucAccounts.movementTax ?? '–'}</td><td></td><td>${amountText(tax, language)}</td></tr>`
  return html`<div class="card report" role="region" aria-label="${words.table}" tabindex="0"><table class="is-narrow"><thead><tr><th scope="col">${words.column}</th><th scope="col" class="aside">${words.puc}</th><th scope="col">${words.count}</th><th scope="col">${words.amount}</th></tr></thead><tbody>${balance(heads.opening, heldInCents(figures.opening))}${rows}${balance(heads.closing, heldInCents(figures.closing))}${taxRow}</tbody></table></div>${figures.movements === 0 ? html`<p class="report-more soft">${words.quiet}</p>` : html`<p class="report-more"><a href="${movementsPath}">${words.allMovements} (${countText(figures.movements, language)})</a></p>`}`
}

function balancesCard({ language }: Visit, { figures }: ReportedDay): Html {
  const words = REPORT_PAGE_WORDS[language]
  const rows = HELD_ACCOUNTS.map(
    (account) =>
      html`<tr><th scope="row">${ACCOUNT_WORDS[language][account]}</th><td>${amountText(figures.closing[account], language)}</td></tr>`,
  )
  return html`<h2 class="report-title">${words.balances}</h2><div class="card report"><table class="is-narrow"><tbody>${rows}</tbody></table></div>`
}

function proofCard({ language, ctx }: Visit, { proof, closedAt }: ReportedDay): Html | false {
  if (proof === null || closedAt === null) return false
  const words = REPORT_PAGE_WORDS[language]
  const fact = (name: string, value: string | null) =>
    value !== null && html`<dt>${name}</dt><dd><code>${value}</code></dd>`
  return html`<h2 class="report-title">${words.proof}</h2><section class="card report-proof"><p class="hint">${words.proofText}</p><dl><dt>${words.closedAt}</dt><dd>${timeText(closedAt, ctx.clock.now(), language)}</dd>${fact(words.digest, proof.digest)}${fact(words.movementsDigest, proof.movementsDigest)}${fact(words.previous, proof.previousDigest)}</dl></section>`
}

export const dayRoutes: readonly Route[] = [
  { method: 'GET', path: '/reports/:day', scope: 'ledger:read', show: (visit) => dayPage(visit) },
  {
    method: 'POST',
    path: '/reports/:day/close',
    operation: closeDayOperation,
    call: ({ request }) => ({ params: { day: (request.params as { day: string }).day } }),
    done: ({ request }) => `/reports/${(request.params as { day: string }).day}`,
    again: dayPage,
  },
]

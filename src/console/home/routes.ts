// The first page that a person sees: their money, how today goes, what needs somebody, and what just happened.

import { bogotaDay } from '../../core/bogota-day.ts'
import { isConnectedFor } from '../../core/connections/connection.ts'
import { type Html, html } from '../../core/html.ts'
import type { Account } from '../../core/ledger/bookings.ts'
import { countWaitingFor } from '../../store/approvals/approvals.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { filteredEvents } from '../../store/events/filtered.ts'
import type { PayinFigure } from '../../store/payins/figures.ts'
import { filteredPayins } from '../../store/payins/filtered.ts'
import { listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { APPROVAL_WORDS } from '../approvals/words.ts'
import { EVENT_WORDS, eventName, eventTone } from '../events/words.ts'
import { amountText, countText, shareText, shortTimeText } from '../format.ts'
import { icon } from '../icons.ts'
import { shortUrl } from '../objects/sources.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { alarmRoutes } from './alarms.ts'
import { dayChart, daysOf } from './chart.ts'
import { createHomeFigures, type HomeFigures, type HomeFiguresOf } from './figures.ts'
import { sourcesTable } from './sources-table.ts'
import { HOME_WORDS } from './words.ts'

const EVENTS_SHOWN = 8

// Each process keeps the figures of a moment for whoever looks at them.
const readers = new WeakMap<object, HomeFiguresOf>()

function figuresOf({ options, organization }: Visit): ReturnType<HomeFiguresOf> {
  const reader = readers.get(options.ctx) ?? createHomeFigures(options.ctx)
  readers.set(options.ctx, reader)
  return reader(organization.organizationId)
}

async function homePage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, signedIn, words } = visit
  const { organizationId } = organization
  const home = HOME_WORDS[language]
  const [figures, approvals, endpoints, events, any] = await Promise.all([
    figuresOf(visit),
    may(visit, 'approvals:write') ? countWaitingFor(ctx.db, organizationId, signedIn.user.userId) : 0,
    may(visit, 'webhooks:read') ? listEndpoints(ctx.db, organizationId) : [],
    filteredEvents(ctx.db, organizationId, {}).page({ direction: 'older', from: null }, EVENTS_SHOWN),
    filteredPayins(ctx.db, organizationId, {}).page({ direction: 'older', from: null }, 1),
  ])
  const [firstName = ''] = signedIn.user.name.split(' ')
  const today = bogotaDay(ctx.clock.now())
  const days = daysOf([...figures.past.figures, ...figures.today.figures], today)
  const isPartial = figures.past.isPartial || figures.today.isPartial
  const content = html`<div class="head"><h1>${home.hello(firstName)}</h1></div>
${balancesHtml(visit, figures)}
${any.rows.length === 0 ? startHtml(visit) : html`<div class="home-grid"><div class="home-column"><section class="card home-today">${todayHtml(visit, figures)}${dayChart(visit, days, isPartial)}</section><section class="card home-sources"><h2>${home.bySource}</h2>${sourcesTable(visit, figures.endings)}</section></div><div class="home-column">${attentionHtml(visit, { ...figures, approvals }, endpoints)}${eventsHtml(visit, events.rows)}</div></div>`}`
  return {
    title: words.sections.home,
    section: 'home',
    content,
    watches: ['payins', 'payouts', 'events', 'webhooks', 'alarms'],
    freshInMs: figures.freshInMs,
  }
}

const SHOWN_BALANCES = [
  'AVAILABLE',
  'DEPOSITED',
  'PENDING_SETTLEMENT',
  'RESERVED',
  'SUSPENSE',
] as const satisfies Account[]

// Every balance leads to the movements that make it, and suspense to what waits for a decision.
function balancesHtml(visit: Visit, { balances }: HomeFigures): Html {
  const { language, home, organization } = visit
  const words = HOME_WORDS[language]
  const states = STATES[language]
  // Nothing is at providers of whoever has none.
  const isConnected = isConnectedFor(organization.routes, 'BRE_B_OUT')
  const shown = SHOWN_BALANCES.filter(
    (account) => account !== 'DEPOSITED' || isConnected || balances.DEPOSITED !== 0n,
  )
  const hints = isConnected
    ? { ...words.balanceHints, AVAILABLE: words.notOverConnections }
    : words.balanceHints
  const cards = shown.map(
    (account) =>
      html`<li><a class="balance" href="${home}${account === 'SUSPENSE' ? '/suspense' : html`/movements?account=${account}&amp;period=all`}"><span class="balance-name">${states.accounts[account]}</span><span class="balance-sum">${amountText(balances[account], language)}</span><span class="balance-hint">${hints[account]}</span></a></li>`,
  )
  return html`<ul class="balances" aria-label="${words.balances}">${cards}</ul>`
}

function totalOf(
  figures: readonly PayinFigure[],
  statuses: readonly string[],
): { count: number; sum: bigint } {
  const chosen = figures.filter(({ status }) => statuses.includes(status))
  return {
    count: chosen.reduce((all, { count }) => all + count, 0),
    sum: chosen.reduce((all, { sumInCents }) => all + sumInCents, 0n),
  }
}

function todayHtml(visit: Visit, { today, weekBefore }: HomeFigures): Html {
  const { language, home } = visit
  const words = HOME_WORDS[language]
  const confirmed = totalOf(today.figures, ['CONFIRMED'])
  const open = totalOf(today.figures, ['PROCESSING'])
  const ended = totalOf(today.figures, ['CONFIRMED', 'DECLINED', 'CANCELED'])
  const before = totalOf(weekBefore, ['CONFIRMED'])
  const small = (label: string, value: string, query: string) =>
    html`<div><dt>${label}</dt><dd><a href="${home}/payins?${query}">${value}</a></dd></div>`
  return html`<h2>${words.today}</h2><p class="today-sum"><a href="${home}/payins?status=CONFIRMED&amp;period=today">${amountText(confirmed.sum, language)}</a></p>${comparison(visit, confirmed.sum, before.sum)}<dl class="today-figures">${small(words.confirmed, countText(confirmed.count, language), 'status=CONFIRMED&period=today')}${small(words.open, countText(open.count, language), 'status=PROCESSING&period=today')}${small(words.success, shareText(confirmed.count, ended.count, language), 'period=today')}</dl>`
}

function comparison({ language, ctx }: Visit, now: bigint, before: bigint): Html {
  const words = HOME_WORDS[language]
  const weekday = words.weekdays[new Date(`${bogotaDay(ctx.clock.now())}T12:00:00Z`).getUTCDay()] as string
  if (before === 0n) return html`<p class="versus soft">${words.nothingBefore(weekday)}</p>`
  const percent = Number(((now - before) * 100n) / before)
  const tone = percent > 0 ? 'good' : percent < 0 ? 'bad' : 'quiet'
  const text = percent === 0 ? words.same : `${percent > 0 ? '▲' : '▼'} ${Math.abs(percent)} %`
  return html`<p class="versus"><span class="status plain ${tone}">${text}</span> <span class="soft">${words.versus(weekday)}</span></p>`
}

// What somebody should look at. Each leads there.
function attentionHtml(
  visit: Visit,
  figures: HomeFigures & { readonly approvals: number },
  endpoints: readonly WebhookEndpoint[],
): Html {
  const { language, home } = visit
  const words = HOME_WORDS[language]
  const { alarms, approvals, held, stoppedPayouts } = figures
  const item = (href: string, tone: string, text: string, note?: string) =>
    html`<li><a href="${home}${href}"><i class="dot ${tone}"></i><span>${text}${note !== undefined && html`<small>${note}</small>`}</span>${icon('right')}</a></li>`
  const { waitsFor } = APPROVAL_WORDS[language]
  const items = [
    ...(approvals > 0
      ? [item('/approvals', 'wait', waitsFor(countText(approvals, language), approvals === 1))]
      : []),
    ...(alarms > 0 ? [item('/alarms', 'bad', words.alarms(countText(alarms, language), alarms === 1))] : []),
    ...(stoppedPayouts > 0
      ? [
          item(
            '/payouts?status=PROCESSING&period=all',
            'bad',
            words.stopped(countText(stoppedPayouts, language), stoppedPayouts === 1),
          ),
        ]
      : []),
    ...(held.items > 0
      ? [
          item(
            '/suspense',
            'wait',
            words.held(amountText(held.sumInCents, language)),
            words.heldItems(countText(held.items, language), held.items === 1),
          ),
        ]
      : []),
    ...endpoints.flatMap(({ endpointId, url, state, failingSince }) => {
      if (state === 'DISABLED')
        return [item(`/webhooks/${endpointId}`, 'bad', words.webhookOff(shortUrl(url)))]
      return failingSince === null
        ? []
        : [item(`/webhooks/${endpointId}`, 'bad', words.webhookFails(shortUrl(url)))]
    }),
  ]
  return html`<section class="card home-attention"><h2>${words.attention}</h2>${items.length === 0 ? html`<p class="all-good">${icon('check')}<span><b>${words.allGood}</b><br>${words.allGoodHint}</span></p>` : html`<ul class="attention">${items}</ul>`}</section>`
}

function eventsHtml(visit: Visit, events: readonly StoredEvent[]): Html {
  const { language, home, ctx } = visit
  const words = HOME_WORDS[language]
  const now = ctx.clock.now()
  const rows = events.map(
    (event) =>
      html`<li id="event-${event.eventId}"><a href="${home}/events/${event.eventId}"><i class="dot ${eventTone(event.type)}"></i><span>${eventName(event.type, language)}</span><time>${shortTimeText(event.createdAt, now, language)}</time></a></li>`,
  )
  return html`<section class="card home-events"><h2>${words.lastEvents}<a href="${home}/events">${words.allEvents}</a></h2>${rows.length === 0 ? html`<p class="soft">${EVENT_WORDS[language].teach.text}</p>` : html`<ul class="last-events" data-grows>${rows}</ul>`}</section>`
}

// For whoever has no payin yet.
function startHtml({ language, home }: Visit): Html {
  const { start } = HOME_WORDS[language]
  const steps = start.steps.map(
    ({ title, text, path, button }, index) =>
      html`<li class="card"><span class="step-number" aria-hidden="true">${index + 1}</span><h3>${title}</h3><p class="soft">${text}</p><a class="button" href="${home}${path}">${button}</a></li>`,
  )
  return html`<section class="start"><h2>${start.title}</h2><ol class="start-steps">${steps}</ol></section>`
}

export const homeRoutes: readonly Route[] = [
  { method: 'GET', path: '', scope: null, show: homePage },
  ...alarmRoutes,
]

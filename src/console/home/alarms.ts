// The alarms of an organization: what only a person can solve.

import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { AlarmKind } from '../../core/ledger/alarm.ts'
import { alarmList, type ListedAlarm } from '../../store/ledger/alarms.ts'
import { timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import type { PageRoute } from '../route.ts'
import type { Visit } from '../visit.ts'
import { HOME_WORDS } from './words.ts'

const ALARMS_SHOWN = 30

async function alarmsPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, request } = visit
  const words = HOME_WORDS[language].alarmPage
  const query = request.query as { show?: unknown; after?: unknown; alarm?: unknown }
  const isAll = query.show === 'all'
  const after = typeof query.after === 'string' && isUuid(query.after) ? query.after : null
  const one = await namedAlarm(visit, query.alarm)
  const found = await alarmList(ctx.db, organization.organizationId, isAll ? {} : { isOpen: true }).seek(
    { direction: 'older', from: after },
    ALARMS_SHOWN + 1,
  )
  const shown = one === undefined ? found.slice(0, ALARMS_SHOWN) : [one]
  const tab = (href: string, label: string, isHere: boolean) =>
    html`<a href="${href}"${isHere && html` aria-current="true"`}>${label}</a>`
  const older =
    one === undefined &&
    found.length > ALARMS_SHOWN &&
    html`<nav class="pager"><a class="button" rel="next" href="?${isAll && 'show=all&amp;'}after=${shown.at(-1)?.alarmId}">${words.older}${icon('right')}</a></nav>`
  const content = html`<div class="head"><h1>${words.title}</h1><nav class="switch" aria-label="${words.title}">${tab('?', words.open, one === undefined && !isAll)}${tab('?show=all', words.all, isAll)}</nav></div><p class="page-hint">${words.text}</p>${
    shown.length === 0
      ? html`<section class="empty"><p class="empty-mark">${icon('check')}</p><h2>${words.none}</h2><p>${words.noneText}</p></section>`
      : html`<ul class="alarms" data-grows>${shown.map((alarm) => alarmHtml(visit, alarm))}</ul>${older}`
  }`
  return { title: words.title, section: 'alarms', content, watches: ['alarms'] }
}

// The one that an e-mail leads to, open or not. Undefined: there is none, and those that are open are shown.
async function namedAlarm({ ctx, organization }: Visit, id: unknown): Promise<ListedAlarm | undefined> {
  if (typeof id !== 'string' || !isUuid(id)) return undefined
  const fromIt = alarmList(ctx.db, organization.organizationId, { fromId: id })
  const [alarm] = await fromIt.seek({ direction: 'newer', from: null }, 1)
  return alarm?.alarmId === id.toLowerCase() ? alarm : undefined
}

function alarmHtml(visit: Visit, alarm: ListedAlarm): Html {
  const { language, ctx, home } = visit
  const words = HOME_WORDS[language].alarmPage
  const now = ctx.clock.now()
  const { alarmId, kind, detail, createdAt, resolvedAt } = alarm
  const path = pathOf(alarm)
  return html`<li class="alarm card" id="alarm-${alarmId}"><i class="dot ${resolvedAt === null ? 'bad' : 'quiet'}"></i><div><h2>${OBJECT_WORDS[language].alarms[kind]}</h2><p class="soft">${detail}</p><p class="alarm-end"><time>${timeText(createdAt, now, language)}</time>${resolvedAt !== null && html` · ${words.resolved(timeText(resolvedAt, now, language))}`}${path !== null && html` · <a href="${home}${path}">${words.see}</a>`}</p></div></li>`
}

const SUBJECT_PATHS: Readonly<Partial<Record<AlarmKind, string>>> = {
  'payin-contradiction': '/payins',
  'payin-unresolved': '/payins',
  'payout-contradiction': '/payouts',
  'payout-unresolved': '/payouts',
}

function pathOf({ kind, subjectId }: ListedAlarm): string | null {
  const path = SUBJECT_PATHS[kind]
  return path === undefined ? null : `${path}/${subjectId}`
}

export const alarmRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/alarms', scope: 'ledger:read', show: alarmsPage },
]

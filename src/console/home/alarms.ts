// The alarms of an organization: what only a person can solve. One alarm by itself is taken and resolved.

import type { Operation } from '../../api/http/operation.ts'
import {
  RESOLUTION_MAX_LENGTH,
  resolveAlarmOperation,
  takeAlarmOperation,
} from '../../api/ledger/alarm-actions.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { AlarmKind } from '../../core/ledger/alarm.ts'
import { nameOf } from '../../flows/ledger/take-alarm.ts'
import { openText, type Vault } from '../../flows/people/vault.ts'
import { alarmList, type ListedAlarm } from '../../store/ledger/alarms.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import { panel } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { alarmDetail } from '../words/alarm-details.ts'
import { HOME_WORDS } from './words.ts'

const PATH = '/alarms'
const ALARMS_SHOWN = 30

type Which = 'take' | 'resolve'
type Opened = { readonly which: Which; readonly form: FormState }

async function alarmsPage(visit: Visit, opened?: Opened): Promise<Page> {
  const { ctx, organization, language, request } = visit
  const words = HOME_WORDS[language].alarmPage
  const query = request.query as { show?: unknown; after?: unknown; alarm?: unknown }
  const isAll = query.show === 'all'
  const after = typeof query.after === 'string' && isUuid(query.after) ? query.after : null
  const one = await namedAlarm(visit, opened === undefined ? query.alarm : paramOf(visit, 'alarmId'))
  const vault = await ctx.vault(organization.organizationId)
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
    html`<nav class="pager"><a class="button" rel="next" href="?${isAll && html`show=all&amp;`}after=${shown.at(-1)?.alarmId}">${words.older}${icon('right')}</a></nav>`
  const content = html`<div class="head"><h1>${words.title}</h1><nav class="switch" aria-label="${words.title}">${tab('?', words.open, one === undefined && !isAll)}${tab('?show=all', words.all, isAll)}</nav></div><p class="page-hint">${words.text}</p>${
    shown.length === 0
      ? html`<section class="empty"><p class="empty-mark">${icon('check')}</p><h2>${words.none}</h2><p>${words.noneText}</p></section>`
      : html`<ul class="alarms" data-grows>${shown.map((alarm) => alarmHtml(visit, alarm, vault, one === undefined))}</ul>${older}${one !== undefined && actionsHtml(visit, one, opened)}`
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

function alarmHtml(visit: Visit, alarm: ListedAlarm, vault: Vault, isInList: boolean): Html {
  const { language, ctx, home } = visit
  const words = HOME_WORDS[language].alarmPage
  const now = ctx.clock.now()
  const { alarmId, kind, detail, createdAt, resolvedAt, takenBy, takenAt, resolvedBy, resolution } = alarm
  const taken =
    takenBy !== null &&
    takenAt !== null &&
    html` · ${words.taken(nameOf(takenBy), timeText(takenAt, now, language))}`
  const by = resolvedBy !== null && html` ${words.resolvedBy(nameOf(resolvedBy))}`
  const word = resolution !== null && html`<p>${openText(vault, alarmId, resolution)}</p>`
  const attend =
    isInList && resolvedAt === null && html` · <a href="${home}${PATH}?alarm=${alarmId}">${words.attend}</a>`
  const path = pathOf(alarm)
  return html`<li class="alarm card" id="alarm-${alarmId}"><i class="dot ${resolvedAt === null ? 'bad' : 'quiet'}"></i><div><h2>${OBJECT_WORDS[language].alarms[kind]}</h2><p class="soft">${alarmDetail(kind, detail, language)}</p>${word}<p class="alarm-end"><time>${timeText(createdAt, now, language)}</time>${taken}${resolvedAt !== null && html` · ${words.resolved(timeText(resolvedAt, now, language))}${by}`}${path !== null && html` · <a href="${home}${path}">${words.see}</a>`}${attend}</p></div></li>`
}

const SUBJECT_PATHS: Readonly<Partial<Record<AlarmKind, string>>> = {
  'payin-contradiction': '/payins',
  'payin-unresolved': '/payins',
  'payout-contradiction': '/payouts',
  'payout-unresolved': '/payouts',
  'refund-unresolved': '/refunds',
  'batch-altered': '/batches',
}

function pathOf({ kind, subjectId }: ListedAlarm): string | null {
  const path = SUBJECT_PATHS[kind]
  return path === undefined ? null : `${path}/${subjectId}`
}

function actionsHtml(visit: Visit, { alarmId, takenBy, resolvedAt }: ListedAlarm, opened?: Opened): Html {
  const { language, home } = visit
  const words = HOME_WORDS[language].alarmPage
  const formOf = (which: Which) => (opened?.which === which ? opened.form : newForm(visit))
  const params = { alarmId }
  const back = html`<p class="crumb"><a href="${home}${PATH}">${icon('left')}${words.back}</a></p>`
  if (resolvedAt !== null) return back
  const taking = formFrame(visit, formOf('take'), {
    action: `${PATH}/${alarmId}/take`,
    operation: takeAlarmOperation,
    fields: [],
    submit: words.take.submit,
    call: { params },
  })
  const resolving = formFrame(visit, formOf('resolve'), {
    action: `${PATH}/${alarmId}/resolve`,
    operation: resolveAlarmOperation,
    fields: wordFields(visit),
    submit: words.resolve.submit,
    call: { params, body: { word: '' } },
  })
  return html`${takenBy === null && panel(words.take.title, words.take.text, taking, 'take')}${panel(words.resolve.title, words.resolve.text, resolving, 'resolve')}${back}`
}

function wordFields({ language }: Visit): Field[] {
  const { word: label } = HOME_WORDS[language].alarmPage.resolve
  return [{ kind: 'text', path: '/word', label, maxLength: RESOLUTION_MAX_LENGTH }]
}

const formRoute = (which: Which, operation: Operation): FormRoute => ({
  method: 'POST',
  path: `${PATH}/:alarmId/${which}`,
  operation,
  call: (visit, typed) => ({
    params: { alarmId: paramOf(visit, 'alarmId') },
    ...(which === 'resolve' && { body: bodyOf(wordFields(visit), typed) }),
  }),
  done: (visit) => `${PATH}?alarm=${paramOf(visit, 'alarmId')}`,
  again: (visit, form) => alarmsPage(visit, { which, form }),
})

export const alarmRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'ledger:read', show: (visit) => alarmsPage(visit) },
  formRoute('take', takeAlarmOperation),
  formRoute('resolve', resolveAlarmOperation),
]

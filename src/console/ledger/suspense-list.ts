// Money in suspense: what somebody has yet to decide about, or all of it.

import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import {
  leftInCents,
  type SuspenseItem,
  suspenseList,
  UNDECIDED_STATES,
} from '../../store/ledger/suspense.ts'
import { amountText, capitalized, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import type { Visit } from '../visit.ts'
import { SUSPENSE_WORDS } from './suspense-words.ts'

const SHOWN = 30

export async function suspensePage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, request } = visit
  const words = SUSPENSE_WORDS[language]
  const query = request.query as { show?: unknown; after?: unknown }
  const isAll = query.show === 'all'
  const after = typeof query.after === 'string' && isUuid(query.after) ? query.after : null
  const filters = isAll ? {} : { isUndecided: true }
  const found = await suspenseList(ctx.db, organization.organizationId, filters).seek(
    { direction: 'older', from: after },
    SHOWN + 1,
  )
  const shown = found.slice(0, SHOWN)
  const tab = (href: string, label: string, isHere: boolean) =>
    html`<a href="${href}"${isHere && html` aria-current="true"`}>${label}</a>`
  const older =
    found.length > SHOWN &&
    html`<nav class="pager"><a class="button" rel="next" href="?${isAll && html`show=all&amp;`}after=${shown.at(-1)?.suspenseId}">${words.older}${icon('right')}</a></nav>`
  const content = html`<div class="head"><h1>${words.title}</h1><nav class="switch" aria-label="${words.title}">${tab('?', words.undecided, !isAll)}${tab('?show=all', words.all, isAll)}</nav></div><p class="page-hint">${words.text}</p>${
    shown.length === 0
      ? html`<section class="empty"><p class="empty-mark">${icon('check')}</p><h2>${words.none}</h2><p>${words.noneText}</p></section>`
      : html`<ul class="alarms" data-grows>${shown.map((item) => itemHtml(visit, item))}</ul>${older}`
  }`
  return { title: words.title, section: 'suspense', content, watches: ['suspense', 'movements'] }
}

function itemHtml(visit: Visit, item: SuspenseItem): Html {
  const { language, ctx, home } = visit
  const { suspenseReasons, suspenseStates } = OBJECT_WORDS[language]
  const { suspenseId, reason, state, createdAt } = item
  const tone = UNDECIDED_STATES.includes(state) ? 'wait' : 'quiet'
  const time = timeText(createdAt, ctx.clock.now(), language)
  return html`<li class="alarm card" id="suspense-${suspenseId}"><i class="dot ${tone}"></i><div><h2><a href="${home}/suspense/${suspenseId}">${amountText(leftInCents(item), language)}</a></h2><p class="soft">${capitalized(suspenseReasons[reason])}</p><p class="alarm-end"><time>${SUSPENSE_WORDS[language].arrived(time)}</time> · ${suspenseStates[state]}</p></div></li>`
}

// The list of batches.

import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { type BatchView, viewsOf } from '../../flows/payout-batches/view.ts'
import { batchList } from '../../store/payout-batches/batches.ts'
import { amountText, countText, shortTimeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark, type Tone } from '../words/states.ts'
import { payoutSwitch } from './places.ts'
import { BATCH_WORDS } from './words.ts'

const PAGE_ROWS = 25

const TONES: Readonly<Record<BatchView['batch']['status'], Tone>> = {
  CHECKING: 'wait',
  DRAFT: 'quiet',
  WAITING: 'wait',
  PROCESSING: 'wait',
  COMPLETED: 'good',
  CANCELED: 'quiet',
}

export function batchMark({ batch, results }: BatchView, language: UserLanguage): Html {
  const words = BATCH_WORDS[language]
  return batch.status === 'COMPLETED' && results.failed > 0
    ? statusMark('', words.completedWithErrors, 'bad')
    : statusMark('', words.status[batch.status], TONES[batch.status])
}

async function batchesPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, home, request } = visit
  const words = BATCH_WORDS[language]
  const { after } = request.query as { after?: unknown }
  const from = typeof after === 'string' && isUuid(after) ? after.toLowerCase() : null
  const list = batchList(ctx.db, organization.organizationId, {})
  const found = await list.seek({ direction: 'older', from }, PAGE_ROWS + 1)
  const views = await viewsOf(ctx.db, found.slice(0, PAGE_ROWS))
  const last = found.length > PAGE_ROWS ? views.at(-1)?.batch.batchId : undefined
  const rows = views.map((view) => row(visit, view))
  const create = may(visit, 'payouts:write')
    ? html`<a class="button main" href="${home}/batches/new" data-create>${icon('plus')}${words.create}</a>`
    : html`<span class="button" aria-disabled="true" title="${visit.words.rights['payouts:write']}">${icon('lock')}${words.create}</span>`
  const content = html`<div class="head"><h1>${words.list}</h1>${payoutSwitch(visit, '/batches')}<div class="head-actions">${create}</div></div>
${views.length === 0 ? html`<p class="card nothing">${words.empty}</p>` : html`<ul class="row-list card" data-grows>${rows}</ul>`}
${last !== undefined && html`<p><a class="button" href="${home}/batches?after=${last}">${words.next}</a></p>`}`
  return { title: words.list, section: 'payouts', content, watches: ['payouts'] }
}

function row({ home, language, ctx }: Visit, view: BatchView): Html {
  const { batch, totals } = view
  const words = BATCH_WORDS[language]
  const when = shortTimeText(batch.createdAt, ctx.clock.now(), language)
  return html`<li class="row-item" id="batch-${batch.batchId}"><a href="${home}/batches/${batch.batchId}"><span class="row-main"><b>${batch.fileName}</b><span class="soft">${when}</span></span><span class="row-text">${amountText(totals.sumInCents, language)}<small>${words.facts.rows}: ${countText(totals.toSend, language)}</small></span>${batchMark(view, language)}${icon('right')}</a></li>`
}

export const batchListRoutes: readonly Route[] = [
  { method: 'GET', path: '/batches', scope: 'payouts:read', show: batchesPage },
]

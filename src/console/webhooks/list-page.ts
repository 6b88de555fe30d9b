// The webhook endpoints of an organization, and how each of them does.

import {
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
} from '../../api/webhooks/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { curlOf } from '../curl.ts'
import { curlBlock } from '../curl-block.ts'
import { countText, durationText, shareText } from '../format.ts'
import { icon } from '../icons.ts'
import { shortUrl } from '../objects/sources.ts'
import type { Page } from '../page.ts'
import { wayTo } from '../settings/frame.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { PORTAL_LINK_PATH } from './portal-link.ts'
import { PORTAL_LINK_WORDS } from './portal-link-words.ts'
import { type Standing, standingSentence, standingsOf, stateOf, toneOfEndpoint } from './standing.ts'
import { WEBHOOK_WORDS } from './words.ts'

export async function webhooksPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, home } = visit
  const words = WEBHOOK_WORDS[language]
  const endpoints = await listEndpoints(ctx.db, organization.organizationId)
  const standings = await standingsOf(visit, endpoints)
  const create = may(visit, 'webhooks:write')
    ? html`<a class="button main" href="${home}/webhooks/new" data-create>${icon('plus')}${words.create}</a>`
    : html`<span class="button" aria-disabled="true" title="${visit.words.rights['webhooks:write']}">${icon('lock')}${words.create}</span>`
  const share =
    standings.length > 0 &&
    wayTo(visit, PORTAL_LINK_PATH, PORTAL_LINK_WORDS[language].share, 'webhooks:write')
  const content = html`<div class="head"><h1>${words.list}</h1><div class="head-actions">${share}${create}</div></div>
${standings.length === 0 ? teaching(visit) : html`<ul class="endpoints" data-grows>${standings.map((standing) => endpointCard(visit, standing, `${home}/webhooks/${standing.endpoint.endpointId}`))}</ul>`}`
  return { title: words.list, section: 'webhooks', content, watches: ['webhooks'] }
}

// `href`: its page.
export function endpointCard(visit: Pick<Visit, 'language' | 'ctx'>, standing: Standing, href: string): Html {
  const { language } = visit
  const words = WEBHOOK_WORDS[language]
  const { endpoint } = standing
  const tone = toneOfEndpoint(standing)
  return html`<li class="endpoint card" id="endpoint-${endpoint.endpointId}"><div class="endpoint-name"><h2><a href="${href}">${shortUrl(endpoint.url)}</a></h2>${statusMark('', words.states[stateOf(endpoint)], tone)}</div><p class="soft">${endpoint.description}</p><p>${standingSentence(visit, standing)}</p>${figures(visit, standing)}</li>`
}

export function figures({ language }: Pick<Visit, 'language'>, { health, waiting }: Standing): Html {
  const words = WEBHOOK_WORDS[language]
  const figure = (label: string, value: string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  return html`<dl class="figures">${figure(words.success, shareText(health.attempts - health.failures, health.attempts, language))}${figure(words.attempts24, countText(health.attempts, language))}${figure(words.p95, health.p95Ms === null ? '–' : durationText(health.p95Ms, language))}${figure(words.inWait, countText(waiting, language))}</dl>`
}

function teaching(visit: Visit): Html {
  const { language, options } = visit
  const { teach } = WEBHOOK_WORDS[language]
  const [example] = Object.values(createWebhookEndpointOperation.body?.examples ?? {})
  const curl = may(visit, 'webhooks:write')
    ? curlOf(createWebhookEndpointOperation, { body: example?.value }, options.publicUrl)
    : curlOf(listWebhookEndpointsOperation, {}, options.publicUrl)
  const button =
    may(visit, 'webhooks:write') &&
    html`<p class="empty-ways"><a class="button main" href="${visit.home}/webhooks/new">${icon('plus')}${WEBHOOK_WORDS[language].create}</a></p>`
  return html`<section class="empty teach"><p class="empty-mark">${icon('webhooks')}</p><h2>${teach.title}</h2><p>${teach.text}</p>${button}${curlBlock(visit, curl)}</section>`
}

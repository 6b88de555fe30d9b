// The page of one webhook endpoint: how it stands, what can be done, and every attempt with its answer and its next try.

import { redeliverEventOperation } from '../../api/events/operations.ts'
import {
  recoverWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
  verifyWebhookEndpointOperation,
} from '../../api/webhooks/endpoint-actions.ts'
import {
  changeWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
} from '../../api/webhooks/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { EndpointAttempt } from '../../store/webhooks/endpoint-views.ts'
import { getEndpoint, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { copyable } from '../curl-block.ts'
import { actionButton, formFrame, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { durationText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { shortUrl } from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { attemptsHtml, attemptsSeen, readAttempts } from './attempts.ts'
import { recoverFields } from './forms.ts'
import { figures } from './list-page.ts'
import { PORTAL_LINK_PATH } from './portal-link.ts'
import { PORTAL_LINK_WORDS } from './portal-link-words.ts'
import { type Standing, standingSentence, standingsOf, stateOf, toneOfEndpoint } from './standing.ts'
import { WEBHOOK_WORDS } from './words.ts'

export async function endpointOf({
  ctx,
  organization,
  request,
}: Visit): Promise<WebhookEndpoint | undefined> {
  const { endpointId } = request.params as { endpointId: string }
  return isUuid(endpointId)
    ? getEndpoint(ctx.db, organization.organizationId, endpointId.toLowerCase())
    : undefined
}

export async function endpointPage(
  visit: Visit,
  form: FormState = newForm(visit),
): Promise<Page | undefined> {
  const endpoint = await endpointOf(visit)
  if (endpoint === undefined) return undefined
  const { language, home } = visit
  const words = WEBHOOK_WORDS[language]
  const [[standing], attempts] = await Promise.all([
    standingsOf(visit, [endpoint]),
    readAttempts(visit, endpoint, visit.request).then((page) => attemptsSeen(visit, page)),
  ])
  const how = standing as Standing
  const content = html`<nav class="trail"><a href="${home}/webhooks">${icon('left')}${words.list}</a></nav>
<div class="object-top"><header class="object-head"><div class="object-name"><p class="object-reference">${endpoint.description}</p><h1>${shortUrl(endpoint.url)} ${statusMark('', words.states[stateOf(endpoint)], toneOfEndpoint(how))}</h1><p class="object-id">${copyable(visit, endpoint.endpointId)}</p></div></header>
<div class="object-how">${problemSummary(visit, form, recoverFields(visit))}<p class="sentence ${toneOfEndpoint(how)}" id="sentence">${standingSentence(visit, how)}</p></div>
<div class="object-actions" role="group" data-whole aria-label="${OBJECT_WORDS[language].actions}">${actionsOf(visit, endpoint)}</div></div>
${figures(visit, how)}
<div class="object-body">${attemptsHtml(visit, attempts, (attempt) => waysOn(visit, attempt))}<div class="object-side">${settingsHtml(visit, endpoint)}</div></div>`
  return {
    title: shortUrl(endpoint.url),
    section: 'webhooks',
    content,
    watches: ['webhooks'],
  }
}

function actionsOf(visit: Visit, { endpointId, state, disabledReason }: WebhookEndpoint): (Html | false)[] {
  const { language, home } = visit
  const words = WEBHOOK_WORDS[language]
  const path = `/webhooks/${endpointId}`
  const call = { params: { endpointId } }
  const action = (
    name: string,
    operation: Parameters<typeof actionButton>[2]['operation'],
    submit: string,
    more: { confirm?: string; isGrave?: boolean } = {},
  ) => actionButton(visit, newForm(visit), { action: `${path}/${name}`, operation, submit, call, ...more })
  const recovering = html`<details class="drop"><summary class="button">${icon('refresh')}${words.recover}</summary><div class="drop-panel">${formFrame(
    visit,
    newForm(visit),
    {
      action: `${path}/recover`,
      operation: recoverWebhookEndpointOperation,
      fields: recoverFields(visit),
      submit: words.recover,
      call: { ...call, body: { since: new Date(visit.ctx.clock.now() - 86_400_000).toISOString() } },
    },
  )}</div></details>`
  const isOn = state === 'ENABLED'
  return [
    isOn && action('test', testWebhookEndpointOperation, words.test),
    isOn && recovering,
    disabledReason === 'UNVERIFIED' && action('verify', verifyWebhookEndpointOperation, words.verify),
    !isOn &&
      disabledReason !== 'UNVERIFIED' &&
      action('enable', changeWebhookEndpointOperation, words.enable),
    may(visit, 'webhooks:write') && html`<a class="button" href="${home}${path}/edit">${words.edit}</a>`,
    may(visit, 'webhooks:write') &&
      html`<a class="button" href="${home}${PORTAL_LINK_PATH}?endpoint=${endpointId}">${PORTAL_LINK_WORDS[language].share}</a>`,
    isOn &&
      action('disable', changeWebhookEndpointOperation, words.disable, {
        confirm: words.disableSure,
        isGrave: true,
      }),
  ]
}

function settingsHtml(visit: Visit, endpoint: WebhookEndpoint): Html {
  const { language, ctx } = visit
  const words = WEBHOOK_WORDS[language]
  const now = ctx.clock.now()
  const events =
    endpoint.events === null
      ? words.allEvents
      : html`<ul>${endpoint.events.map((type) => html`<li><code>${type}</code></li>`)}</ul>`
  const row = (label: string, value: Html | string | null) =>
    value !== null && html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  const rotating =
    endpoint.previousUntil !== null &&
    endpoint.previousUntil > now &&
    html`<p class="hint">${words.rotating(timeText(endpoint.previousUntil, now, language), durationText(endpoint.previousUntil - now, language))}</p>`
  const grave = (
    name: string,
    operation: Parameters<typeof actionButton>[2]['operation'],
    submit: string,
    confirm: string,
  ) =>
    actionButton(visit, newForm(visit), {
      action: `/webhooks/${endpoint.endpointId}/${name}`,
      operation,
      submit,
      confirm,
      isGrave: name === 'delete',
      call: { params: { endpointId: endpoint.endpointId } },
    })
  return html`<section class="object-facts"><h2>${words.settings}</h2><dl>${row(words.url, endpoint.url)}${row(words.events, events)}${row(words.maxPerSecond, endpoint.maxPerSecond === null ? null : String(endpoint.maxPerSecond))}${row(words.verified, endpoint.verifiedAt === null ? null : timeText(endpoint.verifiedAt, now, language))}${row(words.created, timeText(endpoint.createdAt, now, language))}</dl>${rotating}<div class="facts-actions" data-whole>${grave('rotate', rotateWebhookSecretOperation, words.rotate, words.rotateSure)}${grave('delete', deleteWebhookEndpointOperation, words.delete, words.deleteSure)}</div></section>`
}

// Where to go on from an attempt.
function waysOn(visit: Visit, { eventId, sequence }: EndpointAttempt): Html {
  const { language, home } = visit
  const resend = actionButton(visit, newForm(visit), {
    action: `/events/${eventId}/resend`,
    operation: redeliverEventOperation,
    submit: WEBHOOK_WORDS[language].resend,
    call: { params: { eventId } },
  })
  return html`<p class="moment-ways"><a class="button small" href="${home}/events/${eventId}">${OBJECT_WORDS[language].event(sequence)}</a>${resend}</p>`
}

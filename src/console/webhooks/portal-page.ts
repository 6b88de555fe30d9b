// The pages of the webhook portal: the endpoints that it shows, one endpoint with its attempts, and why there is nothing. They lead
// nowhere else.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import { type Html, html } from '../../core/html.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Refusal } from '../../core/refusal.ts'
import { getEvents, type StoredEvent } from '../../store/events/events.ts'
import type { EndpointAttempt } from '../../store/webhooks/endpoint-views.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { FORM_KEY } from '../form-state.ts'
import { timeText, withFullStop } from '../format.ts'
import { icon } from '../icons.ts'
import { documentOf, ribbon } from '../layout.ts'
import { shownAnswer, shownData } from '../objects/shown-json.ts'
import { shortUrl } from '../objects/sources.ts'
import { codeHtml } from '../objects/timeline.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { PeopleEyes } from '../people.ts'
import type { Setting } from '../setting.ts'
import { may } from '../visit.ts'
import { refusalText } from '../words/refusals.ts'
import { statusMark } from '../words/states.ts'
import { type AttemptsPage, attemptsHtml, readAttempts } from './attempts.ts'
import { recoverFields } from './forms.ts'
import { endpointCard, figures } from './list-page.ts'
import type { PortalVisit } from './portal-visit.ts'
import { PORTAL_WORDS } from './portal-words.ts'
import { type Standing, standingSentence, standingsOf, stateOf, toneOfEndpoint } from './standing.ts'
import { WEBHOOK_WORDS } from './words.ts'

export async function portalListPage(visit: PortalVisit): Promise<string> {
  const standings = await standingsOf(visit, visit.endpoints)
  const cards = standings.map((standing) =>
    endpointCard(visit, standing, `${visit.home}/${standing.endpoint.endpointId}`),
  )
  const { title } = PORTAL_WORDS[visit.language]
  const content = html`<div class="head"><h1>${title}</h1></div><ul class="endpoints">${cards}</ul>`
  return framed(visit, title, content)
}

// `refusal`: of what was asked for, which was not done.
export async function portalEndpointPage(
  visit: PortalVisit,
  endpoint: WebhookEndpoint,
  refusal: Refusal | null = null,
): Promise<string> {
  const { language, endpoints, home, request } = visit
  const words = WEBHOOK_WORDS[language]
  const portal = PORTAL_WORDS[language]
  const [[standing], attempts] = await Promise.all([
    standingsOf(visit, [endpoint]),
    readAttempts(visit, endpoint, request),
  ])
  const how = standing as Standing
  const tone = toneOfEndpoint(how)
  const trail =
    endpoints.length > 1 &&
    html`<nav class="trail"><a href="${home}">${icon('left')}${portal.title}</a></nav>`
  const problem =
    refusal !== null &&
    html`<div class="problems" role="alert" tabindex="-1" data-focus><p><b>${portal.refused}</b></p><p>${refusalText(visit, refusal)}</p></div>`
  const { done } = request.query as { done?: unknown }
  const said = Object.entries(portal.done).find(([name]) => name === done)?.[1]
  const content = html`${trail}
<div class="object-top"><header class="object-head"><div class="object-name"><p class="object-reference">${endpoint.description}</p><h1>${shortUrl(endpoint.url)} ${statusMark('', words.states[stateOf(endpoint)], tone)}</h1></div></header>
<div class="object-how">${problem}<p class="sentence ${tone}" id="sentence">${standingSentence(visit, how)}</p></div>
<div class="object-actions" role="group" aria-label="${OBJECT_WORDS[language].actions}">${actionsOn(visit, endpoint)}<a class="button" href="${home}/${endpoint.endpointId}">${icon('refresh')}${portal.refresh}</a></div></div>
${figures(visit, how)}
${await attemptsOf(visit, endpoint, attempts)}`
  return framed(visit, shortUrl(endpoint.url), content, said)
}

function actionsOn(visit: PortalVisit, { endpointId, state }: WebhookEndpoint): Html | false {
  if (!may(visit, 'webhooks:write') || state !== 'ENABLED') return false
  const words = WEBHOOK_WORDS[visit.language]
  const recovery = html`<details class="drop"><summary class="button">${words.recover}</summary><div class="drop-panel">${form(visit, `${endpointId}/recover`, words.recover, recoveryField(visit))}</div></details>`
  return html`${form(visit, `${endpointId}/test`, words.test)}${recovery}`
}

function recoveryField(visit: PortalVisit): Html {
  const [since] = recoverFields(visit)
  if (since?.kind !== 'select') return html``
  const options = since.options.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === since.value && html` selected`}>${label}</option>`,
  )
  return html`<div class="field"><label for="since">${since.label}</label><p class="hint" id="since-hint">${since.hint}</p><select id="since" name="${since.path}" aria-describedby="since-hint">${options}</select></div>`
}

// A key is sent along, so that a second click does nothing twice.
function form(visit: PortalVisit, path: string, submit: string, field?: Html): Html {
  const look = field === undefined ? { form: 'action', button: '' } : { form: 'form', button: 'main' }
  return html`<form method="post" action="${visit.home}/${path}" class="${look.form}" data-once><input type="hidden" name="${FORM_KEY}" value="${portalFormKey(visit)}">${field}<button class="button ${look.button}">${submit}</button></form>`
}

export function portalFormKey({ ctx }: Pick<PortalVisit, 'ctx'>): string {
  return `portal-${ctx.ids.next()}`
}

async function attemptsOf(
  visit: PortalVisit,
  { endpointId, state }: WebhookEndpoint,
  page: AttemptsPage,
): Promise<Html> {
  const { ctx, organization, language } = visit
  const { organizationId } = organization
  const words = PORTAL_WORDS[language]
  const ids = [...new Set(page.shown.map(({ eventId }) => eventId))]
  const [events, vault] = await Promise.all([
    getEvents(ctx.db, organizationId, ids),
    ctx.vault(organizationId),
  ])
  // Whoever looks is nobody we know.
  const eyes: PeopleEyes = { vault, isMasked: true, inPlaceOf: (unopened) => unopened }
  const isReadable = ({ type }: EndpointAttempt) => refuseUnreadable(visit.scopes, [type]) === undefined
  const eventOf = (attempt: EndpointAttempt) => events.find(({ eventId }) => eventId === attempt.eventId)
  const shown = page.shown.map((attempt) => {
    const event = isReadable(attempt) ? eventOf(attempt) : undefined
    return {
      ...attempt,
      response: event === undefined ? '' : shownAnswer(attempt.response, event.data, eyes),
    }
  })
  const maySend = may(visit, 'webhooks:write') && state === 'ENABLED'
  return attemptsHtml(visit, { ...page, shown }, (attempt) => {
    if (!isReadable(attempt)) return html`<p class="soft">${words.closed}</p>`
    const event = eventOf(attempt)
    const resend =
      maySend && form(visit, `${endpointId}/resend/${attempt.eventId}`, WEBHOOK_WORDS[language].resend)
    return html`${event && codeHtml(words.sent, sentText(event, eyes))}${resend && html`<div class="moment-ways">${resend}</div>`}`
  })
}

function sentText(event: StoredEvent, eyes: PeopleEyes): string {
  const { eventId: id, type, resource, sequence, version, createdAt, data } = event
  const envelope = { id, event: type, resource, sequence, version, createdAt: isoInstant(createdAt) }
  return JSON.stringify({ ...envelope, data: JSON.parse(shownData(data, eyes)) })
}

function framed(visit: PortalVisit, title: string, content: Html, said?: string): string {
  const { language, organization, link, ctx } = visit
  const words = PORTAL_WORDS[language]
  const until = words.until(timeText(link.expiresAt, ctx.clock.wallClock(), language))
  const notes = [words.of(organization.name), until, ...(link.readOnly ? [words.readOnly] : []), words.masked]
  const foot = html`<footer class="portal-foot"><p>${notes.map((note) => `${withFullStop(note)} `)}</p></footer>`
  return renderPortal(visit, title, content, { said, foot })
}

type Around = { readonly said?: string | undefined; readonly foot?: Html }

function renderPortal(setting: Setting, title: string, content: Html, { said, foot }: Around): string {
  const body = html`<body class="portal">
<a class="skip" href="#content">${setting.words.skip}</a>
${ribbon(setting)}
<main id="content" tabindex="-1">
<p class="said" role="status">${said}</p>
${content}
</main>
${foot}
</body>`
  return documentOf(setting, { title }, body)
}

// `back`: where to go on, if anywhere.
export function portalProblem(
  setting: Setting,
  { title, text, back }: { readonly title: string; readonly text: string; readonly back?: string },
): string {
  const way =
    back !== undefined &&
    html`<p><a class="button" href="${back}">${PORTAL_WORDS[setting.language].back}</a></p>`
  const content = html`<section class="problem"><p class="problem-mark">${icon('warning')}</p><h1>${title}</h1><p>${text}</p>${way}</section>`
  return renderPortal(setting, title, content, {})
}

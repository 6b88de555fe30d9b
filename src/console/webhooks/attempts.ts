// The attempts to deliver events to an endpoint: how each ended, what was answered, and when the next one is.

import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { openText } from '../../flows/people/vault.ts'
import { getEvents } from '../../store/events/events.ts'
import {
  type AttemptFilter,
  attemptsOfEndpoint,
  type EndpointAttempt,
} from '../../store/webhooks/endpoint-views.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { eventName } from '../events/words.ts'
import { durationText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { shownAnswer } from '../objects/shown-json.ts'
import { codeHtml } from '../objects/timeline.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import { eyesOf } from '../people.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { WEBHOOK_WORDS } from './words.ts'

const ATTEMPTS_SHOWN = 30
const FILTERS: readonly AttemptFilter[] = ['all', 'failed', 'delivered']

export type AttemptsPage = {
  readonly filter: AttemptFilter
  readonly shown: readonly EndpointAttempt[]
  readonly hasOlder: boolean
}

// The page that the address asks for, with what receivers answered opened.
export async function readAttempts(
  { ctx }: Pick<Visit, 'ctx'>,
  endpoint: WebhookEndpoint,
  { query }: Pick<FastifyRequest, 'query'>,
): Promise<AttemptsPage> {
  const asked = query as { show?: unknown; after?: unknown }
  const [eventId = '', attemptId = ''] = String(asked.after ?? '').split('.')
  const filter = FILTERS.find((one) => one === asked.show) ?? 'all'
  const after = isUuid(eventId) && isUuid(attemptId) ? { eventId, attemptId } : null
  const [found, vault] = await Promise.all([
    attemptsOfEndpoint(ctx.db, endpoint, filter, after, ATTEMPTS_SHOWN + 1),
    ctx.vault(endpoint.organizationId),
  ])
  const shown = found
    .slice(0, ATTEMPTS_SHOWN)
    .map((attempt) => ({ ...attempt, response: openText(vault, attempt.eventId, attempt.response) }))
  return { filter, shown, hasOlder: found.length > ATTEMPTS_SHOWN }
}

// With people as the role may see them.
export async function attemptsSeen(visit: Visit, page: AttemptsPage): Promise<AttemptsPage> {
  const eyes = await eyesOf(visit)
  if (!eyes.isMasked) return page
  const { ctx, organization } = visit
  const ids = [...new Set(page.shown.map(({ eventId }) => eventId))]
  const events = await getEvents(ctx.db, organization.organizationId, ids)
  const shown = page.shown.map((attempt) => {
    const event = events.find(({ eventId }) => eventId === attempt.eventId)
    // Of an event that is gone nobody knows whom it named.
    return { ...attempt, response: event ? shownAnswer(attempt.response, event.data, eyes) : '' }
  })
  return { ...page, shown }
}

type View = Pick<Visit, 'ctx' | 'language'>

// `below`: what stands below the answer, such as a button that sends the event again.
export function attemptsHtml(
  view: View,
  { filter, shown, hasOlder }: AttemptsPage,
  below: (attempt: EndpointAttempt) => Html,
): Html {
  const words = WEBHOOK_WORDS[view.language]
  const tabs = FILTERS.map(
    (one) =>
      html`<a href="${one === 'all' ? '?' : `?show=${one}`}"${one === filter && html` aria-current="true"`}>${words.filters[one]}</a>`,
  )
  const last = shown.at(-1)
  const next =
    hasOlder &&
    last &&
    html`<nav class="pager"><a class="button" rel="next" href="?show=${filter}&amp;after=${last.eventId}.${last.attemptId}">${words.older}${icon('right')}</a></nav>`
  return html`<section class="timeline"><div class="timeline-head"><h2>${words.attempts}</h2><nav class="switch" aria-label="${words.attempts}">${tabs}</nav></div>${
    shown.length === 0
      ? html`<p class="soft">${words.none}</p>`
      : html`<ul class="attempt-rows" id="attempts" data-grows>${shown.map((attempt) => attemptHtml(view, attempt, below(attempt)))}</ul>`
  }${next}</section>`
}

function attemptHtml({ language, ctx }: View, attempt: EndpointAttempt, below: Html): Html {
  const objects = OBJECT_WORDS[language]
  const now = ctx.clock.now()
  const isDelivered = attempt.failure === null
  const notes = [
    attempt.status === null ? objects.noAnswer : html`<code>${attempt.status}</code>`,
    durationText(attempt.latencyMs, language),
    objects.attempt(attempt.number),
    isDelivered
      ? null
      : attempt.state === 'DELIVERED'
        ? objects.laterDelivered
        : attempt.nextAttemptAt === null
          ? objects.gaveUp
          : objects.nextTry(timeText(attempt.nextAttemptAt, now, language)),
  ].filter((note) => note !== null)
  const mark = statusMark(
    '',
    STATES[language].delivery[isDelivered ? 'DELIVERED' : 'FAILED'],
    isDelivered ? 'good' : attempt.state === 'DELIVERED' ? 'quiet' : 'bad',
  )
  const answer = attempt.response === '' ? (attempt.failure ?? '') : attempt.response
  return html`<li class="moment flat" id="row-${attempt.attemptId}"><details id="attempt-${attempt.attemptId}"><summary class="moment-line"><span class="moment-title">${mark} ${eventName(attempt.type, language)} <span class="soft">#${attempt.sequence}</span></span><span class="moment-notes">${notes.map((note, index) => html`${index > 0 && ' · '}${note}`)}</span><time>${timeText(attempt.at, now, language)}</time></summary><div class="moment-body">${answer !== '' && codeHtml(objects.response, answer)}${below}</div></details></li>`
}

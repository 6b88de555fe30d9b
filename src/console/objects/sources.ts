// Where a timeline's entries come from. Each source is read by itself and turned into entries; a page takes those that its object
// has.

import type { Act } from '../../core/audit/act.ts'
import { railReference } from '../../core/connections/reference.ts'
import { type Html, html } from '../../core/html.ts'
import type { Instant } from '../../core/instant.ts'
import { openText } from '../../flows/people/vault.ts'
import { auditList } from '../../store/audit/entries.ts'
import { requestedAt, requestsOfObject } from '../../store/audit/requests.ts'
import { listExchanges, type StoredExchange } from '../../store/connections/exchanges.ts'
import { noticesOfSubject } from '../../store/connections/subject-notices.ts'
import { listEvents, type StoredEvent } from '../../store/events/events.ts'
import { transferList } from '../../store/ledger/transfers.ts'
import { alarmsOfSubject, suspenseOfPayin } from '../../store/ledger/views.ts'
import { readCredentialName } from '../../store/payouts/evidence.ts'
import { deliveriesOfEvent } from '../../store/webhooks/delivery-views.ts'
import { actName } from '../audit/words.ts'
import { eventName, eventTone } from '../events/words.ts'
import { amountText, durationText, shortTimeText } from '../format.ts'
import type { PeopleEyes } from '../people.ts'
import type { Visit } from '../visit.ts'
import { may } from '../visit.ts'
import { alarmDetail } from '../words/alarm-details.ts'
import { STATES, type Tone } from '../words/states.ts'
import { shownAnswer, shownData } from './shown-json.ts'
import { codeHtml, type TimelineEntry } from './timeline.ts'
import { OBJECT_WORDS } from './words.ts'

// More than any payment has; one that somebody keeps sending again has more.
const MAX_EVENTS = 30
const MAX_TRANSFERS = 50
const MAX_CALLS = 30
// So many questions in a row are one entry.
const GROUPED_FROM = 3

export function madeEntry(visit: Visit, at: Instant, by: string | null = null): TimelineEntry {
  const words = OBJECT_WORDS[visit.language]
  return { at, source: 'made', tone: 'note', title: words.made, notes: [by !== null && words.by(by)] }
}

// What was asked of the API about it. Whoever asked is named by the name of their key or client.
export async function callEntries(visit: Visit, objectId: string): Promise<TimelineEntry[]> {
  const { ctx, organization, language } = visit
  const { organizationId } = organization
  const words = OBJECT_WORDS[language]
  const calls = await requestsOfObject(ctx.db, organizationId, objectId, MAX_CALLS)
  const ids = [...new Set(calls.map(({ credentialId }) => credentialId))]
  const names = await Promise.all(ids.map((id) => readCredentialName(ctx.db, organizationId, id)))
  return calls.map((call) => {
    const { method, path, status, durationMs, refusal, credentialId } = call
    const isRefused = refusal !== null || status >= 400
    return {
      at: requestedAt(call),
      source: 'call',
      tone: isRefused ? 'bad' : 'quiet',
      title: isRefused ? words.refusedCall : words.called,
      notes: [
        html`<code>${method} ${shortPath(path)}</code>`,
        html`<code>${refusal ?? status}</code>`,
        durationText(durationMs, language),
        names[ids.indexOf(credentialId)]?.name,
      ],
    }
  })
}

// What people and commands did to it.
export async function actEntries(visit: Visit, objectId: string): Promise<TimelineEntry[]> {
  if (!may(visit, 'audit:read')) return []
  const { ctx, organization, language } = visit
  const words = OBJECT_WORDS[language]
  const acts = await auditList(ctx.db, organization.organizationId, { objectId }).seek(
    { direction: 'older', from: null },
    MAX_CALLS,
  )
  return acts
    .filter(({ actor }) => actor.kind === 'person' || actor.kind === 'operator')
    .map(({ at, act, actor, outcome, refusal }) => ({
      at,
      source: 'act',
      tone: outcome === 'refused' ? 'bad' : 'note',
      title: words.acts[act as Act] ?? actName(act, language),
      notes: [
        actor.name !== null && words.by(actor.name),
        outcome === 'refused' && words.refusedAct,
        refusal !== null && html`<code>${refusal}</code>`,
      ],
    }))
}

// Ids are long, and say nothing that the page does not.
function shortPath(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => `${id.slice(0, 8)}…`)
}

export async function exchangeEntries(
  visit: Visit,
  kind: 'payin' | 'payout' | 'return',
  id: string,
): Promise<TimelineEntry[]> {
  const { ctx, organization } = visit
  const reference = railReference(kind, organization.organizationId, id)
  const exchanges = await listExchanges(ctx.db, organization.organizationId, reference)
  const runs: StoredExchange[][] = []
  for (const exchange of exchanges) {
    const last = runs.at(-1)
    const isSame = last?.[0]?.operation === exchange.operation && isQuestion(exchange)
    if (isSame) last?.push(exchange)
    else runs.push([exchange])
  }
  return runs.flatMap((run) =>
    run.length < GROUPED_FROM ? run.map((one) => exchangeEntry(visit, one)) : [groupedEntry(visit, run)],
  )
}

function isQuestion({ operation }: StoredExchange): boolean {
  return operation.startsWith('GET ')
}

function exchangeEntry(visit: Visit, exchange: StoredExchange): TimelineEntry {
  const words = OBJECT_WORDS[visit.language]
  const { operation, status, failure, tookMs, request, response, at } = exchange
  const verb = isQuestion(exchange) ? 'asked' : operation.startsWith('DELETE ') ? 'withdrawn' : 'sent'
  return {
    at,
    source: 'exchange',
    tone: toneOfAnswer(exchange),
    title: words.exchange[verb],
    notes: [
      html`<code>${operation}</code>`,
      status === null ? words.noAnswer : html`<code>${status}</code>`,
      durationText(tookMs, visit.language),
    ],
    body: html`${request !== '' && codeHtml(words.request, request)}${codeHtml(words.response, response === '' ? (failure ?? words.noAnswer) : response)}`,
  }
}

// The last answer stands for all: the others were the same question before it.
function groupedEntry(visit: Visit, run: readonly StoredExchange[]): TimelineEntry {
  const words = OBJECT_WORDS[visit.language]
  const last = run.at(-1) as StoredExchange
  const now = visit.ctx.clock.now()
  const lines = run.map(
    ({ at, status, tookMs }) =>
      html`<li>${shortTimeText(at, now, visit.language)} · ${status ?? words.noAnswer} · ${durationText(tookMs, visit.language)}</li>`,
  )
  const entry = exchangeEntry(visit, last)
  return {
    ...entry,
    title: words.exchanges(run.length),
    body: html`<ul class="plain">${lines}</ul>${entry.body}`,
  }
}

function toneOfAnswer({ status, failure }: StoredExchange): Tone {
  if (status === null || failure !== null || status >= 500) return 'wait'
  return status >= 400 ? 'bad' : 'quiet'
}

const NOTICE_TONES: Readonly<Record<string, Tone>> = {
  'payin.paid': 'good',
  'payout.completed': 'good',
  'payin.declined': 'bad',
  'payout.rejected': 'bad',
  'payin.chargeback': 'bad',
}

export async function noticeEntries(visit: Visit, subjectId: string): Promise<TimelineEntry[]> {
  const { ctx, organization, language } = visit
  const words = OBJECT_WORDS[language]
  const notices = await noticesOfSubject(ctx.db, organization.organizationId, subjectId)
  return notices.map(({ kind, receivedAt, occurredAt, networkCode, amountInCents }) => ({
    at: receivedAt,
    source: 'notice',
    tone: NOTICE_TONES[kind] ?? 'quiet',
    title: words.notices[kind],
    notes: [
      amountInCents !== null && amountText(amountInCents, language),
      networkCode !== '' && words.networkCode(networkCode),
      receivedAt - occurredAt > 60_000 &&
        words.noticeOf(shortTimeText(occurredAt, ctx.clock.now(), language)),
    ],
  }))
}

// Events of an object, and every attempt to deliver each.
export async function eventEntries(
  visit: Visit,
  objectId: string,
  eyes: PeopleEyes,
): Promise<TimelineEntry[]> {
  const { ctx, organization } = visit
  const events = await listEvents(ctx.db, organization.organizationId, 0, { objectId }, MAX_EVENTS)
  const deliveries = await Promise.all(events.map((event) => deliveryEntries(visit, event, eyes)))
  return [...events.map((event) => eventEntry(visit, event, eyes)), ...deliveries.flat()]
}

function eventEntry(visit: Visit, event: StoredEvent, eyes: PeopleEyes): TimelineEntry {
  const { language, home } = visit
  const words = OBJECT_WORDS[language]
  return {
    at: event.createdAt,
    source: 'event',
    tone: eventTone(event.type),
    title: eventName(event.type, language),
    notes: [words.event(event.sequence), html`<code>${event.type}</code>`],
    body: html`${codeHtml('data', shownData(event.data, eyes))}${wayTo(`${home}/events/${event.eventId}`, words.event(event.sequence))}`,
  }
}

// What unfolds cannot have a link in the line that unfolds it.
function wayTo(address: string, label: string): Html {
  return html`<p class="moment-ways"><a class="button small" href="${address}">${label}</a></p>`
}

export async function deliveryEntries(
  visit: Visit,
  event: StoredEvent,
  eyes: PeopleEyes,
): Promise<TimelineEntry[]> {
  if (!may(visit, 'webhooks:read')) return []
  const { ctx, organization, language, home } = visit
  const words = OBJECT_WORDS[language]
  const now = ctx.clock.now()
  const { deliveries, attempts } = await deliveriesOfEvent(ctx.db, organization.organizationId, event.eventId)
  const answerOf = ({ response, failure }: (typeof attempts)[number]): string =>
    shownAnswer(openText(eyes.vault, event.eventId, response), event.data, eyes) || (failure ?? '')
  const tried = attempts.map((attempt): TimelineEntry => {
    const delivery = deliveries.find(({ endpointId }) => endpointId === attempt.endpointId)
    const where = shortUrl(delivery?.url ?? '')
    const isDelivered = attempt.failure === null
    return {
      at: attempt.at,
      source: 'delivery',
      tone: isDelivered ? 'good' : 'bad',
      title: isDelivered ? words.delivered(where) : words.notDelivered(where),
      notes: [
        attempt.status === null ? words.noAnswer : html`<code>${attempt.status}</code>`,
        durationText(attempt.latencyMs, language),
        words.attempt(attempt.number),
        !isDelivered &&
          (delivery?.state === 'DELIVERED'
            ? words.laterDelivered
            : attempt.nextAttemptAt === null
              ? words.gaveUp
              : words.nextTry(shortTimeText(attempt.nextAttemptAt, now, language))),
      ],
      body: html`${codeHtml(words.response, answerOf(attempt))}${wayTo(`${home}/webhooks/${attempt.endpointId}`, where)}`,
    }
  })
  const waiting = deliveries
    .filter(({ attempts: count }) => count === 0)
    .map(
      ({ url, nextAttemptAt }): TimelineEntry => ({
        at: event.createdAt,
        source: 'delivery',
        tone: 'wait',
        title: words.waiting(shortUrl(url)),
        notes: [nextAttemptAt !== null && words.nextTry(shortTimeText(nextAttemptAt, now, language))],
      }),
    )
  return [...tried, ...waiting]
}

export async function bookingEntries(visit: Visit, subjectId: string): Promise<TimelineEntry[]> {
  if (!may(visit, 'ledger:read')) return []
  const { ctx, organization, language } = visit
  const states = STATES[language]
  const words = OBJECT_WORDS[language]
  const transfers = await transferList(ctx.db, organization.organizationId, { subjectId }).seek(
    { direction: 'newer', from: null },
    MAX_TRANSFERS,
  )
  return transfers.map(({ createdAt, booking, amountInCents, debit, credit }) => ({
    at: createdAt,
    source: 'booking',
    tone: 'note',
    title: states.bookings[booking],
    notes: [
      html`<b>${amountText(amountInCents, language)}</b>`,
      words.booked(states.accounts[debit], states.accounts[credit]),
    ],
  }))
}

export async function suspenseEntries(visit: Visit, payinId: string): Promise<TimelineEntry[]> {
  const { ctx, organization, language } = visit
  const words = OBJECT_WORDS[language]
  const items = await suspenseOfPayin(ctx.db, organization.organizationId, payinId)
  return items.map(({ createdAt, amountInCents, reason, state }) => ({
    at: createdAt,
    source: 'suspense',
    tone: state === 'OPEN' || state === 'RETURNING' ? 'wait' : 'quiet',
    title: words.suspense,
    notes: [
      html`<b>${amountText(amountInCents, language)}</b>`,
      words.suspenseReasons[reason],
      words.suspenseStates[state],
    ],
  }))
}

export async function alarmEntries(visit: Visit, subjectId: string): Promise<TimelineEntry[]> {
  const { ctx, organization, language } = visit
  const words = OBJECT_WORDS[language]
  const alarms = await alarmsOfSubject(ctx.db, organization.organizationId, subjectId)
  return alarms.map(({ kind, detail, createdAt, resolvedAt }) => ({
    at: createdAt,
    source: 'alarm',
    tone: resolvedAt === null ? 'bad' : 'quiet',
    title: words.alarms[kind],
    notes: [resolvedAt !== null && words.alarmResolved(shortTimeText(resolvedAt, ctx.clock.now(), language))],
    body: html`<p>${alarmDetail(kind, detail, language)}</p>`,
  }))
}

// Without the protocol, and not longer than a line has room for.
export function shortUrl(url: string): string {
  const plain = url.replace(/^https?:\/\//, '')
  return plain.length > 48 ? `${plain.slice(0, 47)}…` : plain
}

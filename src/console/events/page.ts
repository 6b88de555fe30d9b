// The page of one event: what it tells, whom it was told, and what they answered.

import { getEventOperation, redeliverEventOperation } from '../../api/events/operations.ts'
import type { EventResource } from '../../core/events/event.ts'
import { html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { getEvent, type StoredEvent } from '../../store/events/events.ts'
import { type DeliveryView, deliveriesOfEvent } from '../../store/webhooks/delivery-views.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { capitalized, timeText, whenText, withFullStop } from '../format.ts'
import { objectPage } from '../objects/object-page.ts'
import { shownData } from '../objects/shown-json.ts'
import { deliveryEntries, madeEntry } from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { eyesOf } from '../people.ts'
import type { Route } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { statusMark, type Tone } from '../words/states.ts'
import { EVENT_WORDS, eventName, eventTone } from './words.ts'

// Where the object of an event is.
export const OBJECT_PATH: Readonly<Record<EventResource, string>> = {
  payin: '/payins',
  payout: '/payouts',
  paymentlink: '/links',
  paymentpage: '/pages',
  refund: '/refunds',
  payoutbatch: '/batches',
  approval: '/approvals',
  webhook: '/webhooks',
}

async function eventOf({ ctx, organization, request }: Visit): Promise<StoredEvent | undefined> {
  const { eventId } = request.params as { eventId: string }
  return isUuid(eventId) ? getEvent(ctx.db, organization.organizationId, eventId.toLowerCase()) : undefined
}

async function eventPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const event = await eventOf(visit)
  if (event === undefined) return undefined
  const { ctx, language, organization, home } = visit
  const { eventId } = event
  const words = EVENT_WORDS[language]
  const objects = OBJECT_WORDS[language]
  const seesDeliveries = may(visit, 'webhooks:read')
  const eyes = await eyesOf(visit)
  const [{ deliveries }, entries] = await Promise.all([
    deliveriesOfEvent(ctx.db, organization.organizationId, eventId),
    deliveryEntries(visit, event, eyes),
  ])
  const now = ctx.clock.now()
  const name = eventName(event.type, language)
  return objectPage(visit, {
    section: 'events',
    list: { path: '/events', label: words.list },
    id: eventId,
    name: objects.event(event.sequence),
    headline: name,
    status: statusMark(event.type, event.type, eventTone(event.type)),
    sentence: [
      words.happened(whenText(event.createdAt, now, language)),
      ...(seesDeliveries ? [deliverySentence(deliveries, language)] : []),
    ]
      .map(withFullStop)
      .join(' '),
    tone: toneOfDeliveries(deliveries),
    actions: [
      actionButton(visit, newForm(visit), {
        action: `/events/${eventId}/resend`,
        operation: redeliverEventOperation,
        submit: words.resend,
        call: { params: { eventId } },
      }),
    ],
    problem: problemSummary(visit, form, []),
    groups: [
      {
        title: objects.facts,
        facts: [
          [objects.fields.type, html`<code>${event.type}</code>`],
          [objects.fields.sequence, `#${event.sequence}`],
          [objects.fields.version, String(event.version)],
          [
            objects.fields.object,
            html`<a href="${home}${OBJECT_PATH[event.resource]}/${event.objectId}">${event.objectId.slice(0, 13)}…</a>`,
          ],
          [objects.fields.created, timeText(event.createdAt, now, language)],
        ],
      },
    ],
    entries: [madeEntry(visit, event.createdAt), ...entries],
    json: shownData(event.data, eyes),
    isJsonOpen: true,
    operation: getEventOperation,
    call: { params: { eventId } },
    watches: [`events/${eventId}`],
  })
}

function deliverySentence(deliveries: readonly DeliveryView[], language: Visit['language']): string {
  const words = EVENT_WORDS[language]
  if (deliveries.length === 0) return words.nobody
  const count = (state: DeliveryView['state']) => deliveries.filter((one) => one.state === state).length
  const parts = [
    [count('DELIVERED'), words.deliveredTo],
    [count('FAILED'), words.failedAt],
    [count('PENDING'), words.waitsFor],
  ] as const
  const text = parts.flatMap(([number, say]) => (number > 0 ? [say(number)] : [])).join('; ')
  return capitalized(text)
}

function toneOfDeliveries(deliveries: readonly DeliveryView[]): Tone {
  if (deliveries.some(({ state }) => state === 'FAILED')) return 'bad'
  if (deliveries.some(({ state }) => state === 'PENDING')) return 'wait'
  return deliveries.length > 0 ? 'good' : 'quiet'
}

function paramsOf({ request }: Visit): { eventId: string } {
  return request.params as { eventId: string }
}

export const eventRoutes: readonly Route[] = [
  { method: 'GET', path: '/events/:eventId', scope: 'events:read', show: (visit) => eventPage(visit) },
  {
    method: 'POST',
    path: '/events/:eventId/resend',
    operation: redeliverEventOperation,
    call: (visit) => ({ params: paramsOf(visit) }),
    done: (visit) => `/events/${paramsOf(visit).eventId}`,
    again: eventPage,
  },
]

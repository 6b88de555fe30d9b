// The fields of the forms about webhooks.

import { EVENT_TYPES } from '../../core/events/event.ts'
import { HOUR_MS, isoInstant } from '../../core/instant.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { eventName } from '../events/words.ts'
import type { Field } from '../fields.ts'
import type { Visit } from '../visit.ts'
import { WEBHOOK_WORDS } from './words.ts'

export function endpointFields({ language }: Visit, endpoint: WebhookEndpoint | null): Field[] {
  const words = WEBHOOK_WORDS[language]
  return [
    {
      kind: 'url',
      path: '/url',
      label: words.url,
      hint: words.urlHint,
      value: endpoint?.url ?? null,
      placeholder: 'https://',
      maxLength: 2_048,
    },
    {
      kind: 'text',
      path: '/description',
      label: words.description,
      value: endpoint?.description ?? null,
      isOptional: true,
      whenEmpty: endpoint === null ? 'omit' : 'null',
      maxLength: 255,
    },
    {
      kind: 'checks',
      path: '/events',
      label: words.events,
      hint: words.eventsHint,
      value: endpoint?.events ?? [],
      options: EVENT_TYPES.map((type) => ({ value: type, label: eventName(type, language), hint: type })),
    },
    {
      kind: 'number',
      path: '/maxPerSecond',
      label: words.maxPerSecond,
      hint: words.maxPerSecondHint,
      value: endpoint === null || endpoint.maxPerSecond === null ? null : String(endpoint.maxPerSecond),
      isOptional: true,
      whenEmpty: 'null',
      min: 1,
      max: 1_000,
    },
  ]
}

// The times are in the form, so that sending it twice asks for the same.
export function recoverFields({ language, ctx }: Pick<Visit, 'language' | 'ctx'>): Field[] {
  const words = WEBHOOK_WORDS[language]
  const since = (hours: string): string => isoInstant(ctx.clock.now() - Number(hours) * HOUR_MS)
  return [
    {
      kind: 'select',
      path: '/since',
      label: words.since,
      hint: words.recoverHint,
      value: since('24'),
      options: Object.entries(words.sinceHours).map(([hours, label]) => ({ value: since(hours), label })),
    },
  ]
}

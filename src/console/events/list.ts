// The list of events.

import { EVENT_TYPES, type EventResource, TEST_EVENT } from '../../core/events/event.ts'
import { html } from '../../core/html.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { filteredEvents } from '../../store/events/filtered.ts'
import { amountText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition } from '../lists/definition.ts'
import { EVENT_WORDS, eventName, eventTone } from './words.ts'

// What an event is about, from the object as it was. The people in it are not opened here.
function aboutOf({ data }: StoredEvent): { reference: string | null; amountInCents: bigint | null } {
  const { reference, amountInCents } = JSON.parse(data) as { reference?: unknown; amountInCents?: unknown }
  return {
    reference: typeof reference === 'string' ? reference : null,
    amountInCents: typeof amountInCents === 'number' ? BigInt(amountInCents) : null,
  }
}

const COLUMNS: readonly Column<StoredEvent>[] = [
  {
    name: 'type',
    place: 'main',
    cell: ({ type }, { visit }) =>
      html`<i class="dot ${eventTone(type)}"></i>${eventName(type, visit.language)}`,
    value: ({ type }) => ({ text: type }),
  },
  {
    name: 'sequence',
    place: 'aside',
    cell: ({ sequence }) => `#${sequence}`,
    value: ({ sequence }) => ({ number: sequence }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: (event, { visit }) => {
      const { amountInCents } = aboutOf(event)
      return amountInCents === null ? null : amountText(amountInCents, visit.language)
    },
    value: (event) => ({ cents: aboutOf(event).amountInCents }),
  },
  {
    name: 'about',
    place: 'text',
    cell: (event) => aboutOf(event).reference,
    value: (event) => ({ text: aboutOf(event).reference }),
  },
  {
    name: 'code',
    place: 'aside',
    cell: ({ type }) => html`<code>${type}</code>`,
    value: ({ resource }, { states }) => ({ text: states.resources[resource] }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

const RESOURCES: readonly EventResource[] = [
  'payin',
  'payout',
  'paymentlink',
  'paymentpage',
  'payoutbatch',
  'approval',
  'webhook',
]

export const eventsList: ListDefinition<StoredEvent> = {
  name: 'events',
  section: 'events',
  path: '/events',
  scope: 'events:read',
  hasText: false,
  hasAmount: false,
  tab: {
    name: 'about',
    values: RESOURCES,
    label: (states, resource) => states.resources[resource as EventResource],
    hasSum: false,
  },
  selects: [
    {
      name: 'type',
      label: (words) => words.type,
      any: (words) => words.allTypes,
      options: ({ visit }) =>
        [...EVENT_TYPES, TEST_EVENT].map((type) => [type, eventName(type, visit.language)]),
    },
  ],
  ids: [{ name: 'object', label: (words) => words.object }],
  open: (db, organizationId, { tab, chosen, bounds }) =>
    filteredEvents(db, organizationId, {
      ...bounds,
      ...(tab !== undefined && { resource: tab }),
      ...(chosen.type !== undefined && { type: chosen.type }),
      ...(chosen.object !== undefined && { objectId: chosen.object }),
    }),
  idOf: ({ eventId }) => eventId,
  hrefOf: ({ eventId }) => `/events/${eventId}`,
  columns: COLUMNS,
  alsoInFiles: [inFile('id', ({ eventId }) => ({ text: eventId }))],
  teach: ({ language }) => EVENT_WORDS[language].teach,
}

// Events by everything that a person filters them by, newest first: in the order of their ids, which is that of their numbers but
// for what was committed at the same moment.

import { boundedList } from '../bounded-list.ts'
import type { IdBounds } from '../keyset-list.ts'
import { EVENT_COLUMNS, type StoredEvent, withSequence } from './events.ts'

export type EventView = IdBounds & { type?: string; resource?: string; objectId?: string }

export const filteredEvents = boundedList<EventView, StoredEvent, StoredEvent>({
  table: 'events',
  idColumn: 'event_id',
  columns: EVENT_COLUMNS,
  only: 'sequence is not null',
  cases: () => [{}],
  rest: ({ type, resource, objectId }) => [
    ['type', '=', type],
    ['resource', '=', resource],
    ['object_id', '=', objectId],
  ],
  read: withSequence,
  groupedBy: 'resource',
  summed: '0',
})

// Audit entries by everything that a person filters them by.

import { boundedList } from '../bounded-list.ts'
import {
  casesOf,
  type EntryFilters,
  LISTED_COLUMNS,
  type ListedEntry,
  type ListedRow,
  toListed,
} from './entries.ts'

export type AuditView = EntryFilters & {
  actorKind?: string
  // Part of the name of who did it.
  text?: string
}

export const filteredAudit = boundedList<AuditView, ListedRow, ListedEntry>({
  table: 'audit_entries',
  idColumn: 'entry_id',
  columns: LISTED_COLUMNS,
  cases: casesOf,
  rest: ({ actorKind, text }) => [
    ['actor_kind', '=', actorKind],
    ['actor_name', 'contains', text],
  ],
  restOfTotals: ({ actorId, act, objectId }) => [
    ['actor_id', '=', actorId],
    ['act', '=', act],
    ['object_id', '=', objectId],
  ],
  read: toListed,
  groupedBy: 'outcome',
  summed: '0',
})

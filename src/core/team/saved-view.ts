// Filters of a list that a person keeps under a name, for themselves.

import type { Instant } from '../instant.ts'

export const VIEWED_LISTS = ['payins', 'payouts', 'refunds', 'links', 'pages', 'events', 'movements'] as const
export type ViewedList = (typeof VIEWED_LISTS)[number]

export type SavedView = {
  readonly organizationId: string
  readonly userId: string
  readonly viewId: string
  readonly list: ViewedList
  readonly name: string
  // As it stands behind the question mark of the list's address.
  readonly query: string
  readonly createdAt: Instant
}

// More than fit above a list.
export const MAX_VIEWS_PER_LIST = 12
export const VIEW_NAME_MAX_LENGTH = 40
export const VIEW_QUERY_MAX_LENGTH = 1_000

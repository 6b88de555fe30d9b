// A person keeps the filters of a list under a name, and forgets them again. They are their own affair: nobody else sees them.

import { isPrintable } from '../../core/contact.ts'
import {
  MAX_VIEWS_PER_LIST,
  type SavedView,
  VIEW_NAME_MAX_LENGTH,
  VIEW_QUERY_MAX_LENGTH,
} from '../../core/team/saved-view.ts'
import { deleteSavedView, insertSavedView } from '../../store/team/saved-views.ts'
import type { Needs } from '../context.ts'

export type ViewRefusal = 'unnamed' | 'long' | 'full'

export async function saveView(
  ctx: Needs<'db' | 'clock' | 'ids'>,
  wanted: Pick<SavedView, 'organizationId' | 'userId' | 'list' | 'name' | 'query'>,
): Promise<SavedView | ViewRefusal> {
  const name = Array.from(wanted.name.trim()).slice(0, VIEW_NAME_MAX_LENGTH).join('')
  if (name === '' || !isPrintable(name)) return 'unnamed'
  // A part of the filters would show other rows than those that were kept.
  if (wanted.query.length > VIEW_QUERY_MAX_LENGTH) return 'long'
  const view: SavedView = {
    ...wanted,
    name,
    viewId: ctx.ids.next(),
    createdAt: ctx.clock.wallClock(),
  }
  return (await insertSavedView(ctx.db, view, MAX_VIEWS_PER_LIST)) ? view : 'full'
}

export async function forgetView(
  ctx: Needs<'db'>,
  organizationId: string,
  userId: string,
  viewId: string,
): Promise<void> {
  await deleteSavedView(ctx.db, organizationId, userId, viewId)
}

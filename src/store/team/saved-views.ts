// Saved views as rows.

import { isoInstant } from '../../core/instant.ts'
import type { SavedView, ViewedList } from '../../core/team/saved-view.ts'
import type { Queryable } from '../db.ts'

export async function listSavedViews(
  db: Queryable,
  organizationId: string,
  userId: string,
  list: ViewedList,
): Promise<SavedView[]> {
  const result = await db.query<SavedView>({
    name: 'list-saved-views',
    text: `select organization_id as "organizationId", user_id as "userId", view_id as "viewId", list, name, query,
                  created_at as "createdAt"
             from saved_views
            where organization_id = $1 and user_id = $2 and list = $3
            order by view_id`,
    values: [organizationId, userId, list],
  })
  return result.rows
}

// False if the person has as many of this list already.
export async function insertSavedView(db: Queryable, view: SavedView, maxOfList: number): Promise<boolean> {
  const result = await db.query({
    text: `insert into saved_views (organization_id, user_id, view_id, list, name, query, created_at)
           select $1, $2, $3, $4, $5, $6, $7
            where (select count(*)
                     from saved_views
                    where organization_id = $1 and user_id = $2 and list = $4) < $8`,
    values: [
      view.organizationId,
      view.userId,
      view.viewId,
      view.list,
      view.name,
      view.query,
      isoInstant(view.createdAt),
      maxOfList,
    ],
  })
  return result.rowCount === 1
}

export async function deleteSavedView(
  db: Queryable,
  organizationId: string,
  userId: string,
  viewId: string,
): Promise<void> {
  await db.query({
    text: 'delete from saved_views where organization_id = $1 and user_id = $2 and view_id = $3',
    values: [organizationId, userId, viewId],
  })
}

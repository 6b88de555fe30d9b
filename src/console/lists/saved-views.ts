// A person's own views of a list: filters under a name, above the list, to be opened, added and deleted.

import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { VIEW_NAME_MAX_LENGTH, VIEWED_LISTS, type ViewedList } from '../../core/team/saved-view.ts'
import { forgetView, saveView } from '../../flows/team/saved-views.ts'
import type { Queryable } from '../../store/db.ts'
import { listSavedViews } from '../../store/team/saved-views.ts'
import { icon } from '../icons.ts'
import type { OwnRoute } from '../route.ts'
import type { Visit } from '../visit.ts'
import type { ListQuery } from './list-query.ts'
import { LIST_WORDS } from './words.ts'

type Listed = { readonly name: ViewedList; readonly path: string }

export type ViewControls = {
  // The views that there are. Nothing if there are none.
  readonly shown: Html | false
  // Keeps what is shown now, where that is worth a name.
  readonly saving: Html | false
}

export async function savedViews(
  visit: Visit,
  db: Queryable,
  { name, path }: Listed,
  query: ListQuery,
): Promise<ViewControls> {
  const { organization, signedIn, home, language } = visit
  const words = LIST_WORDS[language].views
  const views = await listSavedViews(db, organization.organizationId, signedIn.user.userId, name)
  const here = query.address.toString()
  const shown = views.map((view) => {
    const isOpen = view.query === here
    return html`<li class="view"><a href="${home}${path}?${view.query}"${isOpen && html` aria-current="true"`}>${icon('bookmark')}${view.name}</a>${
      isOpen &&
      html`<form method="post" action="${home}/views/${view.viewId}/delete"><input type="hidden" name="list" value="${name}"><button title="${words.remove(view.name)}">${icon('close')}<span class="unseen">${words.remove(view.name)}</span></button></form>`
    }</li>`
  })
  const isSaved = views.some((view) => view.query === here)
  // The list as it opens is no view.
  const isPlain = [...query.address.keys()].every((key) => key === 'period') && query.period.name === '24h'
  const saving =
    !isSaved &&
    !isPlain &&
    html`<li><details class="drop"><summary class="chip-button">${icon('plus')}${words.save}</summary><form class="drop-panel" method="post" action="${home}/views" data-once><input type="hidden" name="list" value="${name}"><input type="hidden" name="query" value="${here}"><div class="field"><label for="view-name">${words.name}</label><input id="view-name" name="name" maxlength="${VIEW_NAME_MAX_LENGTH}" required autocomplete="off"><p class="hint">${words.hint}</p></div><button class="button main">${words.save}</button></form></details></li>`
  return {
    shown: shown.length > 0 && html`<ul class="views" aria-label="${words.title}">${shown}</ul>`,
    saving,
  }
}

const PATHS: Readonly<Record<ViewedList, string>> = {
  payins: '/payins',
  payouts: '/payouts',
  refunds: '/refunds',
  links: '/links',
  pages: '/pages',
  events: '/events',
  movements: '/movements',
}

export const savedViewRoutes: readonly OwnRoute[] = [
  {
    method: 'POST',
    path: '/views',
    scope: null,
    own: 'saved view',
    act: async ({ ctx, organization, signedIn, home }, typed) => {
      const list = VIEWED_LISTS.find((one) => one === typed.get('list'))
      if (list === undefined) return undefined
      // Only what an address may hold.
      const query = new URLSearchParams(typed.get('query') ?? '').toString()
      const { organizationId } = organization
      const { userId } = signedIn.user
      const saved = await saveView(ctx, {
        organizationId,
        userId,
        list,
        name: typed.get('name') ?? '',
        query,
      })
      const said = typeof saved === 'string' ? `view-${saved}` : 'view-saved'
      return { seeOther: `${home}${PATHS[list]}?${query}${query === '' ? '' : '&'}done=${said}` }
    },
  },
  {
    method: 'POST',
    path: '/views/:viewId/delete',
    scope: null,
    own: 'saved view',
    act: async ({ ctx, organization, signedIn, home, request }, typed) => {
      const { viewId } = request.params as { viewId: string }
      const list = VIEWED_LISTS.find((one) => one === typed.get('list')) ?? 'payins'
      if (!isUuid(viewId)) return undefined
      await forgetView(ctx, organization.organizationId, signedIn.user.userId, viewId)
      return { seeOther: `${home}${PATHS[list]}?done=view-deleted` }
    },
  },
]

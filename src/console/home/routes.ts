// The first page that a person sees.

import { html } from '../../core/html.ts'
import type { Route } from '../route.ts'

export const homeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '',
    scope: null,
    show: async ({ words }) => ({
      title: words.sections.home,
      section: 'home',
      content: html`<h1>${words.sections.home}</h1>`,
    }),
  },
]

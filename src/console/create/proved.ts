// Where somebody arrives who has shown in another tab that it is them. What they had typed is in the first.

import { html } from '../../core/html.ts'
import { PROVED_PATH } from '../form.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { CREATE_WORDS } from './words.ts'

async function provedPage({ language }: Visit): Promise<Page> {
  const { title, text } = CREATE_WORDS[language].proved
  const content = html`<section class="empty"><p class="empty-mark">${icon('check')}</p><h1>${title}</h1><p>${text}</p></section>`
  return { title, section: null, content }
}

export const provedRoutes: readonly Route[] = [
  { method: 'GET', path: PROVED_PATH, scope: null, show: provedPage },
]

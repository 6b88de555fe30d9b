// The lists about money that leaves, and the way from one to the other.

import { type Html, html } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { BENEFICIARY_WORDS } from '../beneficiaries/words.ts'
import type { Visit } from '../visit.ts'
import { BATCH_WORDS } from './words.ts'

export const BOOK_PATH = '/beneficiaries'

export function payoutPlaces(language: UserLanguage): { path: string; label: string }[] {
  return [
    { path: '/payouts', label: BATCH_WORDS[language].payouts },
    { path: '/batches', label: BATCH_WORDS[language].list },
    { path: BOOK_PATH, label: BENEFICIARY_WORDS[language].list },
  ]
}

export function payoutSwitch({ home, language, words }: Visit, current: string): Html {
  const links = payoutPlaces(language).map(
    ({ path, label }) =>
      html`<a href="${home}${path}"${path === current && html` aria-current="page"`}>${label}</a>`,
  )
  return html`<nav class="switch" aria-label="${words.sections.payouts}">${links}</nav>`
}

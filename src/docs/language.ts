// In which language a reader gets the documentation. Every page has a Spanish address: its translation, or the English
// page in a Spanish frame. An English address leads a reader who prefers Spanish there, unless the switch was used.

import type { Language, Page } from './print/block.ts'

export const LANGUAGES: readonly Language[] = ['en', 'es']
/** Remembers what the switch was set to. No script reads it. */
export const LANGUAGE_COOKIE = 'recaudo_docs_language'

export function asLanguage(text: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === text)
}

/** Where a page is read in a language. */
export function addressIn(page: Page, language: Language): string {
  if (page.translation?.language === language) return page.translation.path
  return language === 'es' && page.language === 'en' ? page.path.replace(/^\/docs/, '/docs/es') : page.path
}

/** What the switch was set to, else what the browser prefers. English wins a tie, and is for whoever says nothing. */
export function preferredLanguage(cookies: string | undefined, acceptLanguage: string | undefined): Language {
  const [, chosen] = new RegExp(`(?:^|; *)${LANGUAGE_COOKIE}=(\\w+)`).exec(cookies ?? '') ?? []
  return asLanguage(chosen) ?? (weightOf('es', acceptLanguage) > weightOf('en', acceptLanguage) ? 'es' : 'en')
}

// Browsers send a handful of languages. The rest of a longer header is ignored.
const MAX_HEADER_LENGTH = 1_000

function weightOf(language: Language, header = ''): number {
  const weights = header
    .slice(0, MAX_HEADER_LENGTH)
    .toLowerCase()
    .split(',')
    .map((range) => /^\s*(\w+)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/.exec(range))
    .filter((match) => match?.[1] === language)
    .map((match) => Number(match?.[2] ?? 1) || 0)
  return Math.max(0, ...weights)
}

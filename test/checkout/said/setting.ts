// The setting of a page that is rendered by itself, and what it says with its preview in a chat.

import { type Page, renderPage } from '../../../src/checkout/pages/layout.ts'
import type { PageSetting } from '../../../src/checkout/pages/page-context.ts'
import { WORDS } from '../../../src/checkout/words/words.ts'
import { contentTranscriptOf, transcriptOf } from './transcript.ts'

export function newPageSetting(language: 'es' | 'en', path: string): PageSetting {
  return { environment: 'production', language, words: WORDS[language], chosenLanguage: null, path }
}

export function pageTranscriptOf(setting: PageSetting, page: Page): string {
  const { text } = renderPage(setting, page)
  const preview = text.match(/<meta property="og:[^>]*>/g)?.join('') ?? ''
  const header = /<header>[\s\S]*<\/header>/.exec(text)?.[0] ?? ''
  return `${transcriptOf(preview + header)}\n${contentTranscriptOf(text)}`
}

// What a route answers with: a page for the frame, or an address to go to.

import type { Html } from '../core/html.ts'
import type { WatchName } from './live/watches.ts'
import type { Section } from './sections.ts'

export type Page = {
  readonly title: string
  // Which section of the navigation it belongs to.
  readonly section: Section | null
  readonly content: Html
  // 200 unless it says otherwise.
  readonly status?: number
  // It shows rows and nothing else, which the first style sheet is enough for.
  readonly isRowsOnly?: boolean
  // What happened before this page was shown, said once (`role=status`).
  readonly said?: string | undefined
  // What the page shows anew when it changes: the nouns or the objects that it is about.
  readonly watches?: readonly WatchName[]
  // Something has changed that the page cannot show yet. In so many milliseconds it can. 0: it shows everything.
  readonly freshInMs?: number
}

// What an address says was done, in words. Anybody can make an address: `constructor` is none of our words.
export function saidOf(
  words: Readonly<Record<string, string>>,
  done: string,
  otherwise?: string,
): string | undefined {
  return Object.hasOwn(words, done) ? words[done] : otherwise
}

export type SeeOther = { readonly seeOther: string }
export type Sent = 'sent'

export function isSeeOther(answer: object): answer is SeeOther {
  return 'seeOther' in answer
}

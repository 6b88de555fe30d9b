// The link back to the merchant, exactly as the merchant gave it. When the flow has ended, the page follows it after a
// countdown. The payer can stop the countdown, and it runs only while the page is visible. It does not run again when
// the payer comes back to the receipt, because a merchant's page that is down must not become a trap.

import { type Html, html } from '../../core/html.ts'
import { type PageContext, webAddress } from './page-context.ts'

// WCAG 2.2.1: a person who needs longer must have 20 seconds to say so.
const COUNTDOWN_SECONDS = 20

/** `isEnd`: the flow has ended. `comesFirst`: this is the main button. */
export function returnLink(
  context: PageContext,
  { isEnd, comesFirst = false }: { isEnd: boolean; comesFirst?: boolean },
): Html {
  const { subject, words } = context
  const text = words.result
  const url = webAddress(subject.callbackUrl)
  if (url === null) return html`${isEnd && html`<p class="soft">${text.close}</p>`}`
  const { name } = subject.merchant
  return html`<p><a class="button${!comesFirst && ' plain'}" href="${url}" id="back">${text.back(name)}</a></p>
${isEnd && countdown(text.returning, text.stay)}`
}

function countdown(returning: string, stay: string): Html {
  return html`<p class="return" data-return="${COUNTDOWN_SECONDS}" hidden>
<span data-text="${returning}">${returning.replace('#', String(COUNTDOWN_SECONDS))}</span>
<button type="button" class="plain">${stay}</button>
</p>`
}

// The way back to the merchant, exactly as the merchant gave it. The one thing to know: where the flow has ended it is
// taken by itself after a countdown that can be stopped, counted only while the page is looked at, and not again when the
// payer comes back to the receipt: a merchant's page that is down must not become a trap.

import { type Html, html } from '../../core/html.ts'
import { type PageContext, webAddress } from './page-context.ts'

// WCAG 2.2.1: whoever needs longer must have 20 seconds to say so.
const COUNTDOWN_SECONDS = 20

/** `isEnd`: nothing more happens here; `comesFirst`: no other button does. */
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

// Until when can be paid, calmly: a clock time, and a countdown only in the last fifth of the time there was.

import { type Html, html } from '../../core/html.ts'
import { HOUR_MS } from '../../core/instant.ts'
import type { CheckoutPayin } from '../backend.ts'
import { deadlineText } from '../words/figures.ts'
import type { PageContext } from './page-context.ts'

/** The deadline of a try, or of the link where none is open. */
export function deadline({ words, language, now, subject }: PageContext, payin?: CheckoutPayin): Html {
  const expiresAt = Math.min(subject.expiresAt, payin?.expiresAt ?? subject.expiresAt)
  const since = payin?.createdAt ?? expiresAt - LINK_LIFE_MS
  const lastMs = Math.round((expiresAt - since) * LAST_SHARE)
  return html`<p class="soft">${words.until(deadlineText(expiresAt, now, language))} <span role="timer" data-left="${expiresAt - now}" data-last="${lastMs}" hidden>${words.timeLeft} <b></b></span></p>`
}

// Every link is created with this long to live.
const LINK_LIFE_MS = HOUR_MS
const LAST_SHARE = 1 / 5

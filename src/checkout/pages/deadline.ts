// The deadline for paying, without rushing the payer: a clock time, and a countdown only in the last fifth of the time.

import { type Html, html } from '../../core/html.ts'
import { HOUR_MS } from '../../core/instant.ts'
import type { CheckoutPayin } from '../backend.ts'
import { deadlineText } from '../words/format.ts'
import type { PageContext } from './page-context.ts'

/** The deadline of an attempt, or of the link if none is open. */
export function deadline({ words, language, now, subject }: PageContext, payin?: CheckoutPayin): Html {
  const expiresAt = Math.min(subject.expiresAt, payin?.expiresAt ?? subject.expiresAt)
  const since = payin?.createdAt ?? expiresAt - LINK_LIFETIME_MS
  const countdownMs = Math.round((expiresAt - since) * COUNTDOWN_SHARE)
  return html`<p class="soft">${words.until(deadlineText(expiresAt, now, language))} <span role="timer" data-left="${expiresAt - now}" data-last="${countdownMs}" hidden>${words.timeLeft} <b></b></span></p>`
}

// The lifetime of every new link.
const LINK_LIFETIME_MS = HOUR_MS
const COUNTDOWN_SHARE = 1 / 5

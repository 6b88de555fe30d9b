// Result pages: what happened, whether money moved, what to do next, and the receipt. A link outlives a failed attempt,
// so the payer is then offered another one and is not sent away.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { CheckoutPayin } from '../backend.ts'
import { isBrebOnly, isPayable, isStillClosing, versionOf } from '../state.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { amountLine, reasonLine } from './amount-line.ts'
import { contactLine } from './contact.ts'
import type { Page } from './layout.ts'
import { address, type PageContext } from './page-context.ts'
import { receipt } from './receipt.ts'
import { returnLink } from './return-link.ts'

const REFRESH_SECONDS = 10

export function approvedPage(context: PageContext): Page {
  const { subject, words, language } = context
  const { payin, merchant } = subject
  const text = words.result
  if (payin?.chargedBack) return reversedPage(context, payin.chargedBack)
  const amount = amountText(payin?.confirmedAmountInCents ?? subject.amountInCents, language)
  return resultPage(context, text.approved, 'good', [
    html`<p>${text.approvedText(amount, merchant.name)}${payin?.rail === 'PSE' && ` ${text.mailed}`}</p>`,
  ])
}

// The network took the money back after it had come.
function reversedPage(
  context: PageContext,
  { amountInCents, at }: NonNullable<CheckoutPayin['chargedBack']>,
): Page {
  const { subject, words, language } = context
  const amount = amountText(amountInCents, language)
  const date = dateAndClockText(at, language)
  const { payin } = subject
  const isPart = amountInCents < (payin?.confirmedAmountInCents ?? payin?.amountInCents ?? 0n)
  return resultPage(
    context,
    isPart ? words.result.reversedPart : words.result.reversed,
    'ended',
    [html`<p>${words.result.reversedText(amount, date, subject.merchant.name)}</p>`, contactLine(context)],
    { isEnd: false },
  )
}

/** For a payer who opens a paid link again. There is nothing to do, so the page does not redirect. */
export function alreadyPaidPage(context: PageContext): Page {
  const { subject, words, language } = context
  const text = words.result
  const { chargedBack, resultAt: paidAt } = subject.payin ?? {}
  if (chargedBack) return reversedPage(context, chargedBack)
  return resultPage(
    context,
    text.alreadyPaid,
    'good',
    [
      paidAt && html`<p>${text.alreadyPaidOn(dateAndClockText(paidAt, language))}</p>`,
      html`<p>${text.alreadyPaidText}</p>`,
    ],
    { isEnd: false },
  )
}

export function declinedPage(context: PageContext): Page {
  return failedPage(context, context.words.result.declined, 'bad')
}

export function canceledPage(context: PageContext): Page {
  return failedPage(context, context.words.result.canceled, 'stopped')
}

export function lapsedPage(context: PageContext): Page {
  return failedPage(context, context.words.result.lapsed, 'ended')
}

/** Also of a link that the merchant ended before its time was over. */
export function expiredPage(context: PageContext): Page {
  const { subject, words, language } = context
  const text = words.result
  const { endedEarlyAt, expiresAt, merchant } = subject
  const isEarly = endedEarlyAt !== null
  const date = dateAndClockText(endedEarlyAt ?? expiresAt, language)
  return resultPage(context, isEarly ? text.endedEarly(merchant.name) : text.expired, 'ended', [
    html`<p>${isEarly ? text.endedEarlyOn(date) : text.expiredOn(date)}</p>`,
    html`<p>${amountLine(context)} ${text.expiredText(merchant.name)}</p>`,
    contactLine(context),
  ])
}

export function unavailablePage(context: PageContext): Page {
  const { subject, words } = context
  return resultPage(context, words.result.unavailable, 'stopped', [
    html`<p>${words.money.none} ${words.result.unavailableText(subject.merchant.name)}</p>`,
    contactLine(context),
  ])
}

function failedPage(context: PageContext, title: string, tone: Tone): Page {
  const { subject, words, now } = context
  const code = subject.payin?.errorCode
  const canRetry = isPayable(subject, now)
  const isWaiting = isStillClosing(subject, now)
  const next = isWaiting
    ? html`<p class="note" role="status">${words.result.stillClosing}</p>`
    : html`<p>${words.result.finalText(subject.merchant.name)}</p>`
  const isEnd = !canRetry && !isWaiting
  const page = resultPage(
    context,
    title,
    tone,
    [
      // The title has said that time is over.
      code && code !== 'EXPIRED' ? html`<p>${reasonLine(context)}</p>` : null,
      html`<p>${amountLine(context)}</p>`,
      canRetry ? tryAgain(context) : next,
      code === 'EXPIRED' || code === 'AMOUNT_MISMATCH' || subject.holdsMoney ? contactLine(context) : null,
    ],
    { isEnd, comesFirst: isEnd },
  )
  return isWaiting
    ? { ...page, version: versionOf(subject, now), refresh: { seconds: REFRESH_SECONDS } }
    : page
}

// Where there is nothing to choose or fill in, the button begins the next attempt itself.
function tryAgain(context: PageContext): Html {
  const { retry } = context.words.result
  return isBrebOnly(context.subject)
    ? html`<form method="post" action="${address(context)}"><button data-wait="${context.words.wait}">${retry}</button></form>`
    : html`<p><a class="button" href="${address(context, { step: 'retry' })}">${retry}</a></p>`
}

type Tone = 'good' | 'bad' | 'stopped' | 'ended'
type Part = Html | null | undefined | 0

function resultPage(
  context: PageContext,
  title: string,
  tone: Tone,
  paragraphs: readonly Part[],
  back: { isEnd: boolean; comesFirst?: boolean } = { isEnd: true, comesFirst: true },
): Page {
  const content = html`<div class="mark ${tone}">${trustedHtml(MARKS[tone])}</div>
<h1>${title}</h1>
${paragraphs.map((part) => part || null)}
${returnLink(context, back)}
${receipt(context)}`
  return { title, content }
}

const mark = (path: string): string => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
const MARKS: Readonly<Record<Tone, string>> = {
  good: mark('M5 12.5l4.5 4.5L19 7.5'),
  bad: mark('M7 7l10 10M17 7L7 17'),
  stopped: mark('M7 12h10'),
  ended: mark('M12 7.5v5l3 2M12 2.8a9.2 9.2 0 100 18.4 9.2 9.2 0 100-18.4'),
}

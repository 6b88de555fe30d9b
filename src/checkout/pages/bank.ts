// Pages on the way to the bank: waiting for its session, forwarding, and returning to an open payment later. The page
// itself takes the browser to the bank, because under our policy a form's response may not redirect to another site. It
// does so only straight after the form. Otherwise "back" at the bank would lead to the bank again.

import { type Html, html } from '../../core/html.ts'
import type { CheckoutPayin } from '../backend.ts'
import { deadline } from './deadline.ts'
import type { Page } from './layout.ts'
import { otherMethod, paidButton } from './open-attempt.ts'
import { bankName, type PageContext, webAddress } from './page-context.ts'
import { receipt } from './receipt.ts'

// A bank session takes a second or two.
const REFRESH_SECONDS = 3
const OPEN_REFRESH_SECONDS = 15

export function preparingPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const text = context.words.bank
  const byPse = payin.rail === 'PSE'
  const title = byPse ? text.preparing(bankName(context, payin.bank)) : text.preparingKey
  const content = html`${spinner}
<h1>${title}</h1>
<p>${byPse ? text.preparingText : text.preparingKeyText}</p>
${otherMethod(context, payin)}`
  return { title, content, version, refresh: { seconds: REFRESH_SECONDS } }
}

/** An API payin is forwarded at once, because the merchant has already sent the payer to pay. */
export function isForwarded({ subject, step }: PageContext, payin: CheckoutPayin): boolean {
  if (webAddress(payin.bankUrl) === null) return false
  return step === 'go' || (step === null && subject.kind === 'payin')
}

export function forwardPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const text = context.words.bank
  const bank = bankName(context, payin.bank)
  const url = webAddress(payin.bankUrl) ?? ''
  const content = html`${spinner}
<h1>${text.forward(bank)}</h1>
<p>${text.forwardText}</p>
<p><a class="button" href="${url}" data-forward>${text.go(bank)}</a></p>`
  return { title: text.forward(bank), content, version, refresh: { seconds: 0, url } }
}

/** For a payer who opens the link again while a payment is open at the bank. */
export function atBankPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const { words } = context
  const bank = bankName(context, payin.bank)
  const bankUrl = webAddress(payin.bankUrl)
  const content = html`<h1>${words.bank.open}</h1>
<p>${words.bank.openText(bank)}</p>
${bankUrl !== null && html`<p><a class="button" href="${bankUrl}">${words.bank.continue(bank)}</a></p>`}
${paidButton(context, words.open.paid, 'plain')}
${otherMethod(context, payin)}
${deadline(context, payin)}
${receipt(context)}`
  return { title: words.bank.open, content, version, refresh: { seconds: OPEN_REFRESH_SECONDS } }
}

export const spinner: Html = html`<div class="spinner"></div>`

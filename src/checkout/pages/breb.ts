// The page for Bre-B. On a phone, the key comes first: most payers hold the phone they pay with, and it cannot scan
// itself. The code follows, to be saved or shared. On a wide screen the code leads, because the app is on another device.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { CheckoutPayin } from '../backend.ts'
import { amountText, amountToPaste } from '../words/format.ts'
import { spinner } from './bank.ts'
import { deadline } from './deadline.ts'
import type { Page } from './layout.ts'
import { openNotice, otherMethod, paidButton } from './open-attempt.ts'
import { address, type PageContext } from './page-context.ts'
import { railMark } from './rail-mark.ts'

// Without script the page reloads this often, which leaves the payer time to read and copy.
const REFRESH_SECONDS = 20
// A provider takes a second or two to register a key.
const REGISTERING_REFRESH_SECONDS = 3

export function brebPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const { subject, words } = context
  const text = words.breb
  const { merchant } = subject
  const hasQr = payin.qrPayload !== null
  const title = words.choose.titleOne(words.rails.BRE_B.name)
  const content = html`${openNotice(context)}
<h1>${railMark('BRE_B')}${title}</h1>
<div class="breb">
<div class="ways">
${copies(context, payin)}
<h2>${text.howToPay}</h2>
<ol>${text.steps(merchant.name, hasQr).map((step) => html`<li>${step}</li>`)}</ol>
<p class="soft">${text.notAPassword}</p>
</div>
${payin.qrPayload !== null && qrCode(context, payin.qrPayload)}
<div class="status">
<p class="live">${text.waiting}</p>
${paidButton(context, words.open.paid, 'plain')}
</div>
<div>
${deadline(context, payin)}
${otherMethod(context, payin)}
</div>
</div>`
  return { title, content, version, isWide: hasQr, refresh: { seconds: REFRESH_SECONDS } }
}

/** The key has a name, and nobody can pay it before its provider has registered it. */
export function registeringPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const { subject, words, language } = context
  const text = words.breb
  const content = html`${openNotice(context)}
${spinner}
<h1>${text.registering}</h1>
<p>${text.registeringText}</p>
<dl class="copies">
<div><dt>${text.amount}</dt><dd>${amountText(payin.amountInCents, language)}</dd></div>
<div><dt>${text.recipient}</dt><dd>${subject.merchant.name}</dd></div>
</dl>
${otherMethod(context, payin)}`
  return { title: text.registering, content, version, refresh: { seconds: REGISTERING_REFRESH_SECONDS } }
}

function copies({ subject, words, language }: PageContext, payin: CheckoutPayin): Html {
  const text = words.breb
  const key = payin.keyString ?? ''
  return html`<dl class="copies">
<div class="key">
<dt>${text.key}</dt>
<dd translate="no">${key}</dd>
<dd>${copyButton(words.breb.copied, key, html`${text.copyKey}`)}</dd>
</div>
<div>
<dt>${text.amount}</dt>
<dd>${amountText(payin.amountInCents, language)}</dd>
<dd>${copyButton(words.breb.copied, amountToPaste(payin.amountInCents), html`${text.copy} <span class="heard">${text.amount}</span>`, 'plain')}</dd>
</div>
<div><dt>${text.recipient}</dt><dd>${subject.merchant.name}</dd></div>
</dl>`
}

function copyButton(done: string, copied: string, label: Html, className = ''): Html {
  return html`<button type="button" class="${className}" data-copy="${copied}" data-done="${done}" hidden>${label}</button>`
}

function qrCode(context: PageContext, payload: string): Html {
  const { subject, words, language } = context
  const text = words.breb
  const name = text.qr(amountText(subject.amountInCents, language), subject.merchant.name)
  const image = address(context, { below: '/qr' })
  const what = html`<span class="heard">${text.theQr}</span>`
  return html`<figure class="qr">
<div role="img" aria-label="${name}">${trustedHtml(qrSvg(payload))}</div>
<figcaption><a class="button plain" href="${image}" download="bre-b.png">${text.saveQr} ${what}</a><button type="button" class="plain" data-share="${image}" hidden>${text.shareQr} ${what}</button></figcaption>
</figure>`
}

// The page for Bre-B: the code to scan, the key and the amount to copy, and the name that the payer's app will show.
// Most payers hold the phone they pay with, so the code can be saved as an image and the key can be copied.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { CheckoutPayin } from '../backend.ts'
import { amountText, amountToPaste } from '../words/format.ts'
import { deadline } from './deadline.ts'
import type { Page } from './layout.ts'
import { openNotice, otherMethod, paidButton } from './open-attempt.ts'
import { address, type PageContext } from './page-context.ts'

// Without script the page reloads this often, which leaves the payer time to read and copy.
const REFRESH_SECONDS = 20

export function brebPage(context: PageContext, payin: CheckoutPayin, version: string): Page {
  const { subject, words, language } = context
  const text = words.breb
  const { merchant } = subject
  const title = payin.qrPayload === null ? text.titleKey : text.title
  const amount = amountText(payin.amountInCents, language)
  const content = html`${openNotice(context)}
<h1>${title}</h1>
${payin.qrPayload !== null && qrCode(context, payin.qrPayload)}
<dl class="copies">
${copyRow(context, text.key, payin.keyString ?? '', payin.keyString ?? '')}
${copyRow(context, text.amount, amount, amountToPaste(payin.amountInCents))}
<div><dt>${text.recipient}</dt><dd>${merchant.name}</dd></div>
</dl>
${paidButton(context, words.open.paid)}
<p class="live">${text.waiting}</p>
${deadline(context, payin)}
<ol>${text.steps(merchant.name).map((step) => html`<li>${step}</li>`)}</ol>
<p class="soft">${text.notAPassword}</p>
${otherMethod(context, payin)}`
  return { title, content, version, refresh: { seconds: REFRESH_SECONDS } }
}

function qrCode(context: PageContext, payload: string): Html {
  const { subject, words, language } = context
  const name = words.breb.qr(amountText(subject.amountInCents, language), subject.merchant.name)
  return html`<figure class="qr">
<div role="img" aria-label="${name}">${trustedHtml(qrSvg(payload))}</div>
<figcaption><a href="${address(context, { below: '/qr' })}" download="bre-b.png">${words.breb.saveQr}</a></figcaption>
</figure>`
}

function copyRow({ words }: PageContext, label: string, shown: string, copied: string): Html {
  const text = words.breb
  return html`<div>
<dt>${label}</dt>
<dd>${shown}</dd>
<dd><button type="button" class="plain" data-copy="${copied}" data-done="${text.copied}" hidden>${text.copy} <span class="heard">${label}</span></button></dd>
</div>`
}

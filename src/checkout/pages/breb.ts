// Paying by Bre-B: the code to scan, the key and the amount to copy, and whose name the payer's app will show. The one
// thing to know: most payers hold the phone they pay with, so the code can be saved as an image and the key be copied.

import { type Html, html, trusted } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { CheckoutPayin } from '../backend.ts'
import { amountText, amountToPaste } from '../words/figures.ts'
import { deadline } from './deadline.ts'
import type { Page } from './layout.ts'
import { openNotice, otherWay, paidButton } from './open-attempt.ts'
import { address, type Scene } from './page-context.ts'

// Without script the page looks again by itself, not so often that the payer can't read or copy.
const REFRESH_SECONDS = 20

export function brebPage(scene: Scene, payin: CheckoutPayin, version: string): Page {
  const { subject, words, language } = scene
  const text = words.breb
  const { merchant } = subject
  const title = payin.qrPayload === null ? text.titleKey : text.title
  const amount = amountText(payin.amountInCents, language)
  const content = html`${openNotice(scene)}
<h1>${title}</h1>
${payin.qrPayload !== null && qrCode(scene, payin.qrPayload)}
<dl class="copies">
${copyRow(scene, text.key, payin.keyString ?? '', payin.keyString ?? '')}
${copyRow(scene, text.amount, amount, amountToPaste(payin.amountInCents))}
<div><dt>${text.recipient}</dt><dd>${merchant.name}</dd></div>
</dl>
${paidButton(scene, words.open.paid)}
<p class="live">${text.waiting}</p>
${deadline(scene, payin)}
<ol>${text.steps(merchant.name).map((step) => html`<li>${step}</li>`)}</ol>
<p class="soft">${text.notAPassword}</p>
${otherWay(scene, payin)}`
  return { title, content, version, refresh: { seconds: REFRESH_SECONDS } }
}

function qrCode(scene: Scene, payload: string): Html {
  const { subject, words, language } = scene
  const name = words.breb.qr(amountText(subject.amountInCents, language), subject.merchant.name)
  return html`<figure class="qr">
<div role="img" aria-label="${name}">${trusted(qrSvg(payload))}</div>
<figcaption><a href="${address(scene, { below: '/qr' })}" download="bre-b.png">${words.breb.saveQr}</a></figcaption>
</figure>`
}

function copyRow({ words }: Scene, label: string, shown: string, copied: string): Html {
  const text = words.breb
  return html`<div>
<dt>${label}</dt>
<dd>${shown}</dd>
<dd><button type="button" class="plain" data-copy="${copied}" data-done="${text.copied}" hidden>${text.copy} <span class="heard">${label}</span></button></dd>
</div>`
}

// /verify: reads a receipt by camera, picture or text and says what it is. The page holds our public keys and all of its words,
// so it works without a network once it was opened. Without a script, the form is checked by the server.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import type { StatementKey } from '../../core/receipts/check.ts'
import type { VerifiedStatement } from '../../flows/receipts/verify.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { factRows, genuineVerdict } from './fact-rows.ts'
import { addressOf, type ReceiptsPage, rowList, type Setting } from './frame.ts'
import { VERIFY_SCRIPT } from './verify-script.ts'

/** What the form was sent with, and what the server found. */
export type FormResult = { readonly text: string; readonly verified: VerifiedStatement | 'empty' }

export function verifyPage(
  setting: Setting,
  keys: readonly StatementKey[],
  result: FormResult | undefined,
): ReceiptsPage {
  const { words } = setting
  const text = words.verify
  const content = html`<h1>${text.title}</h1>
<p>${text.intro}</p>
<div id="result" role="status" aria-live="polite">${result && resultOf(setting, result.verified)}</div>
<div id="ways" hidden>
<video id="video" muted playsinline hidden></video>
<button type="button" id="camera">${text.camera}</button>
<label class="button plain picture">${text.picture}<input type="file" id="picture" accept="image/*"></label>
</div>
<form method="post" action="${addressOf(setting, '/verify')}">
<label for="statement">${text.text}</label>
<textarea id="statement" name="statement" autocomplete="off" spellcheck="false">${result?.text}</textarea>
<button>${text.submit}</button>
</form>
<p class="soft">${text.tip}</p>
<script type="application/json" id="data">${trustedHtml(dataOf(setting, keys))}</script>`
  return {
    title: text.title,
    content,
    script: VERIFY_SCRIPT,
    policy: ["connect-src 'self'", "worker-src 'self'"],
    camera: true,
  }
}

// Nothing in it can end the element that holds it.
function dataOf({ root, words }: Setting, keys: readonly StatementKey[]): string {
  const { verify, labels, rails, statuses, locale } = words
  const filled = {
    ...verify,
    reversedText: verify.reversedText('#amount', '#date'),
    onlinePayout: verify.onlinePayout('#status'),
  }
  const names = { ...rails, ...statuses }
  return JSON.stringify({ root, keys, locale, labels, names, text: filled }).replaceAll('<', '\\u003c')
}

function resultOf({ words, language }: Setting, verified: FormResult['verified']): Html {
  const text = words.verify
  if (verified === 'empty') return html`<p class="note">${text[verified]}</p>`
  if (verified.verdict !== 'genuine') {
    const said = verified.verdict === 'altered' ? text.alteredText : text.unknownText
    return html`<div class="verdict ${verified.verdict}"><h2>${text[verified.verdict]}</h2><p>${said}</p></div>`
  }
  const { since, facts } = verified
  const format = {
    amount: (cents: number) => amountText(BigInt(cents), language),
    date: (iso: string) => dateAndClockText(Date.parse(iso), language),
  }
  const names = { ...words.rails, ...words.statuses }
  const rows = rowList(factRows(facts, words.labels, names, format))
  if (since.chargebackAt !== null) {
    const backInCents = since.chargebackAmountInCents ?? 0
    const amount = format.amount(backInCents)
    const title = backInCents < facts.amountInCents ? text.reversedPart : text.reversed
    return html`<div class="verdict reversed"><h2>${title}</h2>
<p>${text.reversedText(amount, format.date(since.chargebackAt))}</p>${rows}</div>`
  }
  const { statusNow } = since
  const online = statusNow === null ? text.online : text.onlinePayout(names[statusNow] ?? statusNow)
  const { tone, title } = genuineVerdict(facts.kind, statusNow)
  return html`<div class="verdict ${tone}"><h2>${text[title]}</h2><p>${text.genuineText} ${online}</p>${rows}</div>`
}

// The page of a payout's evidence, to print or to send to whoever says that the money never came.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { NetworkAnswer, SignedEvidence } from '../../flows/receipts/evidence.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { addressOf, type ReceiptsPage, rowList, type Setting } from './frame.ts'
import { RECEIPT_SCRIPT } from './receipt-script.ts'
import type { ReceiptWords } from './words.ts'

export function evidencePage(setting: Setting, signed: SignedEvidence): ReceiptsPage {
  const { words, language } = setting
  const { labels, receipt } = words
  const text = words.evidence
  const { payer, requested, network, outcome, issuedAt } = signed.evidence
  const when = (iso: string | null): string | null => iso && dateAndClockText(Date.parse(iso), language)
  const content = html`<h1>${text.title}</h1>
<p class="amount">${amountText(BigInt(requested.amountInCents), language)}</p>
<h2>${text.requested}</h2>
${rowList([
  [labels.payer, payer.name],
  [labels.taxId, payer.taxId],
  [labels.receiver, requested.receiver],
  [labels.key, requested.key],
  [labels.reference, requested.reference],
  [labels.rail, words.rails[requested.rail] ?? requested.rail],
  [labels.asked, when(requested.at)],
  [labels.askedBy, requested.by && `${requested.by.name} (${requested.by.shownAs})`],
])}
<h2>${text.outcome}</h2>
${rowList([
  [labels.status, words.statuses[outcome.status] ?? outcome.status],
  [labels.date, when(outcome.at)],
  [labels.trace, outcome.trace],
  [labels.errorCode, outcome.errorCode],
  [labels.networkCode, outcome.networkCode],
])}
<h2>${text.network}</h2>
${rowList([[labels.networkReference, network.reference]])}
${network.answers.length === 0 ? html`<p>${text.noAnswers}</p>` : html`<ol>${network.answers.map((answer) => html`<li>${answerLine(words, answer)}</li>`)}</ol>`}
<div class="qr" role="img" aria-label="${receipt.qr}">${trustedHtml(qrSvg(signed.qrText))}</div>
<p>${receipt.howTo(signed.verifyUrl)}</p>
<p class="soft">${labels.issued}: ${when(issuedAt)}</p>
<button type="button" id="print" class="plain" hidden>${receipt.print}</button>
<div class="soft screen"><label for="signed">${text.signed}</label>
<textarea id="signed" readonly>${signed.statement}</textarea>
<p><a href="${addressOf(setting, '/verify')}">${receipt.verify}</a></p></div>`
  return { title: text.title, content, script: RECEIPT_SCRIPT }
}

// The time to the millisecond, as it is signed: what a network and a bank find each other by.
function answerLine(words: ReceiptWords, answer: NetworkAnswer): Html {
  const text = words.evidence
  if (answer.how === 'asked')
    return html`${answer.at} · ${text.asked}: ${answer.what} · ${answer.httpStatus ?? text.noAnswer}`
  const parts = [answer.what, answer.networkCode, answer.trace].filter((part) => part)
  return html`${answer.at} · ${text.told}: ${parts.join(' · ')}`
}

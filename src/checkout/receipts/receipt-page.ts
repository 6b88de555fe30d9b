// The page of a receipt: what was paid to whom, and the signed statement as a QR code. The payer's document and name are not
// here. It prints on one page, and its picture can be shared.

import { type Html, html, trustedHtml } from '../../core/html.ts'
import { qrSvg } from '../../core/qr-image.ts'
import type { Receipt } from '../../flows/receipts/receipt.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import type { Language } from '../words/language.ts'
import { addressOf, type ReceiptsPage, rowList, type Setting } from './frame.ts'
import { RECEIPT_SCRIPT } from './receipt-script.ts'
import { RECEIPT_WORDS } from './words.ts'

export function receiptPage(setting: Setting, receipt: Receipt): ReceiptsPage {
  const { words, language } = setting
  const text = words.receipt
  const { signed } = receipt
  const content = html`<h1>${text.paidTo(receipt.merchantName)}</h1>
<p class="amount">${amountText(receipt.paidInCents, language)}</p>
${reversal(setting, receipt)}
${rowList(receiptRows(receipt, language))}
${
  signed &&
  html`<div class="qr" role="img" aria-label="${text.qr}">${trustedHtml(qrSvg(signed.qrText))}</div>
<p>${text.howTo(receipt.verifyUrl)}</p>
<button type="button" id="share" hidden data-image="${imageAddress(setting, receipt)}">${text.share}</button>
<a class="button plain" id="save" href="${imageAddress(setting, receipt)}" download="recibo.svg">${text.save}</a>`
}
<button type="button" id="print" class="plain" hidden>${text.print}</button>
<p class="soft screen"><a href="${addressOf(setting, '/verify')}${signed && `#${signed.statement}`}">${text.verify}</a></p>`
  return {
    title: text.title,
    content,
    script: RECEIPT_SCRIPT,
  }
}

export function receiptRows(receipt: Receipt, language: Language): [string, string | null][] {
  const { labels, rails } = RECEIPT_WORDS[language]
  const { payin, organization } = receipt
  return [
    [labels.merchant, receipt.merchantName],
    [labels.taxId, organization.taxId],
    [labels.amount, amountText(receipt.paidInCents, language)],
    [labels.date, dateAndClockText(receipt.paidAt, language)],
    [labels.description, receipt.description],
    [labels.reference, payin.reference],
    [labels.rail, rails[payin.source.rail] ?? payin.source.rail],
    [labels.trace, receipt.trace],
  ]
}

function reversal({ words, language }: Setting, { payin, paidInCents }: Receipt): Html | null {
  if (payin.chargebackAt === null) return null
  const amount = amountText(payin.chargedBackInCents, language)
  const date = dateAndClockText(payin.chargebackAt, language)
  return html`<p class="verdict reversed" role="status">${words.receipt.reversed(amount, date, payin.chargedBackInCents < paidInCents)}</p>`
}

function imageAddress(setting: Setting, { receiptId }: Receipt): string {
  return addressOf(setting, `/receipts/${receiptId}/image.svg`)
}

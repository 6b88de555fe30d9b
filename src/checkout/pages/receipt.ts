// The receipt of an attempt, in every state, with the fields that PSE asks a merchant to show: merchant, description,
// status, bank, CUS, number, time and amount. It prints on one page.

import { providerTrace } from '../../core/connections/trace.ts'
import { type Html, html } from '../../core/html.ts'
import { isFinal } from '../../core/lifecycle.ts'
import { PAYIN } from '../../core/payins/payin.ts'
import { receiptIdOf } from '../../core/receipts/statement.ts'
import type { CheckoutPayin } from '../backend.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { contactLinks } from './contact.ts'
import { bankName, type PageContext } from './page-context.ts'

export function receipt(context: PageContext): Html | undefined {
  const { subject, words, language } = context
  const { payin, merchant } = subject
  if (payin === null) return undefined
  const label = words.receipt
  const isPaid = payin.status === 'CONFIRMED'
  const rows: [string, string | null][] = [
    [label.merchant, merchant.name],
    [label.taxId, merchant.taxId],
    [label.description, subject.description],
    [words.reference, subject.reference],
    [label.amount, amountText(payin.confirmedAmountInCents ?? payin.amountInCents, language)],
    [label.status, words.statuses[payin.status]],
    [label.date, dateAndClockText(payin.resultAt ?? payin.updatedAt, language)],
    [label.method, words.rails[payin.rail].name],
    [label.bank, payin.rail === 'PSE' ? bankName(context, payin.bank) : null],
    [label.key, payin.keyString],
    traceRow(label, payin),
    [label.ticket, payin.payinId],
  ]
  const contact = contactLinks(merchant)
  return html`<section class="receipt" aria-labelledby="receipt">
<h2 id="receipt">${isPaid ? label.title : label.unpaidTitle}</h2>
<dl>
${rows.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
${contact && html`<div class="across"><dt>${label.contact}</dt><dd class="contact">${contact}</dd></div>`}
</dl>
${isPaid && html`<p><a class="button plain" href="${receiptAddress(context, payin.payinId)}">${label.signed}</a></p>`}
${isFinal(PAYIN, payin.status) && html`<button type="button" class="plain" data-print hidden>${isPaid ? words.result.print : words.result.printDetails}</button>`}
</section>`
}

function traceRow(
  label: PageContext['words']['receipt'],
  { rail, traceId }: Pick<CheckoutPayin, 'rail' | 'traceId'>,
): [string, string | null] {
  const trace = providerTrace(traceId)
  if (trace !== undefined) return [label.atProvider(trace.title), trace.id]
  return [rail === 'PSE' ? label.cus : label.transfer, traceId]
}

// The signed receipt, which anybody can verify. Its address is beside /pay, under whatever stands before that.
function receiptAddress({ path, chosenLanguage, subject }: PageContext, payinId: string): string {
  const root = path.slice(0, path.lastIndexOf('/pay/'))
  const query = chosenLanguage === null ? '' : `?lang=${chosenLanguage}`
  return `${root}/receipts/${receiptIdOf(subject.organizationId, payinId)}${query}`
}

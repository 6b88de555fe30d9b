// A payment page as its visitors see it: what is sold and by whom, and a form with what they must say. It begins no payment: the form
// does, and leads to a page of the payer's own. When nothing can be begun, the page says why.

import type { AmountRange } from '../../core/connections/amount-range.ts'
import { type Html, html } from '../../core/html.ts'
import { LOGO_MAX_LENGTH, LOGO_PATTERN } from '../../core/organizations/organization.ts'
import {
  amountsOffered,
  isPayable,
  type NotPayableReason,
  type PaymentPage,
  payableCounts,
  paymentPageEnd,
  piecesOffered,
} from '../../core/payment-pages/payment-page.ts'
import type { CheckoutSubject } from '../backend.ts'
import type { TypedChoice } from '../page-form.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { PAYMENT_PAGE_WORDS, type PieceCounts } from '../words/payment-page.ts'
import { contactLinks } from './contact.ts'
import type { Page } from './layout.ts'
import { address, type PageSetting } from './page-context.ts'

export type PaymentPageContext = PageSetting & {
  readonly page: PaymentPage
  readonly merchant: CheckoutSubject['merchant']
  // What payers can pay over the page's rails.
  readonly payable: readonly AmountRange[]
  readonly form: string
  readonly now: number
}

export type PaymentChoiceError = 'amount' | 'pieces' | 'not-payable'
type Form = { readonly typed: TypedChoice; readonly wrong: PaymentChoiceError }

export function paymentPage(context: PaymentPageContext, form?: Form): Page {
  // What others hold may be free again when this payer asks for it, and only then is it looked at.
  const end = paymentPageEnd(context.page, context.now)
  if (end !== null) return stoppedPage(context, end)
  return isNotPayableNow(context) ? unavailablePage(context) : offerPage(context, form)
}

/** Nothing that the page sells can be paid, as the merchant's rails and connections are. */
export function isNotPayableNow({ page, payable }: PaymentPageContext): boolean {
  return !isPayable(page, payable)
}

function unavailablePage(context: PaymentPageContext): Page {
  const { page, merchant, words } = context
  const text = PAYMENT_PAGE_WORDS[context.language]
  const contact = contactLinks(merchant)
  const content = html`<h1>${text.unavailable}</h1>
<p>${page.name}</p>
<p>${words.money.none} ${text.unavailableText(merchant.name)}</p>
${contact && html`<p class="contact">${contact}</p>`}`
  return { title: text.unavailable, content, seller: sellerOf(context) }
}

const TITLES = { closed: 'closed', over: 'over', 'sold-out': 'soldOut', held: 'held' } as const

export function stoppedPage(context: PaymentPageContext, stop: NotPayableReason): Page {
  const text = PAYMENT_PAGE_WORDS[context.language]
  const title = text[TITLES[stop]]
  const contact = contactLinks(context.merchant)
  const content = html`<h1>${title}</h1>
<p>${context.page.name}</p>
${
  stop === 'held'
    ? html`<p>${text.heldText}</p><p><a class="button" href="${address(context)}">${text.again}</a></p>`
    : html`<p>${text.noMoney(context.merchant.name)}</p>`
}
${contact && html`<p class="contact">${contact}</p>`}`
  return { title, content, seller: sellerOf(context) }
}

function sellerOf({ page, merchant, language }: PaymentPageContext): NonNullable<Page['seller']> {
  const amount = page.amountInCents === null ? '' : ` · ${amountText(page.amountInCents, language)}`
  return {
    merchant,
    previewTitle: `${page.name}${amount}`,
    previewText: page.description ?? merchant.name,
  }
}

function offerPage(context: PaymentPageContext, form: Form | undefined): Page {
  const { page, language, words } = context
  const text = PAYMENT_PAGE_WORDS[language]
  const content = html`${form && problemNote(context, form.wrong)}
<h1>${page.name}</h1>
${picture(page.image)}
${page.description !== null && html`<p>${page.description}</p>`}
${page.items !== null && itemList(context)}
${page.amountInCents !== null && html`<p class="amount">${amountText(page.amountInCents, language)}</p>`}
<form method="post" action="${address(context)}" novalidate>
<input type="hidden" name="form" value="${context.form}">
${page.amountInCents === null && amountField(context, form)}
${page.maxPieces !== null && piecesField(context, form)}
<p class="soft">${page.maxPieces === null && page.maxPayments === null ? text.own : text.ownOfFew}</p>
<button data-wait="${words.wait}">${text.submit}</button>
</form>
${page.validUntil !== null && html`<p class="soft">${text.until(dateAndClockText(page.validUntil, language))}</p>`}`
  return { title: page.name, content, seller: sellerOf(context) }
}

const INLINE_IMAGE = new RegExp(LOGO_PATTERN)

function picture(image: string | null): Html | false {
  if (image === null || image.length > LOGO_MAX_LENGTH || !INLINE_IMAGE.test(image)) return false
  return html`<p class="qr"><img src="${image}" alt="" width="240"></p>`
}

function itemList({ page, language }: PaymentPageContext): Html {
  return html`<dl class="copies">
${(page.items ?? []).map(
  ({ name, quantity, unitAmountInCents }) =>
    html`<div><dt>${quantity} × ${name}</dt><dd>${amountText(BigInt(quantity) * BigInt(unitAmountInCents), language)}</dd></div>
`,
)}</dl>`
}

function problemNote(context: PaymentPageContext, wrong: PaymentChoiceError): Html {
  const text = PAYMENT_PAGE_WORDS[context.language]
  const isAmount = context.page.amountInCents === null
  const hint = isAmount ? text.wrongAmount(rangeTexts(context)) : text.wrongPieces(countsOf(context))
  const messages: Record<PaymentChoiceError, string> = {
    amount: hint,
    pieces: hint,
    'not-payable': `${isAmount ? text.noRail : text.tooMuch} ${hint}`,
  }
  return html`<div class="note bad" role="alert"><h2>${text.problems}</h2>${messages[wrong]}</div>`
}

function rangeTexts({ page, payable, language }: PaymentPageContext): [least: string, most: string][] {
  return amountsOffered(page, payable).map(({ leastInCents, mostInCents }) => [
    amountText(leastInCents, language),
    amountText(mostInCents, language),
  ])
}

// Only a page with an amount sells pieces. Some of what is free may be more, or less, than one payment can be.
function countsOf({ page, payable }: PaymentPageContext): PieceCounts {
  const free = piecesOffered(page)
  const counts = payableCounts(page.amountInCents ?? 0n, free, payable)
  return { least: counts.at(0) ?? 1, most: counts.at(-1) ?? 1, isLast: free === 1 }
}

function amountField(context: PaymentPageContext, form: Form | undefined): Html {
  const text = PAYMENT_PAGE_WORDS[context.language]
  const isWrong = form !== undefined && form.wrong !== 'pieces'
  const input = html`<input id="amount" name="amount" value="${form?.typed.amount ?? ''}" required inputmode="decimal" autocomplete="off" maxlength="20"${marks('amount', isWrong)}>`
  return field('amount', text.amount, text.amountHint(rangeTexts(context)), input)
}

function piecesField(context: PaymentPageContext, form: Form | undefined): Html {
  const text = PAYMENT_PAGE_WORDS[context.language]
  const counts = countsOf(context)
  const each = amountText(context.page.amountInCents ?? 0n, context.language)
  const isWrong = form !== undefined && form.wrong !== 'amount'
  const input = html`<input id="pieces" name="pieces" type="number" min="${counts.least}" max="${counts.most}" value="${form?.typed.pieces ?? counts.least}" required inputmode="numeric"${marks('pieces', isWrong)}>`
  return field('pieces', text.pieces, text.piecesHint(each, counts), input)
}

function marks(name: string, isWrong: boolean): Html {
  return html` aria-describedby="${name}-hint"${isWrong && html` aria-invalid="true" autofocus`}`
}

function field(name: string, label: string, hint: string, input: Html): Html {
  return html`<p class="field"><label for="${name}">${label}</label><span class="hint" id="${name}-hint">${hint}</span>${input}</p>`
}

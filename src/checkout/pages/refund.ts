// The page on which a payer claims a refund: a form for a key, then whose key it is, then what became of the money. It works without script.

import { type Html, html } from '../../core/html.ts'
import type { Instant } from '../../core/instant.ts'
import type { Refund, RefundClaim } from '../../core/refunds/refund.ts'
import { isClaimable } from '../../core/refunds/settle.ts'
import type { RefusalCode } from '../../core/refusal.ts'
import type { CheckoutSubject } from '../backend.ts'
import { FIELDS, type FieldErrors, type Typed } from '../form.ts'
import { amountText, dateAndClockText } from '../words/format.ts'
import { REFUND_WORDS, type RefundWords } from '../words/refund.ts'
import { contactLinks } from './contact.ts'
import type { Page } from './layout.ts'
import { address, type PageSetting } from './page-context.ts'
import { payerFieldset } from './payer-fieldset.ts'

export type RefundContext = PageSetting & {
  readonly refund: Refund
  readonly now: Instant
  readonly reference: string
  readonly merchant: CheckoutSubject['merchant']
  // Nobody has said who paid, so the form asks.
  readonly asksPayer: boolean
}

export type ClaimForm = {
  readonly key: string
  readonly typed: Typed
  readonly errors: FieldErrors
  readonly refused?: RefusalCode
}

const EMPTY: ClaimForm = { key: '', typed: {}, errors: {} }

export function refundPage(context: RefundContext, form: ClaimForm = EMPTY): Page {
  const { refund, now, merchant, language } = context
  const words = REFUND_WORDS[language]
  if (refund.status === 'CONFIRMED')
    return told(context, words.doneTitle, words.done(dateAndClockText(refund.resultAt ?? 0, language)))
  if (refund.status !== 'PROCESSING') {
    const isLate = refund.errorCode === 'CLAIM_EXPIRED'
    return told(context, words.endedTitle, (isLate ? words.expired : words.ended)(merchant.name))
  }
  if (isClaimable(refund, now)) return claimPage(context, form)
  // Its time is over, and nobody has written that down yet.
  if (refund.stage === 'AWAITING_CLAIM') return told(context, words.endedTitle, words.expired(merchant.name))
  if (refund.stage === 'AWAITING_APPROVAL')
    return told(context, words.approvalTitle, words.approval(merchant.name))
  if (refund.stage === 'AWAITING_FUNDS') return told(context, words.fundsTitle, words.funds(merchant.name))
  return told(context, words.sendingTitle, words.sending)
}

function told(context: RefundContext, title: string, text: string): Page {
  const contact = contactLinks(context.merchant)
  const content = html`<h1>${title}</h1>
${amount(context)}
<p>${text}</p>
${contact && html`<p class="contact">${contact}</p>`}`
  return { title, content, seller: sellerOf(context) }
}

function claimPage(context: RefundContext, form: ClaimForm): Page {
  const { refund, reference, merchant, language, words: common } = context
  const words = REFUND_WORDS[language]
  const wrongFields = FIELDS.filter((field) => form.errors[field] !== undefined)
  const isKeyWrong = form.refused !== undefined
  const view = { context, form, firstWrong: isKeyWrong ? undefined : wrongFields[0] }
  const content = html`${isKeyWrong && problem(isTypedWrong(form) ? words.problems : words.unavailable, wrongKey(words, form.refused))}
${!isKeyWrong && wrongFields.length > 0 && problem(common.errors.summary(wrongFields.length), '')}
${!isKeyWrong && refund.errorCode !== null && html`<p class="note">${words.failed}</p>`}
<h1>${words.title}</h1>
${amount(context)}
<p>${words.intro(merchant.name, reference)}</p>
<form method="post" action="${address(context)}" novalidate>
<p class="field"><label for="key">${words.key}</label><span class="hint" id="key-hint">${words.keyHint}</span><input id="key" name="key" value="${form.key}" required maxlength="128" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="key-hint${isKeyWrong && ' key-problem'}"${isKeyWrong && html` aria-invalid="true" autofocus`}></p>
${context.asksPayer && payerFieldset(view, null)}
<button data-wait="${common.wait}">${words.next}</button>
</form>
${refund.claimExpiresAt !== null && html`<p class="soft">${words.until(dateAndClockText(refund.claimExpiresAt, language))}</p>`}`
  return { title: words.title, content, seller: sellerOf(context) }
}

// The payer sees whose key it is, and says that the money goes there.
export function reviewPage(context: RefundContext, form: ClaimForm, claim: RefundClaim): Page {
  const { language, words: common } = context
  const words = REFUND_WORDS[language]
  const facts: [string, string][] = [
    [words.key, form.key],
    [words.holder, claim.holderName],
    [words.participant, claim.participant],
    [words.account, claim.lastFour === null ? '' : `··· ${claim.lastFour}`],
  ]
  const kept = Object.entries({ ...form.typed, key: form.key, sure: '1' }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}">`,
  )
  const content = html`<h1>${words.review}</h1>
${amount(context)}
<dl class="copies">${facts.filter(([, value]) => value !== '').map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${claim.holderName !== '' && html`<p class="soft">${words.masked}</p>`}
${claim.match !== 'SAME' && html`<p class="note">${words.notSame}</p>`}
<form method="post" action="${address(context)}">${kept}<button data-wait="${common.wait}">${words.send}</button></form>
<p><a class="button plain" href="${address(context)}">${words.change}</a></p>`
  return { title: words.review, content, seller: sellerOf(context) }
}

function amount({ refund, language }: RefundContext): Html {
  return html`<p class="amount">${amountText(refund.amountInCents, language)}</p>`
}

function problem(title: string, text: string): Html {
  return html`<div class="note bad" role="alert" id="key-problem"><h2>${title}</h2>${text}</div>`
}

// The payer can mend it by typing something else.
function isTypedWrong({ refused }: ClaimForm): boolean {
  return refused === 'KEY_INVALID' || refused === 'KEY_NOT_FOUND' || refused === 'KEY_SUSPENDED'
}

function wrongKey({ wrong }: RefundWords, refused: RefusalCode | undefined): string {
  return refused !== undefined && refused in wrong ? wrong[refused as keyof typeof wrong] : wrong.other
}

function sellerOf(context: RefundContext): NonNullable<Page['seller']> {
  const { refund, merchant, language } = context
  const words = REFUND_WORDS[language]
  const title = words.preview(amountText(refund.amountInCents, language), merchant.name)
  return { merchant, previewTitle: title, previewText: words.title }
}

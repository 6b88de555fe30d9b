// The form: how to pay, and for PSE what is not known about the payer yet. Bre-B asks for nothing. It works without script:
// the style alone shows the fields of PSE when PSE is chosen, and the server reports every error at once.

import type { Rail } from '../../core/connections/rail.ts'
import { type Html, html } from '../../core/html.ts'
import { banksOf, FIELDS, type Field, railsOf } from '../form.ts'
import { amountLine, reasonLine } from './amount-line.ts'
import { deadline } from './deadline.ts'
import { errorText, type FormState, type FormView, labeled, marks } from './form-view.ts'
import type { Page } from './layout.ts'
import { address, bankName, type PageContext } from './page-context.ts'
import { payerFieldset } from './payer-fieldset.ts'
import { railMark } from './rail-mark.ts'
import { awayNote, awayPage, termsField } from './terms.ts'

export function choosePage(context: PageContext, form: FormState = { typed: {}, errors: {} }): Page {
  const { subject, words, offer } = context
  const text = words.choose
  const rails = railsOf(subject)
  const only = rails.length === 1 ? rails[0] : undefined
  if (only === 'PSE' && offer.terms === 'away') return awayPage(context)
  const title = only === undefined ? text.title : text.titleOne(words.rails[only].name)
  const wrongFields = FIELDS.filter((field) => form.errors[field] !== undefined)
  const view: FormView = { context, form, firstWrong: wrongFields[0] }
  const methods =
    only === undefined
      ? html`<fieldset aria-labelledby="title">
${rails.map((rail) => railChoice(view, rail))}
${railError(view)}
${rails.includes('PSE') && pseFields(view)}
</fieldset>`
      : only === 'PSE' && pseFields(view)
  const content = html`${failedAttempt(context)}
${form.refusal && html`<p class="note bad" role="alert">${form.refusal}</p>`}
${wrongFields.length > 0 && errorSummary(view, wrongFields)}
<h1 id="title">${only && railMark(only)}${title}</h1>
${only && html`<p>${words.rails[only].hint}</p>`}
<form method="post" action="${address(context)}" novalidate>
${methods}
<button data-wait="${words.wait}">${only === undefined ? text.submit : submitText(context, only)}</button>
<p class="soft">${text.notYet}</p>
</form>
${deadline(context)}`
  return { title, content }
}

// A payin that waits only for its payer's word goes on to its bank.
function submitText(context: PageContext, only: Rail): string {
  const { payin } = context.subject
  return payin?.awaitsPresence
    ? context.words.bank.continue(bankName(context, payin.bank))
    : context.words.choose.submitOne[only]
}

// After a failed attempt, the form first says what happened to it.
function failedAttempt(context: PageContext): Html | false {
  const reason = reasonLine(context)
  return reason !== '' && html`<p class="note">${reason} ${amountLine(context)}</p>`
}

function errorSummary({ context, form }: FormView, wrongFields: readonly Field[]): Html {
  return html`<div class="note bad" role="alert"><h2>${context.words.errors.summary(wrongFields.length)}</h2><ul>${wrongFields.map(
    (field) =>
      html`<li><a href="#${field === 'rail' ? 'BRE_B' : field}">${errorText(context, form, field)}</a></li>`,
  )}</ul></div>`
}

function railChoice({ context, form, firstWrong }: FormView, rail: 'BRE_B' | 'PSE'): Html {
  const { name, hint } = context.words.rails[rail]
  const rails = railsOf(context.subject)
  const chosen = rails.find((one) => one === form.typed.rail) ?? rails[0]
  return html`<input type="radio" name="rail" id="${rail}" value="${rail}"${chosen === rail && html` checked`}${firstWrong === 'rail' && chosen === rail && html` autofocus`}><label class="way" for="${rail}"><b>${railMark(rail)}${name}</b><br>${hint}</label>`
}

function railError({ context, form }: FormView): Html | false {
  return form.errors.rail !== undefined && html`<p class="error">${errorText(context, form, 'rail')}</p>`
}

function pseFields(view: FormView): Html {
  const { subject, words, offer } = view.context
  if (offer.terms === 'away') return html`<div class="pse">${awayNote(view.context)}</div>`
  return html`<div class="pse">
${bankChoice(view)}
${subject.customer === null && payerFieldset(view, subject.personType)}
${offer.terms !== null && termsField(view, offer.terms)}
<p class="soft">${words.choose.consent(subject.merchant.name)}</p>
</div>`
}

function bankChoice(view: FormView): Html {
  const { context, form } = view
  const text = context.words.choose
  const { fixedBank } = context.subject
  if (fixedBank !== null) return html`<p>${text.bank}: <b>${bankName(context, fixedBank)}</b></p>`
  const banks = banksOf(context.offer, context.environment)
  const group = (label: string, members: typeof banks): Html | false =>
    members.length > 0 &&
    html`<optgroup label="${label}">
${members.map(({ code, name }) => html`<option value="${code}"${form.typed.bank === code && html` selected`}>${name}</option>`)}
</optgroup>`
  const test = banks.filter((bank) => bank.testOnly)
  const mostUsed = banks.filter((bank) => bank.mostUsed)
  const others = banks.filter((bank) => !bank.mostUsed && !bank.testOnly)
  const select = html`<select id="bank" name="bank" required${marks(view, 'bank')}>
<option value="">${text.pickBank}</option>
${group(text.testBanks, test)}
${group(text.mostUsed, mostUsed)}
${group(text.otherBanks, others)}
</select>`
  return labeled(view, 'bank', text.bank, select)
}

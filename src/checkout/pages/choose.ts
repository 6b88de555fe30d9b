// The form: how to pay, and whatever is not known of the payer yet. The one thing to know: it works without script. The
// bank is shown by style alone when PSE is chosen, and the server tells every error at once.

import { pseBanks } from '../../core/directory/pse-bank.ts'
import { type Html, html } from '../../core/html.ts'
import { FIELDS, type Field, type FieldErrors, railsOf, type Typed } from '../form.ts'
import { idTypesFor } from '../payer-fields.ts'
import { amountLine } from './amount-line.ts'
import { deadline } from './deadline.ts'
import type { Page } from './layout.ts'
import { address, bankName, type PageContext } from './page-context.ts'

export type FormState = {
  readonly typed: Typed
  readonly errors: FieldErrors
  /** Said above the form, where it belongs to no field. */
  readonly refusal?: string
}

export function choosePage(context: PageContext, form: FormState = { typed: {}, errors: {} }): Page {
  const { subject, words } = context
  const text = words.choose
  const rails = railsOf(subject)
  const only = rails.length === 1 ? rails[0] : undefined
  const title = only === undefined ? text.title : text.titleOne(words.rails[only].name)
  const wrong = FIELDS.filter((field) => form.errors[field] !== undefined)
  const draw: Draw = { context, form, first: wrong[0] }
  const methods =
    only === undefined
      ? html`<fieldset aria-labelledby="title">
${rails.map((rail) => railChoice(draw, rail))}
${railError(draw)}
${rails.includes('PSE') && bankChoice(draw)}
</fieldset>`
      : only === 'PSE' && bankChoice(draw)
  const content = html`${failedTry(context)}
${form.refusal && html`<p class="note bad" role="alert">${form.refusal}</p>`}
${wrong.length > 0 && errorSummary(draw, wrong)}
<h1 id="title">${title}</h1>
${only && html`<p>${words.rails[only].hint}</p>`}
<form method="post" action="${address(context)}" novalidate>
${methods}
${subject.customer === null && payerFields(draw)}
<p class="soft">${text.consent(subject.merchant.name)}</p>
<button data-wait="${words.wait}">${only === undefined ? text.submit : text.submitOne(words.rails[only].name)}</button>
</form>
${deadline(context)}`
  return { title, content }
}

type Draw = { context: PageContext; form: FormState; first: Field | undefined }

// The form after a try that failed says first what became of that one.
function failedTry(context: PageContext): Html | false {
  const { payin } = context.subject
  if (payin === null || payin.errorCode === null) return false
  return html`<p class="note">${context.words.reasons[payin.errorCode]} ${amountLine(context)}</p>`
}

function errorSummary({ context, form }: Draw, wrong: readonly Field[]): Html {
  return html`<div class="note bad" role="alert"><h2>${context.words.errors.summary(wrong.length)}</h2><ul>${wrong.map(
    (field) =>
      html`<li><a href="#${field === 'rail' ? 'BRE_B' : field}">${errorText(context, form, field)}</a></li>`,
  )}</ul></div>`
}

function errorText({ words }: PageContext, { errors }: FormState, field: Field): string {
  const code = errors[field]
  return code === undefined ? '' : words.errors[code]
}

function railChoice({ context, form, first }: Draw, rail: 'BRE_B' | 'PSE'): Html {
  const { name, hint } = context.words.rails[rail]
  const rails = railsOf(context.subject)
  const chosen = rails.find((one) => one === form.typed.rail) ?? rails[0]
  return html`<input type="radio" name="rail" id="${rail}" value="${rail}"${chosen === rail && html` checked`}${first === 'rail' && chosen === rail && html` autofocus`}><label class="way" for="${rail}"><b>${name}</b><br>${hint}</label>`
}

function railError({ context, form }: Draw): Html | false {
  return form.errors.rail !== undefined && html`<p class="error">${errorText(context, form, 'rail')}</p>`
}

function bankChoice(draw: Draw): Html {
  const { context, form } = draw
  const text = context.words.choose
  const { fixedBank } = context.subject
  if (fixedBank !== null)
    return html`<p class="bank">${text.bank}: <b>${bankName(context, fixedBank)}</b></p>`
  const banks = pseBanks(context.environment === 'staging')
  const group = (label: string, members: typeof banks): Html | false =>
    members.length > 0 &&
    html`<optgroup label="${label}">
${members.map(({ code, name }) => html`<option value="${code}"${form.typed.bank === code && html` selected`}>${name}</option>`)}
</optgroup>`
  const test = banks.filter((bank) => bank.testOnly)
  const mostUsed = banks.filter((bank) => bank.mostUsed)
  const others = banks.filter((bank) => !bank.mostUsed && !bank.testOnly)
  const select = html`<select id="bank" name="bank" required${marks(draw, 'bank')}>
<option value="">${text.pickBank}</option>
${group(text.testBanks, test)}
${group(text.mostUsed, mostUsed)}
${group(text.otherBanks, others)}
</select>`
  return html`<div class="bank">${labeled(draw, 'bank', text.bank, select)}</div>`
}

function payerFields(draw: Draw): Html {
  const { context, form } = draw
  const text = context.words.choose
  const input = (field: Field, attributes: Html): Html =>
    html`<input id="${field}" name="${field}" value="${form.typed[field] ?? ''}" required ${attributes}${marks(draw, field)}>`
  const options = idTypesFor(context.subject.personType).map(
    (idType) =>
      html`<option value="${idType}"${form.typed.idType === idType && html` selected`}>${context.words.idTypes[idType]}</option>`,
  )
  const idTypes = html`<select id="idType" name="idType" required${marks(draw, 'idType')}>
<option value="">${text.pickIdType}</option>
${options}
</select>`
  const asTyped = html`autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="30"`
  return html`<fieldset>
<legend>${text.payer}</legend>
${labeled(draw, 'name', text.name, input('name', html`autocomplete="name" maxlength="120"`))}
${labeled(draw, 'idType', text.idType, idTypes)}
${labeled(draw, 'idNumber', text.idNumber, input('idNumber', asTyped))}
${labeled(draw, 'phone', text.phone, input('phone', html`type="tel" autocomplete="tel" maxlength="30"`), text.phoneHint)}
${labeled(draw, 'email', text.email, input('email', html`type="email" autocomplete="email" maxlength="254"`))}
</fieldset>`
}

function labeled({ context, form }: Draw, field: Field, label: string, control: Html, hint?: string): Html {
  return html`<p class="field">
<label for="${field}">${label}</label>
${hint && html`<span class="hint" id="${field}-hint">${hint}</span>`}
${control}
${form.errors[field] && html`<span class="error" id="${field}-error">${errorText(context, form, field)}</span>`}
</p>`
}

// Which field is wrong, what describes it, and who gets the focus.
function marks({ form, first }: Draw, field: Field): Html {
  const described = [field === 'phone' && 'phone-hint', form.errors[field] && `${field}-error`].filter(
    Boolean,
  )
  return html`${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${form.errors[field] && html` aria-invalid="true"`}${first === field && html` autofocus`}`
}

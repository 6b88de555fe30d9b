// The fields about the payer, where nobody has said yet who that is.

import { type Html, html } from '../../core/html.ts'
import type { PersonType } from '../../core/payins/payin.ts'
import type { Field } from '../form.ts'
import { idTypesFor } from '../payer-fields.ts'
import { type FormView, labeled, marks } from './form-view.ts'
import type { PageSetting } from './page-context.ts'

export function payerFieldset(view: FormView<PageSetting>, personType: PersonType | null): Html {
  const { context, form } = view
  const text = context.words.choose
  const input = (field: Field, attributes: Html): Html =>
    html`<input id="${field}" name="${field}" value="${form.typed[field] ?? ''}" required ${attributes}${marks(view, field, field === 'phone' ? 'phone-hint' : undefined)}>`
  const options = idTypesFor(personType).map(
    (idType) =>
      html`<option value="${idType}"${form.typed.idType === idType && html` selected`}>${context.words.idTypes[idType]}</option>`,
  )
  const idTypes = html`<select id="idType" name="idType" required${marks(view, 'idType')}>
<option value="">${text.pickIdType}</option>
${options}
</select>`
  const asTyped = html`autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="30"`
  return html`<fieldset>
<legend>${text.payer}</legend>
${labeled(view, 'name', text.name, input('name', html`autocomplete="name" maxlength="120"`))}
${labeled(view, 'idType', text.idType, idTypes)}
${labeled(view, 'idNumber', text.idNumber, input('idNumber', asTyped))}
${labeled(view, 'phone', text.phone, input('phone', html`type="tel" autocomplete="tel" maxlength="30"`), text.phoneHint)}
${labeled(view, 'email', text.email, input('email', html`type="email" autocomplete="email" maxlength="254"`))}
</fieldset>`
}

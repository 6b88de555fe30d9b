// The payment page as it will be, beside the form that makes it. With the script it follows what is typed; without, a button shows
// it as far as it was typed.

import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { type Html, html } from '../../core/html.ts'
import { type FormState, SHOW_CALL } from '../form-state.ts'
import { amountText } from '../format.ts'
import { typedCents } from '../money-text.ts'
import { phonePreview } from '../phone-preview.ts'
import type { Visit } from '../visit.ts'
import { AMOUNT_FIELD } from './fields.ts'
import { CREATE_WORDS } from './words.ts'

export function previewButton({ language }: Visit): Html {
  return html`<button class="button no-script" name="${SHOW_CALL}" value="preview" formnovalidate>${CREATE_WORDS[language].preview}</button>`
}

export function previewOf(
  visit: Visit,
  form: FormState,
  { about, title, hint }: { about: string; title: string; hint: string },
): Html {
  const { organization, language } = visit
  const typed = (form.typed.get(AMOUNT_FIELD) ?? '').trim()
  const cents = typedCents(typed)
  const rail = form.typed.get('/rail')
  const rails: readonly Rail[] = RAILS.includes(rail as Rail) ? [rail as Rail] : organization.rails
  const drawn = phonePreview(
    {
      name: organization.name,
      logoUrl: organization.logoUrl,
      accentColor: organization.accentColor,
      amount: cents === undefined ? `$ ${typed === '' ? '0' : typed}` : amountText(BigInt(cents), language),
      about,
      rails,
    },
    language,
  )
  return html`<figure class="preview">${drawn}<figcaption><b>${title}</b><br>${hint}</figcaption></figure>`
}

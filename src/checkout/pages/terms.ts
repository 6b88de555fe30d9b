// What the provider behind PSE wants the payer to read and accept, and the page for when it does not say what that is.

import { type Html, html } from '../../core/html.ts'
import type { ShownTerms } from '../../flows/connections/pse-offer.ts'
import { contactLine } from './contact.ts'
import { type FormView, fieldError, marks } from './form-view.ts'
import type { Page } from './layout.ts'
import { address, type PageContext, webAddress } from './page-context.ts'

// Its value says which terms were accepted: others are shown again. A box that was not checked sends nothing.
export function termsField(view: FormView, { provider, links, digest }: ShownTerms): Html {
  const text = view.context.words.terms
  const isAccepted = view.form.typed.terms === digest
  return html`<p class="soft" id="terms-hint">${text.read(provider)}</p>
<ul class="terms">${links.map(
    ({ kind, url }) =>
      html`<li><a href="${webAddress(url) ?? ''}" target="_blank" rel="noopener">${text.links[kind](provider)}</a></li>`,
  )}</ul>
<p class="accept"><input type="checkbox" id="terms" name="terms" value="${digest}" required${isAccepted && html` checked`}${marks(view, 'terms', 'terms-hint')}>
<label for="terms">${text.accept(provider)}</label>
${fieldError(view, 'terms')}</p>`
}

/** In the form, beside another way to pay. */
export function awayNote(context: PageContext): Html {
  const { away } = context.words
  return html`<p class="note">${away.title}. ${away.text}</p>
${retry(context, 'button plain')}`
}

/** Instead of the form, where PSE is the only way. */
export function awayPage(context: PageContext): Page {
  const { away } = context.words
  const content = html`<h1>${away.title}</h1>
<p>${away.text}</p>
${retry(context, 'button')}
${contactLine(context)}`
  return { title: away.title, content }
}

function retry(context: PageContext, className: string): Html {
  const step =
    context.subject.payin === null || context.subject.kind === 'payin' ? {} : { step: 'retry' as const }
  return html`<p><a class="${className}" href="${address(context, step)}">${context.words.result.retry}</a></p>`
}

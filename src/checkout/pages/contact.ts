// How to reach the merchant, as links. Nearly every Colombian mobile number is on WhatsApp, and a landline is not.

import { type Html, html } from '../../core/html.ts'
import type { CheckoutSubject } from '../backend.ts'
import type { PageContext } from './page-context.ts'

type Contact = Pick<CheckoutSubject['merchant'], 'email' | 'phone'>

/** A line of its own, for pages where the payer may have to ask. */
export function contactLine({ subject, words }: PageContext): Html | null {
  const links = contactLinks(subject.merchant)
  return links && html`<p class="contact">${words.contact(subject.merchant.name)} ${links}</p>`
}

/** Null if the merchant has named no way. */
export function contactLinks({ email, phone }: Contact): Html | null {
  const number = phone?.replace(/^\+/, '') ?? ''
  const links = [
    email !== null && link(`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`, email),
    phone !== null && link(`tel:${encodeURIComponent(phone).replaceAll('%2B', '+')}`, phoneText(phone)),
    MOBILE.test(number) && link(`https://wa.me/${number}`, 'WhatsApp'),
  ].filter((one) => one !== false)
  return links.length === 0 ? null : html`${links.map((one, index) => html`${index > 0 && ' '}${one}`)}`
}

const MOBILE = /^573\d{9}$/
const COLOMBIAN = /^\+57(\d{3})(\d{3})(\d{4})$/

function link(url: string, text: string): Html {
  return html`<a href="${url}">${text}</a>`
}

// +57 300 123 4567, kept together.
function phoneText(phone: string): string {
  return phone.replace(COLOMBIAN, '+57\u00a0$1\u00a0$2\u00a0$3')
}

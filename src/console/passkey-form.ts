// A button that asks the browser for a passkey (client/passkeys.js). The script fetches the question from `begin`, or has it with the
// form, and sends the answer with the form. Without the script there is no such button.

import { type Html, html } from '../core/html.ts'
import { icon } from './icons.ts'
import { hiddenField } from './person-form.ts'

export type PasskeyForm = {
  readonly kind: 'get' | 'create'
  // Where the question comes from; or the question itself, where it is no secret and not chosen by chance.
  readonly begin?: string
  readonly question?: object
  readonly action: string
  readonly label: string
  readonly to: string
  readonly hint?: string
  readonly isMain?: boolean
  // Sent along.
  readonly also?: Html
  // Whether the browser may offer its passkeys beside the field for the e-mail address.
  readonly isOffered?: boolean
  readonly words: PasskeyWords
}

export type PasskeyWords = {
  // Nobody touched the sensor, or they closed the window.
  readonly canceled: string
  // The device has one already.
  readonly known: string
  readonly failed: string
}

export function passkeyForm(form: PasskeyForm): Html {
  const { canceled, known, failed } = form.words
  return html`<form method="post" action="${form.action}" class="passkey with-script" data-needs-passkeys data-passkey="${form.kind}" data-begin="${form.begin ?? ''}"${form.question !== undefined && html` data-question="${JSON.stringify(form.question)}"`} data-canceled="${canceled}" data-known="${known}" data-failed="${failed}"${form.isOffered && html` data-offered`}>${hiddenField('to', form.to)}${hiddenField('passkey', '')}${form.also}<button type="button" class="button${form.isMain && ' main'}">${icon('passkey')}${form.label}</button>${form.hint !== undefined && html`<p class="hint">${form.hint}</p>`}<p class="wrong" role="status"></p></form>`
}

// What the browser answered. Undefined is nobody's passkey.
export function typedPasskey(typed: URLSearchParams): unknown {
  try {
    return JSON.parse(typed.get('passkey') ?? '')
  } catch {
    return undefined
  }
}

// What every page of an open attempt offers: "I have paid", and abandoning it for another way to pay.

import { type Html, html } from '../../core/html.ts'
import type { CheckoutPayin } from '../backend.ts'
import { address, type PageContext } from './page-context.ts'

/** The result of the last button press, while the attempt is still open. */
export function openNotice({ step, words }: PageContext): Html | false {
  if (step === 'checked') return html`<p class="note" role="status">${words.open.checked}</p>`
  return step === 'late' && html`<p class="note" role="status">${words.open.tooLate}</p>`
}

export function paidButton(context: PageContext, label: string, className = ''): Html {
  return html`<form method="post" action="${address(context, { below: '/recheck' })}">
<button class="${className}" data-wait="${context.words.open.checking}">${label}</button>
</form>`
}

/** Only if there is another way: another rail, or another bank. */
export function otherMethod(context: PageContext, payin: CheckoutPayin): Html | false {
  const { subject, words, step } = context
  const hasOther = subject.rails.length > 1 || (payin.rail === 'PSE' && subject.fixedBank === null)
  // It was just asked for, and it is too late.
  if (subject.kind !== 'link' || !hasOther || step === 'late') return false
  return html`<form method="post" action="${address(context, { below: '/leave' })}">
<button class="plain" data-wait="${words.wait}">${words.open.other}</button>
<p class="soft">${words.open.otherHint}</p>
</form>`
}

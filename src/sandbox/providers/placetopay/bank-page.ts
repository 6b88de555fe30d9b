// The page that a payer's browser opens at the bank. It shows the payment and leads back to the shop. At the bank that waits, the payer
// decides here.

import { html } from '../../../core/html.ts'
import type { Answer } from '../../http.ts'
import { choiceButton, facts, page, pesos } from '../../page.ts'
import type { Transaction } from './transaction.ts'

export const noPage = (): Answer =>
  page('bank', 404, 'Aquí no hay ningún pago', html`<p>Revisa el enlace: este pago no existe.</p>`)

export const awaitsPayer = ({ step, steps }: Transaction): boolean =>
  step.status === 'PENDING' && steps.length === 0

export function bankPage(transaction: Transaction): Answer {
  const { reference, description, amount, bankName, step, returnUrl } = transaction
  const content = html`<p>${step.message}.</p>
${facts({
  Banco: bankName,
  Concepto: description,
  Referencia: reference,
  Valor: pesos(BigInt(Math.round(amount.total * 100))),
})}
${
  awaitsPayer(transaction) &&
  html`<form method="post">
${choiceButton('decision', 'approve', 'Aprobar', 'El dinero simulado va para el comercio.', true)}
${choiceButton('decision', 'reject', 'Rechazar', 'El comercio no recibe nada.')}
</form>`
}
<p><a class="button" href="${returnUrl}" rel="noreferrer">Volver al comercio</a></p>`
  return page('bank', 200, 'Pago por PSE de prueba', content)
}

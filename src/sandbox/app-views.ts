// The views of the simulated payer's app: the form for a key, what a key asks for, and its outcome.

import { type Html, html } from '../core/html.ts'
import type { CollectionRequest } from '../rails/breb/wire.ts'
import type { Answer } from './http.ts'
import { choiceButton, facts, hiddenFields, INVALID_FORM, page, pesos, textField } from './page.ts'
import type { Arrival, Payment, PaymentState } from './records.ts'

export function keyPage(typed: string, problem?: string): Answer {
  const field = {
    name: 'llave',
    label: 'Llave o contenido del QR',
    value: typed,
    hint: 'La llave empieza por @. El contenido del QR es un texto largo que empieza por 000201.',
    problem,
  }
  const content = html`<p>Haz de cuenta que es la app de tu banco o billetera: escribe la llave del cobro o pega lo que dice su QR.</p>
<form method="post">
${textField(field)}
<button>Ver a quién le pago</button>
</form>`
  return page('app', problem === undefined ? 200 : INVALID_FORM, 'Paga con Bre-B', content)
}

export type OtherAmount = { typed: string; problem: string }

export function collectionPage(
  collection: Payment,
  arrivals: readonly Arrival[],
  { hasJustPaid = false, other }: { hasJustPaid?: boolean; other?: OtherAmount } = {},
): Answer {
  const { state, key, reference, amountInCents } = collection
  const { merchantName } = JSON.parse(collection.request) as CollectionRequest
  const details = facts({
    Recibe: merchantName,
    Valor: pesos(amountInCents),
    Llave: key as string,
    Referencia: reference,
  })
  const hiddenInputs = hiddenFields({ llave: key as string, seen: String(arrivals.length) })
  const offer =
    state === 'open'
      ? openOffer(amountInCents, hiddenInputs, other)
      : lateOffer(state, amountInCents, hiddenInputs)
  const content = html`<p>${STATES[state].text}</p>
${details}
${arrivals.length > 0 && receipts(arrivals)}
${offer}
<p><a href="?">Usar otra llave</a></p>`
  return page(
    'app',
    other === undefined ? 200 : INVALID_FORM,
    hasJustPaid ? 'Pago hecho' : STATES[state].title,
    content,
  )
}

const STATES: Readonly<Record<PaymentState, { title: string; text: string }>> = {
  open: { title: 'Revisa y paga', text: 'Mira bien quién recibe y cuánto.' },
  paid: {
    title: 'Esta llave ya está pagada',
    text: 'El dinero simulado va para el comercio. Una llave de un solo uso deja de existir cuando se paga.',
  },
  rejected: {
    title: 'Esta llave ya no existe',
    text: 'El pago fue rechazado y su llave ya no sirve.',
  },
  canceled: { title: 'Esta llave ya no existe', text: 'El cobro fue cancelado y su llave ya no sirve.' },
  expired: { title: 'Esta llave ya no existe', text: 'El cobro venció y su llave ya no sirve.' },
}

function openOffer(amountInCents: bigint, hiddenInputs: Html, other?: OtherAmount): Html {
  const field = {
    name: 'amount',
    label: 'Otro valor, en pesos',
    value: other?.typed ?? '',
    hint: 'Por ejemplo, 50.000 o 50.000,50',
    problem: other?.problem,
    inputMode: 'decimal' as const,
  }
  return html`<form method="post">
${hiddenInputs}
${choiceButton('act', 'pay', `Pagar ${pesos(amountInCents)}`, 'El pago normal.', true)}
</form>
<h2>Pagos que no deberían pasar</h2>
<form method="post">
${hiddenInputs}
${textField(field)}
${choiceButton('act', 'pay-other', 'Pagar otro monto', 'Llega ese valor y no el que pide el cobro.')}
</form>
<form method="post">
${hiddenInputs}
${choiceButton('act', 'pay-twice', 'Pagar dos veces', 'Llegan dos pagos a la misma llave, cada uno con su comprobante.')}
</form>`
}

// A real network would refuse here. Testers want to see what happens to money that arrives anyway.
function lateOffer(state: PaymentState, amountInCents: bigint, hiddenInputs: Html): Html {
  const button =
    state === 'paid'
      ? choiceButton(
          'act',
          'pay-anyway',
          `Pagar otra vez ${pesos(amountInCents)}`,
          'Otro pago a una llave ya pagada.',
        )
      : choiceButton(
          'act',
          'pay-anyway',
          'Pagar de todos modos (dinero tardío)',
          `Llegan ${pesos(amountInCents)} aunque el cobro ya terminó.`,
        )
  return html`<form method="post">
${hiddenInputs}
${button}
</form>`
}

function receipts(arrivals: readonly Arrival[]): Html {
  const rows = arrivals.map(({ paymentId, amountInCents }) => {
    return html`<li>${pesos(amountInCents)}, comprobante ${paymentId}</li>\n`
  })
  return html`<h2>Pagos recibidos</h2>
<ol>${rows}</ol>`
}

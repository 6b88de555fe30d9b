// The simulated payer's app, where a Bre-B payer enters a key or the text of a QR code, then pays, pays another amount, or
// pays twice. Opening the page changes nothing. Whoever submits a key is a payer, and then the timer no longer decides.
// Submitting a form again does not pay again.

import { maximumInCents } from '../core/connections/rail.ts'
import { parseBrebKey } from '../core/directory/breb-key.ts'
import { type EmvProblem, readEmvPayload } from '../core/emv-qr.ts'
import { collectionPage, keyPage } from './app-views.ts'
import type { Answer, ParsedRequest } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { pay, payerOpensPayment } from './outcomes.ts'
import { pesos } from './page.ts'
import type { Payment } from './records.ts'

export function appPage(context: NetworkContext, request: ParsedRequest): Answer {
  if (request.method !== 'POST') return keyPage(request.query.get('llave') ?? '')
  const form = new URLSearchParams(request.body)
  const typed = form.get('llave') ?? ''
  const read = readTyped(typed)
  if ('problem' in read) return keyPage(typed, read.problem)
  const found = context.storage.collectionOfKey(read.key)
  if (found === undefined)
    return keyPage(typed, 'Ningún cobro usa esta llave. Esta app solo paga llaves de cobros de prueba.')
  return act(context, payerOpensPayment(context, found), form)
}

/** The key in what was typed or pasted, which may be the text of a QR code. */
function readTyped(typed: string): { key: string } | { problem: string } {
  const text = typed.trim()
  if (text === '') return { problem: 'Escribe una llave o pega el contenido de un QR.' }
  const reading = text.startsWith('000201') ? readEmvPayload(text) : undefined
  if (reading?.ok === false) return { problem: QR_PROBLEMS[reading.reason] }
  const key = parseBrebKey(reading?.ok ? reading.fields.key : text)?.keyString
  return key === undefined ? { problem: 'Esto no es una llave: las de cobro empiezan por @.' } : { key }
}

const QR_PROBLEMS: Readonly<Record<EmvProblem, string>> = {
  NOT_EMV: 'Este texto es demasiado largo para ser el contenido de un QR.',
  CRC_MISMATCH: 'El contenido del QR fue alterado: su suma de control no coincide.',
  MALFORMED: 'El contenido del QR está incompleto.',
  NOT_COP: 'Este QR no cobra en pesos colombianos.',
  NO_KEY: 'Este QR no trae una llave de Bre-B.',
  AMOUNT_INVALID: 'El valor de este QR no se puede leer.',
}

function act(context: NetworkContext, collection: Payment, form: URLSearchParams): Answer {
  const { state, reference, amountInCents } = collection
  const arrivals = () => context.storage.arrivals('collection', reference)
  const isOpen = state === 'open'
  const name = form.get('act')
  if (isOpen && name === 'pay') payTimes(context, collection, amountInCents, 1)
  else if (isOpen && name === 'pay-twice') payTimes(context, collection, amountInCents, 2)
  else if (isOpen && name === 'pay-other') {
    const typed = form.get('amount') ?? ''
    const other = readAmount(context, typed)
    if ('problem' in other)
      return collectionPage(collection, arrivals(), { other: { typed, problem: other.problem } })
    payTimes(context, collection, other.amountInCents, 1)
  } else if (!isOpen && name === 'pay-anyway' && form.get('seen') === String(arrivals().length))
    payTimes(context, collection, amountInCents, 1)
  else return collectionPage(collection, arrivals())
  return collectionPage({ ...collection, state: 'paid' }, arrivals(), { hasJustPaid: true })
}

function payTimes(
  context: NetworkContext,
  { reference }: Payment,
  amountInCents: bigint,
  times: number,
): void {
  const { storage, clock } = context
  storage.transaction(() => {
    for (let time = 0; time < times; time += 1)
      pay(context, storage.payment('collection', reference) as Payment, amountInCents, clock.now())
  })
}

/** 50000, 50.000 or $ 50.000,50. A point before fewer than three digits is ambiguous and refused. */
function readAmount(context: NetworkContext, typed: string): { amountInCents: bigint } | { problem: string } {
  const bare = typed.replaceAll(/[\s$]/g, '')
  const [, whole = '', cents = ''] = /^(\d{1,11}|\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/.exec(bare) ?? []
  const amountInCents = BigInt(whole.replaceAll('.', '') + cents.padEnd(2, '0'))
  if (amountInCents === 0n)
    return { problem: 'Escribe un valor en pesos mayor que cero, por ejemplo 50.000 o 50.000,50.' }
  const maximum = maximumInCents('BRE_B', context.clock.now(), 0n)
  return amountInCents > maximum
    ? { problem: `Bre-B permite hasta ${pesos(maximum)} por pago.` }
    : { amountInCents }
}

// What goes over the wire between Bold and us: requests, answers, refusals, signatures, and what Bold's words mean.

import { createHmac } from 'node:crypto'
import { findPseBank } from '../../src/core/directory/pse-bank.ts'
import { type Static, Type } from '../../src/core/json-schema.ts'
import { centsToPesos } from '../../src/core/money.ts'
import type { ReadRefusalCode } from '../../src/rails/gateway.ts'
import type { PayinOrder } from '../../src/rails/rail.ts'
import { meaningOf, NetworkText, orNull, ReferenceText, reader } from '../../src/rails/wire-format.ts'

export const BOLD_URL = 'https://api.online.payments.bold.co'

// A text says why the order cannot be written for Bold. What it calls companies and other documents is not confirmed.
export function requestsOf(order: PayinOrder) {
  const { reference, customer, source, amountInCents } = order
  if (source.rail !== 'PSE') throw new Error(`a ${source.rail} order was handed to Bold`)
  const bank = findPseBank(source.bank, false)
  if (customer === null) return 'PAYER_MISSING'
  if (bank === undefined || bank.achCode === null) return 'BANK_NOT_ACCEPTED'
  if (amountInCents % 100n !== 0n) return 'AMOUNT_NOT_IN_WHOLE_PESOS'
  if (source.personType !== 'INDIVIDUAL' || customer.idType !== 'CO_CC') return 'PAYER_NOT_ACCEPTED'
  const { name, phone, email, idNumber } = customer
  const document = { document_type: 'CEDULA', document_number: idNumber.replaceAll('.', '') }
  return {
    intent: {
      reference_id: reference,
      amount: { currency: 'COP', total_amount: centsToPesos(amountInCents) },
      description: `Pago a ${order.merchantName}`,
      callback_url: order.returnUrl,
      customer: { name, phone, email },
    },
    payment: {
      reference_id: reference,
      payer: { person_type: 'NATURAL_PERSON', name, phone, email, ...document },
      payment_method: { name: 'PSE', bank_code: Number(bank.achCode), bank_name: bank.name },
    },
  }
}

const Made = Type.Object({
  transaction_id: NetworkText,
  status: NetworkText,
  next_actions: Type.Optional(orNull(Type.Object({ redirect_url: Type.String() }))),
})
const Payment = Type.Object({
  transaction_id: NetworkText,
  status: NetworkText,
  reference_id: ReferenceText,
  amount: Type.Object({ currency: Type.Literal('COP'), total_amount: Type.Integer({ minimum: 1 }) }),
})
const Bank = Type.Object({ bank_code: Type.Integer(), bank_name: Type.String() })
const Sale = Type.Object({ reference: Type.String() })
export type Made = Static<typeof Made>
export type Payment = Static<typeof Payment>

export const readMade = reader(Type.Object({ payload: Made }))
export const readPayment = reader(Type.Object({ payload: Payment }))
export const readBanks = reader(Type.Object({ payload: Type.Object({ banks: Type.Array(Bank) }) }))

const readSale = reader(
  Type.Object({ type: NetworkText, data: Type.Object({ metadata: Type.Optional(orNull(Sale)) }) }),
)
export function readEvent(body: Buffer): ReturnType<typeof readSale> {
  try {
    return readSale(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
}

const readErrors = reader(
  Type.Object({ errors: Type.Array(Type.Object({ code: NetworkText }), { minItems: 1 }) }),
)
// A server in trouble, or one that does not let us in, says nothing about the order.
export const readRefusal: ReadRefusalCode = (json, httpStatus) =>
  httpStatus >= 500 || [403, 408, 429].includes(httpStatus) ? undefined : readErrors(json)?.errors[0]?.code

export type Meaning = 'open' | 'paid' | 'declined'

// Undefined for any other word: it leaves open whether money moved.
export function meaningOfStatus(status: string): Meaning | undefined {
  const meanings = { RUNNING: 'open', PROCESSING: 'open', APPROVED: 'paid', REJECTED: 'declined' } as const
  return meaningOf<Meaning>(meanings, status.toUpperCase())
}

export function boldSignature(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body.toString('base64')).digest('hex')
}

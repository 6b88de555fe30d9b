// A payment in each state that a payer can see, as the pages receive it.

import type { CheckoutPayin, CheckoutSubject } from '../../src/checkout/backend.ts'
import { emvPayload } from '../../src/core/emv-qr.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import type { Customer } from '../../src/core/people/customer.ts'
import type { PseOffer } from '../../src/flows/connections/pse-offer.ts'

// 3:35 in the afternoon in Bogotá.
export const NOW = Date.parse('2026-11-05T20:35:00.000Z')
export const CALLBACK_URL = 'https://shop.example/return?order=1042&from=a%20b'
export const BANK_URL = 'https://bank.example/session?id=1&token=2'

export const CUSTOMER: Customer = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}

// What PSE offers over each connection. Over any other it offers everything, and asks for nothing.
export const WOMPI = { connectionId: '019a5c3e-0000-7000-8000-00000000000a', provider: 'wompi' } as const
export const AWAY = { ...WOMPI, connectionId: '019a5c3e-0000-7000-8000-00000000000b' } as const
export const PLACETOPAY = {
  connectionId: '019a5c3e-0000-7000-8000-00000000000c',
  provider: 'placetopay',
} as const
export const TERMS = {
  provider: 'Wompi',
  links: [
    { kind: 'conditions', url: 'https://wompi.example/terminos.pdf?v=2&para=usuarios' },
    { kind: 'personal-data', url: 'https://wompi.example/datos.pdf' },
  ],
  digest: 'q7Yt0mGx1sVb4eKcR9uLzA',
} as const
export const OFFERS: Readonly<Record<string, PseOffer>> = {
  [WOMPI.connectionId]: { bankNumbers: new Set(['1007', '1051', '1040']), terms: TERMS },
  [AWAY.connectionId]: { bankNumbers: null, terms: 'away' },
  [PLACETOPAY.connectionId]: { bankNumbers: null, terms: null },
}

export function link(changes: Partial<CheckoutSubject> = {}): CheckoutSubject {
  return {
    kind: 'link',
    organizationId: '019a5c3e-0000-7000-8000-000000000001',
    merchant: {
      name: 'Café La Palma',
      taxId: '900.123.456-8',
      email: 'pagos@lapalma.example',
      phone: '+573001234567',
      logoUrl: null,
      accentColor: null,
    },
    amountInCents: 8_000_000n,
    reference: 'Pedido 1042',
    description: null,
    callbackUrl: CALLBACK_URL,
    expiresAt: NOW + 55 * MINUTE_MS,
    endedEarlyAt: null,
    status: 'PENDING',
    rails: ['BRE_B', 'PSE'],
    pse: null,
    fixedBank: null,
    customer: null,
    personType: null,
    payin: null,
    ...changes,
  }
}

const PAYIN: CheckoutPayin = {
  payinId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  rail: 'BRE_B',
  status: 'PROCESSING',
  errorCode: null,
  mayStillBePaid: false,
  amountInCents: 8_000_000n,
  confirmedAmountInCents: null,
  otherAmountInCents: null,
  awaitsPresence: false,
  newTermsSince: null,
  isReady: true,
  keyString: null,
  qrPayload: null,
  bank: null,
  bankUrl: null,
  traceId: null,
  createdAt: NOW - 2 * MINUTE_MS,
  updatedAt: NOW - 2 * MINUTE_MS,
  expiresAt: NOW + 13 * MINUTE_MS,
  resultAt: null,
}

export function brebPayin(changes: Partial<CheckoutPayin> = {}): CheckoutPayin {
  const keyString = '@RC7K2M9QX4TB5N'
  const qrPayload = emvPayload({
    key: keyString,
    amountInCents: 8_000_000n,
    merchantName: 'Café La Palma',
    merchantCity: 'BOGOTA',
    transactionId: keyString.slice(1),
  })
  return { ...PAYIN, keyString, qrPayload, ...changes }
}

export function psePayin(changes: Partial<CheckoutPayin> = {}): CheckoutPayin {
  return {
    ...PAYIN,
    rail: 'PSE',
    bank: 'CO_BANCOLOMBIA',
    bankUrl: BANK_URL,
    traceId: '1234567890',
    ...changes,
  }
}

// A PSE payin of the API whose provider wants its payer on our page.
export function awaitingPayin(changes: Partial<CheckoutSubject> = {}): CheckoutSubject {
  return link({
    kind: 'payin',
    rails: ['PSE'],
    pse: WOMPI,
    fixedBank: 'CO_BANCOLOMBIA',
    personType: 'INDIVIDUAL',
    customer: CUSTOMER,
    payin: psePayin({ status: 'PENDING', bankUrl: null, traceId: null, awaitsPresence: true }),
    ...changes,
  })
}

const confirmed = {
  status: 'CONFIRMED',
  confirmedAmountInCents: 8_000_000n,
  resultAt: NOW - MINUTE_MS,
} as const
const declined = { status: 'DECLINED', errorCode: 'INSUFFICIENT_FUNDS', resultAt: NOW - MINUTE_MS } as const

/** By the name of the page: the subject, and the step where the address has one. */
export const EVERY_STATE: Readonly<Record<string, { subject: CheckoutSubject; step?: string }>> = {
  choose: { subject: link() },
  'choose-customer-known': { subject: link({ customer: CUSTOMER }) },
  'choose-pse-only': { subject: link({ rails: ['PSE'], customer: CUSTOMER }) },
  'choose-bank-fixed': { subject: link({ rails: ['PSE'], customer: CUSTOMER, fixedBank: 'CO_NEQUI' }) },
  'choose-breb-only': { subject: link({ rails: ['BRE_B'] }) },
  'choose-again': { subject: link({ payin: psePayin(declined) }), step: 'retry' },
  'customer-missing': {
    subject: link({
      kind: 'payin',
      rails: ['PSE'],
      fixedBank: 'CO_BANCOLOMBIA',
      personType: 'INDIVIDUAL',
      payin: psePayin({ status: 'PENDING', bankUrl: null, traceId: null }),
    }),
  },
  terms: { subject: awaitingPayin() },
  'terms-customer-missing': { subject: awaitingPayin({ customer: null }) },
  'terms-away': { subject: awaitingPayin({ pse: AWAY }) },
  'presence-only': { subject: awaitingPayin({ pse: PLACETOPAY }) },
  'choose-terms': { subject: link({ pse: WOMPI }) },
  'choose-terms-pse-only': { subject: link({ rails: ['PSE'], pse: WOMPI }) },
  'choose-terms-away': { subject: link({ pse: AWAY }) },
  unavailable: { subject: link({ rails: [] }) },
  breb: { subject: link({ payin: brebPayin() }) },
  'breb-checked': { subject: link({ payin: brebPayin() }), step: 'checked' },
  'breb-key-only': {
    subject: link({ kind: 'payin', rails: ['BRE_B'], payin: brebPayin({ qrPayload: null }) }),
  },
  'breb-ending': {
    subject: link({ payin: brebPayin({ createdAt: NOW - 13 * MINUTE_MS, expiresAt: NOW + 2 * MINUTE_MS }) }),
  },
  'preparing-bank': {
    subject: link({ payin: psePayin({ status: 'PENDING', bankUrl: null, traceId: null }) }),
    step: 'go',
  },
  'preparing-key': { subject: link({ payin: brebPayin({ keyString: null, qrPayload: null }) }) },
  'registering-key': { subject: link({ payin: brebPayin({ isReady: false }) }) },
  'at-bank': { subject: link({ payin: psePayin() }) },
  confirming: { subject: link({ payin: psePayin() }), step: 'back' },
  'confirming-overdue': { subject: link({ payin: brebPayin({ expiresAt: NOW - MINUTE_MS }) }) },
  'approved-pse': { subject: link({ status: 'COMPLETED', payin: psePayin(confirmed) }) },
  'approved-breb': { subject: link({ status: 'COMPLETED', payin: brebPayin(confirmed) }) },
  'already-paid': {
    subject: link({
      status: 'COMPLETED',
      payin: psePayin({ ...confirmed, resultAt: NOW - 30 * MINUTE_MS }),
    }),
  },
  'declined-link': { subject: link({ payin: psePayin(declined) }) },
  'declined-payin': { subject: link({ kind: 'payin', status: 'DECLINED', payin: psePayin(declined) }) },
  'declined-maybe-debited': { subject: link({ payin: psePayin({ ...declined, errorCode: 'RAIL_ERROR' }) }) },
  'declined-other-amount': {
    subject: link({
      payin: brebPayin({ ...declined, errorCode: 'AMOUNT_MISMATCH', otherAmountInCents: 7_950_000n }),
    }),
  },
  'declined-unknown-amount': {
    subject: link({ payin: brebPayin({ ...declined, errorCode: 'AMOUNT_MISMATCH' }) }),
  },
  canceled: {
    subject: link({ payin: psePayin({ ...declined, status: 'CANCELED', errorCode: 'CANCELED_BY_PAYER' }) }),
  },
  'canceled-still-closing': {
    subject: link({
      payin: psePayin({
        ...declined,
        status: 'CANCELED',
        errorCode: 'CANCELED_BY_MERCHANT',
        mayStillBePaid: true,
      }),
    }),
  },
  'canceled-by-merchant': {
    subject: link({
      kind: 'payin',
      status: 'CANCELED',
      payin: brebPayin({ ...declined, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' }),
    }),
  },
  'canceled-without-key': {
    subject: link({
      kind: 'payin',
      status: 'CANCELED',
      payin: brebPayin({
        ...declined,
        status: 'CANCELED',
        errorCode: 'CANCELED_BY_MERCHANT',
        keyString: null,
        qrPayload: null,
      }),
    }),
  },
  lapsed: { subject: link({ payin: brebPayin({ ...declined, status: 'CANCELED', errorCode: 'EXPIRED' }) }) },
  'lapsed-breb-only': {
    subject: link({
      rails: ['BRE_B'],
      payin: brebPayin({ ...declined, status: 'CANCELED', errorCode: 'EXPIRED' }),
    }),
  },
  expired: { subject: link({ status: 'EXPIRED', expiresAt: NOW - 5 * MINUTE_MS }) },
  'ended-early': { subject: link({ status: 'EXPIRED', endedEarlyAt: NOW - 3 * MINUTE_MS }) },
  'ended-early-at-bank': {
    subject: link({
      status: 'EXPIRED',
      endedEarlyAt: NOW - 3 * MINUTE_MS,
      payin: psePayin({
        ...declined,
        status: 'CANCELED',
        errorCode: 'CANCELED_BY_MERCHANT',
        mayStillBePaid: true,
      }),
    }),
  },
}

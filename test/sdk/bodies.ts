// Bodies that are accepted unchanged, with the client's types.

import { randomUUID } from 'node:crypto'
import type { CreatePayin, CreatePaymentLink, CreatePayout, InlineCustomer } from '../../sdk/src/recaudo.ts'

const CUSTOMER: InlineCustomer = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  // The simulated networks leave this customer's payments open until a simulation decides.
  idNumber: '1000000007',
  phone: '+573001234567',
  email: 'ana@example.com',
}

export function newPayin(changes: Partial<CreatePayin> = {}): CreatePayin {
  return {
    amountInCents: 5_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: randomUUID(),
    inlineCustomer: CUSTOMER,
    breb: { keyType: 'SINGLE_USE' },
    ...changes,
  } as CreatePayin
}

export function newPayout(changes: Partial<CreatePayout> = {}): CreatePayout {
  return {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: randomUUID(),
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
    ...changes,
  }
}

export function newLink(changes: Partial<CreatePaymentLink> = {}): CreatePaymentLink {
  return {
    amountType: 'FIXED',
    amountInCents: 100_000,
    reference: randomUUID(),
    callbackUrl: 'https://shop.example/return',
    ...changes,
  }
}

// What is sold by a page, to whoever opens it: while it can be paid, when a choice was wrong, and when nothing can be begun.

import {
  type PaymentPageContext,
  paymentPage,
  stoppedPage,
} from '../../../src/checkout/pages/payment-page.ts'
import {
  newPaymentPage,
  type PageTerms,
  type PaymentPage,
} from '../../../src/core/payment-pages/payment-page.ts'
import { link, NOW } from '../subjects.ts'
import { newPageSetting, pageTranscriptOf } from './setting.ts'
import type { PageTranscripts } from './transcript.ts'

const TERMS: PageTerms = {
  name: 'Taza de la casa',
  description: null,
  items: null,
  image: null,
  metadata: null,
  amountInCents: 2_500_050n,
  minAmountInCents: null,
  maxAmountInCents: null,
  reference: 'tazas',
  callbackUrl: null,
  rail: null,
  validUntil: null,
  maxPayments: null,
  maxPieces: null,
}
const TYPED = { amountInCents: null, minAmountInCents: 200_000n, maxAmountInCents: 90_000_000n } as const
const PAYABLE = [{ leastInCents: 100_000n, mostInCents: 50_000_000n }]
const PICTURE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'

type Language = 'es' | 'en'
type Changes = Partial<PaymentPage>
type Form = NonNullable<Parameters<typeof paymentPage>[1]>

const typed = (choice: { amount?: string; pieces?: string }): Form['typed'] => ({
  amount: '',
  pieces: '',
  form: '',
  ...choice,
})

const OPEN: Readonly<Record<string, { page: Changes; form?: Form }>> = {
  'of a price': { page: {} },
  'with all that can be said of it': {
    page: {
      description: 'Hecha a mano.',
      image: PICTURE,
      items: [
        { name: 'Taza', quantity: 2, unitAmountInCents: 1_000_000 },
        { name: 'Plato', quantity: 1, unitAmountInCents: 500_050 },
      ],
      validUntil: NOW + 86_400_000,
    },
  },
  'of pieces': { page: { maxPieces: 5 } },
  'of the last piece': { page: { maxPieces: 5, paidPieces: 4 } },
  'of more pieces than one may take': { page: { maxPieces: 500 } },
  'of few payments': { page: { maxPayments: 3 } },
  'of an amount that is typed': { page: TYPED },
  'too few pieces were free': {
    page: { maxPieces: 5 },
    form: { typed: typed({ pieces: '7' }), wrong: 'pieces' },
  },
  'so many pieces cost too much': {
    page: { maxPieces: 5 },
    form: { typed: typed({ pieces: '5' }), wrong: 'not-payable' },
  },
  'an amount that it does not take': {
    page: TYPED,
    form: { typed: typed({ amount: '1' }), wrong: 'amount' },
  },
  'an amount that no rail takes': {
    page: TYPED,
    form: { typed: typed({ amount: '900.000' }), wrong: 'not-payable' },
  },
  'a picture from elsewhere is not shown': { page: { image: 'https://elsewhere.example/a.png' } },
  'is closed': { page: { status: 'CLOSED' } },
  'is sold out': { page: { status: 'SOLD_OUT' } },
  'is over': { page: { validUntil: NOW } },
  'costs more than any rail takes': { page: { amountInCents: 99_000_000n } },
}

export function sellingPageTranscripts(language: Language): PageTranscripts {
  const setting = newPageSetting(language, '/page/{token}')
  const contextOf = (changes: Changes): PaymentPageContext => ({
    ...setting,
    page: { ...newPaymentPage('019a5c3e-0000-7000-8000-000000000001', PAGE_ID, TOKEN, TERMS), ...changes },
    merchant: link().merchant,
    payable: PAYABLE,
    form: 'form-of-the-page',
    now: NOW,
  })
  const pages = Object.entries(OPEN).map(([name, { page, form }]) => [
    name,
    pageTranscriptOf(setting, paymentPage(contextOf(page), form)),
  ])
  const held = pageTranscriptOf(setting, stoppedPage(contextOf({}), 'held'))
  return Object.fromEntries([...pages, ['is held by others', held]])
}

const PAGE_ID = '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90'
const TOKEN = Buffer.alloc(16, 7)

// The payment pages that the documentation shows.

const items = [
  { name: 'Bag of coffee, 500 g', quantity: 2, unitAmountInCents: 3_200_000 },
  { name: 'Delivery', quantity: 1, unitAmountInCents: 800_000 },
]

const fixed = {
  name: 'Coffee for the month',
  description: 'Two bags, roasted on Thursday, delivered on Friday.',
  items,
  amountType: 'FIXED',
  amountInCents: 7_200_000,
  reference: 'coffee-november',
  maxPieces: 40,
}

const open = {
  name: 'Tip jar',
  amountType: 'OPEN',
  minAmountInCents: 200_000,
  maxAmountInCents: 10_000_000,
  reference: 'tips',
}

const page = {
  paymentPageId: '019a5c44-5e6f-7a81-8c93-9d0e1f2a3b4c',
  paymentPageUrl: 'http://127.0.0.1:4000/page/AZpcPgAAcACAAAAAAAAAATn0c0d5cZ3m1Yk2Qb8Vt4w',
  status: 'OPEN',
  name: 'Coffee for the month',
  description: 'Two bags, roasted on Thursday, delivered on Friday.',
  items,
  amountType: 'FIXED',
  amount: 72_000,
  amountInCents: 7_200_000,
  minAmountInCents: null,
  maxAmountInCents: null,
  currency: 'COP',
  reference: 'coffee-november',
  metadata: null,
  callbackUrl: null,
  rail: null,
  validUntil: null,
  maxPayments: null,
  maxPieces: 40,
  openPayments: 0,
  openPieces: 0,
  paidPayments: 0,
  paidPieces: 0,
  paidAmountInCents: 0,
  createdAt: '2025-11-07T13:06:00.303Z',
  updatedAt: '2025-11-07T13:06:00.303Z',
  image: null,
}

const closed = { ...page, status: 'CLOSED', updatedAt: '2025-11-30T23:00:00.000Z' }
const more = { maxPieces: 60 }

const list = {
  data: [page],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}

export const PAGE_EXAMPLES = { fixed, open, page, closed, more, list }

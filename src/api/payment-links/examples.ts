// The payment links that the documentation shows.

const customer = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}

const open = {
  amountType: 'FIXED',
  amountInCents: 5_000_000,
  reference: 'order-2001',
  description: 'Two bags of coffee',
  callbackUrl: 'https://shop.example/return',
}

const restricted = { ...open, reference: 'order-2002', rail: 'BRE_B', inlineCustomer: customer }
const bank = { ...open, reference: 'order-2003', rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA' } }

const link = {
  paymentLinkId: '019a5c42-3c4d-7e5f-8a61-7b8c9d0e1f2a',
  paymentLinkUrl: 'http://127.0.0.1:4000/pay/AZpcPgAAcACAAAAAAAAAATn0c0d5cZ3m1Yk2Qb8Vt4w',
  status: 'PENDING',
  amountType: 'FIXED',
  amount: 50_000,
  amountInCents: 5_000_000,
  currency: 'COP',
  reference: 'order-2001',
  description: 'Two bags of coffee',
  metadata: null,
  callbackUrl: 'https://shop.example/return',
  rail: null,
  inlineCustomer: null,
  pse: null,
  paymentPageId: null,
  createdAt: '2025-11-07T13:03:00.300Z',
  updatedAt: '2025-11-07T13:03:00.300Z',
  expiresAt: '2025-11-07T14:03:00.300Z',
  completedAt: null,
}

const expired = { ...link, status: 'EXPIRED', updatedAt: '2025-11-07T13:20:00.000Z' }

const page = {
  data: [link],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}

export const LINK_EXAMPLES = { open, restricted, bank, link, expired, page }

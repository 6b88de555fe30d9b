// The payins that the documentation shows. A test creates them for real and compares the responses.

const ORGANIZATION = '019a5c3e-0000-7000-8000-000000000001'
const PAGE = 'http://127.0.0.1:4000/pay/AZpcPgAAcACAAAAAAAAAAQGaXD57H3wqnU4_GypsjZBqJ0d5cZ3m1Yk2Qb8Vt4wR'

const customer = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}

const createBreb = {
  amountInCents: 5_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'order-1001',
  inlineCustomer: customer,
  breb: { keyType: 'SINGLE_USE' },
}

const createQr = { ...createBreb, reference: 'order-1002', breb: { keyType: 'QR_CODE' } }

const createPse = {
  amountInCents: 12_500_050,
  currency: 'COP',
  rail: 'PSE',
  reference: 'order-1003',
  inlineCustomer: customer,
  pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
  callbackUrl: 'https://shop.example/return',
}

const breb = {
  id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  amount: 50_000,
  amountInCents: 5_000_000,
  confirmedAmount: null,
  confirmedAmountInCents: null,
  currency: 'COP',
  status: 'PROCESSING',
  settlementStatus: null,
  rail: 'BRE_B',
  reference: 'order-1001',
  description: null,
  metadata: null,
  paymentLinkId: null,
  inlineCustomer: customer,
  errorCode: null,
  createdAt: '2025-11-07T13:00:00.031Z',
  updatedAt: '2025-11-07T13:00:00.031Z',
  expiresAt: '2025-11-07T13:15:00.031Z',
  resultAt: null,
  chargebackAt: null,
  chargebackAmountInCents: null,
  refundedAmountInCents: 0,
  organizationId: ORGANIZATION,
  sourceData: { keyType: 'SINGLE_USE', keyString: '@RC7K2M9QX4TB5N', checkoutUrl: PAGE },
  callbackUrl: null,
}

const pse = {
  ...breb,
  id: '019a5c3f-1a2b-7d3c-8e4f-5a6b7c8d9e0f',
  amount: 125_000.5,
  amountInCents: 12_500_050,
  status: 'PENDING',
  rail: 'PSE',
  reference: 'order-1003',
  sourceData: { bank: 'CO_BANCOLOMBIA', pseUrl: PAGE },
  callbackUrl: 'https://shop.example/return',
}

const canceled = {
  ...breb,
  status: 'CANCELED',
  errorCode: 'CANCELED_BY_MERCHANT',
  updatedAt: '2025-11-07T13:04:10.500Z',
  resultAt: '2025-11-07T13:04:10.500Z',
}

const page = {
  data: [{ ...pse, inlineCustomer: customer.name }],
  pageInfo: { hasNext: true, hasPrevious: false, nextCursor: 'AAGaXD8aK30…', previousCursor: null },
}

export const PAYIN_EXAMPLES = { createBreb, createQr, createPse, breb, pse, canceled, page }

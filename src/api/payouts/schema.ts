// Schemas of payout requests and responses.

import { KEY_MAX_LENGTH } from '../../core/directory/breb-key.ts'
import { Type } from '../../core/json-schema.ts'
import { PAYOUT_ERROR_CODES, PAYOUT_STATUSES } from '../../core/payouts/payout.ts'
import { NOTE_FIELDS, SHOWN_NOTE_FIELDS } from '../http/note-schema.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'
import { AmountInCents, InlineCustomer, REFERENCE_MAX_LENGTH, ShownCustomer } from '../payins/schema.ts'

export const PayoutKey = Type.Object(
  {
    keyString: Text(KEY_MAX_LENGTH, {
      description: 'The Bre-B key to pay to: the one that was looked up.',
      examples: ['@ANAGOMEZ'],
    }),
  },
  {
    description:
      'Where the money goes. A `keyType` is ignored. So is a `pse` object beside this one, whatever it holds: payouts travel over Bre-B only.',
  },
)

export const CreatePayout = Type.Object({
  amountInCents: AmountInCents,
  currency: OneOf(['COP'] as const),
  rail: OneOf(['BRE_B'] as const, { description: 'Payouts travel over Bre-B only.' }),
  reference: Text(REFERENCE_MAX_LENGTH, {
    description: 'The merchant’s own name for this payout; it need not be unique.',
    examples: ['salary-2026-11'],
  }),
  ...NOTE_FIELDS,
  inlineCustomer: InlineCustomer,
  breb: PayoutKey,
})

export const PayoutSource = Type.Object({
  keyString: Type.String({ description: 'The destination key, as it was sent.', examples: ['@anagomez'] }),
  canonicalKeyString: Type.String({
    description: 'The same key in canonical form, as a look-up answers it.',
    examples: ['@ANAGOMEZ'],
  }),
})

export const PayoutObject = Type.Object({
  id: Uuid('Identifier of the payout.'),
  amount: Type.Number({ description: 'Amount in pesos: `amountInCents / 100`.', examples: [50_000] }),
  amountInCents: Type.Integer({ examples: [5_000_000] }),
  currency: OneOf(['COP'] as const),
  status: OneOf(PAYOUT_STATUSES, { description: 'Where the payout stands. All but the first are final.' }),
  stage: Type.Unsafe<'AWAITING_APPROVAL' | null>({
    type: ['string', 'null'],
    enum: ['AWAITING_APPROVAL', null],
    description:
      '`AWAITING_APPROVAL` while people must approve it: its money is reserved, and it is not sent. Else null.',
  }),
  rail: OneOf(['BRE_B'] as const),
  reference: Type.String(),
  ...SHOWN_NOTE_FIELDS,
  inlineCustomer: ShownCustomer,
  errorCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...PAYOUT_ERROR_CODES, null],
    description: 'Why no money was sent, or null.',
  }),
  missingAmountInCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Only where `errorCode` is `INSUFFICIENT_FUNDS` and our balance was short: what it lacked when the payout was to be reserved.',
    }),
  ),
  feeInCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Only where a fee is set: what the payout costs beside its amount. It is set aside with the amount, booked when the payout is confirmed, and stays if the money comes back later.',
    }),
  ),
  feeTaxInCents: Type.Optional(Type.Integer({ minimum: 0, description: 'The IVA on the fee.' })),
  createdAt: DateTime('When the payout was created.'),
  updatedAt: DateTime('When it last changed.'),
  resultAt: Nullable(DateTime('When the outcome was known; null until then.')),
  returnedAt: Nullable(
    DateTime('When the money of a confirmed payout came back; null if it did not. It is available again.'),
  ),
  refundId: Type.Optional(Uuid('The refund that it pays. Absent where it pays none.')),
  organizationId: Uuid('The organization that pays.'),
  sourceData: PayoutSource,
})

export const PayoutList = Type.Object({ data: Type.Array(PayoutObject), pageInfo: PageInfoObject })

const customer = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}

const create = {
  amountInCents: 5_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'salary-2026-11',
  inlineCustomer: customer,
  breb: { keyString: '@ANAGOMEZ' },
}

const payout = {
  id: '019a5c40-2b3c-7d4e-8f50-6a7b8c9d0e1f',
  amount: 50_000,
  amountInCents: 5_000_000,
  currency: 'COP',
  status: 'PROCESSING',
  stage: null,
  rail: 'BRE_B',
  reference: 'salary-2026-11',
  description: null,
  metadata: null,
  inlineCustomer: customer,
  errorCode: null,
  createdAt: '2025-11-07T13:01:30.300Z',
  updatedAt: '2025-11-07T13:01:30.300Z',
  resultAt: null,
  returnedAt: null,
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
  sourceData: { keyString: '@ANAGOMEZ', canonicalKeyString: '@ANAGOMEZ' },
}

const canceled = {
  ...payout,
  status: 'CANCELED',
  errorCode: 'CANCELED_BY_MERCHANT',
  updatedAt: '2025-11-07T13:01:31.000Z',
  resultAt: '2025-11-07T13:01:31.000Z',
  returnedAt: null,
}

const page = {
  data: [payout],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}

export const PAYOUT_EXAMPLES = { create, payout, canceled, page }

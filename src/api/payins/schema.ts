// Schemas of payin requests and responses.

import { RAILS } from '../../core/connections/rail.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { ID_TYPES } from '../../core/identity-document.ts'
import { Type } from '../../core/json-schema.ts'
import { KEY_TYPES, PAYIN_ERROR_CODES, PAYIN_STATUSES, PERSON_TYPES } from '../../core/payins/payin.ts'
import { ERASED, UNREADABLE } from '../../core/people/sealed.ts'
import { NOTE_FIELDS, SHOWN_NOTE_FIELDS } from '../http/note-schema.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

export const REFERENCE_MAX_LENGTH = 255
export const URL_MAX_LENGTH = 2_048

export const AmountInCents = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment.',
  examples: [5_000_000],
})

export const InlineCustomer = Type.Object(
  {
    name: Text(NAME_MAX_LENGTH, { description: 'Full name of the customer.', examples: ['Ana María Gómez'] }),
    idType: OneOf(ID_TYPES, { description: 'Document type.' }),
    idNumber: Type.String({
      minLength: 1,
      maxLength: 20,
      pattern: '^[\\p{L}\\p{N}.-]+$',
      description: 'Document number. Where a NIT carries its check digit after a dash, the digit is checked.',
      examples: ['1000000001'],
    }),
    phone: Type.String({
      maxLength: 16,
      format: 'phone',
      description: 'International form with a leading plus sign.',
      examples: ['+573001234567'],
    }),
    email: Type.String({ maxLength: EMAIL_MAX_LENGTH, format: 'email', examples: ['ana@example.com'] }),
  },
  { description: 'The payer, as the merchant knows them.' },
)

// In answers and events. Not every field has the form that requests need: each may say instead why it cannot be shown.
export const ShownCustomer = Type.Object(
  {
    name: Type.String({ description: 'Full name of the customer.', examples: ['Ana María Gómez'] }),
    idType: OneOf([...ID_TYPES, ERASED, UNREADABLE], { description: 'Document type.' }),
    idNumber: Type.String({ description: 'Document number.', examples: ['1000000001'] }),
    phone: Type.String({ description: 'International form.', examples: ['+573001234567'] }),
    email: Type.String({ examples: ['ana@example.com'] }),
  },
  {
    description:
      'The customer, as sent. Every field is `ERASED` once the person’s data was erased, and `UNREADABLE` if the key that sealed it is gone.',
  },
)

export const PseDetails = Type.Object(
  {
    bank: Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'printable',
      description: 'A bank code or alias of `GET /pse/banks`, returned as sent.',
      examples: ['CO_BANCOLOMBIA'],
    }),
    personType: OneOf(PERSON_TYPES, { description: 'Whether the payer is a person or a company.' }),
  },
  {
    description:
      'Required when `rail` is `PSE`. With `BRE_B` the server drops it unread, whatever it holds: it is neither checked nor stored.',
  },
)

export const BrebDetails = Type.Object(
  {
    keyType: OneOf(KEY_TYPES, {
      description: 'With `SINGLE_USE` you get only the generated key, with `QR_CODE` also its image.',
    }),
  },
  {
    description:
      'Required when `rail` is `BRE_B`. With `PSE` the server drops it unread, whatever it holds: it is neither checked nor stored. A `keyString` is ignored: the key is ours.',
  },
)

export const CreatePayin = Type.Object(
  {
    amountInCents: AmountInCents,
    currency: OneOf(['COP'] as const),
    rail: OneOf(RAILS, { description: 'The network the payer pays over.' }),
    reference: Text(REFERENCE_MAX_LENGTH, {
      description: 'The merchant’s own name for this payment, unique within the organization.',
      examples: ['order-1001'],
    }),
    ...NOTE_FIELDS,
    inlineCustomer: Type.Optional(InlineCustomer),
    pse: Type.Optional(PseDetails),
    breb: Type.Optional(BrebDetails),
    callbackUrl: Type.Optional(
      Type.String({
        maxLength: URL_MAX_LENGTH,
        format: 'web-address',
        description:
          'Where the payer’s browser returns to. It proves nothing: the outcome comes as an event.',
        examples: ['https://shop.example/return'],
      }),
    ),
  },
  {
    allOf: [
      { if: { properties: { rail: { const: 'PSE' } }, required: ['rail'] }, then: { required: ['pse'] } },
      { if: { properties: { rail: { const: 'BRE_B' } }, required: ['rail'] }, then: { required: ['breb'] } },
    ],
  },
)

export const BrebSource = Type.Object({
  keyType: OneOf(KEY_TYPES),
  keyString: Type.String({
    description: 'The Bre-B key to pay to, valid only for this payin.',
    examples: ['@RC7K2M9QX4TB5N'],
  }),
  checkoutUrl: Type.String({ description: 'A page of ours on which the payer can pay.' }),
  qrString: Type.Optional(
    Type.String({
      description: 'Only with `QR_CODE`: a PNG as a data URI, holding key and amount as an EASPBV payload.',
    }),
  ),
  qrPayload: Type.Optional(
    Type.String({
      description:
        'Only with `QR_CODE`: the text that the image holds, for a code that you draw yourself. It ends with its checksum.',
    }),
  ),
})

export const PseSource = Type.Object({
  bank: Type.String({ examples: ['CO_BANCOLOMBIA'] }),
  pseUrl: Type.String({ description: 'Send the payer here: a page of ours that leads on to the bank.' }),
})

const PAYIN_FIELDS = {
  id: Uuid('Identifier of the payin.'),
  amount: Type.Number({ description: 'Amount in pesos: `amountInCents / 100`.', examples: [50_000] }),
  amountInCents: Type.Integer({ examples: [5_000_000] }),
  confirmedAmount: Nullable(Type.Number({ description: 'What arrived, in pesos; null until confirmed.' })),
  confirmedAmountInCents: Nullable(
    Type.Integer({ description: 'What arrived, in cents; null until confirmed.' }),
  ),
  currency: OneOf(['COP'] as const),
  status: OneOf(PAYIN_STATUSES as readonly string[], {
    description: 'Where the payin stands. The last three are final.',
  }),
  settlementStatus: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: ['PENDING_SETTLEMENT', 'SETTLED', 'REVERSED', null],
    description: 'Null until the payin is confirmed.',
  }),
  rail: OneOf(RAILS),
  reference: Type.String(),
  ...SHOWN_NOTE_FIELDS,
  paymentLinkId: Nullable(Uuid('Set when the payin was made on a payment link’s page.')),
  errorCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...PAYIN_ERROR_CODES, null],
    description: 'Why it was not paid, or null.',
  }),
  createdAt: DateTime('When the payin was created.'),
  updatedAt: DateTime('When it last changed.'),
  expiresAt: DateTime('When it ends as `CANCELED` (`EXPIRED`) if nobody has paid.'),
  resultAt: Nullable(DateTime('When the outcome was known; null until then.')),
  chargebackAt: Nullable(DateTime('When money was taken back; null unless it was.')),
  chargebackAmountInCents: Nullable(
    Type.Integer({
      description:
        'How much was taken back, in cents; null unless it was. Less than was confirmed: the rest is settled.',
    }),
  ),
  refundedAmountInCents: Type.Integer({
    description: 'How much refunds have given back, in cents. Refunds that are still open do not count.',
  }),
  organizationId: Uuid('The organization that owns the payin.'),
  callbackUrl: Nullable(Type.String()),
}

const SourceData = Type.Unsafe({
  anyOf: [BrebSource, PseSource],
  description: 'What the payer needs, by rail.',
})

export const PayinObject = Type.Object({
  ...PAYIN_FIELDS,
  inlineCustomer: Nullable(ShownCustomer),
  sourceData: SourceData,
})

export const PayinListItem = Type.Object(
  {
    ...PAYIN_FIELDS,
    inlineCustomer: Nullable(
      Type.String({ description: 'The customer’s name, or `ERASED` or `UNREADABLE`.' }),
    ),
    sourceData: SourceData,
  },
  { description: 'A payin as lists show it: `inlineCustomer` is the customer’s name.' },
)

export const PayinList = Type.Object({ data: Type.Array(PayinListItem), pageInfo: PageInfoObject })

// Schemas of payment page requests and responses.

import { RAILS } from '../../core/connections/rail.ts'
import { NAME_MAX_LENGTH } from '../../core/contact.ts'
import { Type } from '../../core/json-schema.ts'
import { LOGO_MAX_LENGTH, LOGO_PATTERN } from '../../core/organizations/organization.ts'
import { MAX_PIECES_PER_PAYMENT, PAYMENT_PAGE_STATUSES } from '../../core/payment-pages/payment-page.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../core/people/note.ts'
import { Metadata } from '../http/note-schema.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'
import { AmountInCents, REFERENCE_MAX_LENGTH, URL_MAX_LENGTH } from '../payins/schema.ts'

const MAX_ITEMS = 20
const MAX_COUNT = 1_000_000

const PageItem = Type.Object({
  name: Text(NAME_MAX_LENGTH, { examples: ['Bag of coffee, 500 g'] }),
  quantity: Type.Integer({ minimum: 1, maximum: 10_000 }),
  unitAmountInCents: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})

const cents = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })
const count = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_COUNT, description })

const Name = Text(NAME_MAX_LENGTH, {
  description: 'What is sold. The payer reads it on the page, on their receipt and at their bank.',
  examples: ['Coffee for the month'],
})
const Reference = Text(REFERENCE_MAX_LENGTH, {
  description: 'The merchant’s own name for the page; every link that the page makes has it.',
  examples: ['coffee-november'],
})
// What may be left out, and taken away again.
const OPTIONAL = {
  description: Text(DESCRIPTION_MAX_LENGTH, {
    description: 'More about it; markup is only text. Everybody who has the address reads it.',
  }),
  items: Type.Array(PageItem, {
    minItems: 1,
    maxItems: MAX_ITEMS,
    description: 'What the amount is made of. They must add up to it.',
  }),
  image: Type.String({
    maxLength: LOGO_MAX_LENGTH,
    pattern: LOGO_PATTERN,
    description:
      'A picture as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64). It travels in the page: payers’ browsers ask nobody else for it.',
  }),
  metadata: Metadata,
  minAmountInCents: cents('With `OPEN`: the least that a payer may type.'),
  maxAmountInCents: cents('With `OPEN`: the most that a payer may type. At most what the rail carries.'),
  callbackUrl: Type.String({
    maxLength: URL_MAX_LENGTH,
    format: 'web-address',
    description: 'Where payers go in the end. Without it they come back to the page.',
  }),
  validUntil: Type.String({
    format: 'date-time',
    description:
      'From then on nobody can begin to pay. Without it the page is good for ever. `status` stays `OPEN`: a later date opens it again.',
    examples: ['2030-11-30T23:00:00.000Z'],
  }),
  maxPayments: count('At most so many payments.'),
  maxPieces: count(
    `With \`FIXED\`: at most so many pieces, each for the amount. The payer says how many, up to ${MAX_PIECES_PER_PAYMENT} at once.`,
  ),
}
type Optional = typeof OPTIONAL

const optional = Object.fromEntries(
  Object.entries(OPTIONAL).map(([name, schema]) => [name, Type.Optional(schema)]),
) as unknown as { [Name in keyof Optional]: ReturnType<typeof Type.Optional<Optional[Name]>> }
const nullable = Object.fromEntries(
  Object.entries(OPTIONAL).map(([name, schema]) => [name, Nullable(schema)]),
) as { [Name in keyof Optional]: ReturnType<typeof Nullable> }

export const CreatePaymentPage = Type.Object({
  name: Name,
  amountType: OneOf(['FIXED', 'OPEN'] as const, {
    description: '`FIXED`: every piece costs `amountInCents`. `OPEN`: the payer types the amount.',
  }),
  amountInCents: Type.Optional(AmountInCents),
  reference: Reference,
  rail: Type.Optional(OneOf(RAILS, { description: 'Restricts the page to this rail.' })),
  ...optional,
})

export const PaymentPageChanges = Type.Partial(
  Type.Object({ name: Name, amountInCents: AmountInCents, reference: Reference, ...nullable }),
)

const counted = (description: string) => Type.Integer({ minimum: 0, description })

const PAGE_FIELDS = {
  paymentPageId: Uuid('Identifier of the payment page.'),
  paymentPageUrl: Type.String({ description: 'Its public address: for chats, posters and counters.' }),
  status: OneOf(PAYMENT_PAGE_STATUSES, {
    description:
      '`SOLD_OUT` once everything that it has was paid; it is `OPEN` again when it has more. `CLOSED` is final.',
  }),
  name: Name,
  description: nullable.description,
  items: Nullable(Type.Array(PageItem)),
  amountType: OneOf(['FIXED', 'OPEN'] as const),
  amount: Nullable(Type.Number({ description: 'Amount in pesos; null where the payer types it.' })),
  amountInCents: Nullable(Type.Integer({ description: 'The same in cents.' })),
  minAmountInCents: nullable.minAmountInCents,
  maxAmountInCents: nullable.maxAmountInCents,
  currency: OneOf(['COP'] as const),
  reference: Type.String(),
  metadata: Nullable(
    Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  ),
  callbackUrl: Nullable(Type.String()),
  rail: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...RAILS, null],
    description: 'Null when the payer chooses.',
  }),
  validUntil: Nullable(DateTime('From then on nobody can begin to pay.')),
  maxPayments: nullable.maxPayments,
  maxPieces: nullable.maxPieces,
  openPayments: counted('Links of the page that are open now, and hold what they want of it.'),
  openPieces: counted('Pieces that these hold.'),
  paidPayments: counted('Links of the page that were paid.'),
  paidPieces: counted('Pieces that these had.'),
  paidAmountInCents: counted('What these brought, in cents.'),
  createdAt: DateTime('When the page was made.'),
  updatedAt: DateTime('When it was last changed or paid.'),
}

export const PaymentPageObject = Type.Object({ ...PAGE_FIELDS, image: nullable.image })
export const PaymentPageList = Type.Object({ data: Type.Array(PaymentPageObject), pageInfo: PageInfoObject })

// In events, without the image.
export const PaymentPageEventData = Type.Object({
  ...PAGE_FIELDS,
  payment: Nullable(
    Type.Object(
      {
        paymentLinkId: Uuid('The link that was paid. Its payins tell more.'),
        amount: Type.Number(),
        amountInCents: Type.Integer(),
        pieces: Type.Integer(),
        completedAt: DateTime('When it was paid.'),
      },
      { description: 'In `paymentpage.paid`: what was paid. Null in the other events.' },
    ),
  ),
})

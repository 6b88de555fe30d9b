// Schemas of receipts and evidence, and the examples that the documentation shows.

import { Type } from '../../core/json-schema.ts'
import { PAYOUT_STATUSES } from '../../core/payouts/payout.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'
import { PAYIN_EXAMPLES } from '../payins/examples.ts'
import { PAYOUT_EXAMPLES } from '../payouts/schema.ts'

const Statement = Type.String({
  description: 'The signed statement: `recaudo1.{key id}.{receipt id}.{facts}.{signature}`, Ed25519.',
})
const Merchant = Type.Object({ name: Type.String(), taxId: Nullable(Type.String()) })
const Amount = Type.Integer({ examples: [5_000_000] })

export const ReceiptObject = Type.Object({
  id: Type.String({ description: 'Identifier of the receipt. Nobody can guess it.' }),
  url: Type.String({ description: 'The page to show, print or share. Whoever has the address can open it.' }),
  imageUrl: Nullable(Type.String({ description: 'The receipt as one SVG image.' })),
  verifyUrl: Type.String({ description: 'Where anybody can verify it.' }),
  merchant: Merchant,
  amountInCents: Amount,
  currency: OneOf(['COP'] as const),
  paidAt: DateTime('When the money was confirmed.'),
  description: Nullable(Type.String({ description: 'What was paid for, in your words, or null.' })),
  reference: Type.String(),
  rail: OneOf(['BRE_B', 'PSE'] as const),
  trace: Nullable(Type.String({ description: 'The network’s own name for the payment.' })),
  chargebackAt: Nullable(DateTime('When it was charged back, or null.')),
  chargebackAmountInCents: Nullable(Type.Integer()),
  statement: Nullable(Statement),
  qrText: Nullable(
    Type.String({ description: 'The text of the QR code: an address that holds the statement.' }),
  ),
})

const NetworkAnswer = Type.Object({
  how: OneOf(['asked', 'told'] as const, {
    description: '`asked`: our order or question. `told`: what the network reported on its own.',
  }),
  at: DateTime('When it was asked or told.'),
  what: Type.String(),
  httpStatus: Type.Optional(Nullable(Type.Integer({ description: 'Null if there was no answer.' }))),
  networkCode: Type.Optional(Type.String()),
  trace: Type.Optional(Nullable(Type.String())),
  occurredAt: Type.Optional(DateTime('When it happened, by the network’s clock.')),
})

export const EvidenceObject = Type.Object({
  id: Type.String({
    description: 'Identifier of the evidence. Its page is at `url`, which has a part that nobody can guess.',
  }),
  url: Type.String({ description: 'The page to print or send. Whoever has the address can open it.' }),
  verifyUrl: Type.String(),
  evidence: Type.Object({
    payoutId: Uuid('Identifier of the payout.'),
    payer: Merchant,
    requested: Type.Object({
      at: DateTime('When the payout was requested.'),
      amountInCents: Amount,
      currency: OneOf(['COP'] as const),
      rail: OneOf(['BRE_B'] as const),
      reference: Type.String(),
      key: Nullable(
        Type.String({ description: 'The destination key as sent. Null if the person was erased.' }),
      ),
      receiver: Nullable(Type.String({ description: 'The receiver’s name. Null if the person was erased.' })),
      by: Type.Unsafe<{ kind: string; name: string; shownAs: string } | null>({
        type: ['object', 'null'],
        description: 'The key or client that asked. Null in payouts from before this was kept.',
        required: ['kind', 'name', 'shownAs'],
        properties: {
          kind: { type: 'string', enum: ['apiKey', 'client'] },
          name: { type: 'string' },
          shownAs: { type: 'string', description: 'The key’s prefix, or the client’s id.' },
        },
      }),
    }),
    network: Type.Object({
      reference: Type.String({ description: 'What we call the payout towards the network.' }),
      answers: Type.Array(NetworkAnswer, {
        description: 'Oldest first, for as long as they are kept; the last 20 at most.',
      }),
    }),
    outcome: Type.Object({
      status: OneOf(PAYOUT_STATUSES),
      at: Nullable(DateTime('When the outcome was known.')),
      trace: Nullable(Type.String({ description: 'The network’s own name for the transfer.' })),
      errorCode: Nullable(Type.String()),
      networkCode: Nullable(Type.String()),
    }),
    issuedAt: DateTime('When this evidence was written and signed.'),
  }),
  statement: Statement,
  qrText: Type.String({ description: 'The text of the QR code: the main facts, signed.' }),
})

const ID = 'AZpcPgAAcACAAAAAAAAAAQGaXD57H3wqnU4_GypsjZA'
const KEY = '5b0e7f0a-3c52-4b0e-9d3f-0a1b2c3d4e5f'
const STATEMENT = `recaudo1.${KEY}.${ID}.WyJwYXlpbiIs….c2lnbmF0dXJl…`
const VERIFY = 'http://127.0.0.1:4000/verify'

const receipt = {
  id: ID,
  url: `http://127.0.0.1:4000/receipts/${ID}`,
  imageUrl: `http://127.0.0.1:4000/receipts/${ID}/image.svg`,
  verifyUrl: VERIFY,
  merchant: { name: 'Café La Palma', taxId: '900123456-8' },
  amountInCents: 5_000_000,
  currency: 'COP',
  paidAt: '2025-11-07T13:02:10.120Z',
  description: null,
  reference: PAYIN_EXAMPLES.breb.reference,
  rail: 'BRE_B',
  trace: '20251107000000000000000000000000001',
  chargebackAt: null,
  chargebackAmountInCents: null,
  statement: STATEMENT,
  qrText: `${VERIFY}#${STATEMENT}`,
}

const { payout } = PAYOUT_EXAMPLES
const evidence = {
  id: ID,
  url: `http://127.0.0.1:4000/evidence/${ID}.kT3oVt0Jw1x7bYc2mQe8Lg`,
  verifyUrl: VERIFY,
  evidence: {
    payoutId: payout.id,
    payer: { name: 'Café La Palma', taxId: '900123456-8' },
    requested: {
      at: payout.createdAt,
      amountInCents: payout.amountInCents,
      currency: 'COP',
      rail: 'BRE_B',
      reference: payout.reference,
      key: '@ANAGOMEZ',
      receiver: 'Ana María Gómez',
      by: { kind: 'apiKey', name: 'payroll', shownAs: 'rk_stg_3f9a' },
    },
    network: {
      reference: `O${ID}`,
      answers: [
        { how: 'asked', at: '2025-11-07T13:01:30.400Z', what: 'PUT /transfers', httpStatus: 200 },
        {
          how: 'told',
          at: '2025-11-07T13:01:32.100Z',
          what: 'payout.completed',
          networkCode: 'ACCEPTED',
          trace: '20251107000000000000000000000000002',
          occurredAt: '2025-11-07T13:01:32.000Z',
        },
      ],
    },
    outcome: {
      status: 'CONFIRMED',
      at: '2025-11-07T13:01:32.100Z',
      trace: '20251107000000000000000000000000002',
      errorCode: null,
      networkCode: null,
    },
    issuedAt: '2025-11-08T15:00:00.000Z',
  },
  statement: STATEMENT,
  qrText: `${VERIFY}#${STATEMENT}`,
}

export const RECEIPT_EXAMPLES = { receipt, evidence }

// Schemas of refund requests and responses.

import { Type } from '../../core/json-schema.ts'
import { PAYOUT_ERROR_CODES } from '../../core/payouts/payout.ts'
import { LEGAL_RULES } from '../../core/refunds/deadline.ts'
import {
  CLAIM_MATCHES,
  REFUND_OWN_ERROR_CODES,
  REFUND_REASONS,
  REFUND_STAGES,
  REFUND_STATUSES,
  REFUND_WAYS,
  WAITING_CODES,
} from '../../core/refunds/refund.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'
import { PayoutKey } from '../payouts/schema.ts'

const REASON =
  'Why it is given back: the reasons of the law, then `WITHDRAWAL` (retracto) and `OTHER`. It decides `legalDeadline`.'
const WAY =
  '`RAIL`: the way the money came. `KEY`: a payout to a key that the payer told you. `CLAIM`: the payer types a key on a page of ours.'

export const CreateRefund = Type.Object({
  amountInCents: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Amount in cents of a peso. Left out: all that is left of the payin. All refunds of a payin together give back at most what was confirmed.',
      examples: [2_000_000],
    }),
  ),
  reason: OneOf(REFUND_REASONS, { description: REASON }),
  way: Type.Optional(
    OneOf(REFUND_WAYS, {
      description: `${WAY} Left out: \`KEY\` where \`breb\` is sent, else \`RAIL\` where the payin’s network or provider can, else \`CLAIM\`.`,
    }),
  ),
  breb: Type.Optional(PayoutKey),
})

export const LegalDeadline = Type.Object(
  {
    rule: OneOf(LEGAL_RULES, {
      description:
        '`REVERSAL`: 15 business days (Ley 1480 of 2011, article 51). `WITHDRAWAL`: 30 calendar days (article 47).',
    }),
    day: Type.String({ format: 'date', description: 'The last day, in Bogotá.', examples: ['2026-12-10'] }),
    isEstimate: Type.Boolean({
      description:
        'Always true: counted from when you asked for the refund, and the law may count from another day.',
    }),
  },
  { description: 'By when the law wants the money back. Null where no law sets a time for the reason.' },
)

export const RefundClaimObject = Type.Object(
  {
    match: OneOf(CLAIM_MATCHES, {
      description:
        'How the holder’s document compares with the payer’s. All but `SAME` wait for a person of yours.',
    }),
    holderName: Type.String({ description: 'The holder of the key, masked as a look-up masks it.' }),
    participant: Type.String({ description: 'Where the account is.' }),
    lastFour: Nullable(Type.String({ description: 'The last characters of the account.' })),
    claimedAt: DateTime('When the key was named.'),
  },
  { description: 'The key that you or the payer named. Null until then.' },
)

export const RefundObject = Type.Object({
  id: Uuid('Identifier of the refund.'),
  payinId: Uuid('The payin that it gives back.'),
  amount: Type.Number({ description: 'Amount in pesos: `amountInCents / 100`.', examples: [20_000] }),
  amountInCents: Type.Integer({ examples: [2_000_000] }),
  currency: OneOf(['COP'] as const),
  status: OneOf(REFUND_STATUSES, { description: 'Where the refund stands. All but the first are final.' }),
  stage: OneOf(REFUND_STAGES, {
    description:
      'How far a refund that is `PROCESSING` has come. `READY`: it is sent in a moment. `AWAITING_FUNDS`: `errorCode` says what holds it up, and it goes on by itself. `AWAITING_CLAIM`: send the payer to `claimUrl`. `AWAITING_APPROVAL`: other people of yours must approve it, for its amount or because the key is not shown to be the payer’s. `SENDING`: the network was asked, and is asked again until it answers. `PAYING`: the payout `payoutId` has it. `DONE`: it has ended.',
  }),
  way: OneOf(REFUND_WAYS, { description: WAY }),
  reason: OneOf(REFUND_REASONS, { description: REASON }),
  legalDeadline: Nullable(LegalDeadline),
  errorCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...new Set([...REFUND_OWN_ERROR_CODES, ...WAITING_CODES, ...PAYOUT_ERROR_CODES]), null],
    description:
      'Why it waits, why the last key could not be paid, or why nothing was given back; else null.',
  }),
  claimUrl: Nullable(
    Type.String({
      format: 'uri',
      description:
        'The page on which the payer names a key. Null unless it is `AWAITING_CLAIM`. Only the key, client or person that asked for the refund reads it here, and people who may refund and not approve: null for all others, and in events.',
    }),
  ),
  claimExpiresAt: Nullable(DateTime('Until when the payer may; null where there is nothing to claim.')),
  claim: Nullable(RefundClaimObject),
  payoutId: Nullable(Uuid('The last payout that was made for it; null if none was.')),
  reservedAmountInCents: Type.Integer({
    description:
      'What is set aside of your balance for it, from the moment you ask: all of it, or 0 while there is too little, once its payout holds it, and when it has ended.',
    examples: [2_000_000],
  }),
  createdAt: DateTime('When you asked for it.'),
  updatedAt: DateTime('When it last changed.'),
  resultAt: Nullable(DateTime('When the outcome was known; null until then.')),
  returnedAt: Nullable(
    DateTime('When the money of a confirmed refund came back to you; null if it did not.'),
  ),
  organizationId: Uuid('The organization that gives back.'),
})

export const RefundList = Type.Object({ data: Type.Array(RefundObject), pageInfo: PageInfoObject })

const create = { amountInCents: 2_000_000, reason: 'NOT_RECEIVED' }
const claim = { ...create, way: 'CLAIM' }

const refund = {
  id: '019a5c60-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  payinId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  amount: 20_000,
  amountInCents: 2_000_000,
  currency: 'COP',
  status: 'PROCESSING',
  stage: 'READY',
  way: 'RAIL',
  reason: 'NOT_RECEIVED',
  legalDeadline: { rule: 'REVERSAL', day: '2025-11-28', isEstimate: true },
  errorCode: null,
  claimUrl: null,
  claimExpiresAt: null,
  claim: null,
  payoutId: null,
  reservedAmountInCents: 2_000_000,
  createdAt: '2025-11-07T13:10:00.000Z',
  updatedAt: '2025-11-07T13:10:00.000Z',
  resultAt: null,
  returnedAt: null,
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
}

const claimable = {
  ...refund,
  way: 'CLAIM',
  stage: 'AWAITING_CLAIM',
  claimUrl: 'http://127.0.0.1:4000/refund/7Hq2mRk9Jd0',
  claimExpiresAt: '2025-12-07T13:10:00.000Z',
}

const named = {
  match: 'SAME',
  holderName: 'A** G****',
  participant: 'Banco de Pruebas',
  lastFour: '6789',
  claimedAt: refund.createdAt,
}

const canceled = {
  ...refund,
  status: 'CANCELED',
  stage: 'DONE',
  errorCode: 'CANCELED_BY_MERCHANT',
  reservedAmountInCents: 0,
  updatedAt: '2025-11-07T13:10:05.000Z',
  resultAt: '2025-11-07T13:10:05.000Z',
}

const page = {
  data: [refund],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}

export const REFUND_EXAMPLES = { create, claim, refund, claimable, named, canceled, page }

// Money in suspense, as a merchant sees it. Where else a payment is counted is not said: it may be another organization's.

import { RAILS } from '../../core/connections/rail.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { type Candidate, FITS } from '../../core/ledger/suspense-candidate.ts'
import { centsToNumber, centsToPesos } from '../../core/money.ts'
import { PAYIN_STATUSES } from '../../core/payins/payin.ts'
import { SUSPENSE_REASONS } from '../../core/payins/settle.ts'
import { openText, type Vault } from '../../flows/people/vault.ts'
import { leftInCents, SUSPENSE_STATES, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

export const SUSPENSE_NOTE_MAX_LENGTH = 1_000

export const State = (description: string) => OneOf(SUSPENSE_STATES, { description })
export const Reason = (description: string) => OneOf(SUSPENSE_REASONS, { description })

const FIELDS = {
  id: Uuid('Identifier of the money in suspense, and subject of its transfers in the ledger.'),
  state: State(
    '`OPEN`: nobody has decided yet. `RETURNING`: on its way back, and the network has not said whether it arrived; ask again with the same operation, it never leaves twice. `COUNTED`: the payment has its place elsewhere.',
  ),
  reason: Reason('Why it fits no open payin.'),
  rail: OneOf(RAILS),
  paymentId: Type.String({ description: 'The network’s own name for the payment.' }),
  amount: Type.Number({ description: 'What arrived, in pesos.' }),
  amountInCents: Type.Integer({ description: 'What arrived.' }),
  leftInCents: Type.Integer({ description: 'What was not charged back since.' }),
  currency: OneOf(['COP'] as const),
  payinId: Nullable(Uuid('The payin that the network named, or null.')),
  attachedTo: Nullable(Uuid('The payin that it was attached to, or null.')),
  note: Nullable(Type.String({ description: 'What your staff wrote about it, or null.' })),
  message: Nullable(Type.String({ description: 'What to do next where the state alone does not say it.' })),
  ageSeconds: Type.Integer({ description: 'How long ago it arrived.' }),
  createdAt: DateTime('When it arrived.'),
  updatedAt: DateTime('When it last changed.'),
}

export const SuspenseItemObject = Type.Object(FIELDS)

export const SuspenseCandidateObject = Type.Object({
  payinId: Uuid('The payin.'),
  reference: Type.String(),
  status: OneOf(PAYIN_STATUSES),
  rail: OneOf(RAILS),
  amountInCents: Type.Integer(),
  createdAt: DateTime('When the payin was created.'),
  fits: Type.Array(OneOf(FITS), {
    description:
      'Why it may be the one. `NAMED`: the network named it. `SAME_KEY` and `SAME_PAYER`: as the payin that the network named. `NEAR_IN_TIME`: created within an hour.',
  }),
})

export const SuspenseItemWithCandidates = Type.Object({
  ...FIELDS,
  candidates: Type.Array(SuspenseCandidateObject, {
    description: 'Payins that it may be meant for, the likeliest first, at most twenty.',
  }),
})

export const SuspenseItemList = Type.Object({
  data: Type.Array(SuspenseItemObject),
  pageInfo: PageInfoObject,
})

export const SuspenseItemChanges = Type.Object({
  note: Nullable(
    Text(SUSPENSE_NOTE_MAX_LENGTH, {
      description: 'A note for your staff, kept sealed. It replaces the one before; null takes it away.',
      examples: ['The customer confirmed by phone that it was a double payment.'],
    }),
  ),
})

export const AttachSuspenseItem = Type.Object({
  payinId: Uuid('The payin of yours that the money was meant for.'),
})

const ITEM = {
  id: '019a5c61-0000-7000-8000-000000000007',
  state: 'OPEN',
  reason: 'LATE',
  rail: 'BRE_B',
  paymentId: 'BRB-77120-01',
  amount: 50_000,
  amountInCents: 5_000_000,
  leftInCents: 5_000_000,
  currency: 'COP',
  payinId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  attachedTo: null,
  note: null,
  message: null,
  ageSeconds: 7_200,
  createdAt: '2025-11-07T13:02:00.000Z',
  updatedAt: '2025-11-07T13:02:00.000Z',
}

export const SUSPENSE_EXAMPLES = {
  item: ITEM,
  noted: { ...ITEM, note: 'The customer confirmed by phone that it was a double payment.' },
  returned: { ...ITEM, state: 'RETURNED' },
  returning: {
    ...ITEM,
    state: 'RETURNING',
    message:
      'The network has not said whether it returned the money. Ask again: it is asked under the same reference.',
  },
  attached: { ...ITEM, state: 'ATTACHED', attachedTo: ITEM.payinId },
  withCandidates: {
    ...ITEM,
    candidates: [
      {
        payinId: ITEM.payinId,
        reference: 'order 1001',
        status: 'CANCELED',
        rail: 'BRE_B',
        amountInCents: 5_000_000,
        createdAt: '2025-11-07T12:40:00.000Z',
        fits: ['NAMED', 'SAME_AMOUNT', 'NEAR_IN_TIME'],
      },
    ],
  },
}

export function presentSuspense(item: SuspenseItem, vault: Vault, now: Instant): Record<string, unknown> {
  const { suspenseId, state, note } = item
  return {
    id: suspenseId,
    state,
    reason: item.reason,
    rail: item.rail,
    paymentId: item.paymentId,
    amount: centsToPesos(item.amountInCents),
    amountInCents: centsToNumber(item.amountInCents),
    leftInCents: centsToNumber(leftInCents(item)),
    currency: 'COP',
    payinId: item.payinId,
    // A payment that is counted elsewhere may have confirmed another organization's payin.
    attachedTo: state === 'COUNTED' ? null : item.attachedTo,
    note: note === null ? null : openText(vault, suspenseId, note),
    message: state === 'RETURNING' ? SUSPENSE_EXAMPLES.returning.message : null,
    ageSeconds: Math.max(0, Math.floor((now - item.createdAt) / 1_000)),
    createdAt: isoInstant(item.createdAt),
    updatedAt: isoInstant(item.updatedAt),
  }
}

export function presentCandidate({ payin, fits }: Candidate): Record<string, unknown> {
  return {
    payinId: payin.payinId,
    reference: payin.reference,
    status: payin.status,
    rail: payin.source.rail,
    amountInCents: centsToNumber(payin.amountInCents),
    createdAt: isoInstant(payin.createdAt),
    fits,
  }
}

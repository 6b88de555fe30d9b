// What was found, in brief: enough to choose, and the id to read the rest by. It names no person.

import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { centsToNumber } from '../../core/money.ts'
import { QUESTION_MAX_LENGTH } from '../../core/search/question.ts'
import { FOUND_BY, FOUND_KINDS } from '../../core/search/result.ts'
import { idOf, type SearchHit } from '../../flows/search/search.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'

export const SEARCH_LIMIT = { default: 10, max: 50 } as const

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: QUESTION_MAX_LENGTH,
    description:
      'What to look for: an id, a reference or how it begins, the network’s name for a payment (PSE: CUS), a Bre-B key, an amount in pesos (`1250000`, `1.250.000`, `$ 1.250.000,50`), or a payer’s or receiver’s document, e-mail address, phone number or name (whole words, in any order). What it is, is found out; what may be several things is looked for as each.',
    examples: ['1.250.000'],
  }),
  resource: Type.Optional(OneOf(FOUND_KINDS, { description: 'Only objects of this kind.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SEARCH_LIMIT.max,
      default: SEARCH_LIMIT.default,
      description: 'How many of each kind at most.',
    }),
  ),
})

export const FoundObject = Type.Object({
  resource: OneOf(FOUND_KINDS, { description: 'What it is.' }),
  id: Uuid('Its id, to read it by.'),
  foundBy: Type.Array(OneOf(FOUND_BY), {
    description: 'Why it was found. `trace` is the network’s name for the payment.',
    examples: [['amount']],
  }),
  name: Nullable(
    Type.String({
      description:
        'The reference of a payment, link or page, the type of an event, the address of an endpoint, or what was booked.',
      examples: ['order-1042'],
    }),
  ),
  status: Nullable(
    Type.String({ description: 'How it stands, where it has a status.', examples: ['CONFIRMED'] }),
  ),
  amountInCents: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'Of payments, links and transfers, and of pages with a fixed amount.',
      examples: [125_000_000],
    }),
  ),
  createdAt: DateTime('When it was made.'),
})

export const SearchResultObject = Type.Object({
  found: Type.Array(FoundObject, {
    description:
      'Grouped by kind. Within a kind, what was found by something that names it comes before what many share, and the newest first.',
  }),
  more: Type.Array(OneOf(FOUND_KINDS), {
    description: 'Kinds of which more was found than `limit`.',
    examples: [['payin']],
  }),
  isPartial: Type.Boolean({
    description: 'Whether a name that very many have was looked for among the newest of these only.',
  }),
})

export const SEARCH_EXAMPLE = {
  found: [
    {
      resource: 'payin',
      id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
      foundBy: ['amount'],
      name: 'order-1042',
      status: 'CONFIRMED',
      amountInCents: 125_000_000,
      createdAt: '2026-11-15T13:00:00.000Z',
    },
  ],
  more: [],
  isPartial: false,
}

export function presentFound(found: SearchHit): Record<string, unknown> {
  const { kind, by, object } = found
  return {
    resource: kind,
    id: idOf(found),
    foundBy: by,
    ...briefOf(found),
    createdAt: isoInstant(object.createdAt),
  }
}

type Brief = { readonly name: string; readonly status: string | null; readonly amountInCents: number | null }

function briefOf(found: SearchHit): Brief {
  switch (found.kind) {
    case 'payin':
    case 'payout':
    case 'paymentlink': {
      const { reference, status, amountInCents } = found.object
      return { name: reference, status, amountInCents: centsToNumber(amountInCents) }
    }
    case 'paymentpage': {
      const { reference, status, amountInCents } = found.object
      return {
        name: reference,
        status,
        amountInCents: amountInCents === null ? null : centsToNumber(amountInCents),
      }
    }
    case 'event':
      return { name: found.object.type, status: null, amountInCents: null }
    case 'webhookendpoint':
      return { name: found.object.url, status: found.object.state, amountInCents: null }
    case 'transfer': {
      const { booking, amountInCents } = found.object
      return { name: booking, status: null, amountInCents: centsToNumber(amountInCents) }
    }
  }
}

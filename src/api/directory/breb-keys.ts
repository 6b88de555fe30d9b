// Looks up a Bre-B key before money is sent to it.

import { KEY_MAX_LENGTH } from '../../core/directory/breb-key.ts'
import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { isRefusal } from '../../core/refusal.ts'
import { LOOKUP_BUDGET, lookUpKey } from '../../flows/directory/look-up-key.ts'
import { json, type Operation } from '../http/operation.ts'
import { DateTime, OneOf } from '../http/schema.ts'

export const BrebKeyObject = Type.Object({
  keyString: Type.String({ description: 'The key in canonical form.', examples: ['@ANAGOMEZ'] }),
  keyType: OneOf(['DOCUMENT', 'PHONE', 'EMAIL', 'ALPHANUMERIC', 'MERCHANT_CODE'] as const),
  status: OneOf(['ACTIVE'] as const),
  holder: Type.Object({
    name: Type.String({
      description: 'Masked for people, plain for businesses.',
      examples: ['Ana*** Góm***'],
    }),
    personType: OneOf(['INDIVIDUAL', 'BUSINESS'] as const),
    idType: Type.String({ examples: ['CO_CC'] }),
    idNumber: Type.String({ description: 'Masked for people.', examples: ['******5678'] }),
  }),
  participant: Type.Object({
    name: Type.String({ description: 'The bank or wallet that holds the account.' }),
    code: Type.String(),
  }),
  account: Type.Object({ type: Type.String(), lastFour: Type.String() }),
  resolvedAt: DateTime('When the directory answered.'),
})

const EXAMPLE = {
  keyString: '@ANAGOMEZ',
  keyType: 'ALPHANUMERIC',
  status: 'ACTIVE',
  holder: { name: 'Ana*** Góm***', personType: 'INDIVIDUAL', idType: 'CO_CC', idNumber: '******5678' },
  participant: { name: 'Bancolombia', code: '890903938' },
  account: { type: 'SAVINGS', lastFour: '0123' },
  resolvedAt: '2025-11-07T13:01:30.300Z',
}

export const lookUpKeyOperation: Operation = {
  method: 'GET',
  path: '/breb/keys/{keyString}',
  operationId: 'lookUpBrebKey',
  tag: 'Payouts',
  summary: 'Look up a Bre-B key',
  description:
    'Says who owns the key, so that you can check before you pay. The key is URL-encoded; `@`, `+57` and spaces are tolerated. ' +
    'Each organization has a budget of 1,000 that refills at one a second: a hit costs 1, a miss 20, and a confirmed payout to a key you looked up gives 2 back. ' +
    'A look-up reserves 20 first, and a hit gets 19 back. If the directory does not answer in time it costs 1; if the directory is down it costs nothing. ' +
    'A payout that fails because of its key costs 20 too, even if the budget goes below zero. The `RateLimit` header says what is left.',
  access: { scope: 'keys:read', shown: 'apiKey' },
  act: 'brebkey.lookup',
  params: {
    keyString: { description: 'The key, URL-encoded.', example: '%40ANAGOMEZ', maxLength: KEY_MAX_LENGTH },
  },
  success: {
    status: 200,
    description: 'The owner of the key.',
    schema: BrebKeyObject,
    examples: { person: { summary: 'A person’s key', value: EXAMPLE } },
  },
  refusals: [
    'RAIL_NOT_CONNECTED',
    'KEY_INVALID',
    'KEY_NOT_FOUND',
    'KEY_SUSPENDED',
    'DIRECTORY_UNAVAILABLE',
    'DIRECTORY_TIMEOUT',
  ],
  handle: async ({ ctx, caller, params }) => {
    const { remaining, result } = await lookUpKey(ctx, caller.organization, params.keyString ?? '')
    const headers = budgetHeaders(remaining)
    if (isRefusal(result)) return { ...result, headers }
    const { holder, resolvedAt } = result
    return json(200, { ...withStatus(holder), resolvedAt: isoInstant(resolvedAt) }, headers)
  },
}

function withStatus({
  keyString,
  keyType,
  ...rest
}: {
  keyString: string
  keyType: string
}): Record<string, unknown> {
  return { keyString, keyType, status: 'ACTIVE', ...rest }
}

// In debt nothing remains, and it takes longer until all is there again.
function budgetHeaders(remaining: number): Record<string, string> {
  const { capacity, perSecond } = LOOKUP_BUDGET
  return {
    'ratelimit-policy': `"key-lookups";q=${capacity};w=${capacity / perSecond}`,
    ratelimit: `"key-lookups";r=${Math.max(0, remaining)};t=${Math.ceil((capacity - remaining) / perSecond)}`,
  }
}

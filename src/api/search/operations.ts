// Search over everything of the organization.

import type { Static } from '../../core/json-schema.ts'
import { readQuestion } from '../../core/search/question.ts'
import { search } from '../../flows/search/search.ts'
import { json, type Operation } from '../http/operation.ts'
import { presentFound, SEARCH_EXAMPLE, SEARCH_LIMIT, SearchQuery, SearchResultObject } from './schema.ts'

export const searchOperation: Operation = {
  method: 'GET',
  path: '/search',
  operationId: 'search',
  tag: 'Search',
  summary: 'Search',
  description:
    'Finds payins, payouts, payment links, payment pages, events, webhook endpoints and ledger transfers by whatever is known of them. ' +
    'Besides `payins:read`, each kind needs the scope that reads it (`payouts:read`, `links:read`, `events:read`, `webhooks:read`, `ledger:read`); kinds that the credential may not read are left out. ' +
    'Payers and receivers are stored sealed and are found by keyed digests: by the whole document, e-mail address, phone number or word of a name. What is new is found at once; by words it may take a minute or two where much is new.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  query: SearchQuery,
  success: {
    status: 200,
    description: 'What was found.',
    schema: SearchResultObject,
    examples: { found: { summary: 'A payin, by its amount', value: SEARCH_EXAMPLE } },
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, query }) => {
    const { q, resource, limit } = query as Static<typeof SearchQuery>
    const question = readQuestion(q)
    if (question === undefined) return json(200, { found: [], more: [], isPartial: false })
    const searcher = {
      organizationId: caller.organization.organizationId,
      scopes: caller.scopes,
      // Keys and clients read payers as they are; of people their role decides, and their page asks for itself.
      seesPeople: caller.kind !== 'person',
      kinds: resource === undefined ? null : [resource],
    }
    const { found, more, isPartial } = await search(ctx, searcher, question, limit ?? SEARCH_LIMIT.default)
    return json(200, { found: found.map(presentFound), more, isPartial })
  },
}

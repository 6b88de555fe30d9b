// The simulated Mono as a participant of Bre-B: collections by key, outgoing transfers and the directory of keys. Written from Mono's
// documentation (docs.mono.la); nobody has called Mono with it. Where the documentation is silent, it is the stricter or the stranger.

import { type Answer, readObject } from '../../http.ts'
import { fieldsOf } from '../input.ts'
import type { Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { ATTEMPT_ERRORS, endAttempt, listAttempts, listAttemptsOf, payInSandbox } from './attempts.ts'
import type { Collection } from './collection.ts'
import { COLLECTION_TASKS } from './collection-tasks.ts'
import {
  COLLECTION_TEST_WORDS,
  createCollections,
  deleteCollection,
  listCollections,
  readCollection,
  updateCollection,
} from './collections.ts'
import { grantToken, MONO, scopesOf } from './credentials.ts'
import { brokenAnswer, notAuthorized, refused } from './errors.ts'
import { notices } from './events.ts'
import { KEYS_THAT_FAIL, RETURNING_KEY, UNAVAILABLE_KEY } from './keys.ts'
import { continueResolution, resolveTarget } from './targets.ts'
import {
  continueTransfer,
  createTransfers,
  FAILING_TRANSFER_WORDS,
  listTransfers,
  OTHER_TRANSFER_WORDS,
  readTransfer,
} from './transfers.ts'

export const mono: Provider = {
  name: 'mono',
  credentials: MONO,
  testData: [
    ['pay a collection', 'POST /api/v1/sandbox/collections/attempts {amount, creditor_key_value}'],
    ...ATTEMPT_ERRORS.map((error) => [`attempt with error ${error}`, 'failed'] as const),
    ...FAILING_TRANSFER_WORDS.map((word) => [`${word} in a transfer’s description`, 'failed'] as const),
    ...KEYS_THAT_FAIL.map(([key, reason]) => [`key ${key}`, reason] as const),
    [`key ${UNAVAILABLE_KEY}`, 'provider_unavailable'],
    [`of this simulator: key ${RETURNING_KEY}`, 'paid, and comes back'],
    ['of this simulator: words in a transfer’s description', OTHER_TRANSFER_WORDS.join(' ')],
    ['of this simulator: words in a collection’s nickname or reference', COLLECTION_TEST_WORDS.join(' ')],
  ],
  subjectOf,
  // Whoever pays in the sandbox is the payer and not the integration.
  isPage: ({ segments }) => segments[2] === 'sandbox',
  broken: brokenAnswer,
  notices,
  answer,
  runTask: (context, name, subject, at) => {
    if (name === 'attempt') return endAttempt(context, subject, at)
    if (name === 'transfer') return continueTransfer(context, subject, at)
    if (name === 'retry' || name === 'resolve') return continueResolution(context, name, subject, at)
    const collection = context.storage.get<Collection>('collection', subject)
    if (collection !== undefined) COLLECTION_TASKS[name]?.(context, collection, at)
  },
}

function subjectOf({ body, query, segments }: ProviderRequest): string {
  const sent = readObject(body) ?? {}
  const list = sent.collections ?? sent.transfers
  const first = Array.isArray(list) ? fieldsOf(list[0]).external_id : undefined
  const asked = query.get('external_id') ?? query.get('collection_id')
  const name = [first, sent.value, asked, segments[3]].find((one) => typeof one === 'string')
  return name ?? ''
}

const SCOPES: Readonly<Record<string, string>> = {
  collections: 'collections',
  sandbox: 'collections',
  outgoing_transfers: 'outgoing_transfers',
  targets: 'target_resolutions',
}

function answer(context: ProviderContext, request: ProviderRequest): Answer | undefined {
  const { method, segments, authorization } = request
  const [api, version, resource = '', ...rest] = segments
  if (api !== 'api' || version !== 'v1') return undefined
  // Tokens belong to the wire: moving the provider's clock does not end them.
  const now = context.clock.realNow()
  if (method === 'POST' && resource === 'oauth' && rest.join('/') === 'token') return grantToken(request, now)
  if (authorization === '')
    return refused(context, 401, 'missing_authorization_header', 'There is no Authorization header')
  const scopes = scopesOf(authorization, now)
  if (scopes === undefined) return refused(context, 401, 'invalid_token', 'The token is wrong or expired')
  const scope = Object.hasOwn(SCOPES, resource) ? SCOPES[resource] : undefined
  if (scope !== undefined && !scopes.includes(scope)) return notAuthorized(context)
  return (
    answerAuthorized(context, request, resource, rest) ??
    refused(context, 404, 'not_found', 'There is no such path')
  )
}

function answerAuthorized(
  context: ProviderContext,
  request: ProviderRequest,
  resource: string,
  rest: readonly string[],
): Answer | undefined {
  const [id, more, ...others] = rest
  const route = `${request.method} ${resource}`
  if (others.length > 0) return undefined
  if (route === 'POST sandbox' && rest.join('/') === 'collections/attempts')
    return payInSandbox(context, request)
  if (route === 'GET collections' && id !== undefined && more === 'attempts')
    return listAttemptsOf(context, id, request)
  if (more !== undefined) return undefined
  if (route === 'POST targets' && id === 'resolve') return resolveTarget(context, request)
  if (id === undefined) {
    if (route === 'POST collections') return createCollections(context, request)
    if (route === 'GET collections') return listCollections(context, request)
    if (route === 'POST outgoing_transfers') return createTransfers(context, request)
    return route === 'GET outgoing_transfers' ? listTransfers(context, request) : undefined
  }
  if (route === 'GET collections' && id === 'attempts') return listAttempts(context, request)
  if (route === 'GET collections') return readCollection(context, id)
  if (route === 'PATCH collections') return updateCollection(context, id, request)
  if (route === 'DELETE collections') return deleteCollection(context, id)
  return route === 'GET outgoing_transfers' ? readTransfer(context, id) : undefined
}

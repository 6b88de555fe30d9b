// Reads Mono's notices. They only make us ask, so what they say of states and amounts is not read. What an attempt's notice contains
// is not published, except that it is about the attempt: the collection it names is asked for.

import type { ReferenceKind } from '../../core/connections/reference.ts'
import { Type } from '../../core/json-schema.ts'
import { isOwnReference } from '../provider.ts'
import type { Hint, HintedPayment, ReadHint } from '../rail.ts'
import { reader } from '../wire-format.ts'
import { isSignedByMono, SIGNATURE_HEADER } from './signature.ts'
import { readCollectionId, readTransferId } from './wire.ts'

export function monoHints(secrets: readonly string[], organizationId: string): ReadHint {
  return (headers, body, now) => {
    if (!isSignedByMono(secrets, headers[SIGNATURE_HEADER], body, now)) return undefined
    const notice = readNotice(parsed(body))
    if (notice === undefined) return { fault: 'the notice has no event, or one without a type' }
    const { type, data } = notice.event
    const [subject] = type.split('.')
    if (subject === 'collection') return hintOf('payin', type, data, organizationId)
    if (subject === 'outgoing_transfer') return hintOf('payout', type, data, organizationId)
    return { ignored: `${type} is not about a payment` }
  }
}

function hintOf(
  kind: ReferenceKind & HintedPayment['kind'],
  type: string,
  data: unknown,
  organizationId: string,
): Hint {
  const { id, external_id: reference, collection_id: collectionId } = readData(data) ?? {}
  if (typeof reference === 'string')
    return isOwnReference(kind, organizationId, reference)
      ? { ask: [{ kind, reference }], kind: type }
      : { ignored: `${type} is about a payment that was not ordered by us` }
  const providerId =
    kind === 'payin' ? (readCollectionId(collectionId) ?? readCollectionId(id)) : readTransferId(id)
  if (providerId === undefined) return { fault: `${type} names no payment` }
  return { ask: [{ kind, providerId }], kind: type }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const readNotice = reader(
  Type.Object({
    event: Type.Object({
      type: Type.String({ pattern: '^[\\w.:-]{1,120}$' }),
      data: Type.Unknown(),
    }),
  }),
)

const readData = reader(
  Type.Object({
    id: Type.Optional(Type.Unknown()),
    external_id: Type.Optional(Type.Unknown()),
    collection_id: Type.Optional(Type.Unknown()),
  }),
)

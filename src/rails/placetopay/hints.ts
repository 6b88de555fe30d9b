// Reads a notification. Only the gateway's number of the payment and its state are signed, so the number is all that is believed:
// it says whom to ask about.

import { Type } from '../../core/json-schema.ts'
import { fromShortReference, type ProviderSettings } from '../provider.ts'
import type { ReadHint } from '../rail.ts'
import { reader } from '../wire-format.ts'
import { standingOf } from './codes.ts'
import { isSigned } from './signature.ts'
import { readInternalReference } from './transaction.ts'

export function placetopayHints({
  organizationId,
  credentials,
  previousCredentials,
}: Pick<ProviderSettings, 'organizationId' | 'credentials' | 'previousCredentials'>): ReadHint {
  const secretKeys = [credentials, previousCredentials ?? {}].flatMap(({ secretKey }) => secretKey || [])

  return (headers, body) => {
    const notification = readNotification(parse(body))
    const id = readInternalReference(notification?.internalReference)
    if (notification === undefined || id === undefined) return undefined
    const { status, reference, signature } = notification
    if (!isSigned(secretKeys, id + status.status, [signature, headers['x-signature']])) return undefined
    if (typeof reference !== 'string') return { fault: 'the notification names no reference' }
    if (fromShortReference('payin', organizationId, reference) === undefined)
      return { ignored: 'a payment that the site took elsewhere' }
    const kind = standingOf(status.status) === undefined ? 'a state nobody knows' : status.status
    return { ask: [{ kind: 'payin', providerId: id }], kind }
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(body))
  } catch {
    return undefined
  }
}

const readNotification = reader(
  Type.Object({
    status: Type.Object({ status: Type.String({ maxLength: 64 }) }),
    internalReference: Type.Union([Type.Integer(), Type.String()]),
    reference: Type.Optional(Type.Unknown()),
    signature: Type.Optional(Type.Unknown()),
  }),
)

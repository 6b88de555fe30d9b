// Reads Wompi's events. Payments and payouts are two accounts with a secret each, and both have an event named transaction.updated:
// the secret tells them apart. The signature covers only the values that the event names, and the reference is not among them.

import type { Credentials } from '../../core/connections/connection.ts'
import { Type } from '../../core/json-schema.ts'
import { fromShortReference, isOwnReference } from '../provider.ts'
import type { Hint, HintedPayment, ReadHint } from '../rail.ts'
import { NetworkText, orNull, reader } from '../wire-format.ts'
import { eventChecksum, isSameChecksum } from './signature.ts'

const CHECKSUM_HEADER = 'x-event-checksum'

// The secrets may be the current ones and those before.
export function wompiHints(organizationId: string, credentials: readonly Credentials[]): ReadHint {
  // A secret that is empty signs nothing.
  const secretsNamed = (name: string) => credentials.flatMap((each) => each[name] || [])
  const payments = secretsNamed('eventsSecret')
  const payouts = secretsNamed('payoutsEventsSecret')

  return (headers, body) => {
    const event = readEvent(parsed(body))
    if (event === undefined) return undefined
    const presented = checksumsOf(event, headers[CHECKSUM_HEADER])
    const values = signedValues(event)
    if (values === undefined || presented === undefined) return undefined
    const isSignedWith = (secret: string): boolean => {
      const expected = eventChecksum(values, event.timestamp, secret)
      return presented.every((checksum) => isSameChecksum(checksum, expected))
    }
    const hints = [
      ...(payments.some(isSignedWith) ? [paymentHint(event, organizationId)] : []),
      ...(payouts.some(isSignedWith) ? [payoutHint(event, organizationId)] : []),
    ]
    return hints.find((hint) => hint !== undefined && 'ask' in hint) ?? hints[0]
  }
}

const readEvent = reader(
  Type.Object({
    event: Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,80}$' }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    signature: Type.Object({
      properties: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 50 }),
      checksum: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }),
    }),
    timestamp: Type.Integer(),
  }),
)
type Event = NonNullable<ReturnType<typeof readEvent>>

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

// The header repeats what the body says, where it comes at all.
function checksumsOf(
  { signature }: Event,
  header: string | string[] | undefined,
): readonly string[] | undefined {
  if (header === undefined) return [signature.checksum]
  return typeof header === 'string' ? [signature.checksum, header] : undefined
}

function signedValues({ data, signature }: Event): (string | number | boolean)[] | undefined {
  const values = signature.properties.map((path) => valueAt(data, path.split('.')))
  const isPlain = (value: unknown): value is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof value)
  return values.every(isPlain) ? values : undefined
}

function valueAt(data: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return data
  if (typeof data !== 'object' || data === null) return undefined
  return valueAt((data as Readonly<Record<string, unknown>>)[name], rest)
}

// Without them, the signature would prove nothing about what the event says.
function signsStateOf(what: string, { signature }: Event): boolean {
  return ['id', 'status'].every((name) => signature.properties.includes(`${what}.${name}`))
}

const Reference = Type.Optional(orNull(Type.String({ maxLength: 255 })))
const readPayment = reader(
  Type.Object({ transaction: Type.Object({ id: NetworkText, status: NetworkText, reference: Reference }) }),
)
const readPayout = reader(
  Type.Object({
    transaction: Type.Object({
      id: NetworkText,
      status: NetworkText,
      payoutId: NetworkText,
      reference: Reference,
    }),
  }),
)
const readBatch = reader(
  Type.Object({ payout: Type.Object({ id: NetworkText, status: NetworkText, reference: Reference }) }),
)

function paymentHint(event: Event, organizationId: string): Hint {
  const { event: kind } = event
  if (kind !== 'transaction.updated') return { ignored: `${kind} is nothing that we ask about` }
  if (!signsStateOf('transaction', event)) return undefined
  const reference = readPayment(event.data)?.transaction.reference ?? undefined
  if (reference === undefined) return { fault: `${kind} names no reference` }
  return isOwnReference('payin', organizationId, reference)
    ? asking(kind, { kind: 'payin', reference })
    : { ignored: `${kind} is about a sale that was made elsewhere` }
}

function payoutHint(event: Event, organizationId: string): Hint {
  const { event: kind, data } = event
  if (kind === 'transaction.updated') {
    if (!signsStateOf('transaction', event)) return undefined
    const payout = readPayout(data)?.transaction
    return payout === undefined
      ? { fault: `${kind} names no payout` }
      : aboutPayout(kind, payout.reference ?? null, payout.payoutId, organizationId)
  }
  if (kind === 'payout.updated') {
    if (!signsStateOf('payout', event)) return undefined
    const batch = readBatch(data)?.payout
    return batch === undefined
      ? { fault: `${kind} names no payout` }
      : aboutPayout(kind, batch.reference ?? null, batch.id, organizationId)
  }
  return { ignored: `${kind} is nothing that we ask about` }
}

function aboutPayout(kind: string, text: string | null, providerId: string, organizationId: string): Hint {
  if (text === null) return asking(kind, { kind: 'payout', providerId })
  const reference = fromShortReference('payout', organizationId, text)
  return reference === undefined
    ? { ignored: `${kind} is about a payout that was made elsewhere` }
    : asking(kind, { kind: 'payout', reference })
}

function asking(kind: string, payment: HintedPayment): Hint {
  return { ask: [payment], kind }
}

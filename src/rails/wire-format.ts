// What the wire formats of both rails share: how amounts, times, codes and refusals are written, and how strictly they are
// read. A body of another shape is not an answer. Unknown fields are ignored.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Instant } from '../core/instant.ts'
import { type Static, type TSchema, Type } from '../core/json-schema.ts'
import type { Refused } from './gateway.ts'
import { type Accepted, type OpenedPayin, type Rejected, type Unknown, unknown } from './rail.ts'

const ajv = new Ajv2020({ strict: false })

// Returns the body if it has this shape.
export function reader<Schema extends TSchema>(
  schema: Schema,
): (body: unknown) => Static<Schema> | undefined {
  // When the first body comes: a process that starts has better to do.
  let hasShape: ValidateFunction | undefined
  return (body) => {
    hasShape ??= ajv.compile(schema)
    return hasShape(body) ? (body as Static<Schema>) : undefined
  }
}

export const ReferenceText = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })
// Ids and codes that the network assigns.
export const NetworkText = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' })
// Pesos with two decimals, above zero. In cents the maximum is below 2^53, and far above any rail's limit.
export const AmountText = Type.String({ pattern: '^(?!0\\.00$)(0|[1-9][0-9]{0,12})\\.[0-9]{2}$' })
export const MomentText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
})
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

// '12345.67' → 1234567n, for text that has passed AmountText.
export function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

// Undefined for an impossible time, such as day 32.
export function instantOf(moment: string): Instant | undefined {
  const instant = Date.parse(moment)
  return Number.isNaN(instant) ? undefined : instant
}

const readFailure = reader(Type.Object({ status: Type.Literal('ERROR'), code: NetworkText }))

export function readRefusalCode(json: unknown): string | undefined {
  return readFailure(json)?.code
}

// Looks up a code from the wire, which may be any text.
export function meaningOf<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  code: string | null,
): Meaning | undefined {
  return code !== null && Object.hasOwn(table, code) ? table[code] : undefined
}

// These mean that the order is refused. Other statuses are about the call (caller, rate, address) or about an order that
// already exists, and must not end a payment.
export const ORDER_REFUSED: readonly number[] = [400, 402, 413, 415, 422]

// Decides what a refused order safely means. A known reason is final. Null settles nothing. An unknown code is final only
// with a status that leaves no doubt.
export function refusedOrder<Reason>(
  { httpStatus, code }: Refused,
  reason: Reason | null | undefined,
  otherwise: Reason,
  finalStatuses: readonly number[],
): Rejected<Reason> | Unknown {
  const isKnown = reason !== undefined && reason !== null && httpStatus < 500
  if (isKnown) return { outcome: 'rejected', reason, networkCode: code }
  if (reason === undefined && finalStatuses.includes(httpStatus))
    return { outcome: 'rejected', reason: otherwise, networkCode: code }
  return undecided({ httpStatus, code })
}

// The network has nothing under the reference. A server error does not prove that: it may not have checked.
export function saysNotFound({ httpStatus, code }: Refused): boolean {
  return code === 'NOT_FOUND' && httpStatus < 500
}

export function undecided({ httpStatus, code }: Pick<Refused, 'httpStatus' | 'code'>): Unknown {
  const kind = httpStatus === 429 || httpStatus >= 500 ? 'unavailable' : 'undecided'
  return unknown(kind, `the network answered ${code} (HTTP ${httpStatus}), which settles nothing`)
}

export function unreadable(what: string): Unknown {
  return unknown('unreadable', what)
}

// The order was taken. Whatever is not named here is not needed to pay.
export function opened({
  providerId = null,
  traceId = null,
  isReady = true,
  ...instructions
}: Partial<Omit<OpenedPayin, 'instructions'> & OpenedPayin['instructions']>): Accepted<OpenedPayin> {
  const nothing = { keyString: null, qrPayload: null, pageUrl: null }
  return {
    outcome: 'accepted',
    value: { providerId, traceId, instructions: { ...nothing, ...instructions, isReady } },
  }
}

const MAX_PAGE_URL_CHARACTERS = 2_048

// The payer's browser is sent there. A plain http page is accepted only from a network that we call over plain http.
export function isSafePageUrl(pageUrl: string, baseUrl: string): boolean {
  const page = pageUrl.length <= MAX_PAGE_URL_CHARACTERS ? URL.parse(pageUrl) : null
  if (page === null || page.username !== '' || page.password !== '') return false
  return page.protocol === 'https:' || (page.protocol === 'http:' && baseUrl.startsWith('http:'))
}

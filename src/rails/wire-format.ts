// What the wires of both rails have in common: how amounts, moments, codes and refusals are written, and how strictly they
// are read. A body that departs from its shape is no answer; fields that we do not know are passed over.

import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '../core/instant.ts'
import type { Refused } from './gateway.ts'
import { type Rejected, type Unknown, unknown } from './rail.ts'

// The body where it has this shape.
export function reader<Schema extends TSchema>(
  schema: Schema,
): (body: unknown) => Static<Schema> | undefined {
  const shape = Compile(schema)
  return (body) => (shape.Check(body) ? (body as Static<Schema>) : undefined)
}

export const ReferenceText = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })
// Ids and codes of the network's own making.
export const NetworkText = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' })
// Pesos with two places, and more than none: in cents it stays below 2^53, far above what any rail carries.
export const AmountText = Type.String({ pattern: '^(?!0\\.00$)(0|[1-9][0-9]{0,12})\\.[0-9]{2}$' })
export const MomentText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
})
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

// '12345.67' → 1234567n, for text that has passed AmountText.
export function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

// Undefined for the thirty-first of February and the like.
export function instantOf(moment: string): Instant | undefined {
  const instant = Date.parse(moment)
  return Number.isNaN(instant) ? undefined : instant
}

const readFailure = reader(Type.Object({ status: Type.Literal('ERROR'), code: NetworkText }))

export function readRefusalCode(json: unknown): string | undefined {
  return readFailure(json)?.code
}

// What a table of codes says of one that came over the wire, where any text may come.
export function meaningOf<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  code: string | null,
): Meaning | undefined {
  return code !== null && Object.hasOwn(table, code) ? table[code] : undefined
}

// These say that the order is refused. Other statuses speak of the call (who asks, how often, at what address) or of an
// order that is there already, and a payment must not be given up for them.
export const ORDER_REFUSED: readonly number[] = [400, 402, 413, 415, 422]

// Makes of a refused order what may safely be made of it. A reason is final, null settles nothing, and a code without a
// meaning is final only with a status that leaves no doubt.
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

// The network looked, and has nothing under the reference; a server that is in trouble itself may not have looked.
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

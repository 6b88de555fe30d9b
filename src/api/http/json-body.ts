// Parses a JSON body, or refuses it. Strict on purpose: what we store and sign must be exactly what was sent.

import { isUtf8 } from 'node:buffer'
import { type Refusal, refuse } from '../../core/refusal.ts'

// Our own bodies nest at most three levels and hold a few dozen values. Far more of either is an attack: on the parser, on
// the validation, and on whoever waits behind it.
const MAX_DEPTH = 16
const MAX_VALUES = 2_000

export function readJsonBody(bytes: Buffer): { value: unknown } | Refusal {
  if (!isUtf8(bytes)) return refuse('INVALID_JSON', 'The body is not valid UTF-8.')
  const excess = excessOf(bytes)
  if (excess !== undefined) return refuse('INVALID_JSON', excess)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refuse('INVALID_JSON', 'The body is not valid JSON.')
  }
  return hasForbiddenKey(value)
    ? refuse('INVALID_JSON', 'The body holds the forbidden key __proto__.')
    : { value }
}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,') as unknown as [number, number, number]
const [LIST, OBJECT, LIST_END, OBJECT_END] = Buffer.from('[{]}') as unknown as [
  number,
  number,
  number,
  number,
]

// Counts what the bytes would become if they are JSON, before anything is made of them. A value begins after a comma, or
// with the list or object that it is the first of.
function excessOf(bytes: Buffer): string | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === LIST || byte === OBJECT) {
      values += 1
      depth += 1
    } else if (byte === LIST_END || byte === OBJECT_END) depth -= 1
    if (depth > MAX_DEPTH) return `The body nests deeper than ${MAX_DEPTH} levels.`
    if (values > MAX_VALUES) return `The body holds more than ${MAX_VALUES} values.`
  }
  return undefined
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const key in value)
    if (key === '__proto__' || hasForbiddenKey((value as Record<string, unknown>)[key])) return true
  return false
}

// Sorts the keys, because a retry may serialize them in another order.
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

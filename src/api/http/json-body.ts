// Parses a JSON body, or refuses it. Strict on purpose: what we store and sign must be exactly what was sent.

import { isUtf8 } from 'node:buffer'
import { type Refusal, refuse } from '../../core/refusal.ts'

// Our own bodies nest at most three levels. Far deeper ones are attacks on a parser.
const MAX_DEPTH = 16

export function readJsonBody(bytes: Buffer): { value: unknown } | Refusal {
  if (!isUtf8(bytes)) return refuse('INVALID_JSON', 'The body is not valid UTF-8.')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refuse('INVALID_JSON', 'The body is not valid JSON.')
  }
  const fault = structuralFault(value, 1)
  return fault === undefined ? { value } : refuse('INVALID_JSON', fault)
}

function structuralFault(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return `The body nests deeper than ${MAX_DEPTH} levels.`
  for (const key in value) {
    if (key === '__proto__') return 'The body holds the forbidden key __proto__.'
    const fault = structuralFault((value as Record<string, unknown>)[key], depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
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

// Values for a place in a body, by its schema: valid ones, ones just beyond a limit, and hostile ones that no schema asks for.

import type { Random } from '../random.ts'
import type { ApiDocument, Schema } from './document.ts'

export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\n',
  '\u202e',
  '\ud800',
  '💸',
  'é'.repeat(300),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; drop table payins; --",
  '<script>alert(1)</script>',
  '%00',
  'null',
  'NaN',
  '1e400',
  'javascript:1',
  'http://[',
  'http://localhost',
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59.999999999+14:00',
  '\ufeff',
  '٣',
]
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[[[]]]],
  { toString: 1 },
  0,
  -0,
  -1,
  0.1,
  2 ** 31,
  2 ** 53,
  1e308,
  5e-324,
]

export function hostileValue(random: Random): unknown {
  if (random.oneIn(2)) return random.pick(HOSTILE_TEXTS)
  if (random.oneIn(12)) return deep(5 + random.below(60))
  if (random.oneIn(12))
    return Array.from({ length: 50 + random.below(500) }, () => random.pick(HOSTILE_TEXTS.slice(0, 7)))
  return structuredClone(random.pick(HOSTILE_VALUES))
}

function deep(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

// At a limit of the schema, or one beyond it.
export function edgeValue(random: Random, document: ApiDocument, given: Schema): unknown {
  const schema = document.resolve(given)
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices !== undefined) return edgeValue(random, document, random.pick(choices))
  if (Array.isArray(schema.enum)) {
    const one = random.pick(schema.enum as unknown[])
    return random.oneIn(4) ? String(one).toLowerCase() : one
  }
  if (schema.const !== undefined) return random.oneIn(3) ? `${schema.const} ` : schema.const
  const { minLength = 0, maxLength = 200, minimum = 0, maximum = 1e12 } = schema as Record<string, number>
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(Math.max(0, random.pick([minLength - 1, minLength, maxLength, maxLength + 1, 1])))
    case 'integer':
    case 'number':
      return random.pick([minimum - 1, minimum, minimum + 1, maximum, maximum + 1, minimum + 0.5])
    case 'array': {
      const { maxItems = 20 } = schema as { maxItems?: number }
      const length = random.pick([0, 1, maxItems, maxItems + 1])
      return Array.from({ length }, () => edgeValue(random, document, (schema.items ?? {}) as Schema))
    }
    case 'boolean':
      return random.oneIn(2)
    default:
      return hostileValue(random)
  }
}

type Place = {
  readonly holder: Record<string, unknown>
  readonly key: string
  readonly schema: Schema | undefined
}

// Every place in the value with the schema that its properties name.
export function placesIn(document: ApiDocument, value: unknown, given: Schema | undefined): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const schema = given === undefined ? undefined : document.resolve(given)
  const properties = (schema?.properties ?? {}) as Record<string, Schema>
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => {
    const inner = Array.isArray(value) ? (schema?.items as Schema | undefined) : properties[key]
    return [{ holder, key, schema: inner }, ...placesIn(document, holder[key], inner)]
  })
}

// Which fields of a thing a step has changed, and to what. A step that changes one more, or one less, is seen.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

export function changedFieldsOf<Thing extends object>(
  before: Thing,
  after: Thing | undefined,
): Partial<Thing> {
  assert.ok(after !== undefined, 'it has changed')
  assert.deepEqual(Object.keys(after).sort(), Object.keys(before).sort(), 'it has the same fields')
  const entries = Object.entries(after) as [keyof Thing, unknown][]
  return Object.fromEntries(
    entries.filter(([name, value]) => !isDeepStrictEqual(before[name], value)),
  ) as Partial<Thing>
}

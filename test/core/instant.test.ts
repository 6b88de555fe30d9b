// Instants as text: the fast version equals the language's own for every instant.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isoInstant } from '../../src/core/instant.ts'

describe('isoInstant', () => {
  it('writes what Date writes, in whatever order instants come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
        fc.nat(90_000_000),
        (start, step) => {
          for (const instant of [start, start + step, start - step, start + 1]) {
            assert.equal(isoInstant(instant), new Date(instant).toISOString())
          }
        },
      ),
    )
  })
})

// Which keys sign access tokens and which are published, as they age.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { publishedAmong, signerAmong } from '../../../src/core/organizations/signing-key.ts'

const T = Date.parse('2026-11-16T12:00:00.000Z')
const FIRST = { name: 'first', createdAt: T - 30 * 24 * HOUR_MS }
const SECOND = { name: 'second', createdAt: T }
const THIRD = { name: 'third', createdAt: T + 20 * MINUTE_MS }

const at = (keys: { name: string; createdAt: number }[], minutes: number) => {
  const now = T + minutes * MINUTE_MS
  return [signerAmong(keys, now)?.name, publishedAmong(keys, now).map(({ name }) => name)]
}

describe('a key for access tokens', () => {
  it('signs from its first moment if it is the only one', () => {
    assert.deepEqual(at([SECOND], 0), ['second', ['second']])
  })

  it('is published ten minutes before it signs, and the one before it until its tokens have expired', () => {
    const keys = [SECOND, FIRST]
    assert.deepEqual(at(keys, 0), ['first', ['second', 'first']])
    assert.deepEqual(at(keys, 10 - 1 / 60), ['first', ['second', 'first']])
    assert.deepEqual(at(keys, 10), ['second', ['second', 'first']])
    // The last token of the first key lives an hour; clocks may differ by five minutes.
    assert.deepEqual(at(keys, 10 + 60 + 5 - 1 / 60), ['second', ['second', 'first']])
    assert.deepEqual(at(keys, 10 + 60 + 5), ['second', ['second']])
  })

  it('may be replaced before it has signed', () => {
    const keys = [THIRD, SECOND, FIRST]
    assert.deepEqual(at(keys, 25), ['second', ['third', 'second', 'first']])
    assert.deepEqual(at(keys, 30), ['third', ['third', 'second', 'first']])
    assert.deepEqual(at(keys, 75), ['third', ['third', 'second']])
    assert.deepEqual(at(keys, 95), ['third', ['third']])
  })

  it('is missing if there is none', () => {
    assert.deepEqual(at([], 0), [undefined, []])
  })
})

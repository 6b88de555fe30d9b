// Sealed tokens open unaltered or not at all. Sealed secrets open only under their own key and label.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  deriveKeys,
  openSecret,
  openToken,
  type SealingKeys,
  sealSecret,
  sealToken,
} from '../../src/core/seal.ts'

const keys = deriveKeys(Buffer.alloc(32, 1))
const otherKeys = deriveKeys(Buffer.alloc(32, 2))
const anyBytes = (minLength: number, maxLength = 64) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes))

describe('keys', () => {
  it('are derived: the same ones from the same secret, and one for each purpose', () => {
    const currentOf = ({ cursor, page, rest }: SealingKeys) =>
      [cursor, page, rest].map(({ current }) => current.toString('hex'))
    assert.deepEqual(currentOf(deriveKeys(Buffer.alloc(32, 1))), currentOf(keys))
    const all = [keys, otherKeys].flatMap(currentOf)
    assert.equal(new Set(all).size, 6)
  })
})

describe('a token', () => {
  it('returns its payload', () => {
    fc.assert(
      fc.property(anyBytes(1), fc.string(), (payload, context) => {
        const token = sealToken(keys.page, payload, context)
        assert.match(token, /^[A-Za-z0-9_-]+$/)
        assert.deepEqual(openToken(keys.page, token, context), payload)
      }),
    )
  })

  it('does not open under another key or in another context', () => {
    const token = sealToken(keys.page, Buffer.from('payload'), 'page')
    assert.equal(openToken(otherKeys.page, token, 'page'), undefined)
    assert.equal(openToken(keys.cursor, token, 'page'), undefined)
    assert.equal(openToken(keys.page, token, 'pages'), undefined)
    assert.equal(openToken(keys.page, token, ''), undefined)
  })

  it('does not open with any character of it changed, left out or added', () => {
    const token = sealToken(keys.page, Buffer.from('a payload'), 'page')
    for (let place = 0; place < token.length; place += 1) {
      const without = token.slice(0, place) + token.slice(place + 1)
      assert.equal(openToken(keys.page, without, 'page'), undefined)
      for (const other of ['A', 'B', '_', '=', '+', ' ']) {
        if (token[place] !== other) {
          const changed = token.slice(0, place) + other + token.slice(place + 1)
          assert.equal(openToken(keys.page, changed, 'page'), undefined)
        }
        assert.equal(
          openToken(keys.page, token.slice(0, place) + other + token.slice(place), 'page'),
          undefined,
        )
      }
    }
  })

  it('does not let a byte move between payload and context', () => {
    const token = sealToken(keys.page, Buffer.from('ab'), 'c')
    const forged = Buffer.concat([Buffer.from('a'), Buffer.from(token, 'base64url').subarray(2)])
    assert.equal(openToken(keys.page, forged.toString('base64url'), 'bc'), undefined)
  })

  it('does not open from an arbitrary text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(openToken(keys.page, text, 'page'), undefined)))
  })
})

describe('a sealed secret', () => {
  const nonce = Buffer.alloc(12, 7)

  it('opens under its key and label', () => {
    fc.assert(
      fc.property(anyBytes(0), fc.string(), anyBytes(12, 12), (secret, label, chance) => {
        const sealed = sealSecret(keys.rest, secret, label, chance)
        assert.deepEqual(openSecret(keys.rest, sealed, label), secret)
      }),
    )
  })

  it('shows nothing of the secret', () => {
    const secret = Buffer.from('whsec_a-secret-long-enough-to-be-found')
    assert.equal(sealSecret(keys.rest, secret, 'label', nonce).includes(secret.subarray(0, 8)), false)
  })

  it('does not open under another key or label', () => {
    const sealed = sealSecret(keys.rest, Buffer.from('secret'), 'webhook 1', nonce)
    assert.equal(openSecret(otherKeys.rest, sealed, 'webhook 1'), undefined)
    assert.equal(openSecret(keys.rest, sealed, 'webhook 2'), undefined)
  })

  it('opens under either key while the key is being changed, and under the new one alone no more', () => {
    const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const both = deriveKeys(next, before)
    const secret = Buffer.from('secret')
    const old = sealSecret(keys.rest, secret, 'label', Buffer.alloc(12, 7))
    assert.deepEqual(openSecret(both.rest, old, 'label'), secret)
    assert.equal(openSecret(both.rest, old, 'other label'), undefined)
    assert.equal(openSecret(deriveKeys(next).rest, old, 'label'), undefined)
    const renewed = sealSecret(both.rest, secret, 'label', Buffer.alloc(12, 8))
    assert.deepEqual(openSecret(deriveKeys(next).rest, renewed, 'label'), secret)
    assert.equal(openSecret(keys.rest, renewed, 'label'), undefined)
  })

  it('does not open with any bit changed or any byte cut off', () => {
    const sealed = sealSecret(keys.rest, Buffer.from('secret'), 'label', nonce)
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed)
      changed[place] = (changed[place] as number) ^ 1
      assert.equal(openSecret(keys.rest, changed, 'label'), undefined)
      assert.equal(openSecret(keys.rest, sealed.subarray(0, place), 'label'), undefined)
    }
  })
})

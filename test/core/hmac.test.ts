import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hmac, hmacKeyOf } from '../../src/core/hmac.ts'

describe('our HMAC-SHA256', () => {
  it('is Node’s, for keys and texts of every length', () => {
    for (let bytes = 0; bytes <= 64; bytes += 1) {
      const key = randomBytes(bytes)
      const parts = ['ñ'.repeat(bytes), randomBytes(bytes * 3), '', 'end']
      const expected = createHmac('sha256', key)
      for (const part of parts) expected.update(part)
      assert.equal(hmac(hmacKeyOf(key), parts, 'base64'), expected.digest('base64'), `${bytes} bytes`)
    }
  })

  it('takes no key that it would have to hash first', () => {
    assert.throws(() => hmacKeyOf(randomBytes(65)), /at most 64 bytes/)
  })
})

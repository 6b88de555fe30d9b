// HMAC-SHA256 (RFC 2104) out of two plain hashes. Node makes an object with memory of its own for each HMAC, which costs more
// than both hashes together, and a page of a list needs a hundred.

import { type BinaryToTextEncoding, hash } from 'node:crypto'

// The key, padded: what the inner and the outer hash begin with. Behind the outer one is room for the inner hash.
export type HmacKey = { readonly inner: Buffer; readonly outer: Buffer }

export const HMAC_BLOCK_BYTES = 64
const HASH_BYTES = 32

export function hmacKeyOf(key: Buffer): HmacKey {
  if (key.length > HMAC_BLOCK_BYTES)
    throw new Error(`a key of HMAC has at most ${HMAC_BLOCK_BYTES} bytes here`)
  return {
    inner: padded(key, 0x36),
    outer: Buffer.concat([padded(key, 0x5c)], HMAC_BLOCK_BYTES + HASH_BYTES),
  }
}

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(HMAC_BLOCK_BYTES, pad)
  for (let at = 0; at < key.length; at += 1) block[at] = (key[at] as number) ^ pad
  return block
}

export function hmac(
  key: HmacKey,
  parts: readonly (Buffer | string)[],
  encoding: BinaryToTextEncoding = 'hex',
): string {
  let length = HMAC_BLOCK_BYTES
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const bytes = Buffer.allocUnsafe(length)
  key.inner.copy(bytes)
  let at = HMAC_BLOCK_BYTES
  for (const part of parts) at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at)
  return hmacOfPadded(key, bytes, encoding)
}

// Of what begins with the key's inner pad.
export function hmacOfPadded(
  { outer }: HmacKey,
  authenticated: Buffer,
  encoding: BinaryToTextEncoding = 'hex',
): string {
  outer.write(hash('sha256', authenticated, 'binary'), HMAC_BLOCK_BYTES, 'binary')
  return hash('sha256', outer, encoding)
}

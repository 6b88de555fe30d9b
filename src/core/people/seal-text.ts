// The seal itself: AES-256 in counter mode, then HMAC-SHA256 over all of it and the organization. Keys for both are derived from
// the data key. It is not GCM because Node makes an object with its own memory for each GCM text: that took a quarter of a
// server's time for POST /payins. Here one cipher makes the key stream for some dozens of texts ahead.
//
// 0 (1) · key version (1) · object (16) · counter (16) · data · tag (16). Texts from before begin with the version: gcm-text.ts.

import {
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { uuidText } from '../uuid-token.ts'
import { GCM_BEGIN, objectOfGcm, openGcm } from './gcm-text.ts'

export type DataKey = {
  readonly version: number
  readonly key: KeyObject
  readonly encryption: Buffer
  readonly innerPad: Buffer
  readonly outerPad: Buffer
}

export type SealText = (objectId: string, fields: readonly string[]) => string

export const DATA_KEY_BYTES = 32
export const MAX_KEY_VERSION = 255
const COUNTER_BYTES = 16
// The rest of a counter numbers the blocks of its stream.
const RANDOM_BYTES = 14
const TAG_BYTES = 16
const OBJECT_BEGIN = 2
const COUNTER_BEGIN = OBJECT_BEGIN + 16
const DATA_BEGIN = COUNTER_BEGIN + COUNTER_BYTES
const BLOCK_BYTES = 16
const STREAM_BYTES = 2_048
const HMAC_BLOCK_BYTES = 64
const HASH_BYTES = 32
// What is authenticated begins with the key's pad and the organization.
const SEALED_BEGIN = HMAC_BLOCK_BYTES + 16

export function dataKeyOf(version: number, key: KeyObject): DataKey {
  const mac = derived(key, 'people-mac', HASH_BYTES)
  return {
    version,
    key,
    encryption: derived(key, 'people-encryption', 32),
    innerPad: padded(mac, 0x36),
    outerPad: padded(mac, 0x5c),
  }
}

function derived(key: KeyObject, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'recaudo', purpose, bytes))
}

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(HMAC_BLOCK_BYTES, pad)
  for (let at = 0; at < key.length; at += 1) block[at] = (key[at] as number) ^ pad
  return block
}

export function sealerOf(
  dataKey: DataKey,
  organizationId: Buffer,
  draw: (count: number) => Uint8Array,
): SealText {
  const counter = Buffer.alloc(COUNTER_BYTES)
  let stream = Buffer.alloc(0)
  let used = 0
  // No part of a stream is used twice: each text begins with a block of its own.
  const take = (bytes: number): number => {
    const taken = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
    if (used + taken > stream.length) {
      counter.set(draw(RANDOM_BYTES))
      counter.writeUInt16BE(0, RANDOM_BYTES)
      const zeros = Buffer.alloc(Math.max(STREAM_BYTES, taken))
      stream = createCipheriv('aes-256-ctr', dataKey.encryption, counter).update(zeros)
      used = 0
    }
    used += taken
    return used - taken
  }
  // Made once: memory of its own for each text would cost more than the rest.
  let scratch = authenticatedOf(dataKey, organizationId, STREAM_BYTES)
  return (objectId, fields) => {
    const text = JSON.stringify(fields)
    const length = Buffer.byteLength(text)
    const begin = take(length)
    const dataBegin = SEALED_BEGIN + DATA_BEGIN
    const end = dataBegin + length
    if (end + TAG_BYTES > scratch.length) scratch = authenticatedOf(dataKey, organizationId, length)
    scratch[SEALED_BEGIN] = 0
    scratch[SEALED_BEGIN + 1] = dataKey.version
    scratch.write(objectId.replaceAll('-', ''), SEALED_BEGIN + OBJECT_BEGIN, 'hex')
    counter.copy(scratch, SEALED_BEGIN + COUNTER_BEGIN)
    scratch.writeUInt16BE(begin / BLOCK_BYTES, SEALED_BEGIN + COUNTER_BEGIN + RANDOM_BYTES)
    scratch.write(text, dataBegin)
    for (let at = 0; at < length; at += 1)
      scratch[dataBegin + at] = (scratch[dataBegin + at] as number) ^ (stream[begin + at] as number)
    scratch.write(tagOf(dataKey, scratch.subarray(0, end)), end, TAG_BYTES, 'hex')
    return scratch.toString('base64url', SEALED_BEGIN, end + TAG_BYTES)
  }
}

function authenticatedOf({ innerPad }: DataKey, organizationId: Buffer, dataBytes: number): Buffer {
  const authenticated = Buffer.alloc(SEALED_BEGIN + DATA_BEGIN + dataBytes + TAG_BYTES)
  innerPad.copy(authenticated)
  organizationId.copy(authenticated, HMAC_BLOCK_BYTES)
  return authenticated
}

// Undefined if no key opens it.
export function openSealed(
  keys: readonly DataKey[],
  organizationId: Buffer,
  sealed: string,
): string[] | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes[0] !== 0) return openGcm(keys, organizationId, bytes)
  const dataKey = keys.find(({ version }) => version === bytes[1])
  if (dataKey === undefined || bytes.length < DATA_BEGIN + TAG_BYTES) return undefined
  const end = bytes.length - TAG_BYTES
  const authenticated = Buffer.concat([dataKey.innerPad, organizationId, bytes.subarray(0, end)])
  const tag = Buffer.from(tagOf(dataKey, authenticated), 'hex').subarray(0, TAG_BYTES)
  if (!timingSafeEqual(tag, bytes.subarray(end))) return undefined
  const counter = bytes.subarray(COUNTER_BEGIN, DATA_BEGIN)
  const decipher = createDecipheriv('aes-256-ctr', dataKey.encryption, counter)
  return JSON.parse(decipher.update(bytes.subarray(DATA_BEGIN, end)).toString('utf8')) as string[]
}

// HMAC-SHA256 in hexadecimal, of what begins with the key's inner pad. From two plain hashes: an object for each text would
// cost more than both.
function tagOf({ outerPad }: DataKey, authenticated: Buffer): string {
  const outer = Buffer.allocUnsafe(HMAC_BLOCK_BYTES + HASH_BYTES)
  outerPad.copy(outer)
  outer.write(hash('sha256', authenticated, 'hex'), HMAC_BLOCK_BYTES, 'hex')
  return hash('sha256', outer, 'hex')
}

// For which payin, payout or link it was made. Undefined if it is no sealed text.
export function objectOf(sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes[0] !== 0) return bytes.length < GCM_BEGIN ? undefined : objectOfGcm(bytes)
  return bytes.length < DATA_BEGIN + TAG_BYTES
    ? undefined
    : uuidText(bytes.subarray(OBJECT_BEGIN, COUNTER_BEGIN))
}

// Blind indexes have a key of their own: whoever learns it can test guesses, and open nothing.
export function indexKeyOf({ key }: DataKey): Buffer {
  return derived(key, 'people-index', HASH_BYTES)
}

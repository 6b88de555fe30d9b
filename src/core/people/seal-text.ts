// The seal itself: AES-256 in counter mode, then HMAC-SHA256 over all of it and the organization. Keys for both are derived from
// the data key. It is not GCM because Node makes an object with its own memory for each GCM text: that took a quarter of a
// server's time for POST /payins. Here one cipher for each key turns counters into its stream, for some dozens of texts ahead.
//
// 0 (1) · key version (1) · object (16) · counter (16) · data · tag (16). Texts from before begin with the version: gcm-text.ts.

import { type Cipheriv, createCipheriv, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { HMAC_BLOCK_BYTES, type HmacKey, hmacKeyOf, hmacOfPadded } from '../hmac.ts'
import { uuidText } from '../uuid-token.ts'
import { GCM_BEGIN, objectOfGcm, openGcm } from './gcm-text.ts'

export type DataKey = {
  readonly version: number
  readonly key: KeyObject
  // Counters in, key stream out.
  readonly cipher: Cipheriv
  readonly mac: HmacKey
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
// What is authenticated begins with the key's pad and the organization.
const SEALED_BEGIN = HMAC_BLOCK_BYTES + 16

export function dataKeyOf(version: number, key: KeyObject): DataKey {
  const cipher = createCipheriv('aes-256-ecb', derived(key, 'people-encryption'), null)
  return { version, key, cipher: cipher.setAutoPadding(false), mac: hmacKeyOf(derived(key, 'people-mac')) }
}

function derived(key: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'recaudo', purpose, 32))
}

// The key stream from a counter on.
function streamOf({ cipher }: DataKey, counter: Buffer, bytes: number): Buffer {
  const first = counter.readUInt16BE(RANDOM_BYTES)
  const counters = Buffer.alloc(Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES, counter)
  for (let at = BLOCK_BYTES; at < counters.length; at += BLOCK_BYTES)
    counters.writeUInt16BE(first + at / BLOCK_BYTES, at + RANDOM_BYTES)
  return cipher.update(counters)
}

export function sealerOf(
  dataKey: DataKey,
  organizationId: Buffer,
  draw: (count: number) => Uint8Array,
): SealText {
  const counter = Buffer.alloc(COUNTER_BYTES)
  let stream: Buffer = Buffer.alloc(0)
  let used = 0
  // No part of a stream is used twice: each text begins with a block of its own.
  const take = (bytes: number): number => {
    const taken = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
    if (used + taken > stream.length) {
      counter.set(draw(RANDOM_BYTES))
      counter.writeUInt16BE(0, RANDOM_BYTES)
      stream = streamOf(dataKey, counter, Math.max(STREAM_BYTES, taken))
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
    scratch.write(hmacOfPadded(dataKey.mac, scratch.subarray(0, end), 'binary'), end, TAG_BYTES, 'binary')
    return scratch.toString('base64url', SEALED_BEGIN, end + TAG_BYTES)
  }
}

function authenticatedOf({ mac }: DataKey, organizationId: Buffer, dataBytes: number): Buffer {
  const authenticated = Buffer.alloc(SEALED_BEGIN + DATA_BEGIN + dataBytes + TAG_BYTES)
  mac.inner.copy(authenticated)
  organizationId.copy(authenticated, HMAC_BLOCK_BYTES)
  return authenticated
}

// Undefined if no key opens it, or if it was made for another object than the one that is named.
export type OpenSealedText = (sealed: string, objectId?: string) => string[] | undefined

export function sealedTextOpener(keys: readonly DataKey[], organizationId: Buffer): OpenSealedText {
  // Made once, as for sealing. Room for a text, behind the key's pad and the organization.
  let scratch = Buffer.alloc(0)
  const tag = Buffer.alloc(TAG_BYTES)
  const openers = new Map(
    keys.map((dataKey) => [dataKey.version, { dataKey, streamFrom: streamsOf(dataKey) }]),
  )
  // Whose pad the room begins with.
  let padded: DataKey | undefined
  return (sealed, objectId) => {
    if (scratch.length < SEALED_BEGIN + sealed.length) {
      scratch = Buffer.alloc(SEALED_BEGIN + Math.max(STREAM_BYTES, sealed.length))
      organizationId.copy(scratch, HMAC_BLOCK_BYTES)
      padded = undefined
    }
    const sealedEnd = SEALED_BEGIN + scratch.write(sealed, SEALED_BEGIN, 'base64url')
    const bytes = scratch.subarray(SEALED_BEGIN, sealedEnd)
    if (objectId !== undefined && objectIn(bytes) !== objectId) return undefined
    if (bytes[0] !== 0) return openGcm(keys, organizationId, bytes)
    const opener = openers.get(bytes[1] as number)
    if (opener === undefined || bytes.length < DATA_BEGIN + TAG_BYTES) return undefined
    const { dataKey, streamFrom } = opener
    const end = sealedEnd - TAG_BYTES
    if (padded !== dataKey) dataKey.mac.inner.copy(scratch)
    padded = dataKey
    tag.write(hmacOfPadded(dataKey.mac, scratch.subarray(0, end), 'binary'), 'binary')
    if (!timingSafeEqual(tag, scratch.subarray(end, sealedEnd))) return undefined
    const begin = SEALED_BEGIN + DATA_BEGIN
    const { stream, streamBegin } = streamFrom(bytes, COUNTER_BEGIN, end - begin)
    for (let at = begin, from = streamBegin; at < end; at += 1, from += 1)
      scratch[at] = (scratch[at] as number) ^ (stream[from] as number)
    return JSON.parse(scratch.toString('utf8', begin, end)) as string[]
  }
}

type StreamPart = { readonly stream: Buffer; readonly streamBegin: number }

// Texts that were sealed one after another share a stream, and are mostly opened one after another: a page of a list. The last
// stream is kept.
function streamsOf(dataKey: DataKey): (bytes: Buffer, counterBegin: number, length: number) => StreamPart {
  const kept = Buffer.alloc(COUNTER_BYTES)
  let stream: Buffer = Buffer.alloc(0)
  return (bytes, counterBegin, length) => {
    const streamBegin = bytes.readUInt16BE(counterBegin + RANDOM_BYTES) * BLOCK_BYTES
    if (streamBegin + length > STREAM_BYTES) {
      const counter = bytes.subarray(counterBegin, counterBegin + COUNTER_BYTES)
      return { stream: streamOf(dataKey, counter, length), streamBegin: 0 }
    }
    if (stream.length === 0 || !isSame(kept, bytes, counterBegin)) {
      bytes.copy(kept, 0, counterBegin, counterBegin + RANDOM_BYTES)
      stream = streamOf(dataKey, kept, STREAM_BYTES)
    }
    return { stream, streamBegin }
  }
}

// For so few bytes a call out of the language costs more than the comparison.
function isSame(kept: Buffer, bytes: Buffer, begin: number): boolean {
  for (let at = 0; at < RANDOM_BYTES; at += 1) if (kept[at] !== bytes[begin + at]) return false
  return true
}

// For which payin, payout or link it was made. Undefined if it is no sealed text.
export function objectOf(sealed: string): string | undefined {
  return objectIn(Buffer.from(sealed, 'base64url'))
}

function objectIn(bytes: Buffer): string | undefined {
  if (bytes[0] !== 0) return bytes.length < GCM_BEGIN ? undefined : objectOfGcm(bytes)
  return bytes.length < DATA_BEGIN + TAG_BYTES
    ? undefined
    : uuidText(bytes.subarray(OBJECT_BEGIN, COUNTER_BEGIN))
}

// Blind indexes have a key of their own: whoever learns it can test guesses, and open nothing.
export function indexKeyOf({ key }: DataKey): Buffer {
  return derived(key, 'people-index')
}

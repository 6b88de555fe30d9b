// Identifiers are UUIDv7: the first 48 bits are the creation time, so ids sort by creation and a list needs no second
// column. A counter keeps the order within one millisecond and one process. Clock and randomness are passed in.

import type { Instant } from './instant.ts'

export type IdSource = (now: Instant) => string

const COUNTER_BITS = 12
// The counter starts in its lower half: at least 2,048 ids fit in a millisecond before the time advances by one.
const COUNTER_START_LIMIT = 1 << (COUNTER_BITS - 1)
// If the clock goes back by less than this, ids keep the later time and so their order. If it goes back by more, it was
// corrected, and we follow it.
const MAX_CLOCK_STEP_BACK_MS = 1_000
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

// `takeRandomBytes` returns a view that must be read at once: ten fresh bytes for each id.
export function createIdSource(takeRandomBytes: (count: number) => Uint8Array): IdSource {
  let lastMs = -1
  let counter = 0
  // The time and the version, shared by all ids of the millisecond.
  let timePrefix = ''
  return (now) => {
    const random = takeRandomBytes(10)
    const byte = (index: number): string => HEX[random[index] as number] as string
    let ms = now < lastMs && lastMs - now < MAX_CLOCK_STEP_BACK_MS ? lastMs : now
    if (ms === lastMs && counter + 1 < 1 << COUNTER_BITS) {
      counter += 1
    } else {
      if (ms === lastMs) ms += 1
      counter = (((random[8] as number) << 8) | (random[9] as number)) % COUNTER_START_LIMIT
      lastMs = ms
      const time = ms.toString(16).padStart(12, '0')
      timePrefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
    }
    const variant = HEX[0x80 | ((random[0] as number) & 0x3f)] as string
    return (
      `${timePrefix}${counter.toString(16).padStart(3, '0')}-` +
      `${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
    )
  }
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function instantOfId(id: string): Instant {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

// The smallest id that could have been made at this instant. Turns a time into a bound on ids.
export function firstIdAt(instant: Instant): string {
  const time = Math.max(0, Math.min(instant, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const POOL_BYTES = 8_192

// Random bytes for ids, from a pool that is rarely refilled: the system call costs more than the bytes. Each is given once. Read them at
// once: they are overwritten later.
export function createRandomPool(fill: (pool: Buffer) => void): (count: number) => Buffer {
  const pool = Buffer.allocUnsafe(POOL_BYTES)
  let used = pool.length
  return (count) => {
    if (used + count > pool.length) {
      fill(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

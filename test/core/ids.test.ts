// Ids carry their time and sort in order of creation, however many share a millisecond and even if the clock jumps
// back.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createIdSource, createRandomPool, firstIdAt, instantOfId, isUuid } from '../../src/core/ids.ts'
import { decodeUuidToken, encodeUuidToken } from '../../src/core/uuid-token.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const zeros = () => new Uint8Array(10)
const ones = () => new Uint8Array(10).fill(0xff)
const anyBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
const anyInstant = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const isSorted = (ids: readonly string[]) =>
  ids.every((id, index) => index === 0 || (ids[index - 1] as string) < id)

describe('ids', () => {
  it('are UUIDs of version 7 that contain their time', () => {
    fc.assert(
      fc.property(anyBytes, anyInstant, (bytes, now) => {
        const id = createIdSource(() => bytes)(now)
        assert.match(id, UUID_V7)
        assert.ok(isUuid(id))
        assert.equal(instantOfId(id), now)
      }),
    )
  })

  it('sort in order of creation: two thousand in one millisecond, all with that millisecond', () => {
    for (const bytes of [zeros, ones]) {
      const nextId = createIdSource(bytes)
      const ids = Array.from({ length: 2_048 }, () => nextId(NOW))
      assert.ok(isSorted(ids))
      assert.equal(instantOfId(ids.at(-1) as string), NOW)
    }
  })

  it('sort in order of creation beyond that too, slightly ahead of the clock', () => {
    for (const bytes of [zeros, ones]) {
      const nextId = createIdSource(bytes)
      const ids = Array.from({ length: 20_000 }, () => nextId(NOW))
      ids.push(nextId(NOW + 1))
      assert.ok(isSorted(ids))
      assert.ok(instantOfId(ids.at(-1) as string) <= NOW + 20_000 / 2_048 + 1)
    }
  })

  it('sort in order of creation if the clock goes back a little', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 40 }), { maxLength: 100 }), (steps) => {
        const nextId = createIdSource(ones)
        let now = NOW
        const ids = steps.map((step) => {
          now = Math.max(NOW, now + step)
          return nextId(now)
        })
        assert.ok(isSorted(ids))
      }),
    )
  })

  it('follow a clock that is corrected by more than a second', () => {
    const nextId = createIdSource(zeros)
    nextId(NOW + 3_600_000)
    assert.equal(instantOfId(nextId(NOW)), NOW)
  })

  it('are made of the time, a counter and the random bytes, each at its place', () => {
    const bytes = Uint8Array.of(0xff, 0x01, 0x0a, 0xb0, 0x04, 0x55, 0x06, 0xe7, 0xfd, 0xa3)
    const nextId = createIdSource(() => bytes)
    assert.equal(nextId(0x0123456789ab), '01234567-89ab-75a3-bf01-0ab0045506e7')
    assert.equal(nextId(0x0123456789ab), '01234567-89ab-75a4-bf01-0ab0045506e7')
    assert.equal(createIdSource(zeros)(7), '00000000-0007-7000-8000-000000000000')
  })

  it('have a millisecond of their own for every 4,096 that are made in one', () => {
    const nextId = createIdSource(zeros)
    const times = Array.from({ length: 8_193 }, () => instantOfId(nextId(NOW)) - NOW)
    assert.deepEqual([times[4_095], times[4_096], times[8_191], times[8_192]], [0, 1, 1, 2])
  })

  it('keep the later time while the clock is back by less than a second', () => {
    const back = (ms: number): number => {
      const nextId = createIdSource(zeros)
      nextId(NOW)
      return instantOfId(nextId(NOW - ms)) - NOW
    }
    assert.deepEqual([back(1), back(999), back(1_000)], [0, 0, -1_000])
  })

  it('differ wherever the random bits differ', () => {
    const ids = [zeros, ones].map((bytes) => createIdSource(bytes)(NOW))
    assert.notEqual(ids[0], ids[1])
  })

  it('have random bytes of which none is given twice', () => {
    let filled = 0
    const take = createRandomPool((pool) => {
      for (let at = 0; at < pool.length; at += 4) {
        filled += 1
        pool.writeUInt32BE(filled, at)
      }
    })
    const given = Array.from({ length: 5_000 }, () => take(4).readUInt32BE())
    assert.ok(filled > given.length, 'it was filled more than once')
    assert.equal(new Set(given).size, given.length)
  })

  it('have one spelling in an address', () => {
    const uuid = createIdSource(ones)(NOW)
    const token = encodeUuidToken(uuid, Buffer.alloc(16))
    assert.equal(decodeUuidToken(token)?.uuid, uuid)
    // The last letter has bits that say nothing.
    assert.equal(token.at(-1), 'A')
    for (const last of ['B', 'C', 'D', '='])
      assert.equal(decodeUuidToken(token.slice(0, -1) + last), undefined)
  })
})

describe('the first id at an instant', () => {
  it('is not above any id of that instant, and above every earlier one', () => {
    fc.assert(
      fc.property(anyBytes, anyInstant, (bytes, now) => {
        const id = createIdSource(() => bytes)(now)
        assert.ok(firstIdAt(now) <= id)
        if (now < 2 ** 48 - 1) assert.ok(id < firstIdAt(now + 1))
        assert.ok(isUuid(firstIdAt(now)))
      }),
    )
  })

  it('is still an id outside of the time that ids can hold', () => {
    assert.equal(firstIdAt(-5), '00000000-0000-0000-0000-000000000000')
    assert.equal(firstIdAt(2 ** 60), 'ffffffff-ffff-0000-0000-000000000000')
  })
})

describe('isUuid', () => {
  it('accepts no other text', () => {
    const id = createIdSource(ones)(NOW)
    assert.ok(isUuid(id.toUpperCase()))
    for (const text of [
      '',
      id.slice(1),
      `${id}0`,
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      id.replace('7', 'g'),
    ])
      assert.equal(isUuid(text), false, JSON.stringify(text))
  })
})

// A credential is used for less than a second after it was read, however busy its owner is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCredentialCache } from '../../../src/api/http/credential-cache.ts'

function cacheOf(load: (key: string) => Promise<string | undefined>) {
  let nowMs = 0
  const cache = createCredentialCache(load, () => nowMs)
  return {
    cache,
    at: (ms: number) => {
      nowMs = ms
      return cache.get('key')
    },
  }
}

// Each read has its number.
function countedReads() {
  let reads = 0
  const load = async (): Promise<string> => {
    reads += 1
    return `read ${reads}`
  }
  return { ...cacheOf(load), reads: () => reads }
}

describe('a kept credential', () => {
  it('is used for 800 ms after its read began', async () => {
    const { at, reads } = countedReads()
    assert.equal(await at(0), 'read 1')
    assert.equal(at(400), 'read 1', 'answered at once')
    assert.equal(reads(), 1)
    assert.equal(at(800), 'read 1', 'the last moment')
  })

  it('that is older is read again before it is used', async () => {
    const { at } = countedReads()
    assert.equal(await at(0), 'read 1')
    assert.equal(await at(801), 'read 2')
  })

  it('is renewed once while it is in use, from 400 ms on', async () => {
    const { at, reads } = countedReads()
    await at(0)
    assert.equal(at(401), 'read 1')
    assert.equal(at(402), 'read 1')
    assert.equal(reads(), 2)
    await new Promise(setImmediate)
    assert.equal(at(403), 'read 2')
  })

  it('is refused within the second in which it was revoked, although its renewal fails', async () => {
    let answer: () => Promise<string | undefined> = async () => 'valid'
    const { at } = cacheOf(() => answer())
    await at(0)
    answer = () => Promise.reject(new Error('the store is away'))
    assert.equal(at(700), 'valid')
    answer = async () => undefined
    assert.equal(await at(801), undefined)
  })

  it('that is stale is dropped, alone, and what was being read meanwhile is not kept', async () => {
    const { at, cache, reads } = countedReads()
    assert.equal(await at(0), 'read 1')
    assert.equal(await cache.get('other'), 'read 2')
    at(1)
    cache.drop((credential) => credential === 'read 1')
    assert.equal(cache.get('other'), 'read 2')
    const reading = at(2)
    cache.drop(() => false)
    assert.equal(await reading, 'read 3')
    assert.equal(await at(3), 'read 4')
    assert.equal(at(4), 'read 4')
    assert.equal(reads(), 4)
  })

  it('is renewed by the next who uses it where a renewal failed', async () => {
    let reads = 0
    let isAway = false
    const { at } = cacheOf(async () => {
      reads += 1
      if (isAway) throw new Error('the store is away')
      return `read ${reads}`
    })
    await at(0)
    isAway = true
    assert.equal(at(500), 'read 1')
    await new Promise(setImmediate)
    isAway = false
    assert.equal(at(600), 'read 1')
    await new Promise(setImmediate)
    assert.equal(at(700), 'read 3', 'it was read again at 600 ms')
    assert.equal(reads, 3)
  })

  it('that is unknown is not kept, and one that has become unknown is kept no longer', async () => {
    let known: string | undefined
    const { at, cache } = cacheOf(async () => known)
    assert.equal(await at(0), undefined)
    assert.equal(cache.has('key'), false)
    known = 'valid'
    assert.equal(await at(1), 'valid')
    assert.equal(cache.has('key'), true)
    known = undefined
    assert.equal(at(500), 'valid')
    await new Promise(setImmediate)
    assert.equal(cache.has('key'), false)
  })

  it('is one of ten thousand, of which the one that was read longest ago makes room', async () => {
    const cache = createCredentialCache(
      async (key: string) => key,
      () => 0,
    )
    for (let count = 0; count < 10_000; count += 1) await cache.get(`k${count}`)
    assert.deepEqual([cache.has('k0'), cache.has('k9999')], [true, true])
    await cache.get('one more')
    assert.deepEqual([cache.has('k0'), cache.has('k1'), cache.has('one more')], [false, true, true])
  })
})

// A page that waits for its payment by a stream: how often its state is read, and that nothing is left of it when it is closed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckoutBackend } from '../../src/checkout/backend.ts'
import { createStreams } from '../../src/checkout/stream.ts'

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

function openPage() {
  const reads: PromiseWithResolvers<string>[] = []
  const heard: string[] = []
  let change = () => {}
  let isWatched = true
  const backend: Pick<CheckoutBackend, 'watch'> = {
    watch: (_token, onChange) => {
      change = onChange
      return {
        stop: () => {
          isWatched = false
        },
      }
    },
  }
  const streams = createStreams(backend as CheckoutBackend)
  const stream = streams.open({
    organizationId: 'organization',
    token: 'token',
    seenVersion: 'seen',
    versionNow: () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return read.promise
    },
  })
  assert.ok(stream)
  stream.on('data', (bytes: Buffer) => heard.push(String(bytes)))
  return { streams, stream, reads, heard, change: () => change(), isWatched: () => isWatched }
}

describe('a page that waits', () => {
  it('is read once more after all that changed while it was read, and then no more', async () => {
    const { stream, reads, change } = openPage()
    assert.equal(reads.length, 1, 'at once')
    for (let count = 0; count < 3; count += 1) change()
    assert.equal(reads.length, 1, 'one at a time')
    reads[0]?.resolve('seen')
    await settled()
    assert.equal(reads.length, 2)
    reads[1]?.resolve('seen')
    await settled()
    assert.equal(reads.length, 2)
    change()
    assert.equal(reads.length, 3)
    stream.destroy()
  })

  it('is told its new version, and is read no more', async () => {
    const { stream, reads, heard, change, isWatched } = openPage()
    change()
    reads[0]?.resolve('another')
    await settled()
    assert.deepEqual(heard, ['retry: 3000\n\n', 'data: another\n\n'])
    assert.deepEqual([stream.destroyed, isWatched(), reads.length], [true, false, 1])
  })

  it('is read again every twenty seconds while it cannot be, and by nobody once it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    const { stream, reads, heard } = openPage()
    reads[0]?.reject(new Error('the database is away'))
    await settled()
    t.mock.timers.tick(19_999)
    assert.equal(reads.length, 1)
    t.mock.timers.tick(1)
    assert.equal(reads.length, 2)
    reads[1]?.reject(new Error('the database is away'))
    await settled()
    assert.deepEqual(heard, ['retry: 3000\n\n', ':\n\n'])
    stream.destroy()
    await settled()
    t.mock.timers.tick(600_000)
    await settled()
    assert.equal(reads.length, 2)
  })

  it('that was read is not read again without a change', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    const { stream, reads } = openPage()
    reads[0]?.resolve('seen')
    await settled()
    t.mock.timers.tick(60_000)
    assert.equal(reads.length, 1)
    stream.destroy()
  })

  it('has eight tabs at most, and another when one is closed', async () => {
    const page = { organizationId: 'one', token: 't', seenVersion: '', versionNow: async () => '' }
    const backend = { watch: () => ({ stop: () => {} }) } as unknown as CheckoutBackend
    const streams = createStreams(backend)
    const tabs = Array.from({ length: 9 }, () => streams.open(page))
    assert.deepEqual(
      tabs.map((tab) => tab !== undefined),
      [...Array<boolean>(8).fill(true), false],
    )
    const other = streams.open({ ...page, token: 'another' })
    tabs[0]?.destroy()
    await settled()
    const next = streams.open(page)
    assert.ok(other !== undefined && next !== undefined)
    for (const stream of [...tabs, other, next]) stream?.destroy()
    await settled()
  })
})

// How a file is sent: under which name, how many at once, and for how long somebody may take to read it.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { hasRoomForFile, type SentFile, sendFile } from '../../../src/api/export/send-file.ts'

const file = (changes: Partial<SentFile> = {}): SentFile => ({
  organizationId: 'one',
  kind: 'csv',
  name: 'Órdenes de hoy (2)',
  language: 'es',
  heads: ['Uno'],
  rows: (async function* () {
    yield [[{ text: 'x' }]]
  })(),
  ...changes,
})

// Reads when it is told to. What is open stays open until it is closed.
function reader() {
  const raw = Object.assign(new EventEmitter(), {
    isDestroyed: false,
    destroy: () => (raw.isDestroyed = true),
  })
  const taken: { content?: AsyncIterator<unknown> } = {}
  const reply = {
    raw,
    header: () => reply,
    type: () => reply,
    send: (content: AsyncIterable<unknown>) => {
      taken.content = content[Symbol.asyncIterator]()
      return reply
    },
  }
  return {
    raw,
    open: (changes: Partial<SentFile> = {}) => void sendFile(reply as unknown as FastifyReply, file(changes)),
    read: async () => {
      const { value, done } = (await taken.content?.next()) ?? { value: undefined, done: true }
      return done ? undefined : String(value)
    },
    close: () => raw.emit('close'),
  }
}

// Each part is more than is read ahead.
async function* endlessRows() {
  for (;;) yield [[{ text: 'x'.repeat(200_000) }]]
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}

describe('a file that is sent', () => {
  it('is named twice: in letters that every program knows, and as it is', async () => {
    const app = Fastify()
    app.get('/file', (_, reply) => sendFile(reply, file()))
    const { headers, body } = await app.inject('/file')
    assert.equal(
      headers['content-disposition'],
      'attachment; filename="Ordenes-de-hoy-2.csv"; filename*=UTF-8\'\'%C3%93rdenes-de-hoy-(2).csv',
    )
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(body, '\ufeffUno\r\nx\r\n')
    assert.equal(hasRoomForFile('one'), true)
  })

  it('is one of two of its organization, and of eight of all', () => {
    const open = (organizationId: string) => {
      const one = reader()
      one.open({ organizationId })
      return one
    }
    const first = open('a')
    assert.equal(hasRoomForFile('a'), true)
    const second = open('a')
    assert.deepEqual([hasRoomForFile('a'), hasRoomForFile('b')], [false, true])
    first.close()
    assert.equal(hasRoomForFile('a'), true)
    const others = ['a', 'b', 'b', 'c', 'c', 'd'].map(open)
    assert.deepEqual([hasRoomForFile('d'), hasRoomForFile('e')], [true, true], 'there are seven')
    others.push(open('d'))
    assert.deepEqual([hasRoomForFile('e'), hasRoomForFile('f')], [false, false])
    for (const one of [second, ...others]) one.close()
    assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map(hasRoomForFile), [true, true, true, true, true])
  })

  it('is broken off where nothing is taken for a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const slow = reader()
    slow.open({ rows: endlessRows() })
    assert.match((await slow.read()) ?? '', /Uno/)
    await settled()
    t.mock.timers.tick(59_999)
    assert.equal(slow.raw.isDestroyed, false)
    t.mock.timers.tick(1)
    assert.equal(slow.raw.isDestroyed, true)
    slow.close()
  })

  it('is broken off after half an hour, however much is taken, and not once it has ended', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const [endless, ended] = [reader(), reader()]
    endless.open({ rows: endlessRows() })
    ended.open()
    ended.close()
    for (let seconds = 0; seconds < 30 * 60; seconds += 50) {
      assert.equal(endless.raw.isDestroyed, false)
      await endless.read()
      await settled()
      t.mock.timers.tick(50_000)
    }
    assert.deepEqual([endless.raw.isDestroyed, ended.raw.isDestroyed], [true, false])
    endless.close()
  })
})

// A kept connection, byte by byte: bytes that arrive before the request was written are no answer to it.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, it } from 'node:test'
import { type HttpExchange, openConnections } from '../../src/webhooks/connections.ts'
import { deadlinesAfter } from '../../src/webhooks/deadlines.ts'
import { eventually } from '../eventually.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

// The receiver writes with `push`; the bytes it was sent are in `got`.
function farSide(): { socket: Duplex; got: string[] } {
  const got: string[] = []
  const socket = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      got.push(String(chunk))
      done()
    },
  })
  return { socket, got }
}

function asking(request: string): HttpExchange & { outcome: Promise<string> } {
  const { promise, resolve } = Promise.withResolvers<string>()
  return {
    request,
    outcome: promise,
    onTurn: () => true,
    onHead: () => {},
    onBody: () => {},
    onEnd: () => resolve('answered'),
    onFailure: () => resolve('failed'),
  }
}

describe('a kept connection', () => {
  it('does not accept an answer that came before the request was written', async () => {
    const sides = [farSide(), farSide()]
    let opened = 0
    const connections = openConnections({
      connect: async () => (sides[opened++] as { socket: Duplex }).socket as unknown as Socket,
      most: 1,
      headerBytes: 1_024,
    })
    const first = asking('first')
    connections.send(first)
    const [side, other] = sides as [ReturnType<typeof farSide>, ReturnType<typeof farSide>]
    while (side.got.length === 0) await new Promise(setImmediate)
    side.socket.push(ANSWER)
    assert.equal(await first.outcome, 'answered')

    const second = asking('second')
    connections.send(second)
    side.socket.push(ANSWER)
    assert.equal(await second.outcome, 'failed')
    assert.deepEqual(side.got, ['first'])

    const third = asking('third')
    connections.send(third)
    while (other.got.length === 0) await new Promise(setImmediate)
    other.socket.push(ANSWER)
    assert.equal(await third.outcome, 'answered')
    assert.deepEqual(other.got, ['third'])
    await connections.close()
  })

  it('that its receiver closes takes no other with it', async () => {
    const sides = [farSide(), farSide(), farSide()]
    let opened = 0
    const connections = openConnections({
      connect: async () => (sides[opened++] as { socket: Duplex }).socket as unknown as Socket,
      most: 2,
      headerBytes: 1_024,
    })
    const answered = async (names: string[], from: typeof sides): Promise<void> => {
      const exchanges = names.map(asking)
      for (const exchange of exchanges) connections.send(exchange)
      for (const [index, { socket, got }] of from.entries()) {
        while (!got.includes(names[index] as string)) await new Promise(setImmediate)
        socket.push(ANSWER)
      }
      for (const { outcome } of exchanges) assert.equal(await outcome, 'answered')
    }
    const [left, right] = sides as [ReturnType<typeof farSide>, ReturnType<typeof farSide>]
    await answered(['one', 'two'], [left, right])
    left.socket.destroy()
    await new Promise(setImmediate)
    await answered(['three'], [right])
    assert.equal(opened, 2, 'the other one is used again')
    await connections.close()
  })

  it('is not used again from when its receiver may close it', async (t) => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const sides = [farSide(), farSide()]
    let opened = 0
    const connections = openConnections({
      connect: async () => (sides[opened++] as { socket: Duplex }).socket as unknown as Socket,
      most: 2,
      headerBytes: 1_024,
    })
    for (const [atMs, side] of [
      [0, 0],
      [999, 0],
      [1_999, 1],
    ] as const) {
      nowMs = atMs
      const { socket, got } = sides[side] as ReturnType<typeof farSide>
      const exchange = asking(`at ${atMs}`)
      connections.send(exchange)
      for (let turn = 0; turn < 100 && !got.includes(`at ${atMs}`); turn += 1) await new Promise(setImmediate)
      assert.ok(got.includes(`at ${atMs}`), `at ${atMs}`)
      socket.push('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nkeep-alive: timeout=2\r\n\r\n')
      assert.equal(await exchange.outcome, 'answered')
    }
    assert.deepEqual(
      sides.map(({ got }) => got),
      [['at 0', 'at 999'], ['at 1999']],
    )
    await connections.close()
  })

  it('is closed by a sweep when its time is over, and not before', async (t) => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const { socket, got } = farSide()
    const connect = async () => socket as unknown as Socket
    const connections = openConnections({ connect, most: 1, headerBytes: 1_024 })
    const exchange = asking('one')
    connections.send(exchange)
    while (got.length === 0) await new Promise(setImmediate)
    socket.push(ANSWER)
    assert.equal(await exchange.outcome, 'answered')
    const closedAt = (atMs: number): boolean => {
      nowMs = atMs
      connections.sweep()
      return socket.destroyed
    }
    assert.deepEqual([closedAt(0), closedAt(3_999), closedAt(4_000)], [false, false, true])
    await connections.close()
  })

  it('that ended earlier does not let its sender close before the others have their answers', async () => {
    const sides = [farSide(), farSide()]
    let opened = 0
    const connections = openConnections({
      connect: async () => (sides[opened++] as { socket: Duplex }).socket as unknown as Socket,
      most: 2,
      headerBytes: 1_024,
    })
    const [left, right] = sides as [ReturnType<typeof farSide>, ReturnType<typeof farSide>]
    const [one, two] = [asking('one'), asking('two')]
    connections.send(one)
    connections.send(two)
    while (right.got.length === 0 || left.got.length === 0) await new Promise(setImmediate)
    left.socket.destroy()
    assert.equal(await one.outcome, 'failed')
    let isClosed = false
    const closed = connections.close().then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
    assert.equal(isClosed, false)
    right.socket.push(ANSWER)
    assert.equal(await two.outcome, 'answered')
    await closed
  })
})

describe('the deadline of an attempt', () => {
  it('comes for those before and after one that was answered in time', async () => {
    const { begin, end } = deadlinesAfter(5)
    const over: string[] = []
    const expire = (name: string) => () => {
      if (over.push(name) > 3) throw new Error(`${name} is over once more than there are deadlines`)
    }
    const [, answered] = ['first', 'answered', 'third', 'last'].map((name) => begin(expire(name)))
    assert.ok(answered)
    end(answered)
    await eventually(
      async () => over,
      ({ length }) => length === 3,
    )
    assert.deepEqual(over, ['first', 'third', 'last'])
  })
})

// Connections to one endpoint: kept open between requests, one request at a time on each, and only so many. Written here and
// not taken from a library because all we need of HTTP is a POST and the beginning of its answer: done directly that is half
// the work, and what a stranger's server can do to us is all in sight.

import type { Socket } from 'node:net'
import { type AnswerHead, createAnswerReader } from './answer-reader.ts'
import { SendFailure } from './failure.ts'

// One request, and who is told what becomes of it. After `onEnd` or `onFailure` nothing more is told.
export type Exchange = {
  readonly request: string
  // Its turn has come: false where it is not wanted any more. `cut` breaks the connection off.
  readonly onTurn: (cut: () => void) => boolean
  readonly onHead: (head: AnswerHead) => void
  readonly onBody: (bytes: Buffer) => void
  readonly onEnd: () => void
  readonly onFailure: (error: unknown) => void
}

export type Connections = {
  readonly send: (exchange: Exchange) => void
  // Waits for what was sent; sends nothing new.
  readonly close: () => Promise<void>
  // Lets go of those that nobody has used for as long as the far side keeps them.
  readonly sweep: () => void
}

export type ConnectionsOptions = {
  readonly connect: () => Promise<Socket>
  readonly most: number
  readonly headerBytes: number
}

// A busy connection is renewed now and then, so that a move in DNS is followed.
const REQUESTS_PER_CONNECTION = 1_000
// One that was opened or taken for a request that is not wanted any more.
const UNUSED_KEPT_MS = 1_000

type Connection = {
  readonly socket: Socket
  readonly carry: (exchange: Exchange) => void
  freeUntilMs: number
}

// Requests are written when all answers that are there were read: one after the other they would wake the far side, or
// whatever stands before it, as many times.
const unwritten: (() => void)[] = []

function soon(write: () => void): void {
  if (unwritten.push(write) > 1) return
  setImmediate(() => {
    for (const next of unwritten.splice(0)) next()
  })
}

export function openConnections({ connect, most, headerBytes }: ConnectionsOptions): Connections {
  // The last one used is the next to be used, so that those too many are let go.
  const free: Connection[] = []
  const waiting: Exchange[] = []
  const closed = Promise.withResolvers<void>()
  let open = 0
  let isClosing = false

  const openFor = async (exchange: Exchange): Promise<void> => {
    open += 1
    let socket: Socket
    try {
      socket = await connect()
    } catch (error) {
      left()
      exchange.onFailure(error)
      return
    }
    const connection = connectionOver(socket)
    if (!carryNext(connection, exchange)) rest(connection, UNUSED_KEPT_MS)
  }

  const connectionOver = (socket: Socket): Connection => {
    const reader = createAnswerReader(headerBytes)
    let current: Exchange | undefined
    let isAsked = false
    let requests = 0
    let trouble: Error | undefined

    const fail = (error: unknown): void => {
      const failed = current
      current = undefined
      socket.destroy()
      failed?.onFailure(error)
    }
    const finish = (): void => {
      const finished = current
      current = undefined
      isAsked = false
      const keepMs = requests < REQUESTS_PER_CONNECTION ? reader.keepMs() : 0
      if (keepMs === 0) socket.destroy()
      finished?.onEnd()
      if (keepMs > 0 && !carryNext(connection)) rest(connection, keepMs)
    }

    socket.on('data', (bytes: Buffer) => {
      // Before it was asked it cannot be an answer: it would be taken for one, and every answer after it for the next's.
      if (!isAsked) {
        fail(new SendFailure('CONNECTION'))
        return
      }
      try {
        if (reader.take(bytes)) finish()
      } catch (error) {
        fail(error)
      }
    })
    socket.on('end', () => {
      if (current !== undefined && reader.end()) finish()
    })
    socket.on('error', (error) => {
      trouble = error
    })
    socket.on('close', () => {
      const index = free.indexOf(connection)
      if (index !== -1) free.splice(index, 1)
      if (current !== undefined) fail(trouble ?? new SendFailure('CONNECTION'))
      left()
    })

    const connection: Connection = {
      socket,
      freeUntilMs: 0,
      carry: (exchange) => {
        current = exchange
        requests += 1
        reader.begin(exchange)
        soon(() => {
          if (socket.destroyed) return
          isAsked = true
          socket.write(exchange.request)
        })
      },
    }
    return connection
  }

  // Gives a connection to whoever wants it, the one named first.
  const carryNext = (connection: Connection, first?: Exchange): boolean => {
    const cut = () => connection.socket.destroy()
    for (let next = first ?? waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (connection.socket.destroyed) {
        waiting.unshift(next)
        return false
      }
      if (next.onTurn(cut)) {
        connection.carry(next)
        return true
      }
      next.onFailure(new SendFailure('NOT_SENT'))
    }
    return false
  }

  const rest = (connection: Connection, keepMs: number): void => {
    if (isClosing) connection.socket.destroy()
    if (connection.socket.destroyed) return
    connection.freeUntilMs = performance.now() + keepMs
    free.push(connection)
  }

  const left = (): void => {
    open -= 1
    const next = waiting.shift()
    if (next !== undefined) void openFor(next)
    else if (isClosing && open === 0) closed.resolve()
  }

  const takeFree = (): Connection | undefined => {
    const nowMs = performance.now()
    for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
      if (connection.freeUntilMs > nowMs && connection.socket.writable) return connection
      connection.socket.destroy()
    }
    return undefined
  }

  return {
    send: (exchange) => {
      const connection = takeFree()
      if (connection !== undefined) {
        if (!carryNext(connection, exchange)) rest(connection, UNUSED_KEPT_MS)
      } else if (open < most) void openFor(exchange)
      else waiting.push(exchange)
    },
    close: () => {
      isClosing = true
      for (const connection of free.splice(0)) connection.socket.destroy()
      if (open === 0) closed.resolve()
      return closed.promise
    },
    sweep: () => {
      const nowMs = performance.now()
      for (const connection of free) if (connection.freeUntilMs <= nowMs) connection.socket.destroy()
    },
  }
}

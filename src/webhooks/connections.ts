// Connections to one endpoint: kept open between requests, one request at a time on each, and limited in number. No library
// is used, because all we need of HTTP is a POST and the beginning of its answer. Done directly, that is half the work, and
// everything a stranger's server can do to us is visible here.

import type { Socket } from 'node:net'
import { type AnswerHead, createAnswerReader } from './answer-reader.ts'
import { SendFailure } from './failure.ts'

// One request and its callbacks. No callback is called after `onEnd` or `onFailure`.
export type HttpExchange = {
  readonly request: string
  // A connection is ready for it. Returns false if the request is no longer wanted. `cut` closes the connection.
  readonly onTurn: (cut: () => void) => boolean
  readonly onHead: (head: AnswerHead) => void
  readonly onBody: (bytes: Buffer) => void
  readonly onEnd: () => void
  readonly onFailure: (error: unknown) => void
}

export type Connections = {
  readonly send: (exchange: HttpExchange) => void
  // Waits for the requests already passed to `send`. No new ones may follow.
  readonly close: () => Promise<void>
  // Closes idle connections that the other side no longer keeps open.
  readonly sweep: () => void
}

export type ConnectionsOptions = {
  readonly connect: () => Promise<Socket>
  readonly most: number
  readonly headerBytes: number
}

// A busy connection is replaced from time to time, so that a DNS change takes effect.
const REQUESTS_PER_CONNECTION = 1_000
// For a connection that was opened or taken for a request that is no longer wanted.
const UNUSED_KEEP_MS = 1_000

type Connection = {
  readonly socket: Socket
  readonly start: (exchange: HttpExchange) => void
  idleUntilMs: number
}

// Requests are written in a batch, after all available answers were read. Written one by one, each would wake the other
// side, or a proxy before it.
const pendingWrites: (() => void)[] = []

function writeBatched(write: () => void): void {
  if (pendingWrites.push(write) > 1) return
  setImmediate(() => {
    for (const next of pendingWrites.splice(0)) next()
  })
}

export function openConnections({ connect, most, headerBytes }: ConnectionsOptions): Connections {
  // The last one used is reused first, so that surplus connections stay idle and are closed.
  const idle: Connection[] = []
  const waiting: HttpExchange[] = []
  const closed = Promise.withResolvers<void>()
  let openCount = 0
  let isClosing = false

  const openFor = async (exchange: HttpExchange): Promise<void> => {
    openCount += 1
    let socket: Socket
    try {
      socket = await connect()
    } catch (error) {
      onConnectionGone()
      exchange.onFailure(error)
      return
    }
    const connection = connectionOver(socket)
    if (!startNext(connection, exchange)) keepIdle(connection, UNUSED_KEEP_MS)
  }

  const connectionOver = (socket: Socket): Connection => {
    const reader = createAnswerReader(headerBytes)
    let current: HttpExchange | undefined
    let isRequestWritten = false
    let requests = 0
    let socketError: Error | undefined

    const fail = (error: unknown): void => {
      const failed = current
      current = undefined
      socket.destroy()
      failed?.onFailure(error)
    }
    const finish = (): void => {
      const finished = current
      current = undefined
      isRequestWritten = false
      const keepMs = requests < REQUESTS_PER_CONNECTION ? reader.keepMs() : 0
      if (keepMs === 0) socket.destroy()
      finished?.onEnd()
      if (keepMs > 0 && !startNext(connection)) keepIdle(connection, keepMs)
    }

    socket.on('data', (bytes: Buffer) => {
      // Data that comes before the request is written is not its answer. Accepting it would shift every later answer by one.
      if (!isRequestWritten) {
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
      socketError = error
    })
    socket.on('close', () => {
      const index = idle.indexOf(connection)
      if (index !== -1) idle.splice(index, 1)
      if (current !== undefined) fail(socketError ?? new SendFailure('CONNECTION'))
      onConnectionGone()
    })

    const connection: Connection = {
      socket,
      idleUntilMs: 0,
      start: (exchange) => {
        current = exchange
        requests += 1
        reader.begin(exchange)
        writeBatched(() => {
          if (socket.destroyed) return
          isRequestWritten = true
          socket.write(exchange.request)
        })
      },
    }
    return connection
  }

  // Uses the connection for the next request that is still wanted: `first`, then the queue.
  const startNext = (connection: Connection, first?: HttpExchange): boolean => {
    const cut = () => connection.socket.destroy()
    for (let next = first ?? waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (connection.socket.destroyed) {
        waiting.unshift(next)
        return false
      }
      if (next.onTurn(cut)) {
        connection.start(next)
        return true
      }
      next.onFailure(new SendFailure('NOT_SENT'))
    }
    return false
  }

  const keepIdle = (connection: Connection, keepMs: number): void => {
    if (isClosing) connection.socket.destroy()
    if (connection.socket.destroyed) return
    connection.idleUntilMs = performance.now() + keepMs
    idle.push(connection)
  }

  const onConnectionGone = (): void => {
    openCount -= 1
    const next = waiting.shift()
    if (next !== undefined) void openFor(next)
    else if (isClosing && openCount === 0) closed.resolve()
  }

  const takeIdle = (): Connection | undefined => {
    const nowMs = performance.now()
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (connection.idleUntilMs > nowMs && connection.socket.writable) return connection
      connection.socket.destroy()
    }
    return undefined
  }

  return {
    send: (exchange) => {
      const connection = takeIdle()
      if (connection !== undefined) {
        if (!startNext(connection, exchange)) keepIdle(connection, UNUSED_KEEP_MS)
      } else if (openCount < most) void openFor(exchange)
      else waiting.push(exchange)
    },
    close: () => {
      isClosing = true
      for (const connection of idle.splice(0)) connection.socket.destroy()
      if (openCount === 0) closed.resolve()
      return closed.promise
    },
    sweep: () => {
      const nowMs = performance.now()
      for (const connection of idle) if (connection.idleUntilMs <= nowMs) connection.socket.destroy()
    },
  }
}

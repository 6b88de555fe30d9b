// COPY, PostgreSQL's own way to move the rows of a table out and in as text. The driver knows its messages and leaves the rows to
// whoever submits the statement.

import { type Duplex, Readable } from 'node:stream'
import type pg from 'pg'

// Large enough that compressing and writing it is worth a call.
const CHUNK_BYTES = 65_536

// What the driver's connection can do besides what its types say.
type Connection = pg.Connection & {
  sendCopyFromChunk: (chunk: Uint8Array) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

// The rows that `copy … to stdout` gives, as the server sends them. Whoever reads slowly slows the server down.
export function copyOut(client: pg.Client, sql: string): Readable {
  let connection: Connection | undefined
  const rows = new Readable({
    read: () => connection?.stream.resume(),
    // Nobody reads the rest, and the connection is closed with its transaction.
    destroy: (error, done) => {
      connection?.stream.resume()
      done(error)
    },
  })
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const give = (): void => {
    const chunk = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    if (!rows.destroyed && chunk.length > 0 && !rows.push(chunk)) connection?.stream.pause()
  }
  submit(client, sql, {
    onSubmit: (on) => {
      connection = on
    },
    // A row is one message. The driver uses its memory again, so each is copied.
    onData: (row) => {
      waiting.push(Buffer.from(row))
      waitingBytes += row.length
      if (waitingBytes >= CHUNK_BYTES) give()
    },
  }).then(
    () => {
      give()
      rows.push(null)
    },
    (error) => rows.destroy(error),
  )
  return rows
}

// Writes rows by `copy … from stdin`, and returns how many they were.
export async function copyIn(
  client: pg.Client,
  sql: string,
  rows: AsyncIterable<Uint8Array>,
): Promise<number> {
  let failed: Error | undefined
  let ended = false
  const send = async (connection: Connection): Promise<void> => {
    try {
      for await (const chunk of rows) {
        // The server has refused a row. What it says is the error.
        if (ended) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await drained(connection.stream)
      }
      connection.endCopyFrom()
    } catch (error) {
      failed = error as Error
      connection.sendCopyFail(failed.message)
    }
  }
  try {
    return await submit(client, sql, { onReady: send })
  } catch (error) {
    throw failed ?? error
  } finally {
    ended = true
  }
}

// Or closed, after which nothing drains.
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

type Handlers = {
  onSubmit?: (connection: Connection) => void
  onReady?: (connection: Connection) => Promise<void>
  onData?: (chunk: Uint8Array) => void
}

// Resolves to the number of rows that the server counted.
function submit(client: pg.Client, sql: string, handlers: Handlers): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    client.query({
      submit: (connection: pg.Connection) => {
        handlers.onSubmit?.(connection as Connection)
        connection.query(sql)
      },
      handleCopyInResponse: (connection: Connection) => {
        handlers.onReady?.(connection)
      },
      handleCopyData: ({ chunk }: { chunk: Uint8Array }) => handlers.onData?.(chunk),
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
      },
      // After an error of the server a message follows that says it is ready, which changes nothing then. A lost connection sends none.
      handleError: reject,
      handleReadyForQuery: () => resolve(rows),
    } as pg.Submittable)
  })
}

// Reads an answer as webhooks are sent: with connections.ts and its answer reader, over a socket that exists in memory only.

import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { openConnections } from '../../src/webhooks/connections.ts'
import { SendFailure } from '../../src/webhooks/failure.ts'
import type { Bytes, Reading } from './reading.ts'

export async function readWithOurs({ pieces, ends }: Bytes, headerBytes: number): Promise<Reading> {
  const socket = new MemorySocket()
  const connections = openConnections({
    connect: async () => socket as unknown as Socket,
    most: 1,
    headerBytes,
  })
  let outcome: Reading['outcome'] = 'waiting'
  let status: number | null = null
  let bodyBytes = 0
  let isReusable = false
  const written = Promise.withResolvers<void>()
  socket.onWrite = written.resolve
  connections.send({
    request: '',
    onTurn: () => true,
    onHead: (head) => {
      status = head.status
    },
    onBody: (bytes) => {
      bodyBytes += bytes.length
    },
    onEnd: () => {
      outcome = 'whole'
    },
    onFailure: (error) => {
      if (!(error instanceof SendFailure)) throw error
      outcome = 'refused'
    },
  })
  await written.promise
  for (const piece of pieces) if (!socket.destroyed) socket.emit('data', piece)
  isReusable = (outcome as Reading['outcome']) === 'whole' && !socket.destroyed
  if (ends && !socket.destroyed) {
    socket.emit('end')
    socket.destroy()
  }
  const read = { outcome, status, bodyBytes, isReusable }
  // What still waits is given up here.
  socket.destroy()
  await connections.close()
  return read
}

// As much of a socket as connections.ts uses. It closes at once, as no real one does; nothing is read in between.
class MemorySocket extends EventEmitter {
  destroyed = false
  writable = true
  onWrite = (): void => {}

  write(): boolean {
    this.onWrite()
    return true
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.writable = false
    this.emit('close')
  }
}

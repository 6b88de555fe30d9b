// An HTTP server that a simulated network listens with. When it ends it ends at once, whoever is still connected.

import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

// Not imported: that loads all that node:http can lend, Node's whole undici among it, and a start would take longer by a tenth.
const { createServer } = process.getBuiltinModule('node:http')

export type Listener = {
  url: string
  /** Answers from here on: what answers may need to know the address. */
  answerWith: (answer: RequestListener) => void
  close: () => Promise<void>
}

export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const server = createServer()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: assignedPort } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${assignedPort}`,
    answerWith: (answer) => {
      server.on('request', answer)
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}

// A merchant's server on a bare socket, so that it can misbehave in ways an HTTP server would prevent. It reads one
// whole request at a time and passes it, with the socket, to the test's behaviour.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificate.ts'

export type Received = {
  readonly line: string
  readonly headers: Record<string, string>
  readonly body: string
}
export type Behaviour = (socket: Socket, request: Received) => void

export type Receiver = AsyncDisposable & {
  readonly port: number
  readonly url: string
  // Whole requests, and connections with or without one.
  readonly requests: Received[]
  readonly connections: { opened: number; open: number; mostAtOnce: number; bytes: number }
  // Resolves when the senders have closed every connection.
  readonly abandoned: () => Promise<void>
}

export type ReceiverOptions = { host?: string; port?: number; certificate?: Certificate }

export async function receiver(behave: Behaviour, options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, certificate } = options
  const requests: Received[] = []
  const connections = { opened: 0, open: 0, mostAtOnce: 0, bytes: 0 }
  const sockets = new Set<Socket>()

  const serve = (socket: Socket): void => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      connections.bytes += chunk.length
      text += chunk.toString('latin1')
      const taken = takeRequest(text)
      if (taken === undefined) return
      text = taken.rest
      requests.push(taken.request)
      behave(socket, taken.request)
    })
  }
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    connections.opened += 1
    connections.open += 1
    connections.mostAtOnce = Math.max(connections.mostAtOnce, connections.open)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      connections.open -= 1
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port

  return {
    port: bound,
    url: `${certificate === undefined ? 'http' : 'https'}://${host}:${bound}/hooks`,
    requests,
    connections,
    abandoned: async () => {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

// A plain answer with a length, on a connection that stays open.
export function answering(status: string, headers: string[] = [], body: string | Buffer = ''): Behaviour {
  const head = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${Buffer.byteLength(body)}`, '', '']
  return (socket) => socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(body)]))
}

function takeRequest(text: string): { request: Received; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
  )
  const until = end + 4 + Number(headers['content-length'] ?? 0)
  if (text.length < until) return undefined
  const body = Buffer.from(text.slice(end + 4, until), 'latin1').toString('utf8')
  return { request: { line, headers, body }, rest: text.slice(until) }
}

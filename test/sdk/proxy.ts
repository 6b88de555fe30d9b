// A faulty network between client and server: one scripted fault per request, then none.

import { request as ask, createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault =
  // The request never arrives.
  | 'drop'
  // The request is carried out, and its answer is lost.
  | 'lose'
  // No answer ever comes.
  | 'hang'
  // An intermediary answers instead.
  | { status: number; headers?: Record<string, string>; body?: string }
  // The answer breaks off, or stalls, in the middle.
  | { cutAfterBytes: number }
  | { muteAfterBytes: number }

export type Passed = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export type FaultyProxy = {
  url: string
  seen: Passed[]
  next: (...faults: Fault[]) => void
  // For every request from now on.
  always: (fault: Fault | undefined) => void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startProxy(target: string): Promise<FaultyProxy> {
  const seen: Passed[] = []
  const coming: Fault[] = []
  let lasting: Fault | undefined
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const atMs = performance.now()
    let body = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (text: string) => {
      body += text
    })
    incoming.on('end', () => {
      seen.push({ method, path: url, headers, body, atMs })
      const fault = coming.shift() ?? lasting
      if (fault === 'drop') return void response.destroy()
      if (fault === 'hang') return
      if (typeof fault === 'object' && 'status' in fault)
        return void response.writeHead(fault.status, fault.headers).end(fault.body)
      const outgoing = ask(target + url, { method, headers, agent: false }, (answer) => {
        answer.on('error', () => response.destroy())
        if (fault === 'lose') return void answer.resume().on('end', () => response.destroy())
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        // A stream's headers must not wait for its first event.
        response.flushHeaders()
        const left = typeof fault === 'object' ? bytesLeft(fault, response) : undefined
        answer.on('data', (bytes: Buffer) => (left === undefined ? response.write(bytes) : left(bytes)))
        answer.on('end', () => response.end())
        response.on('close', () => answer.destroy())
      })
      outgoing.on('error', () => response.destroy())
      outgoing.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...faults) => void coming.push(...faults),
    always: (fault) => {
      lasting = fault
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// Passes this many bytes, however they are chunked. Then it cuts the connection, or stalls.
function bytesLeft(
  fault: { cutAfterBytes: number } | { muteAfterBytes: number },
  response: ServerResponse,
): (bytes: Buffer) => void {
  let left = 'cutAfterBytes' in fault ? fault.cutAfterBytes : fault.muteAfterBytes
  return (bytes) => {
    if (left > 0) response.write(bytes.subarray(0, left))
    left -= bytes.length
    // A moment later. Otherwise the bytes written would be lost with the connection.
    if (left < 0 && 'cutAfterBytes' in fault) setImmediate(() => response.destroy())
  }
}

// A network for tests: a real HTTP server that gives scripted answers, good or broken, and records the requests. It
// grants access tokens by itself.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer =
  | { status: number; json: unknown }
  | { status: number; bytes: string | Uint8Array; headers?: Record<string, string> }
  // reset: the connection breaks before any answer. broken off: in the middle of one. silent: nothing, ever. trickle: a
  // byte now and then, without end. endless: as fast as possible, without end. no HTTP: bytes of another protocol.
  | 'reset'
  | 'broken off'
  | 'silent'
  | 'trickle'
  | 'endless'
  | 'no HTTP'

export type Asked = {
  method: string
  path: string
  authorization: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: unknown
}
// An answer may depend on what was asked.
export type Scripted = Answer | ((asked: Asked) => Answer)

export type FakeNetwork = AsyncDisposable & {
  readonly url: string
  // Requests since the script began, without those for access tokens.
  readonly asked: Asked[]
  readonly tokensGranted: () => number
  // Each request gets the next answer; the last one repeats.
  readonly willAnswer: (...answers: Scripted[]) => void
  readonly willGrant: (answer: Answer | undefined) => void
}

export async function openFakeNetwork(): Promise<FakeNetwork> {
  let script: Scripted[] = []
  let grant: Answer | undefined
  let granted = 0
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request).catch(() => '')
    if (/\/(access)?token(\?|$)/.test(request.url ?? '')) {
      granted += 1
      return give(response, grant ?? { status: 200, json: freshToken(granted) })
    }
    const one: Asked = {
      method: request.method ?? '',
      path: (request.url ?? '').slice(BASE_PATH.length),
      authorization: request.headers.authorization ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    asked.push(one)
    const scripted = script.length > 1 ? script.shift() : script[0]
    const answer = typeof scripted === 'function' ? scripted(one) : scripted
    give(response, answer ?? { status: 500, bytes: 'no script' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}/`,
    asked,
    tokensGranted: () => granted,
    willAnswer: (...answers) => {
      script = answers
      grant = undefined
      granted = 0
      asked.length = 0
    },
    willGrant: (answer) => {
      grant = answer
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// Networks are often under a path of their server.
const BASE_PATH = '/gateway/v1'

function freshToken(ordinal: number): object {
  return { access_token: `secret-token-${ordinal}`, token_type: 'Bearer', expires_in: 3_600 }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const BETWEEN_BYTES_MS = 20

function give(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'object') {
    const isJson = 'json' in answer
    const headers = isJson ? { 'content-type': 'application/json' } : { ...answer.headers }
    response.writeHead(answer.status, headers).end(isJson ? JSON.stringify(answer.json) : answer.bytes)
    return
  }
  switch (answer) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'broken off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"reference":"', () => response.socket?.destroy())
      return
    case 'silent':
      return
    case 'trickle': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), BETWEEN_BYTES_MS)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const writeMore = (): void => {
        if (response.destroyed) return
        if (response.write(' '.repeat(16_384))) setImmediate(writeMore)
        else response.once('drain', writeMore)
      }
      writeMore()
      return
    }
    case 'no HTTP':
      response.socket?.end('SSH-2.0-gateway\r\n')
      return
  }
}

// A merchant's receiver: records requests and answers as the test sets.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }

export type Receiver = {
  url: string
  got: Received[]
  answerWith: (status: number, body?: string) => void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = []
  let answer = { status: 200, body: 'ok' }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      got.push({ headers: request.headers, body, path: request.url ?? '' })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    answerWith: (status, body = '') => {
      answer = { status, body }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// Records what the adapter sends, byte for byte, and answers as it is told.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Sent = { method: string; path: string; headers: Record<string, string>; body: string }

export type Recording = AsyncDisposable & {
  readonly url: string
  readonly sent: Sent[]
  // Each request gets the next answer. Access tokens are granted beside.
  readonly willAnswer: (...answers: { status: number; json?: unknown }[]) => void
}

// What undici adds to any request.
const OF_HTTP = ['host', 'connection', 'content-length', 'transfer-encoding']

export async function openRecording(): Promise<Recording> {
  const sent: Sent[] = []
  let answers: { status: number; json?: unknown }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.entries(request.headers).filter(([name]) => !OF_HTTP.includes(name))
    const path = request.url ?? ''
    sent.push({
      method: request.method ?? '',
      path,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    })
    const isToken = path.endsWith('/oauth/token')
    const answer = isToken
      ? { status: 200, json: { access_token: 'a-token', expires_in: 1_800 } }
      : (answers.shift() ?? { status: 500 })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(answer.json === undefined ? '' : JSON.stringify(answer.json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    willAnswer: (...next) => {
      answers = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

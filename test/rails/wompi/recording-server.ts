// A provider for tests that answers by route and keeps what it was asked, headers included.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Exchange = { call: string; headers: Record<string, string>; body: unknown }
export type RouteAnswer = { status?: number; json: unknown }
export type RecordingServer = AsyncDisposable & {
  readonly url: string
  readonly exchanges: Exchange[]
  // By method, path and query, such as "GET /v1/accounts". A list is answered one by one, and its last repeats.
  routes: Record<string, RouteAnswer | RouteAnswer[]>
}

// Those that a request has anyway, whatever we ask.
const TRANSPORT = ['host', 'connection', 'content-length', 'transfer-encoding']

export async function openRecordingServer(routes: RecordingServer['routes'] = {}): Promise<RecordingServer> {
  const exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks).toString()
    const call = `${request.method} ${request.url}`
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !TRANSPORT.includes(name)),
    ) as Record<string, string>
    exchanges.push({ call, headers, body: sent === '' ? undefined : JSON.parse(sent) })
    const route = recording.routes[call]
    const answer = Array.isArray(route) ? (route.length > 1 ? route.shift() : route[0]) : route
    const { status = 200, json } = answer ?? { status: 404, json: { nothing: call } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    routes,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return recording
}
